//! What each method must print in the simulated world: perfect clocks, no noise, closed forms, no tolerance.

mod common;

use common::{order, perfect};
use models::closed_form::{linear_bcast_loop, linear_bcast_time};
use models::collective::{Algorithm, Collective};
use models::network::{Hockney, Network, SendRule};
use models::platform::Buffer;
use models::time::{PerByte, Span};
use programs::aggregation::{Aggregation, OverRanks};
use programs::budget::{Configuration, SystematicError};
use programs::method::{FirstCall, Method, Order, Preset, RootChoice, Rotation};
use programs::observation::{Implementation, times_per_call};
use sim::{Misreport, Prediction, Predictor};

const ALPHA: Span = Span::from_us(5);
/// α + mβ of [`BYTES`].
const TAU: Span = Span::from_us(6);
const BYTES: u64 = 1_000;
const SIZES: [u32; 6] = [2, 3, 4, 5, 8, 13];

fn hockney(send_rule: SendRule) -> Network {
    Network::Hockney(Hockney { alpha: ALPHA, beta: PerByte::from_ns(1.0), send_rule })
}

fn linear(ranks: u32, method: Method) -> Order {
    order(Collective::Bcast, "linear", ranks, BYTES, method)
}

fn predict(send_rule: SendRule, order: &Order) -> Prediction {
    perfect(hockney(send_rule)).predict(order).unwrap()
}

/// What the method prints for one rank; every sample must say the same.
fn printed(prediction: &Prediction, rank: u32) -> Span {
    let times = times_per_call(&prediction.ranks, rank as usize);
    let (_, first) = times.first().copied().expect("a valid sample");
    assert!(times.iter().all(|(_, time)| *time == first), "rank {rank}: {times:?}");
    first
}

/// A dissemination barrier that all enter together: ⌈log₂ n⌉ rounds of α.
fn barrier(ranks: u32) -> Span {
    ALPHA * u64::from(ranks.next_power_of_two().trailing_zeros())
}

#[test]
fn barrier_subtract_misreports_a_busy_linear_broadcast_as_the_unsynchronised_loop_does() {
    for ranks in SIZES {
        let prediction = predict(SendRule::Busy, &linear(ranks, Method::BarrierSubtract));
        for (rank, record) in (0..).zip(&prediction.ranks) {
            // The last call ends after t_i, each call before it with the root, whom every barrier waits for.
            let expected = Span(linear_bcast_loop(TAU, ranks, rank, 4).0 / 4);
            assert_eq!(printed(&prediction, rank), expected, "{ranks} ranks, rank {rank}");
            let scale = record.clock.scale;
            let (both, alone) = (&record.stamps[0], &record.subtracted[0]);
            assert_eq!(scale.span(alone.start, alone.end), barrier(ranks) * 4);
            let call = linear_bcast_loop(TAU, ranks, rank, 4);
            assert_eq!(scale.span(both.start, both.end), barrier(ranks) * 4 + call);
        }
    }
}

#[test]
fn barrier_inside_reports_the_call_of_the_slowest_rank_and_the_barrier_on_every_rank() {
    // Where senders wait for their transfer, all leave a dissemination barrier together.
    let rules = [SendRule::Busy, SendRule::Synchronous];
    for (ranks, rule) in SIZES.into_iter().flat_map(|ranks| rules.map(|rule| (ranks, rule))) {
        let prediction = predict(rule, &linear(ranks, Method::BarrierInside));
        let slowest = *prediction.truth.iter().max().unwrap();
        for rank in 0..ranks {
            assert_eq!(printed(&prediction, rank), slowest + barrier(ranks), "{ranks} ranks, {}", rule.name());
        }
    }
}

#[test]
fn a_barrier_inside_is_the_same_error_as_a_factor_of_the_loop() {
    for ranks in SIZES {
        let mut order = linear(ranks, Method::Loop);
        order.settings.factors.barrier_inside = true;
        let factor = predict(SendRule::Busy, &order);
        let method = predict(SendRule::Busy, &linear(ranks, Method::BarrierInside));
        for rank in 0..ranks {
            assert_eq!(printed(&factor, rank), printed(&method, rank));
        }
    }
}

