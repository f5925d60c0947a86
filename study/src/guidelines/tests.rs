//! Guidelines kept and violated by constructed numbers.

use super::*;
use crate::contrast::Sampled;
use crate::contrast::tests::{DEMAND, case, rng, side, times};
use rand_chacha::ChaCha8Rng;
use render::results::{self, Format, Look, Results};
use scenario::axis::Axis;

/// A case of 4 ranks whose median is so many µs.
fn case_with_median(rng: &mut ChaCha8Rng, operation: &str, bytes: u64, median: f64) -> Sampled {
    case(operation, bytes, vec![times(rng, 100, median)])
}

fn check<'a>(found: &'a Guidelines, guideline: &str, bytes: u64) -> &'a Check {
    let wanted = |check: &&Check| check.guideline == guideline && check.case.number(Axis::Bytes) == Some(bytes);
    found.checks.iter().find(wanted).unwrap_or_else(|| panic!("{guideline} at {bytes}: {:?}", found.checks))
}

#[test]
fn an_allreduce_that_takes_longer_than_its_parts_is_found() {
    let mut rng = rng(1);
    let cases = vec![
        case_with_median(&mut rng, "allreduce", 64, 15.0),
        case_with_median(&mut rng, "reduce", 64, 5.0),
        case_with_median(&mut rng, "bcast", 64, 5.0),
        case_with_median(&mut rng, "allreduce", 1024, 20.0),
        case_with_median(&mut rng, "reduce", 1024, 15.0),
        case_with_median(&mut rng, "bcast", 1024, 15.0),
    ];
    let found = guidelines(&side("m", cases), DEMAND).expect("checks");
    let violated = check(&found, "allreduce ≤ reduce + bcast", 64);
    let factor = violated.factor.expect("times are positive");
    assert_eq!(violated.verdict, Verdict::Violated);
    assert!(factor.low < 1.5 && factor.high > 1.5 && factor.low > 1.3, "{factor:?}");
    assert_eq!(violated.other, "reduce(64 B) + bcast(64 B)");
    assert!(violated.advice.contains("MPI_Reduce") && violated.advice.contains("MPI_Bcast"), "{violated:?}");
    assert_eq!(check(&found, "allreduce ≤ reduce + bcast", 1024).verdict, Verdict::Kept);
    assert_eq!(check(&found, "reduce ≤ allreduce", 64).verdict, Verdict::Kept);
    assert_eq!(found.checks[0].guideline, "allreduce ≤ reduce + bcast", "the violated one comes first");
    assert!(found.sentence.contains("64 bytes"), "{}", found.sentence);
    insta::assert_snapshot!(format!("{}\n{}", found.sentence, violated.advice));
}

#[test]
fn blocks_and_buffers_are_counted_each_in_its_way() {
    let mut rng = rng(2);
    // On 4 ranks 64 B are blocks of 16 B, and blocks of 64 B are 256 B.
    let cases = vec![
        case_with_median(&mut rng, "bcast", 64, 30.0),
        case_with_median(&mut rng, "scatter", 16, 10.0),
        case_with_median(&mut rng, "allgather", 16, 10.0),
        case_with_median(&mut rng, "bcast", 63, 30.0),
        case_with_median(&mut rng, "gather", 16, 1.0),
        case_with_median(&mut rng, "reduce-scatter", 16, 50.0),
        case_with_median(&mut rng, "allreduce", 64, 25.0),
        case_with_median(&mut rng, "barrier", 0, 60.0),
    ];
    let found = guidelines(&side("m", cases), DEMAND).expect("checks");
    let of_bcast = check(&found, "bcast ≤ scatter + allgather", 64);
    assert_eq!((of_bcast.verdict, of_bcast.other.as_str()), (Verdict::Violated, "scatter(16 B) + allgather(16 B)"));
    assert!(!found.checks.iter().any(|check| check.case.number(Axis::Bytes) == Some(63) && check.kind == Kind::MockUp));
    assert_eq!(check(&found, "allgather ≤ gather + bcast", 16).other, "gather(16 B) + bcast(64 B)");
    assert_eq!(check(&found, "reduce-scatter ≤ allreduce", 16).verdict, Verdict::Violated);
    assert_eq!(check(&found, "scatter ≤ bcast", 16).verdict, Verdict::Kept);
    let barrier = check(&found, "barrier ≤ allreduce", 0);
    assert_eq!((barrier.verdict, barrier.other.as_str()), (Verdict::Violated, "allreduce(64 B)"));
}

