use super::choose::tried;
use super::pieces::least;
use super::*;
use crate::compare::fixture::case;
use crate::contrast::{Choice, ContrastRow, Effect, Kind, Quantity, Round, Sampled, Side, contrast};
use formats::tuning::Split;
use programs::method::Method;
use programs::observation::Carrier;
use render::results::Results;
use scenario::axis::Axis;

const DEMAND: Demand = Demand { confidence: 0.95, at_least: 0.02 };
const LAUNCHES: u32 = 10;

fn key(algorithm: &str, bytes: u64) -> Key {
    Key::default()
        .named(Axis::World, "openmpi")
        .named(Axis::Operation, "bcast")
        .named(Axis::Algorithm, algorithm)
        .counted(Axis::Ranks, Some(4u32))
        .counted(Axis::Bytes, Some(bytes))
        .named(Axis::Method, "window")
}

/// A side with these lengths and algorithms, where a launch of each takes `us` of algorithm, bytes and launch.
fn side(algorithms: &[&str], bytes: &[u64], us: impl Fn(&str, u64, u32) -> f64) -> Side {
    let case = |algorithm: &str, bytes: u64| Sampled {
        key: key(algorithm, bytes),
        quantity: Quantity::Time,
        launches: (0..LAUNCHES).map(|launch| vec![us(algorithm, bytes, launch)]).collect(),
        rounds: (0..LAUNCHES).map(|launch| Round { campaign: "c".to_owned(), launch }).collect(),
        estimate: None,
        ran_by: String::new(),
        oversubscribed: false,
        doubt: None,
    };
    let cases = bytes.iter().flat_map(|&bytes| algorithms.iter().map(move |one| case(one, bytes)));
    Side { cases: cases.collect(), ..Side::new("c", Kind::Campaign) }
}

/// Variation of launches that all algorithms of a round share, and a little of their own.
fn vary(algorithm: &str, launch: u32) -> f64 {
    let own = (algorithm.len() as u32 * 7 + launch * 13) % 5;
    1.0 + 0.3 * f64::from(launch % 3) + 0.002 * f64::from(own)
}

fn tuned(side: &Side, split: Split) -> Tuning {
    tuning(side, By::Reference, DEMAND, &|_| split).expect("calls")
}

fn choices(tuning: &Tuning) -> Vec<(u64, String)> {
    let name = |call: &Call| call.chosen.as_ref().map_or("library".to_owned(), |way| way.algorithm.clone());
    tuning.calls.iter().map(|call| (call.bytes, name(call))).collect()
}

#[test]
fn what_is_faster_in_every_round_is_chosen_and_what_is_not_stays() {
    // From 64 B on the ring takes half the time; below it twice as much. The chain is the library's own choice again.
    let us = |algorithm: &str, bytes: u64, launch: u32| {
        let factor = match algorithm {
            "library:ring" if bytes >= 64 => 0.5,
            "library:ring" => 2.0,
            _ => 1.0,
        };
        10.0 * factor * vary(algorithm, launch)
    };
    let lengths = [8, 16, 32, 64, 128];
    let found = tuned(&side(&["library", "library:ring", "library:chain"], &lengths, us), Split::Anywhere);
    let wanted: Vec<(u64, String)> =
        lengths.iter().map(|&bytes| (bytes, if bytes >= 64 { "ring" } else { "library" }.to_owned())).collect();
    assert_eq!(choices(&found), wanted);
    assert_eq!(found.table.len(), 1);
    let reach: Vec<(u64, u64, usize)> =
        found.table[0].pieces.iter().map(|piece| (piece.from_bytes, piece.to_bytes, piece.lengths)).collect();
    assert_eq!(reach, [(8, 32, 3), (64, 128, 2)]);
    let ratio = found.calls[4].taken().expect("ring").ratio.value;
    assert!((ratio - 0.5).abs() < 0.01, "{ratio}");
}

#[test]
fn a_gain_that_chance_explains_or_that_is_too_small_changes_nothing() {
    // Faster in half of the rounds only.
    let by_chance = |algorithm: &str, _: u64, launch: u32| match algorithm {
        "library:ring" => 10.0 * if launch.is_multiple_of(2) { 0.8 } else { 1.2 },
        _ => 10.0 + 0.01 * f64::from(launch),
    };
    let found = tuned(&side(&["library", "library:ring"], &[8, 16], by_chance), Split::Anywhere);
    assert_eq!(found.changed().count(), 0);
    // One per cent in every round.
    let small =
        |algorithm: &str, _: u64, launch: u32| vary("", launch) * if algorithm == "library:ring" { 9.9 } else { 10.0 };
    let found = tuned(&side(&["library", "library:ring"], &[8, 16], small), Split::Anywhere);
    assert_eq!(found.changed().count(), 0);
    assert!(found.table[0].is_default());
}