#[test]
fn the_own_barrier_is_the_dissemination_barrier_whatever_the_library_would_do() {
    for ranks in SIZES {
        let expected = predict(SendRule::Busy, &linear(ranks, Method::BarrierLoop));
        let mut order = linear(ranks, Method::BarrierOwn);
        order.settings.barrier = Implementation::Own("linear".to_owned());
        let own = predict(SendRule::Busy, &order);
        for rank in 0..ranks {
            assert_eq!(printed(&own, rank), printed(&expected, rank));
        }
        // The linear barrier that it replaces lets ranks go one after the other, so it would say something else.
        order.settings.method = Method::BarrierLoop;
        let linear = predict(SendRule::Busy, &order);
        let differs = (0..ranks).any(|rank| printed(&linear, rank) != printed(&own, rank));
        assert_eq!(differs, ranks > 2, "{ranks} ranks");
    }
}

#[test]
fn synchronised_starts_print_the_truth() {
    for (ranks, rule) in SIZES.into_iter().flat_map(|ranks| SendRule::ALL.map(|rule| (ranks, rule))) {
        for (algorithm, method) in
            ["linear", "binomial"].into_iter().flat_map(|name| [(name, Method::Window), (name, Method::RoundTime)])
        {
            let order = order(Collective::Bcast, algorithm, ranks, BYTES, method);
            let prediction = predict(rule, &order);
            for (rank, &truth) in (0..).zip(&prediction.truth) {
                assert_eq!(printed(&prediction, rank), truth, "{method} {algorithm} {ranks} ranks, {}", rule.name());
            }
            if method == Method::RoundTime {
                let valid = prediction.ranks[0].valid().count();
                assert_eq!(valid, 100, "as many valid starts as asked for");
            }
        }
    }
}

#[test]
fn round_time_ends_with_its_budget() {
    let mut order = linear(4, Method::RoundTime);
    order.settings.round_time.budget = Span::from_us(500);
    let prediction = predict(SendRule::Busy, &order);
    let record = prediction.ranks[0].round_time.unwrap();
    // The last start was announced within the budget; its round ends within twice the budget here.
    assert!((Span::from_us(500)..Span::from_us(1_000)).contains(&record.spent), "{}", record.spent);
    assert!((2..100).contains(&prediction.ranks[0].stamps.len()));
}

#[test]
fn starts_that_are_announced_too_late_are_not_valid_and_do_not_go_on_for_ever() {
    let mut order = linear(8, Method::RoundTime);
    order.settings.round_time.slack = 1e-9;
    order.settings.round_time.starts = 7;
    let prediction = predict(SendRule::Busy, &order);
    assert_eq!(prediction.ranks[0].stamps.len(), 70);
    assert!(prediction.ranks.iter().all(|record| record.valid().count() == 0));
    insta::assert_snapshot!(prediction.misreport(&Aggregation::default()).unwrap_err());
}

#[test]
fn rotating_roots_hand_eager_broadcasts_on_one_after_the_other() {
    // Long messages: all ranks have left the barrier before the first one arrives.
    let bytes = 100_000;
    let tau = ALPHA + PerByte::from_ns(1.0).for_bytes(bytes);
    for ranks in SIZES {
        let mut order = order(Collective::Bcast, "linear", ranks, bytes, Method::RootRotation);
        order.settings.calls = 3;
        let from_the_first_start = |prediction: &Prediction, rank: usize, block: usize| {
            let scale = prediction.ranks[0].clock.scale;
            scale.span(prediction.ranks[0].stamps[block].start, prediction.ranks[rank].stamps[block].end)
        };
        let rotated = predict(SendRule::Eager, &order);
        order.settings.method = Method::Loop;
        let fixed = predict(SendRule::Eager, &order);
        for (rank, block) in (0..ranks as usize).flat_map(|rank| (0..3).map(move |block| (rank, block))) {
            // The next root has the data after τ and sends at once; the last root need not wait for its own call.
            let calls = if rank == 2 % ranks as usize { 2 } else { 3 };
            assert_eq!(from_the_first_start(&rotated, rank, block), tau * calls, "{ranks} ranks, rank {rank}");
            // A root that waits for nobody sends all three at once.
            let all = if rank == 0 { Span::ZERO } else { tau };
            assert_eq!(from_the_first_start(&fixed, rank, block), all, "{ranks} ranks, rank {rank}");
        }
    }
}