#[test]
fn more_data_must_not_be_faster_nor_slower_than_its_parts() {
    let mut rng = rng(3);
    let cases = vec![
        case_with_median(&mut rng, "bcast", 8, 10.0),
        case_with_median(&mut rng, "bcast", 16, 5.0),
        case_with_median(&mut rng, "bcast", 32, 12.0),
        case_with_median(&mut rng, "bcast", 33, 100.0),
        case_with_median(&mut rng, "bcast", 4096, 101.0),
        case_with_median(&mut rng, "bcast", 0, 1.0),
    ];
    let found = guidelines(&side("m", cases), DEMAND).expect("checks");
    assert_eq!(check(&found, "bcast monotone in bytes", 8).verdict, Verdict::Violated);
    assert_eq!(check(&found, "bcast monotone in bytes", 16).verdict, Verdict::Kept);
    let split = check(&found, "bcast split-robust", 32);
    assert_eq!((split.verdict, split.other.as_str()), (Verdict::Violated, "2 × bcast(16 B)"));
    insta::assert_snapshot!(split.advice);
    assert_eq!(check(&found, "bcast split-robust", 33).verdict, Verdict::Violated, "two calls of 32 B hold 33 B");
    let none = |bytes: u64| {
        !found
            .checks
            .iter()
            .any(|check| check.kind == Kind::SplitRobust && check.case.number(Axis::Bytes) == Some(bytes))
    };
    assert!(none(8) && none(4096), "nothing is split into parts of none, nor into more than 16");
}

#[test]
fn fewer_ranks_must_not_be_slower_than_more() {
    let mut rng = rng(4);
    let mut on = |ranks: u64, median: f64| {
        let case = case_with_median(&mut rng, "bcast", 8, median);
        Sampled { key: case.key.counted(Axis::Ranks, Some(ranks)), ..case }
    };
    let cases = vec![on(3, 20.0), on(4, 10.0), on(8, 11.0)];
    let found = guidelines(&side("m", cases), DEMAND).expect("checks");
    let verdicts: Vec<(u64, Verdict)> =
        found.checks.iter().map(|check| (check.case.number(Axis::Ranks).expect("ranks"), check.verdict)).collect();
    assert_eq!(verdicts, [(3, Verdict::Violated), (4, Verdict::Kept)]);
    assert_eq!(found.checks[0].other, "bcast(8 B, 4 ranks)");
}

#[test]
fn a_form_with_counts_may_not_be_faster_and_methods_are_kept_apart() {
    let mut rng = rng(5);
    let mut cases = vec![case_with_median(&mut rng, "gather", 8, 20.0), case_with_median(&mut rng, "gatherv", 8, 10.0)];
    let mut other = case_with_median(&mut rng, "allgather", 8, 1.0);
    other.key = other.key.named(Axis::Method, "loop");
    cases.push(other);
    let found = guidelines(&side("m", cases), DEMAND).expect("checks");
    assert_eq!(found.checks.len(), 1, "gather by windows is not held against an allgather in a loop");
    assert_eq!((found.checks[0].verdict, found.checks[0].kind), (Verdict::Violated, Kind::Regular));
    insta::assert_snapshot!(found.checks[0].advice);
}

#[test]
fn the_librarys_own_choice_is_judged_or_the_only_algorithm() {
    let mut rng = rng(6);
    let mut by = |algorithm: &str, bytes: u64, median: f64| {
        let case = case_with_median(&mut rng, "bcast", bytes, median);
        Sampled { key: case.key.named(Axis::Algorithm, algorithm), ..case }
    };
    let own = vec![by("linear", 8, 10.0), by("linear", 16, 5.0)];
    assert_eq!(guidelines(&side("m", own.clone()), DEMAND).expect("checks").checks.len(), 2);
    let several = [own.clone(), vec![by("binomial", 8, 1.0)]].concat();
    let message = guidelines(&side("m", several), DEMAND).unwrap_err();
    insta::assert_snapshot!(message);
    let library = [own, vec![by("library", 8, 1.0), by("library", 16, 2.0)]].concat();
    let found = guidelines(&side("m", library), DEMAND).expect("checks");
    assert_eq!(check(&found, "bcast monotone in bytes", 8).verdict, Verdict::Kept);
}

