//! Rules of the window method on simulated ranks, whose starts are known: when it stops, how long windows are, and
//! which starts are late.

use models::call::Call;
use models::clock::ClockSpread;
use models::collective::{Collective, Shape};
use models::network::{Hockney, Network, SendRule};
use models::quantity::Millionths;
use models::time::{PerByte, Span};
use parallax_sim::Predictor;
use programs::method::{
    Factors, Method, MethodSettings, Order, RoundTimeSettings, StopRule, Subject, WindowRules, WindowSettings,
};
use programs::observation::{Implementation, RankRecord};
use programs::sync::Sync;

fn order(rules: WindowRules) -> Order {
    let mut window = WindowSettings::default();
    rules.replace_in(&mut window);
    let settings = MethodSettings {
        method: Method::Window,
        calls: 1,
        samples: 1,
        warmup: 1,
        barrier: Implementation::Own("dissemination".to_owned()),
        sync: Sync::Linear,
        window,
        round_time: RoundTimeSettings::default(),
        factors: Factors::default(),
    };
    let subject = Subject::Collective(Collective::Bcast, Implementation::Own("linear".to_owned()));
    Order {
        subject,
        shape: Shape::new(4, 0, 8),
        call: Call::default(),
        copies_as: None,
        environment: Default::default(),
        settings,
    }
}

/// Record of rank 0; the valid starts are the same on every rank.
fn on_rank_0(clocks: ClockSpread, rules: WindowRules) -> RankRecord {
    let hockney = Hockney { alpha: Span::from_us(5), beta: PerByte(0.0), send_rule: SendRule::Busy };
    let predictor = Predictor { clocks, ..Predictor::perfect(Network::Hockney(hockney)) };
    predictor.predict(&order(rules)).expect("a run").ranks.swap_remove(0)
}

/// Numbers of starts and of valid starts.
fn starts(record: &RankRecord) -> (usize, usize) {
    (record.stamps.len(), record.valid().count())
}

#[test]
fn counts_stop_after_the_first_stage_that_has_more() {
    let of = |starts_in_all, valid, stage| {
        let stop = Some(StopRule::Counts { starts: starts_in_all, valid });
        starts(&on_rank_0(ClockSpread::default(), WindowRules { stop, stage, ..WindowRules::default() }))
    };
    assert_eq!(of(100, 30, None), (32, 32), "4 stages of 8 starts are the first with more than 30");
    assert_eq!(of(100, 32, None), (40, 40), "32 are not more than 32");
    assert_eq!(of(100, 30, Some(5)), (35, 35));
    assert_eq!(of(20, 20, Some(7)), (21, 21));
}

#[test]
fn precision_stops_once_there_are_enough_starts_without_noise() {
    let of = |valid, stage| {
        let stop = Some(StopRule::Precision { relative_error: Millionths(50_000), valid });
        starts(&on_rank_0(ClockSpread::default(), WindowRules { stop, stage, ..WindowRules::default() }))
    };
    assert_eq!(of(10, None), (16, 16), "2 stages of 8 starts are the first with 10");
    assert_eq!(of(10, Some(5)), (10, 10));
    assert_eq!(of(30, Some(4)), (32, 32));
}

#[test]
fn the_first_window_is_slack_times_what_initial_calls_take() {
    let first_window = |slack| {
        let rules = WindowRules { slack: Some(Millionths(slack)), ..WindowRules::default() };
        on_rank_0(ClockSpread::default(), rules).window.expect("windows").deltas[0]
    };
    let twice = first_window(2_000_000);
    assert!(twice > Span::from_us(20), "three messages of 5 µs each: {twice}");
    for slack in [1_100_000, 1_500_000] {
        let expected = (twice.0 as f64 / 2.0 * Millionths(slack).as_f64()).round() as u64;
        assert_eq!(first_window(slack), Span(expected));
    }
}

/// Clocks whose readings take longer than a start may be late.
fn slow() -> ClockSpread {
    ClockSpread { read_cost: Span::from_ns(500), ..ClockSpread::default() }
}

#[test]
fn by_the_strict_rule_ranks_that_wait_are_punctual_whenever_the_wait_ends() {
    let of = |clocks, late, slack| {
        starts(&on_rank_0(clocks, WindowRules { late, slack: Some(Millionths(slack)), ..WindowRules::default() }))
    };
    let strict = Some(Millionths(0));
    assert_eq!(
        [of(ClockSpread::default(), None, 1_100_000), of(ClockSpread::default(), strict, 1_100_000)],
        [(32, 32); 2]
    );
    assert_eq!(of(slow(), None, 1_500_000), (40, 32), "500 ns are more than 2 % of the first windows, which grow");
    assert_eq!(of(slow(), Some(Millionths(100_000)), 1_500_000), (32, 32), "they are less than 10 %");
    assert_eq!(of(slow(), strict, 1_500_000), (32, 32));
}

#[test]
fn windows_grow_only_above_the_share_of_invalid_starts() {
    // Every start is invalid.
    let deltas = |invalid| {
        let rules = WindowRules { invalid, ..WindowRules::default() };
        on_rank_0(slow(), rules).window.expect("windows").deltas
    };
    let kept = deltas(Some(Millionths(1_000_000)));
    assert!(kept.iter().all(|delta| *delta == kept[0]), "{kept:?}");
    let grown = deltas(None);
    assert_eq!(grown[0], kept[0]);
    assert!(grown[0] < grown[1] && grown[1] < grown[2], "{grown:?}");
}