#[test]
fn the_root_of_call_l_is_l_mod_p_in_every_block() {
    let mut order = linear(3, Method::RootRotation);
    order.settings.factors.rotation = Rotation::BarrierLoop;
    let prediction = predict(SendRule::Busy, &order);
    let truths = perfect(hockney(SendRule::Busy)).truths(&order).unwrap();
    assert_eq!(truths.iter().map(|truth| truth.root).collect::<Vec<_>>(), [0, 1, 2]);
    for (rank, record) in prediction.ranks.iter().enumerate() {
        for (index, stamp) in record.stamps.iter().enumerate() {
            let root = index % 4 % 3;
            assert_eq!(record.time_per_call(stamp), truths[root].ranks[rank], "rank {rank}, call {index}");
        }
    }
    assert_ne!(truths[0].ranks, truths[1].ranks);
    assert_eq!(truths[0].ranks[1], linear_bcast_time(TAU, 3, 1));
}

#[test]
fn collectives_without_a_root_do_not_rotate() {
    let order = |method| order(Collective::Barrier, "dissemination", 6, 0, method);
    let rotated = predict(SendRule::Busy, &order(Method::RootRotation));
    let looped = predict(SendRule::Busy, &order(Method::Loop));
    for rank in 0..6 {
        assert_eq!(printed(&rotated, rank), printed(&looped, rank));
    }
}

#[test]
fn an_included_first_call_is_the_methods_own() {
    let mut order = linear(4, Method::BarrierLoop);
    order.settings.factors.first_call = FirstCall::Included;
    let included = predict(SendRule::Busy, &order);
    assert!(included.ranks.iter().all(|record| record.cold == record.stamps[0]));
    order.settings.factors.first_call = FirstCall::Apart;
    let apart = predict(SendRule::Busy, &order);
    assert!(apart.ranks.iter().all(|record| record.cold.end < record.stamps[0].start));
    assert_eq!(included.ranks[0].stamps.len(), apart.ranks[0].stamps.len());
}

/// The truth, with this error and no other.
fn only(error: SystematicError) -> Configuration {
    Configuration::perfect().with(error, &Configuration::worst())
}

/// Held against calls on buffers in no cache, as those of [`Configuration::perfect`] are.
fn under(machine: &Predictor, configuration: &Configuration, order: &Order) -> Misreport {
    let truth_us = machine.truth_us(Buffer::Pool, order).unwrap();
    Misreport { reported_us: machine.printed(configuration, order).unwrap(), truth_us }
}

#[test]
fn without_errors_the_truth_is_printed_and_each_error_shifts_it_as_its_closed_form_says() {
    let (ranks, machine) = (5, perfect(hockney(SendRule::Busy)));
    let mut base = linear(ranks, Method::Loop);
    base.settings.samples = 1;
    base.settings.calls = 5;
    let us = |error: Option<SystematicError>| {
        let configuration = error.map_or(Configuration::perfect(), only);
        under(&machine, &configuration, &base)
    };
    let none = us(None);
    let truth = linear_bcast_time(TAU, ranks, 0).as_us();
    assert_eq!((none.reported_us, none.truth_us), (truth, truth));
    // Rank 0 is as slow as the last rank; every rank but the root's is faster, so no root changes the slowest.
    for error in [SystematicError::OneRank, SystematicError::RootChanges, SystematicError::BarrierSkew] {
        assert_eq!(us(Some(error)).ratio(), 1.0, "{error}");
    }
    // Without a platform and with perfect clocks.
    for error in [
        SystematicError::LateInitialisation,
        SystematicError::BufferReuse,
        SystematicError::BadClock,
        SystematicError::IdleGap,
    ] {
        assert_eq!(us(Some(error)).ratio(), 1.0, "{error}");
    }
    let looped = us(Some(SystematicError::UnsynchronisedLoop));
    assert_eq!(looped.reported_us, truth, "the root is never early, so the slowest rank is right");
    let inside = us(Some(SystematicError::BarrierInside));
    assert_eq!(inside.difference_us(), barrier(ranks).as_us());
}