#[test]
fn a_length_between_breaks_a_piece_only_where_something_is_lost_there() {
    let us = |middle: f64| {
        move |algorithm: &str, bytes: u64, launch: u32| {
            let factor = if bytes == 16 { middle } else { 0.8 };
            vary("", launch) * if algorithm == "library:ring" { 10.0 * factor } else { 10.0 }
        }
    };
    let lengths = [8, 16, 32];
    let algorithms = ["library", "library:ring"];
    let found = tuned(&side(&algorithms, &lengths, us(1.0)), Split::Anywhere);
    assert_eq!(found.table[0].pieces.len(), 1, "{:?}", found.table);
    let found = tuned(&side(&algorithms, &lengths, us(1.5)), Split::Anywhere);
    assert_eq!(found.table[0].pieces.len(), 3, "{:?}", found.table);
}

#[test]
fn a_library_whose_own_choice_is_no_entry_is_left_alone_or_tuned_at_all_lengths() {
    // The ring loses at 8 B what it gains at 16 B; the chain is as fast as the library's own choice.
    let us = |ring_gain: f64| {
        move |algorithm: &str, bytes: u64, launch: u32| {
            let factor = match (algorithm, bytes) {
                ("library:ring", 16) => ring_gain,
                ("library:ring", _) => 1.5,
                _ => 1.0,
            };
            10.0 * factor * vary("", launch)
        }
    };
    let algorithms = ["library", "library:ring", "library:chain"];
    let found = tuned(&side(&algorithms, &[8, 16], us(0.5)), Split::WithoutOwnChoice);
    // The chain is nowhere shown to be faster, so that no piece of it may stand.
    assert_eq!(found.changed().count(), 0);
    let found = tuned(
        &side(&algorithms[..2], &[16, 32], |algorithm, _, launch| {
            vary("", launch) * if algorithm == "library" { 10.0 } else { 5.0 }
        }),
        Split::WithoutOwnChoice,
    );
    assert_eq!(choices(&found), [(16, "ring".to_owned()), (32, "ring".to_owned())]);
}

#[test]
fn a_table_that_cannot_tell_lengths_apart_has_one_algorithm_or_none() {
    // The ring is faster from 64 B on; below it as fast as the library's own choice, or slower.
    let us = |short: f64| {
        move |algorithm: &str, bytes: u64, launch: u32| {
            let factor = if algorithm == "library" { 1.0 } else { [short, 0.5][usize::from(bytes >= 64)] };
            10.0 * factor * vary("", launch)
        }
    };
    let lengths = [8, 64, 128];
    let algorithms = ["library", "library:ring"];
    let one = tuned(&side(&algorithms, &lengths, us(1.0)), Split::Nowhere);
    assert_eq!((one.table[0].pieces.len(), one.changed().count()), (1, 3), "{:?}", one.table);
    let none = tuned(&side(&algorithms, &lengths, us(1.5)), Split::Nowhere);
    assert!(none.table[0].is_default(), "{:?}", none.table);
}

#[test]
fn both_forms_of_a_reduce_scatter_are_told_apart() {
    for name in ["reduce-scatter", "reduce-scatter-block", "allgatherv", "bcast"] {
        let (collective, call) = models::call::Call::find(name).expect("an operation");
        let case = case(Carrier::Native, 4, "binomial", Method::Window)
            .with(|case| (case.subject.collective, case.subject.call) = (collective, call));
        assert_eq!(called(&Key::from_case(&case)), Ok((collective, call)), "{name}");
    }
}

#[test]
fn nothing_to_choose_from_is_an_error() {
    let alone = side(&["library"], &[8], |_, _, launch| f64::from(launch + 1));
    let refused = tuning(&alone, By::Reference, DEMAND, &|_| Split::Anywhere).expect_err("no algorithm");
    assert!(refused.contains("library:NAME"), "{refused}");
}

