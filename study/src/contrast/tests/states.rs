//! Campaigns on a machine with states.

use super::*;
use crate::compare::fixture::{self, observation};
use crate::contrast::{Partners, states::label};
use calibration::states::MetState;
use models::time::Span;
use programs::method::Method;
use programs::observation::{Carrier, Looked, MachineLook, Observation};
use scenario::store::Line;

/// Of the 30 stamps a rank the first ten in one state, the others in another one; a look in the middle of the second.
/// In the state of `longer` calls last so much longer.
fn looked(launch: u32, lines_ns: [u64; 2], longer: [Span; 2]) -> Observation {
    let case = fixture::case(Carrier::Native, 3, "linear", Method::Loop);
    let wobble = |sample: u32| Span::from_ns(u64::from(sample % 3 + launch));
    let mut one = observation(case, fixture::TAU, |sample| longer[usize::from(sample >= 10)] + wobble(sample));
    one.occasion.launch = launch;
    for record in &mut one.ranks {
        let at = |before_stamp, ns| Looked {
            before_stamp,
            look: MachineLook { line: Some(Span::from_ns(ns)), work: Span::from_ns(600) },
        };
        let [first, second] = lines_ns;
        // The machine changes between the ninth and the eleventh stamp.
        record.looks =
            [(0, first), (9, first), (11, second), (20, second), (30, second)].map(|(n, ns)| at(n, ns)).into();
    }
    one
}

fn side_of(name: &str, launches: u32, lines_ns: [u64; 2], longer: [Span; 2]) -> Side {
    let measured = (0..launches).map(|launch| Line::Measured(looked(launch, lines_ns, longer)));
    let lines: Vec<Line> = [fixture::campaign()].into_iter().chain(measured).chain([Line::Finished {}]).collect();
    campaign(name, &lines, Observed::Measured)
}

const SAME: [Span; 2] = [Span::ZERO, Span::ZERO];

fn states_of(found: &Contrast) -> Vec<String> {
    found.pairs[0].rows.iter().map(|row| row.case.text(Axis::State)).collect()
}

#[test]
fn a_campaign_is_told_state_by_state_the_most_visited_first() {
    let side = side_of("c", 24, [40, 160], SAME);
    let names: Vec<String> = side.cases.iter().map(|case| case.key.text(Axis::State)).collect();
    assert_eq!(names, ["160 ns", "40 ns"], "{:?}", side.states);
    assert!(side.cases.iter().all(|case| case.launches.len() == 24));
    let samples = |name: &str| {
        let of = |case: &&Sampled| case.key.text(Axis::State) == name;
        side.cases.iter().find(of).expect("told").launches[0].len()
    };
    assert_eq!((samples("40 ns"), samples("160 ns")), (9, 19), "the call in which it changed is left out");
    assert_eq!((side.states[0].line_ns, side.states[0].stretches), (160.0, 48));
    insta::assert_snapshot!(side.notes.join("\n"));
}

#[test]
fn like_is_held_against_like() {
    // B's states have other lines, 1.2 times as long; its calls are longer in the near state only.
    let a = side_of("a", 24, [40, 160], SAME);
    let b = side_of("b", 24, [48, 190], [Span::from_us(900), Span::ZERO]);
    let found = contrast(&[a.clone(), b.clone()], &Choice::default(), DEMAND).expect("alike");
    assert_eq!(states_of(&found), ["160 ns", "40 ns"], "A's names, its most visited first");
    let verdicts: Vec<Verdict> = found.pairs[0].rows.iter().map(|row| row.effect.verdict).collect();
    assert_eq!(verdicts, [Verdict::Same, Verdict::Slower]);
    let told = table(&found);
    let line = told.lines().find(|line| line.contains("40 ns") && line.contains("48 ns")).expect("both sides' lines");
    let line = line.trim();
    insta::assert_snapshot!([&found.pairs[0].sentence, line].join("\n"));
    assert!(
        printed(&found, Format::Markdown).contains(line) && found.page().details.iter().any(|one| one.contains(line))
    );
    assert!(found.csv().lines().nth(1).is_some_and(|row| row.starts_with("B,160 ns,bcast,")), "{}", found.csv());
    // Two campaigns of a side: the second's states are called as the first's.
    let both = Side::together("a+b", vec![a, b]).expect("two");
    assert_eq!(both.cases.len(), 2);
    assert!(both.cases.iter().all(|case| case.launches.len() == 48));
    assert_eq!((both.states[0].stretches, both.states[0].launches), (96, 48));
}

