//! What is said of samples whose truth is known.

use super::*;
use proptest::prelude::*;

#[test]
fn a_shift_of_five_percent_is_found_and_its_size_told() {
    let mut rng = rng(1);
    let mut draw = |median: f64| launches(times(&mut rng, 400, median));
    let a = vec![case("bcast", 8, draw(10.0)), case("bcast", 16, draw(20.0))];
    let b = vec![case("bcast", 8, draw(10.5)), case("bcast", 16, draw(20.0))];
    let found = held(a, b);
    let [first, second] = found.pairs[0].rows.as_slice() else { panic!("{found:?}") };
    assert_eq!((first.effect.verdict, first.effect.unit), (Verdict::Slower, Unit::Launches));
    let ratio = first.effect.ratio.expect("times are positive");
    assert!(ratio.low < 1.05 && ratio.high > 1.05 && (ratio.value - 1.05).abs() < 0.02, "{ratio:?}");
    assert!(first.effect.delta.expect("many").value > 0.1 && first.effect.difference.value > 0.2);
    assert!(matches!(second.effect.verdict, Verdict::Same | Verdict::Undecided), "{second:?}");
    insta::assert_snapshot!(found.pairs[0].sentence);
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
}

#[test]
fn what_is_the_same_is_called_so_and_what_is_less_than_matters_is_not_told() {
    let mut rng = rng(2);
    let narrow = |times: Vec<f64>, median: f64| -> Vec<f64> {
        times.into_iter().map(|time| median + (time - median) / 20.0).collect()
    };
    let mut draw = |median: f64| launches(narrow(times(&mut rng, 300, median), median));
    let found = held(
        vec![case("bcast", 8, draw(10.0)), case("bcast", 16, draw(10.0))],
        vec![case("bcast", 8, draw(10.0)), case("bcast", 16, draw(10.1))],
    );
    let rows = &found.pairs[0].rows;
    assert_eq!([rows[0].effect.verdict, rows[1].effect.verdict], [Verdict::Same; 2]);
    assert!(rows[1].effect.adjusted_p.expect("a test") < 0.001, "it differs, but by 1 % only: {:?}", rows[1]);
    let strict = [side("a", vec![case("bcast", 16, draw(10.0))]), side("b", vec![case("bcast", 16, draw(10.1))])];
    let strict = contrast(&strict, &Choice::default(), Demand { at_least: 0.005, ..DEMAND }).expect("two sides");
    assert_eq!(strict.pairs[0].rows[0].effect.verdict, Verdict::Slower);
}

/// In how many of so many comparisons of equals a difference is said to be shown in any case.
fn false_alarms(comparisons: u64, cases: u64, draw: impl Fn(&mut ChaCha8Rng) -> Vec<Vec<f64>>) -> f64 {
    let alarmed = (0..comparisons).filter(|seed| {
        let mut rng = rng(1_000 + seed);
        let mut some = || (0..cases).map(|bytes| case("bcast", bytes, draw(&mut rng))).collect::<Vec<_>>();
        let sides = [side("a", some()), side("b", some())];
        let found = contrast(&sides, &Choice::default(), Demand { at_least: 0.0, ..DEMAND }).expect("two sides");
        found.pairs[0].rows.iter().any(|row| matches!(row.effect.verdict, Verdict::Slower | Verdict::Faster))
    });
    alarmed.count() as f64 / comparisons as f64
}

#[test]
fn equals_are_told_apart_in_no_more_than_five_percent_of_comparisons() {
    // Three standard errors of 5 % of 200.
    let bound = 0.05 + 3.0 * (0.05f64 * 0.95 / 200.0).sqrt();
    let share = false_alarms(200, 4, |rng| launches(times(rng, 30, 10.0)));
    assert!(share <= bound, "{share}");
    let several = false_alarms(200, 2, |rng| {
        // What a launch adds is as much as its samples vary.
        let medians = times(rng, 6, 10.0);
        medians.into_iter().map(|median| times(rng, 20, median)).collect()
    });
    assert!(several <= bound, "{several}");
}

