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

/// A call on a network on which `first` is the fastest and `second` prints the least, or the reverse.
fn on_network(network: &str, bytes: u64, prints: &str, table: &str) -> Choice {
    let [linear, binomial] = if prints == "linear" { [(1.0, 2.0), (2.0, 1.0)] } else { [(2.0, 1.0), (1.0, 2.0)] };
    let candidates = vec![candidate("linear", linear.0, linear.1), candidate("binomial", binomial.0, binomial.1)];
    let table = candidates.iter().find(|one| one.algorithm == table).cloned();
    Choice { at: at(bytes).named(Axis::Parameters, network), candidates, table }
}

#[test]
fn a_table_is_held_against_those_that_numbers_and_times_of_another_network_make() {
    // Both networks agree: tables of printed numbers always stand on their side, and those of true times on theirs.
    let agree: Vec<Choice> = ["a", "b"]
        .into_iter()
        .flat_map(|net| (0..4).map(move |bytes| on_network(net, bytes, "linear", "linear")))
        .collect();
    let found = scores(&agree.iter().collect::<Vec<_>>()).expect("a table");
    assert_eq!(found.table, 1.0);
    let same = |value| Some(programs::machine::Estimate { value, low: value, high: value });
    assert_eq!((found.of_printed, found.of_true), (same(1.0), same(-1.0)));
    // They disagree: what is printed on one is true on the other.
    let other =
        |net: &str, prints: &str| (0..4).map(|bytes| on_network(net, bytes, prints, "linear")).collect::<Vec<_>>();
    let disagree = [other("a", "linear"), other("b", "binomial")].concat();
    let found = scores(&disagree.iter().collect::<Vec<_>>()).expect("a table");
    assert_eq!((found.table, found.of_printed, found.of_true), (0.0, same(-1.0), same(1.0)));
    // One network makes no table for another; without a table there is nothing to hold.
    let alone = scores(&agree.iter().take(4).collect::<Vec<_>>()).expect("a table");
    assert_eq!((alone.of_printed, alone.of_true), (None, None));
    assert_eq!(scores(&[&choice(8, "none")]), None);
}

#[test]
fn the_section_says_how_often_and_where() {
    let all = (0..12).map(|bytes| choice(1 << bytes, if bytes < 6 { "linear" } else { "binomial" })).collect();
    let choices = Choices { all, table: Some("openmpi-4.1".to_owned()) };
    let page = render::page::Page { sections: vec![choices.section()], ..Default::default() };
    insta::assert_snapshot!(page.markdown());
    insta::assert_snapshot!(choices.rows().csv(None));
}