#[test]
fn a_state_that_only_one_side_met_is_said_and_not_compared() {
    let a = side_of("a", 24, [40, 160], SAME);
    let far = side_of("b", 24, [150, 150], SAME);
    let found = contrast(&[a.clone(), far.clone()], &Choice::default(), DEMAND).expect("one alike");
    assert_eq!(states_of(&found), ["160 ns"]);
    assert_eq!((found.pairs[0].only_a.len(), found.pairs[0].only_b.len()), (0, 0), "the case is on both sides");
    let told = table(&found);
    let only_a = told.lines().find(|line| line.contains("40 ns")).expect("A's other state").trim();
    let near = side_of("n", 24, [40, 40], SAME);
    let refused = contrast(&[far.clone(), near.clone()], &Choice::default(), DEMAND).unwrap_err().to_string();
    assert!(refused.contains("A: 150 ns; B: 40 ns"), "{refused}");
    // Who asks for it may compare them all the same, one state of each.
    let choose = |mut side: Side, state: &str| side.choose(Axis::State, state).map(|()| side);
    let sides = [choose(far.clone(), "150 ns").unwrap(), choose(near, "40 ns").unwrap()];
    assert_eq!(contrast(&sides, &Choice::default(), DEMAND).expect("chosen").pairs[0].rows.len(), 1);
    let mixed = contrast(&[choose(far, "150 ns").unwrap(), a], &Choice::default(), DEMAND).unwrap_err().to_string();
    insta::assert_snapshot!([only_a, &refused, &mixed].join("\n"));
    let unnamed = Choice { by: vec![Axis::Operation], ..Choice::default() };
    let both = [side_of("a", 24, [40, 160], SAME), side_of("b", 24, [40, 160], SAME)];
    assert_eq!(contrast(&both, &unnamed, DEMAND).expect("states stay apart").pairs[0].rows.len(), 2);
}

#[test]
fn a_side_that_knows_no_states_is_held_against_the_most_visited_one() {
    let a = side_of("a", 24, [40, 160], SAME);
    let lines: Vec<Line> = (0..24)
        .map(|launch| {
            let mut one = looked(launch, [40, 160], SAME);
            one.ranks.iter_mut().for_each(|record| record.looks.clear());
            Line::Measured(one)
        })
        .collect();
    let blind = campaign("b", &lines, Observed::Measured);
    assert_eq!((blind.cases.len(), blind.states.len()), (1, 0), "as ever");
    let found = contrast(&[a, blind], &Choice::default(), DEMAND).expect("one");
    assert_eq!(states_of(&found), [""]);
    let told = table(&found);
    insta::assert_snapshot!(told.lines().find(|line| line.contains("160 ns")).expect("A's state").trim());
}

#[test]
fn launches_that_took_turns_are_pairs_where_both_were_in_the_state() {
    // A's launches 0 … 29 and B's took turns; A was far in its first six, B in its last six.
    let of = |name: &str, far: std::ops::Range<u32>| {
        let line = |launch| if far.contains(&launch) { 160 } else { 40 };
        let lines: Vec<Line> = (0..30)
            .map(|launch| {
                Line::Measured(looked(launch, [line(launch); 2], [Span::from_us(u64::from(100 * launch)); 2]))
            })
            .collect();
        campaign(name, &lines, Observed::Measured)
    };
    let sides = [of("a", 0..6), of("b", 24..30)];
    let paired = contrast(&sides, &Choice { in_turn: true, ..Choice::default() }, DEMAND).expect("two sides");
    let row = &paired.pairs[0].rows[0];
    assert_eq!((row.case.text(Axis::State), row.effect.unit), ("40 ns".to_owned(), Unit::Rounds));
    assert_eq!(row.effect.counts, (18, 18), "launches 6 … 23");
    assert_eq!(row.effect.ratio.expect("positive").value, 1.0, "the times of one turn are the same");
}

#[test]
fn slowed_cores_are_named_and_unequal_speeds_of_both_sides_are_told() {
    let state = |work_ns, slower| MetState { line_ns: 40.0, work_ns, slower, stretches: 9, visits: 1, launches: 3 };
    assert_eq!(label(&state(1_000.0, 1.7)), "40 ns on cores slowed by 1.7");
    let words = |b| Partners { a: Some(state(600.0, 1.0)), b: Some(b), one_knows_none: false }.words("B");
    let counts = "a cache line takes 40 ns between neighbours (A: 9 blocks, 3 launches; B: 40 ns, 9 blocks, 3 launches";
    assert_eq!(words(state(640.0, 1.0)), format!("{counts})"));
    // Neither side knows that the other was faster: all of B was slowed.
    let speeds = "; cores took 600 ns in A and 1000 ns in B for the same work)";
    assert_eq!(words(state(1_000.0, 1.0)), format!("{counts}{speeds}"));
}