#[test]
fn one_launch_on_a_side_is_not_tested() {
    let mut rng = rng(1);
    let a = case("bcast", 8, vec![times(&mut rng, 400, 10.0)]);
    let b = case("bcast", 8, vec![times(&mut rng, 400, 20.0), times(&mut rng, 400, 20.0)]);
    let found = held(vec![a], vec![b]);
    let effect = &found.pairs[0].rows[0].effect;
    assert_eq!((effect.unit, effect.counts, effect.verdict), (Unit::OneLaunch, (1, 2), Verdict::Undecided));
    assert_eq!((effect.p, effect.adjusted_p, effect.reached, effect.needed), (None, None, 0.0, Some(4)));
    assert!((effect.ratio.expect("positive").value - 2.0).abs() < 0.1, "{effect:?}");
    assert!(found.warnings[0].contains("--launches 6"), "{:?}", found.warnings);
    insta::assert_snapshot!(format!("{}\n{}", found.pairs[0].sentence, found.warnings[0]));
}

/// Launches that rounds have in common: what the machine does for a round is the same on both sides.
fn in_rounds(rng: &mut ChaCha8Rng, count: u32, factor: f64) -> (Sampled, Sampled) {
    let rounds = times(rng, count as usize, 10.0);
    let side = |of: &dyn Fn(f64, usize) -> f64| {
        let numbers = rounds.iter().enumerate().map(|(i, &time)| of(time, i)).collect();
        let named = (0..count).map(|launch| Round { campaign: "m".to_owned(), launch });
        Sampled { rounds: named.collect(), ..case("bcast", 8, launches(numbers)) }
    };
    (side(&|time, _| time), side(&|time, i| time * (factor + 0.001 * (i % 3) as f64)))
}

#[test]
fn launches_of_the_same_rounds_are_compared_in_pairs() {
    let (a, b) = in_rounds(&mut rng(3), 8, 1.03);
    let apart = held(vec![Sampled { rounds: vec![], ..a.clone() }], vec![b.clone()]).pairs[0].rows[0].effect.clone();
    assert_eq!((apart.unit, apart.verdict), (Unit::Launches, Verdict::Undecided), "launches vary by 10 %");
    let found = held(vec![a.clone()], vec![b.clone()]);
    let effect = &found.pairs[0].rows[0].effect;
    assert_eq!((effect.unit, effect.verdict), (Unit::Rounds, Verdict::Slower));
    let ratio = effect.ratio.expect("positive");
    assert!(ratio.low >= 1.0299 && ratio.high <= 1.0321, "{ratio:?}");
    assert_eq!(effect.p, Some(2.0 / 256.0));
    let required = Requirement { design: Design::Paired, comparisons: 1, launches: 6, fewest: 8 };
    assert_eq!(found.requirements, [required]);
    // In another order, and with a round that one side lacks.
    let turned = |mut case: Sampled| {
        case.launches.reverse();
        case.rounds.reverse();
        case.launches.pop();
        case.rounds.pop();
        case
    };
    let other = held(vec![a.clone()], vec![turned(b.clone())]).pairs[0].rows[0].effect.clone();
    assert_eq!((other.unit, other.counts, other.p), (Unit::Rounds, (7, 7), Some(2.0 / 128.0)));
    // Sides that took turns are paired where that is said.
    let plain = |case: Sampled| Sampled { rounds: vec![], ..case };
    let in_turn = Choice { in_turn: true, ..Choice::default() };
    let sides = |b: Sampled| [side("a", vec![plain(a.clone())]), side("b", vec![plain(b)])];
    let found = contrast(&sides(b.clone()), &in_turn, DEMAND).expect("two sides");
    assert_eq!(found.pairs[0].rows[0].effect.p, Some(2.0 / 256.0));
    let refused = contrast(&sides(turned(b)), &in_turn, DEMAND).unwrap_err();
    insta::assert_snapshot!(refused);
}

#[test]
fn few_pairs_are_marked_and_fewer_have_no_interval() {
    let of = |count: u32| {
        let (a, b) = in_rounds(&mut rng(4), count, 1.2);
        held(vec![a], vec![b]).pairs[0].rows[0].effect.clone()
    };
    let (five, three) = (of(5), of(3));
    assert!(five.ratio.expect("positive").low > 1.19 && five.reached == 0.95, "{five:?}");
    let ratio = three.ratio.expect("positive");
    assert!(ratio.low == ratio.high && three.reached == 0.0, "{three:?}");
    insta::assert_snapshot!([five.note, three.note].join("\n"));
}