#[test]
fn errors_pile_up_in_their_order() {
    let (ranks, machine) = (5, perfect(hockney(SendRule::Eager)));
    let base = linear(ranks, Method::Loop);
    let (truth, worst) = (Configuration::perfect(), Configuration::worst());
    let all = machine.cumulative(&truth, &SystematicError::ALL, &worst, &base, 0..=10).unwrap();
    let ((_, without), with) = all.split_first().unwrap();
    assert_eq!(without.ratio(), 1.0);
    let labels: Vec<&str> = with.iter().filter_map(|(error, _)| Some((*error)?.label())).collect();
    assert_eq!(labels, ["E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "E10"]);
    // E2: an eager root is done at once; E3: it waits whenever another rank is the root.
    assert_eq!(with[1].1.reported_us, 0.0);
    assert!(with[2].1.reported_us > 0.0 && with[2].1.ratio() < 1.0);
    assert!(with[8].1.reported_us > with[7].1.reported_us, "E9: the barrier takes time as well");
}

#[test]
fn benchmarks_print_what_their_columns_say() {
    let (ranks, machine) = (4, perfect(hockney(SendRule::Busy)));
    let base = linear(ranks, Method::Loop);
    let us = |preset| {
        let columns = machine.benchmark(preset, Buffer::Touched, &base).unwrap();
        columns.into_iter().map(|(head, misreport)| (head, misreport.reported_us)).collect::<Vec<_>>()
    };
    let tau = TAU.as_us();
    // True times: 3τ, τ, 2τ, 3τ.
    assert_eq!(us(Preset::Imb), [("t_avg[usec]", 9.0 / 4.0 * tau), ("t_min[usec]", tau), ("t_max[usec]", 3.0 * tau)]);
    let osu = us(Preset::Osu);
    assert_eq!(osu[0], ("Avg Latency(us)", 9.0 / 4.0 * tau));
    // Behind a barrier that all leave together the slowest rank of each call has the call's time.
    assert!(us(Preset::Pico).iter().all(|(_, us)| *us == 3.0 * tau), "{:?}", us(Preset::Pico));
    for preset in [Preset::Mpiperf, Preset::Skampi, Preset::Reprompi] {
        let columns = us(preset);
        // Each synchronises clocks in its own way; SKaMPI's is wrong by half a nanosecond.
        assert!(columns.iter().all(|(_, us)| (us - 3.0 * tau).abs() < 0.001), "{preset}: {columns:?}");
    }
    let mpptest = machine.benchmark(Preset::Mpptest, Buffer::Touched, &base).unwrap()[0].1;
    assert!(mpptest.ratio() < 1.0, "calls with changing roots overlap: {mpptest:?}");
}

#[test]
fn exits_of_a_busy_linear_barrier_are_a_message_apart_and_those_of_a_dissemination_barrier_together() {
    let skews = |ranks, name| {
        let world = sim::SimWorld::ideal(hockney(SendRule::Busy), ranks);
        sim::barrier_skews(&world, Algorithm::find(Collective::Barrier, name).unwrap(), 5).unwrap()
    };
    for ranks in SIZES {
        assert_eq!(skews(ranks, "dissemination"), [Span::ZERO; 5]);
        // The root releases ranks 1 … n−1 in turn: the first of them after α, the last, and the root, after (n−1)α.
        assert_eq!(skews(ranks, "linear"), [ALPHA * u64::from(ranks - 2); 5]);
    }
}

#[test]
fn noise_spreads_the_exits_of_every_barrier() {
    let noise = models::noise::Noise::parse(&["exponential:mean=20us,rate=1kHz".to_owned()], 3).unwrap();
    for algorithm in Algorithm::for_collective(Collective::Barrier) {
        let ranks = 16;
        let world = |noise| sim::SimWorld { noise, ..sim::SimWorld::ideal(hockney(SendRule::Busy), ranks) };
        let mean = |noise| {
            let skews = sim::barrier_skews(&world(noise), algorithm, 200).unwrap();
            assert_eq!(skews.len(), 200);
            skews.into_iter().sum::<Span>().as_us() / 200.0
        };
        let (still, noisy) = (mean(models::noise::Noise::none()), mean(noise.clone()));
        assert!(noisy > still, "{}: {noisy} µs under noise, {still} µs without", algorithm.name);
    }
}

#[test]
fn a_bad_clock_is_an_error_only_where_it_is_switched_on() {
    let clocks = models::clock::ClockSpread { granularity: Span::from_us(7), ..Default::default() };
    let machine = Predictor { clocks, ..perfect(hockney(SendRule::Busy)) };
    let base = linear(4, Method::Loop);
    assert_eq!(under(&machine, &Configuration::perfect(), &base).ratio(), 1.0);
    let bad = under(&machine, &only(SystematicError::BadClock), &base);
    assert_ne!(bad.ratio(), 1.0, "steps of 7 µs cannot tell 18 µs");
}

/// The machine of the other tests, refined.
fn refined(text: &str) -> Predictor {
    let network = hockney(SendRule::Busy);
    let platform = models::platform::Platform::parse(network, text, |_| Err("no files".to_owned())).unwrap();
    Predictor { network: platform, ..perfect(network) }
}

#[test]
fn a_counted_first_call_adds_its_share_of_the_connections_that_the_barrier_did_not_make() {
    let (machine, connect) = (refined("connect=40us"), Span::from_us(40));
    let mut base = linear(13, Method::Loop);
    (base.settings.calls, base.settings.samples) = (4, 1);
    let truth = machine.truth(&base).unwrap();
    assert_eq!(truth[0], linear_bcast_time(TAU, 13, 0), "connected ranks");
    assert_eq!(machine.first_truth(&base).unwrap()[0], (TAU + connect) * 12, "the root connects to each in turn");
    assert_eq!(under(&machine, &Configuration::perfect(), &base).ratio(), 1.0);
    // A dissemination barrier of 13 has connected rank 0 to 1, 2, 4, 8 and to 12, 11, 9, 5: 3, 6, 7 and 10 are left.
    let late = under(&machine, &only(SystematicError::LateInitialisation), &base);
    assert_eq!(late.difference_us(), 4.0 * connect.as_us() / 4.0);
}

#[test]
fn a_buffer_that_is_used_again_saves_what_its_bytes_cost_less_in_cache() {
    let machine = refined("load=3ns/B,fill=2ns/B");
    let base = linear(2, Method::Loop);
    let cold = under(&machine, &Configuration::perfect(), &base);
    // The sender reads, the receiver writes.
    assert_eq!((cold.reported_us, cold.truth_us), (6.0 + 3.0 + 2.0, 6.0 + 3.0 + 2.0));
    let warm = under(&machine, &only(SystematicError::BufferReuse), &base);
    assert_eq!((warm.reported_us, warm.truth_us), (6.0, 6.0 + 3.0 + 2.0));
}

#[test]
fn ranks_that_waited_for_a_start_are_slower_by_what_waking_costs() {
    let machine = refined("idle-cost=0:2us");
    let base = linear(2, Method::Loop);
    assert_eq!(under(&machine, &Configuration::perfect(), &base).ratio(), 1.0);
    let idle = under(&machine, &only(SystematicError::IdleGap), &base);
    assert_eq!((idle.reported_us, idle.truth_us), (6.0 + 2.0, 6.0));
    // Who does not wait on a clock does not have to wake up.
    let both = only(SystematicError::IdleGap).with(SystematicError::UnsynchronisedLoop, &Configuration::worst());
    assert_eq!(under(&machine, &both, &base).ratio(), 1.0);
}

#[test]
fn every_method_and_factor_is_carried_out_on_every_collective() {
    let machine = perfect(hockney(SendRule::Eager));
    for collective in Collective::ALL {
        let Some(algorithm) = Algorithm::for_collective(collective).next() else { continue };
        let ranks = 4;
        for method in Method::reported() {
            let mut order = order(collective, algorithm.name, ranks, 64, method);
            order.settings.factors.root = RootChoice::Rotating;
            order.settings.factors.buffer = Buffer::Pool;
            order.settings.factors.barrier_inside = true;
            let prediction = machine.predict(&order).unwrap_or_else(|error| panic!("{collective} {method}: {error}"));
            let aggregation = Aggregation { ranks: OverRanks::Max, ..Aggregation::default() };
            let misreport = prediction.misreport(&aggregation).unwrap();
            assert!(misreport.reported_us > 0.0, "{collective} {method}");
        }
    }
}