#[test]
fn what_keeps_its_guidelines_is_seldom_accused() {
    // All take the same: every guideline is kept by nothing, which is the worst case.
    let accused = (0..60).filter(|seed| {
        let mut rng = rng(700 + seed);
        let cases = (0..4).map(|size| case("bcast", 8 << size, vec![times(&mut rng, 30, 10.0)])).collect();
        let strict = crate::contrast::Demand { at_least: 0.0, ..DEMAND };
        let found = guidelines(&side("m", cases), strict).expect("checks");
        found.checks.iter().any(|check| check.verdict == Verdict::Violated)
    });
    let share = accused.count() as f64 / 60.0;
    assert!(share <= 0.05 + 3.0 * (0.05f64 * 0.95 / 60.0).sqrt(), "{share}");
}

#[test]
fn numbers_without_intervals_are_suspected_at_most() {
    let single = |operation: &str, us: f64| case(operation, 8, vec![vec![us]]);
    let found =
        guidelines(&side("osu", vec![single("gather", 9.0), single("allgather", 3.0)]), DEMAND).expect("checks");
    assert_eq!((found.checks[0].verdict, found.checks[0].factor.expect("positive").value), (Verdict::Suspected, 3.0));
    insta::assert_snapshot!(format!("{}\n{}", found.sentence, found.checks[0].advice));
}

#[test]
fn only_what_is_newly_violated_fails_a_comparison() {
    let mut rng = rng(8);
    let mut with = |gather: f64, scatter: f64| {
        let parts = [("gather", gather), ("allgather", 10.0), ("scatter", scatter)];
        let mut cases: Vec<Sampled> = parts.map(|(name, median)| case_with_median(&mut rng, name, 8, median)).into();
        cases.push(case_with_median(&mut rng, "bcast", 32, 10.0));
        side("m", cases)
    };
    let (old, new) = (with(20.0, 1.0), with(20.0, 30.0));
    let found = new_violations(&[old.clone(), new], DEMAND);
    assert_eq!(found.len(), 1, "{found:?}");
    insta::assert_snapshot!(found[0]);
    assert_eq!(new_violations(&[old.clone(), old], DEMAND), [] as [&str; 0]);
}

#[test]
fn all_forms_hold_what_was_found() {
    let mut rng = rng(9);
    let cases = vec![
        case_with_median(&mut rng, "gather", 8, 20.0),
        case_with_median(&mut rng, "allgather", 8, 10.0),
        case_with_median(&mut rng, "gather", 16, 30.0),
    ];
    let found = guidelines(&side("m", cases), DEMAND).expect("checks");
    let printed = |format, detailed| {
        results::printed(&found, format, Look { width: 100, colour: false, detailed, more: "--all" })
            .expect("all forms")
    };
    let (few, all) = (printed(Format::Table, false), printed(Format::Table, true));
    assert!(!few.contains("monotone") && all.contains("monotone"), "{few}");
    insta::assert_snapshot!(few);
    let csv = printed(Format::Csv, false);
    let mut reader = ::csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<_> = reader.records().collect::<Result<_, _>>().expect("every row has every cell");
    assert_eq!((rows.len(), &rows[0][0]), (found.checks.len(), "gather ≤ allgather"));
    let json: serde_json::Value = serde_json::from_str(&printed(Format::Json, false)).expect("JSON");
    assert_eq!((&json["checks"][0]["verdict"], &json["checks"][0]["kind"]), (&"violated".into(), &"mock-up".into()));
    // A row for each check, and one that says what to do.
    let rows = printed(Format::Markdown, false).lines().filter(|line| line.starts_with("| gather")).count();
    assert_eq!(rows, found.checks.len() + 1);
    let html = found.page().html().expect("a page");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(&html, options).expect("well formed");
}
