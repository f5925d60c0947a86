//! The simulator plays the real machine behind drifting clocks; methods and synchronisation must
//! recover the truth that it knows.

mod common;

use common::{order, settings};
use models::call::Call;
use models::clock::ClockModel;
use models::clock::ClockSpread;
use models::collective::{Collective, Shape};
use models::network::{Hockney, Network, SendRule};
use models::time::{PerByte, Span};
use programs::method::{Method, Order, Subject};
use programs::observation::times_per_call;
use programs::operation::WaitPattern;
use programs::sync::Sync;
use proptest::prelude::*;
use sim::{Predictor, SimWorld};

fn network(alpha: Span) -> Network {
    Network::Hockney(Hockney { alpha, beta: PerByte::from_ns(1.0), send_rule: SendRule::Busy })
}

fn behind_bad_clocks(seed: u64) -> Predictor {
    let clocks = ClockSpread {
        largest_offset: Span::from_ms(80),
        largest_skew_ppm: 5.0,
        granularity: Span::from_ns(25),
        read_cost: Span::from_ns(20),
        ..ClockSpread::default()
    };
    Predictor {
        network: network(Span::from_us(100)).into(),
        control: network(Span::from_us(2)),
        clocks,
        seed,
        ..Predictor::perfect(network(Span::from_us(100)))
    }
}

proptest! {
    #[test]
    fn the_bound_of_linear_synchronisation_contains_the_true_offset(
        offsets in prop::collection::vec(0u64..200_000_000_000, 2..9),
        skew in -20.0..20.0f64, granularity in 0u64..1_000_000, read_cost in 0u64..500_000, alpha in 1u64..50_000_000,
    ) {
        let clock = |(i, &offset): (usize, &u64)| ClockModel {
            offset: Span(offset),
            skew_ppm: skew * i as f64 / 8.0,
            granularity: Span(granularity),
            read_cost: Span(read_cost),
            ..ClockModel::PERFECT
        };
        let clocks: Vec<_> = offsets.iter().enumerate().map(clock).collect();
        let world = SimWorld { clocks, ..SimWorld::ideal(network(Span(alpha)), offsets.len() as u32) };
        let run = world.run(async |rank| {
            let before = rank.true_time();
            let clock = Sync::Linear.synchronise(&rank).await;
            (before, clock, rank.true_time())
        }).unwrap();
        for (rank, (before, global, after)) in run.results.iter().enumerate() {
            // The offset drifts while it is measured: it must fit for some instant of the measurement.
            let at = |time| world.clocks[0].reading(time).0 as i64 - world.clocks[rank].reading(time).0 as i64;
            let (first, last) = (at(*before), at(*after));
            let slack = global.bound.0 as i64 + granularity as i64;
            prop_assert!(
                global.offset_ps >= first.min(last) - slack && global.offset_ps <= first.max(last) + slack,
                "rank {rank}: {} ± {} ps, truth {first} to {last}", global.offset_ps, global.bound.0
            );
        }
    }
}

#[test]
fn windows_recover_the_true_time_of_every_rank_behind_drifting_clocks() {
    for (seed, algorithm) in (0..20).flat_map(|seed| [(seed, "linear"), (seed, "binomial")]) {
        let order = order(Collective::Bcast, algorithm, 7, 1_000, Method::Window);
        let prediction = behind_bad_clocks(seed).predict(&order).unwrap();
        for record in &prediction.ranks {
            let truth = prediction.truth[record.rank as usize];
            // Least of all clock errors: the bound, the drift over a run of 0.2 s, steps of the clocks.
            let allowed = record.clock.bound + prediction.ranks[0].clock.bound + Span::from_us(2);
            let times = times_per_call(&prediction.ranks, record.rank as usize);
            let valid: Vec<Span> = times.into_iter().map(|(_, time)| time).collect();
            assert!(valid.len() > 30, "seed {seed} {algorithm}: only {} valid windows", valid.len());
            for time in valid {
                let error = time.0.abs_diff(truth.0);
                assert!(
                    error <= allowed.0 + 2 * start_spread(&prediction.ranks),
                    "seed {seed} {algorithm} rank {}: {time} instead of {truth}, allowed ± {allowed}",
                    record.rank
                );
            }
        }
    }
}