/// Every table of up to four lengths and two ways, from a few ratios and verdicts: the least cost is that of trying all.
#[test]
fn the_table_costs_least_of_all_tables() {
    let ways: Vec<Way> = ["a", "b"].map(|name| Way { algorithm: name.to_owned(), segment_bytes: None }).to_vec();
    let kinds = [(0.9, Verdict::Faster), (0.97, Verdict::Faster), (1.0, Verdict::Same), (0.99, Verdict::Undecided)];
    let kinds = [&kinds[..], &[(1.4, Verdict::Slower)]].concat();
    let change = 0.02f64.ln_1p();
    let per_call = kinds.len() * kinds.len();
    for lengths in 1..=3usize {
        for number in 0..per_call.pow(lengths as u32) {
            let mut rest = number;
            let calls: Vec<Call> = (0..lengths)
                .map(|place| {
                    let of = rest % per_call;
                    rest /= per_call;
                    let tried = [of % kinds.len(), of / kinds.len()].into_iter().zip(&ways).map(|(kind, way)| {
                        let (value, verdict) = kinds[kind];
                        Tried {
                            way: way.clone(),
                            own_us: 1.0,
                            us: value,
                            ratio: Estimate { value, low: value, high: value },
                            verdict,
                        }
                    });
                    let (at, tried) = (key("", 0), tried.collect());
                    Call { at, bytes: place as u64, tried, chosen: None }
                })
                .collect();
            let (cost, chosen) = least(&calls, &ways, change, true).expect("the library's own choice");
            let best = (0..3usize.pow(lengths as u32))
                .filter_map(|table| {
                    cost_of(
                        &calls,
                        &(0..lengths).map(|at| table / 3usize.pow(at as u32) % 3).collect::<Vec<_>>(),
                        change,
                    )
                })
                .fold(f64::INFINITY, f64::min);
            assert!((cost - best).abs() < 1e-12, "{cost} {best} {calls:?}");
            assert_eq!(
                cost_of(&calls, &chosen, change).map(|one| (one - cost).abs() < 1e-12),
                Some(true),
                "{chosen:?}"
            );
        }
    }
}

/// Cost of a table by the rules alone; `None` where it is not allowed.
fn cost_of(calls: &[Call], table: &[usize], change: f64) -> Option<f64> {
    let mut cost = 0.0;
    for (call, &place) in calls.iter().zip(table).filter(|(_, place)| **place > 0) {
        let tried = &call.tried[place - 1];
        cost += match tried.verdict {
            Verdict::Faster => tried.ratio.value.ln(),
            Verdict::Same => 0.0,
            Verdict::Undecided if tried.ratio.value <= 1.0 => 0.0,
            _ => return None,
        };
    }
    let mut at = 0;
    for piece in table.chunk_by(|one, other| one == other) {
        let is_shown = |call: &Call| piece[0] == 0 || call.tried[piece[0] - 1].verdict == Verdict::Faster;
        if !is_shown(&calls[at]) || !is_shown(&calls[at + piece.len() - 1]) {
            return None;
        }
        cost += if at > 0 { change } else { 0.0 };
        at += piece.len();
    }
    Some(cost)
}

#[test]
fn the_page_has_the_table_and_every_call() {
    let us = |algorithm: &str, bytes: u64, launch: u32| {
        let factor = if algorithm == "library:ring" && bytes >= 64 { 0.5 } else { 1.0 };
        10.0 * factor * vary(algorithm, launch)
    };
    let found = tuned(&side(&["library", "library:ring", "library:chain"], &[8, 64, 128], us), Split::Anywhere);
    insta::assert_snapshot!(found.page().markdown());
    insta::assert_snapshot!(found.csv());
}

/// Results with these tunings and, for each of the named ones that are proved, its time over that of the library's own choice.
fn results(reference: Tuning, printed: Option<Tuning>, proved: &[(&str, f64)]) -> Tuned {
    let names: Vec<String> = proved.iter().map(|(name, _)| format!("tuned:{name}")).collect();
    let algorithms: Vec<&str> = std::iter::once("library").chain(names.iter().map(String::as_str)).collect();
    let factor =
        |algorithm: &str| proved.iter().find(|(name, _)| algorithm.ends_with(name)).map_or(1.0, |(_, factor)| *factor);
    let numbers = side(&algorithms, &[64, 128], |algorithm, _, launch| 10.0 * factor(algorithm) * vary("", launch));
    Tuned {
        question: String::new(),
        reference: ("tuned".to_owned(), reference),
        printed: printed.map(|tuning| ("by-print".to_owned(), tuning)),
        is_to_be_proved: true,
        proof: proof(&numbers, (&numbers, "OSU"), DEMAND).expect("sides"),
        files: Vec::new(),
        environment: Vec::new(),
        reproduce: Vec::new(),
    }
}

