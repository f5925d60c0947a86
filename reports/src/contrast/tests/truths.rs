//! What is said of samples whose truth is known.

use super::*;
use proptest::prelude::*;

#[test]
fn a_shift_of_five_percent_is_found_and_its_size_told() {
    let mut rng = rng(1);
    let a =
        vec![case("bcast", 8, vec![times(&mut rng, 400, 10.0)]), case("bcast", 16, vec![times(&mut rng, 400, 20.0)])];
    let b =
        vec![case("bcast", 8, vec![times(&mut rng, 400, 10.5)]), case("bcast", 16, vec![times(&mut rng, 400, 20.0)])];
    let found = held(a, b);
    let [first, second] = found.pairs[0].rows.as_slice() else { panic!("{found:?}") };
    assert_eq!((first.effect.verdict, first.effect.unit), (Verdict::Slower, Unit::Repetitions));
    let ratio = first.effect.ratio.expect("times are positive");
    assert!(ratio.low < 1.05 && ratio.high > 1.05 && (ratio.value - 1.05).abs() < 0.02, "{ratio:?}");
    assert!(first.effect.delta.expect("many").value > 0.1 && first.effect.difference_us.value > 0.2);
    assert!(matches!(second.effect.verdict, Verdict::Same | Verdict::Undecided), "{second:?}");
    assert!(found.pairs[0].sentence.starts_with("B is slower than A in 1 of 2 cases, by "), "{found:?}");
    assert_eq!(found.warnings.len(), 1, "one launch on each side: {:?}", found.warnings);
}

#[test]
fn what_is_the_same_is_called_so_and_what_is_less_than_matters_is_not_told() {
    let mut rng = rng(2);
    let narrow = |times: Vec<f64>, median: f64| -> Vec<f64> {
        times.into_iter().map(|time| median + (time - median) / 20.0).collect()
    };
    let mut draw = |median: f64| narrow(times(&mut rng, 300, median), median);
    let found = held(
        vec![case("bcast", 8, vec![draw(10.0)]), case("bcast", 16, vec![draw(10.0)])],
        vec![case("bcast", 8, vec![draw(10.0)]), case("bcast", 16, vec![draw(10.1)])],
    );
    let rows = &found.pairs[0].rows;
    assert_eq!([rows[0].effect.verdict, rows[1].effect.verdict], [Verdict::Same; 2]);
    assert!(rows[1].effect.adjusted_p.expect("a test") < 0.001, "it differs, but by 1 % only: {:?}", rows[1]);
    let strict =
        [side("a", vec![case("bcast", 16, vec![draw(10.0)])]), side("b", vec![case("bcast", 16, vec![draw(10.1)])])];
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
    let share = false_alarms(200, 4, |rng| vec![times(rng, 30, 10.0)]);
    assert!(share <= bound, "{share}");
    let launches = false_alarms(200, 2, |rng| {
        // What a launch adds is as much as its repetitions vary.
        let medians = times(rng, 6, 10.0);
        medians.into_iter().map(|median| times(rng, 20, median)).collect()
    });
    assert!(launches <= bound, "{launches}");
}

#[test]
fn repetitions_that_resemble_each_other_are_not_counted_as_many() {
    let remembering = |rng: &mut ChaCha8Rng| {
        let mut last = 0.0;
        let series = times(rng, 400, 1.0).into_iter().map(|time| {
            last = 0.8 * last + time.ln();
            10.0 * last.exp()
        });
        vec![series.collect()]
    };
    let share = false_alarms(150, 1, remembering);
    assert!(share <= 0.05 + 3.0 * (0.05f64 * 0.95 / 150.0).sqrt(), "{share}");
    let (a, b) = (case("bcast", 8, remembering(&mut rng(1))), case("bcast", 8, remembering(&mut rng(2))));
    let found = held(vec![a], vec![b]);
    let effect = &found.pairs[0].rows[0].effect;
    assert!(effect.unit == Unit::Batches && effect.counts.0 < 100, "{effect:?}");
}

#[test]
fn launches_are_what_is_counted_and_too_few_of_them_show_nothing() {
    let launches = |rng: &mut ChaCha8Rng, count: usize, median: f64| -> Vec<Vec<f64>> {
        (0..count).map(|_| times(rng, 50, median)).collect()
    };
    let mut rng = rng(5);
    let mut sides = |count: usize| (launches(&mut rng, count, 10.0), launches(&mut rng, count, 12.0));
    let (a, b) = sides(6);
    let many = held(vec![case("bcast", 8, a)], vec![case("bcast", 8, b)]);
    let effect = &many.pairs[0].rows[0].effect;
    assert_eq!((effect.unit, effect.counts, effect.verdict), (Unit::Launches, (6, 6), Verdict::Slower));
    assert!(many.warnings.is_empty());
    let (a, b) = sides(3);
    let few = held(vec![case("bcast", 8, a)], vec![case("bcast", 8, b)]);
    let effect = &few.pairs[0].rows[0].effect;
    assert_eq!(effect.verdict, Verdict::Undecided);
    assert_eq!(effect.note, "3 and 3 launches cannot show a difference in one of 1 tests; 4 on each side can");
}

#[test]
fn the_more_cases_the_more_evidence_one_of_them_needs() {
    let ramp = |from: f64| vec![(0..12).map(|i| from + f64::from(i * i % 12) / 10.0).collect::<Vec<f64>>()];
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
    let ramp = |from: f64| vec![(0..40).map(|i| from + f64::from(i % 7)).collect::<Vec<f64>>()];
    let found = held(vec![case("barrier", 0, ramp(-3.0))], vec![case("barrier", 0, ramp(7.0))]);
    let effect = &found.pairs[0].rows[0].effect;
    assert_eq!((effect.ratio, effect.verdict), (None, Verdict::Slower));
    assert!((effect.difference_us.value - 10.0).abs() < 1e-9, "{effect:?}");
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
        prop_assert_eq!((there.a_us, there.b_us), (back.b_us, back.a_us));
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