#[test]
fn announced_starts_recover_the_true_time_of_every_rank_behind_drifting_clocks() {
    for (seed, algorithm) in (0..10).flat_map(|seed| [(seed, "linear"), (seed, "binomial")]) {
        let order = order(Collective::Bcast, algorithm, 7, 1_000, Method::RoundTime);
        let prediction = behind_bad_clocks(seed).predict(&order).unwrap();
        for (rank, record) in prediction.ranks.iter().enumerate() {
            let truth = prediction.truth[rank];
            let allowed = record.clock.bound + prediction.ranks[0].clock.bound + Span::from_us(2);
            let times = times_per_call(&prediction.ranks, rank);
            assert_eq!(times.len(), 100, "seed {seed} {algorithm}: every start is announced in time");
            for (_, time) in times {
                let error = time.0.abs_diff(truth.0);
                assert!(
                    error <= allowed.0 + 2 * start_spread(&prediction.ranks),
                    "seed {seed} {algorithm} rank {rank}: {time} instead of {truth}, allowed ± {allowed}"
                );
            }
        }
    }
}

/// How far apart the ranks' clocks were after the run, as the second synchronisation saw it.
fn start_spread(ranks: &[programs::observation::RankRecord]) -> u64 {
    ranks.iter().map(|r| (r.clock_after.offset_ps - r.clock.offset_ps).unsigned_abs()).max().unwrap_or(0)
}

#[test]
fn an_unsynchronised_loop_misreports_the_same_broadcast_that_windows_get_right() {
    let machine = behind_bad_clocks(5);
    let loop_order = order(Collective::Bcast, "linear", 4, 0, Method::Loop);
    let prediction = machine.predict(&loop_order).unwrap();
    let record = &prediction.ranks[1];
    let ratio = record.time_per_call(&record.stamps[0]).as_us() / prediction.truth[1].as_us();
    assert!((ratio - 2.5).abs() < 0.001, "rank 1 of 4 after 4 calls: {ratio} instead of 2.5");
}

#[test]
fn the_wait_patterns_show_what_the_global_clock_is_worth() {
    for (pattern, ranks) in [(WaitPattern::Null, 2), (WaitPattern::Null, 6), (WaitPattern::Up, 2), (WaitPattern::Up, 6)]
    {
        let shape = Shape::new(ranks, 0, 0);
        let order = Order {
            subject: Subject::Wait(pattern),
            shape,
            call: Call::default(),
            copies_as: None,
            environment: Default::default(),
            settings: settings(Method::Window),
        };
        let prediction = behind_bad_clocks(3).predict(&order).unwrap();
        let truth = pattern.truth(ranks);
        for (l, _) in prediction.ranks[0].stamps.iter().enumerate().filter(|(_, stamp)| stamp.valid) {
            let ends = prediction.ranks.iter().map(|r| r.clock.time(r.stamps[l].end));
            let due = prediction.ranks[0].clock.time(prediction.ranks[0].stamps[l].due.unwrap());
            let seen = ends.max().unwrap().since(due);
            let error = seen.0.abs_diff(truth.0);
            assert!(error <= Span::from_ns(500).0, "{pattern:?} on {ranks} ranks: {seen} instead of {truth}");
        }
    }
}

#[test]
fn windows_never_exceed_their_cap_and_say_so() {
    let mut order = order(Collective::Bcast, "linear", 4, 0, Method::Window);
    order.settings.window.cap = Span::from_us(200);
    let capped = behind_bad_clocks(1).predict(&order).unwrap();
    let window = capped.ranks[0].window.as_ref().unwrap();
    assert!(window.capped && window.deltas.iter().all(|&delta| delta <= Span::from_us(200)), "{window:?}");
    assert_eq!(capped.ranks[0].valid().count(), 0, "calls of 300 µs cannot fit windows of 200 µs");
}
