use super::*;
use scenario::axis::Axis;

fn candidate(algorithm: &str, printed_us: f64, true_us: f64) -> Candidate {
    Candidate { algorithm: algorithm.to_owned(), printed_us, true_us }
}

fn at(bytes: u64) -> Key {
    Key::default()
        .named(Axis::Operation, "bcast")
        .counted(Axis::Ranks, Some(8u32))
        .counted(Axis::Bytes, Some(bytes))
        .named(Axis::Benchmark, "osu")
}

/// A call in which `linear` prints the least and `binomial` is the fastest; the table takes the one of this name.
fn choice(bytes: u64, table: &str) -> Choice {
    let candidates = vec![candidate("linear", 1.0, 4.0), candidate("binomial", 2.0, 2.0), candidate("chain", 9.0, 9.0)];
    let table = candidates.iter().find(|one| one.algorithm == table).cloned();
    Choice { at: at(bytes), candidates, table }
}

#[test]
fn a_choice_by_print_costs_what_the_fastest_would_have_saved() {
    let one = choice(8, "linear");
    let [printed, truth] = [one.by_print(), one.by_truth()].map(|found| found.expect("candidates"));
    assert_eq!((printed.algorithm.as_str(), truth.algorithm.as_str()), ("linear", "binomial"));
    assert_eq!((one.cost(printed), one.cost(truth)), (2.0, 1.0));
    let sides = ["linear", "binomial", "chain"].map(|name| {
        let one = choice(8, name);
        one.side(one.table.as_ref().expect("a table"))
    });
    assert_eq!(sides, [Side::Printed, Side::True, Side::Neither]);
}

#[test]
fn nearly_the_fastest_is_among_the_fastest_and_one_algorithm_is_always_right() {
    let mut one = choice(8, "linear");
    one.candidates[0].true_us = 2.0 * (1.0 + TIE);
    one.table = Some(one.candidates[0].clone());
    assert_eq!(one.side(&one.candidates[0]), Side::Both);
    let alone = Choice { at: at(8), candidates: vec![candidate("linear", 0.0, 0.0)], table: None };
    assert_eq!(alone.cost(&alone.candidates[0]), 1.0);
}

#[test]
fn a_table_that_never_changes_tells_nothing_and_one_that_follows_the_print_does() {
    let constant: Vec<Choice> = (0..12).map(|bytes| choice(bytes, "linear")).collect();
    let found = by_chance(&constant, 1).expect("a table");
    assert_eq!((found.found, found.mean, found.p), (12, 12.0, 1.0));
    // The number prefers `linear` for the first six lengths, then `binomial`, and the truth the reverse; so does the table.
    let follows = |bytes: u64| {
        let (low, high) = ((1.0, 2.0), (2.0, 1.0));
        let (linear, binomial) = if bytes < 6 { (low, high) } else { (high, low) };
        let candidates = vec![candidate("linear", linear.0, linear.1), candidate("binomial", binomial.0, binomial.1)];
        let table = candidates.iter().find(|one| one.printed_us == 1.0).cloned();
        Choice { at: at(bytes), candidates, table }
    };
    let followed: Vec<Choice> = (0..12).map(follows).collect();
    let found = by_chance(&followed, 1).expect("a table");
    assert_eq!(found.found, 12);
    // Of twelve places one leaves all as it is; the mean over all places is zero.
    assert!((found.p - 1.0 / 12.0).abs() < 0.03, "{found:?}");
    assert!(found.mean.abs() < 1.0, "{found:?}");
    let none: Vec<Choice> = (0..3).map(|bytes| choice(bytes, "none")).collect();
    assert_eq!(by_chance(&none, 1), None);
}

#[test]
fn the_section_says_how_often_and_where() {
    let all = (0..12).map(|bytes| choice(1 << bytes, if bytes < 6 { "linear" } else { "binomial" })).collect();
    let choices = Choices { all, table: Some("openmpi-4.1".to_owned()) };
    let page = render::page::Page { sections: vec![choices.section()], ..Default::default() };
    insta::assert_snapshot!(page.markdown());
    insta::assert_snapshot!(choices.rows().csv(None));
}
