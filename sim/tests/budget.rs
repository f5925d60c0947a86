//! Budgets of simulated ranks: each bar as its closed form says, and all of them exactly adding up.

use models::call::Call;
use models::closed_form::{linear_bcast_loop, linear_bcast_time};
use models::collective::{Collective, Shape};
use models::network::{Hockney, Network, SendRule};
use models::time::{PerByte, Span};
use parallax_sim::Predictor;
use programs::budget::{Budget, Configuration, SystematicError};
use programs::machine::Estimate;
use programs::method::{Method, MethodSettings, Order, Preset, Subject};
use programs::observation::Implementation;
use programs::sync::Sync;

/// α + mβ.
const TAU: Span = Span::from_us(6);
const ALPHA: Span = Span::from_us(5);
const CALLS: u32 = 4;

fn machine(send_rule: SendRule) -> Predictor {
    Predictor::perfect(Network::Hockney(Hockney { alpha: ALPHA, beta: PerByte::from_ns(1.0), send_rule }))
}

fn order(algorithm: &str, ranks: u32, calls: u32) -> Order {
    Order {
        subject: Subject::Collective(Collective::Bcast, Implementation::Own(algorithm.to_owned())),
        shape: Shape::new(ranks, 0, 1_000),
        call: Call::default(),
        copies_as: None,
        environment: Default::default(),
        settings: MethodSettings {
            method: Method::Window,
            calls,
            samples: 3,
            warmup: 1,
            barrier: Implementation::Own("dissemination".to_owned()),
            sync: Sync::Linear,
            window: Default::default(),
            round_time: Default::default(),
            factors: Default::default(),
        },
    }
}

fn parse(text: &str) -> Configuration {
    Configuration::parse(text).unwrap()
}

/// The one bar between two configurations that differ in one error, in ps.
fn bar(machine: &Predictor, from: &str, to: &str, order: &Order) -> (SystematicError, i64) {
    let budget = machine.budget(&parse(from), &parse(to), order).unwrap();
    assert_eq!(budget.bars.len(), 1, "{from} and {to} differ in one error");
    // Both ends are rounded for themselves, and so is the bar.
    let rounding = ps(budget.remainder.us);
    assert!(rounding.abs() <= 1, "{rounding}");
    (budget.bars[0].errors[0], ps(budget.bars[0].us) + rounding)
}

fn ps(estimate: Estimate) -> i64 {
    (estimate.value * 1e6).round() as i64
}

/// A sum over so many ranks or roots, as a mean in whole ps.
fn mean_ps(sum: i64, over: u32) -> i64 {
    (sum as f64 / f64::from(over)).round() as i64
}

#[test]
fn a_loop_shifts_the_mean_of_a_busy_linear_broadcast_as_the_closed_form_says() {
    for ranks in [2, 3, 4, 8, 13] {
        let looped: u64 = (0..ranks).map(|rank| linear_bcast_loop(TAU, ranks, rank, CALLS).0 / u64::from(CALLS)).sum();
        let apart: u64 = (0..ranks).map(|rank| linear_bcast_time(TAU, ranks, rank).0).sum();
        let expected = mean_ps(looped as i64, ranks) - mean_ps(apart as i64, ranks);
        let machine = machine(SendRule::Busy);
        let found = bar(
            &machine,
            "reference,buffer=same,aggregation=mean",
            "reference,buffer=same,aggregation=mean,E6",
            &order("linear", ranks, CALLS),
        );
        assert_eq!(found, (SystematicError::UnsynchronisedLoop, expected), "{ranks} ranks");
    }
}

#[test]
fn a_barrier_inside_adds_a_barriers_time() {
    for ranks in [2_u32, 5, 8] {
        let rounds = u64::from(ranks.next_power_of_two().trailing_zeros());
        let found = bar(&machine(SendRule::Busy), "reference", "reference,E9", &order("linear", ranks, CALLS));
        assert_eq!(found, (SystematicError::BarrierInside, (ALPHA * rounds).0 as i64), "{ranks} ranks");
    }
}