#[test]
fn the_answer_is_that_of_the_proof_of_the_reference_s_table() {
    let ring = |factor: f64| {
        let us = move |algorithm: &str, _: u64, launch: u32| {
            10.0 * if algorithm == "library" { 1.0 } else { factor } * vary("", launch)
        };
        tuned(&side(&["library", "library:ring"], &[64, 128], us), Split::Anywhere)
    };
    let answer = |found: &Tuned| (found.page().answer, found.page().details.join(" "));
    let (proved, _) = answer(&results(ring(0.5), Some(ring(0.5)), &[("tuned", 0.5), ("by-print", 2.0)]));
    assert!(proved.contains("shown to be faster in 2 of the 2 calls") && proved.contains("slower in 0"), "{proved}");
    let (refuted, _) = answer(&results(ring(0.5), None, &[("tuned", 1.0)]));
    assert!(refuted.starts_with("Not confirmed"), "{refuted}");
    // The table of printed numbers is proved alone where that of the reference changes nothing.
    let (unchanged, _) = answer(&results(ring(1.0), Some(ring(0.5)), &[("by-print", 0.5)]));
    assert!(unchanged.contains("no algorithm is shown to be faster"), "{unchanged}");
    let (_, stopped) = answer(&results(ring(0.5), None, &[]));
    assert!(stopped.contains("not proved yet"), "{stopped}");
    let (_, nothing) = answer(&results(ring(1.0), None, &[]));
    assert!(nothing.contains("nothing to prove"), "{nothing}");
}

#[test]
fn of_several_states_the_numbers_are_those_of_the_one_that_decides_or_that_was_met_most() {
    let sides = ["library", "library:ring"].map(|one| side(&[one], &[8], |_, _, launch| vary("", launch)));
    let choice = Choice { ignore: vec![Axis::Algorithm], ..Choice::default() };
    let found = contrast(&sides, &choice, DEMAND).expect("one call");
    let one = &found.pairs[0].rows[0];
    let row = |value: f64, verdict: Verdict| ContrastRow {
        effect: Effect { ratio: Some(Estimate { value, low: value, high: value }), verdict, ..one.effect.clone() },
        ..one.clone()
    };
    let way = || Way { algorithm: "ring".to_owned(), segment_bytes: None };
    let of = |rows: &[ContrastRow]| tried(way(), rows, DEMAND).map(|tried| (tried.verdict, tried.ratio.value));
    let (same, undecided) = (row(1.0, Verdict::Same), row(1.5, Verdict::Undecided));
    let (faster, slower) = (row(0.8, Verdict::Faster), row(1.1, Verdict::Slower));
    assert_eq!(of(&[same.clone(), undecided.clone()]), Some((Verdict::Undecided, 1.0)));
    assert_eq!(of(&[same.clone(), faster.clone()]), Some((Verdict::Faster, 0.8)));
    assert_eq!(of(&[faster.clone(), slower]), Some((Verdict::Slower, 1.1)));
    assert_eq!(of(&[faster, undecided]), Some((Verdict::Undecided, 0.8)));
}

#[test]
fn times_over_several_sets_of_parameters_decide_where_all_sets_do() {
    let exactly = |us: f64| Estimate::exactly(us);
    let one = |name: Option<&str>, us: &[Estimate]| {
        let way = name.map(|name| Way { algorithm: name.to_owned(), segment_bytes: None });
        Timed { at: Key::default().counted(Axis::Bytes, Some(8u64)), way, us: us.to_vec() }
    };
    let own = one(None, &[exactly(10.0), exactly(20.0)]);
    let wide = Estimate { value: 8.0, low: 8.0, high: 12.0 };
    let ways = [
        ("always", vec![exactly(8.0), exactly(18.0)], Verdict::Faster, (0.8, 0.9)),
        ("at best", vec![exactly(8.0), exactly(20.0)], Verdict::Undecided, (0.8, 1.0)),
        ("never", vec![exactly(11.0), exactly(21.0)], Verdict::Slower, (1.05, 1.1)),
        ("alike", vec![exactly(10.1), exactly(19.9)], Verdict::Same, (0.995, 1.01)),
        ("unknown", vec![wide, exactly(16.0)], Verdict::Undecided, (0.8, 1.2)),
    ];
    let timed = std::iter::once(own).chain(ways.iter().map(|(name, us, ..)| one(Some(name), us)));
    let demand = Demand { confidence: 0.95, at_least: 0.02 };
    let found =
        of_times("a", By::Predicted("m".to_owned()), timed.collect(), demand, &|_| Split::Anywhere).expect("a tuning");
    for (name, _, verdict, (low, high)) in ways {
        let tried = found.calls[0].tried.iter().find(|tried| tried.way.algorithm == name).expect("a way");
        assert_eq!(tried.verdict, verdict, "{name}");
        assert!((tried.ratio.low - low).abs() < 1e-9 && (tried.ratio.high - high).abs() < 1e-9, "{tried:?}");
    }
    assert_eq!(found.calls[0].taken().map(|tried| &*tried.way.algorithm), Some("always"));
}