#[test]
fn launches_are_what_is_counted_and_too_few_of_them_show_nothing() {
    let several = |rng: &mut ChaCha8Rng, count: usize, median: f64| -> Vec<Vec<f64>> {
        (0..count).map(|_| times(rng, 50, median)).collect()
    };
    let mut rng = rng(5);
    let mut sides = |count: usize| (several(&mut rng, count, 10.0), several(&mut rng, count, 12.0));
    let (a, b) = sides(6);
    let many = held(vec![case("bcast", 8, a)], vec![case("bcast", 8, b)]);
    let effect = &many.pairs[0].rows[0].effect;
    assert_eq!((effect.unit, effect.counts, effect.verdict), (Unit::Launches, (6, 6), Verdict::Slower));
    assert!(many.warnings.is_empty());
    let (a, b) = sides(3);
    let few = held(vec![case("bcast", 8, a)], vec![case("bcast", 8, b)]);
    let effect = &few.pairs[0].rows[0].effect;
    assert_eq!(effect.verdict, Verdict::Undecided);
    insta::assert_snapshot!(effect.note);
}

#[test]
fn the_more_cases_the_more_evidence_one_of_them_needs() {
    let ramp = |from: f64| launches((0..12).map(|i| from + f64::from(i * i % 12) / 10.0).collect());
    let of = |cases: u64| {
        let a = (0..cases).map(|bytes| case("bcast", bytes, ramp(10.0))).collect();
        let b = (0..cases).map(|bytes| case("bcast", bytes, ramp(if bytes == 0 { 10.35 } else { 10.0 }))).collect();
        held(a, b).pairs[0].rows[0].effect.clone()
    };
    let (alone, among) = (of(1), of(10));
    assert_eq!(alone.p, among.p);
    assert!((among.adjusted_p.expect("a test") - 10.0 * alone.p.expect("a test")).abs() < 1e-12);
    assert_eq!((alone.verdict, among.verdict), (Verdict::Slower, Verdict::Undecided));
}

#[test]
fn times_that_are_not_positive_are_held_by_their_difference() {
    let ramp = |from: f64| launches((0..40).map(|i| from + f64::from(i % 7)).collect());
    let found = held(vec![case("barrier", 0, ramp(-3.0))], vec![case("barrier", 0, ramp(7.0))]);
    let effect = &found.pairs[0].rows[0].effect;
    assert_eq!((effect.ratio, effect.verdict), (None, Verdict::Slower));
    assert!((effect.difference.value - 10.0).abs() < 1e-9, "{effect:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_other_way_round_is_the_mirror_image(
        a in prop::collection::vec(prop::collection::vec(0.5..20.0f64, 1..25), 1..5),
        b in prop::collection::vec(prop::collection::vec(0.5..20.0f64, 1..25), 1..5),
    ) {
        let (a, b) = (case("bcast", 8, a), case("bcast", 8, b));
        let there = held(vec![a.clone()], vec![b.clone()]).pairs.remove(0).rows.remove(0).effect;
        let back = held(vec![b], vec![a]).pairs.remove(0).rows.remove(0).effect;
        prop_assert_eq!(there.verdict, back.verdict.mirrored());
        prop_assert_eq!((there.p, there.adjusted_p, there.unit), (back.p, back.adjusted_p, back.unit));
        prop_assert_eq!((there.a, there.b), (back.b, back.a));
        let (one, other) = (there.ratio.unwrap(), back.ratio.unwrap());
        for (one, other) in [(one.value, other.value), (one.low, other.high), (one.high, other.low)] {
            prop_assert!((one * other - 1.0).abs() < 1e-9, "{} {}", one, other);
        }
        match (there.delta, back.delta) {
            (Some(one), Some(other)) => prop_assert!((one.value + other.value).abs() < 1e-9),
            (one, other) => prop_assert_eq!(one, other),
        }
    }
}