#[test]
fn a_mean_over_ranks_takes_what_the_slowest_rank_is_slower() {
    for ranks in [2, 4, 7] {
        let times = (0..ranks).map(|rank| linear_bcast_time(TAU, ranks, rank).0 as i64);
        let (slowest, sum) = (times.clone().max().unwrap(), times.sum::<i64>());
        let found =
            bar(&machine(SendRule::Busy), "reference", "reference,aggregation=mean", &order("linear", ranks, CALLS));
        assert_eq!(found, (SystematicError::OneRank, mean_ps(sum, ranks) - slowest), "{ranks} ranks");
    }
}

#[test]
fn with_roots_in_turn_rank_zero_is_as_often_in_every_place() {
    for ranks in [2, 3, 5] {
        // As the root it is busy for all others, else it is served in its place.
        let sum: u64 = (0..ranks).map(|place| linear_bcast_time(TAU, ranks, place).0).sum();
        let alone = linear_bcast_time(TAU, ranks, 0).0;
        let found = bar(
            &machine(SendRule::Busy),
            "reference,samples=mean,aggregation=rank-zero",
            "reference,samples=mean,aggregation=rank-zero,E3",
            &order("linear", ranks, ranks),
        );
        assert_eq!(found, (SystematicError::RootChanges, mean_ps(sum as i64, ranks) - alone as i64), "{ranks} ranks");
    }
}

#[test]
fn every_budget_adds_up_to_the_picosecond() {
    let known = [
        "reference",
        "osu",
        "imb:t_min",
        "mpptest",
        "skampi",
        "mpiperf",
        "reprompi:median",
        "barrier-subtract",
        "E1,E9",
    ];
    let machine = Predictor {
        clocks: models::clock::ClockSpread { granularity: Span::from_ns(300), ..Default::default() },
        ..machine(SendRule::Eager)
    };
    let order = order("binomial", 5, CALLS);
    for from in known {
        for to in known {
            let budget = machine.budget(&parse(from), &parse(to), &order).unwrap();
            let bars: i64 = budget.bars.iter().chain([&budget.remainder]).map(|bar| ps(bar.us)).sum();
            assert_eq!(ps(budget.from_us) + bars, ps(budget.to_us), "{from} to {to}");
            let printed = |text| (machine.printed(&parse(text), &order).unwrap() * 1e6).round() as i64;
            assert_eq!((ps(budget.from_us), ps(budget.to_us)), (printed(from), printed(to)), "{from} to {to}");
        }
    }
}

#[test]
fn an_error_without_what_it_comes_from_adds_nothing() {
    let budget =
        machine(SendRule::Busy).budget(&parse("reference"), &parse("reprompi"), &order("linear", 4, CALLS)).unwrap();
    let of = |error| budget.bar(error).unwrap().us.value;
    assert_eq!(of(SystematicError::LateInitialisation), 0.0);
    assert_eq!(of(SystematicError::BufferReuse), 0.0);
    assert_eq!(of(SystematicError::IdleGap), 0.0);
    assert_eq!(budget.largest(), None, "on an ideal machine ReproMPI prints the reference");
    assert_eq!(budget, Budget { to_us: budget.from_us, ..budget.clone() });
}

/// A number that each rank's own clock makes is obtained without synchronising perfect clocks; `predict` synchronises them.
#[test]
fn perfect_clocks_that_are_not_synchronised_say_the_same() {
    let network = Network::parse("loggp", Some("L=600ns,o=150ns,g=180ns,G=0.1ns/B"), None).unwrap();
    let machine = Predictor::perfect(network);
    for preset in [Preset::Osu, Preset::Imb, Preset::Imb3, Preset::Mpibench, Preset::NcclTests, Preset::Mpptest] {
        for barrier in ["tree", "dissemination", "linear"] {
            let mut order = order("binomial", 13, 4);
            order.settings.barrier = Implementation::Own(barrier.to_owned());
            let configuration = Configuration::preset(preset, None).unwrap();
            let settings = configuration.settings(&order.settings);
            let synchronised = machine.predict(&Order { settings, ..order.clone() }).unwrap();
            let says = synchronised.misreport(&configuration.aggregation).unwrap().reported_us;
            let alone = machine.printed(&configuration, &order).unwrap();
            assert!((alone - says).abs() < 1e-9, "{preset} behind {barrier}: {alone}, synchronised {says}");
        }
    }
}
