//! What numbers are decides which side is called slower, and whether a gate could close.

use super::*;
use formats::import::{self, Column, Imported, PrintedRow};
use programs::machine::Estimate;

/// Seven launches of a case about a middle, in this quantity.
fn seven_launches(quantity: Quantity, middle: f64) -> Vec<Sampled> {
    let numbers = (0..7).map(|launch| middle * (1.0 + 0.001 * f64::from(launch))).collect();
    vec![Sampled { quantity, ..case("bcast", 8, launches(numbers)) }]
}

fn fails(found: &Contrast, gate: &str) -> bool {
    !failures(found, &[gate.parse().expect(gate)]).is_empty()
}

#[test]
fn half_a_rate_is_slower_and_half_a_time_is_faster() {
    let rates = [Quantity::Megabytes, Quantity::Gigabytes, Quantity::Mebibytes, Quantity::SomeMegabytes];
    let rates = rates.into_iter().chain([Quantity::Megabits, Quantity::Mebibits, Quantity::Messages]);
    let times = [Quantity::Time, Quantity::TimePerByte];
    for (quantity, half, twice) in rates
        .map(|rate| (rate, Verdict::Slower, Verdict::Faster))
        .chain(times.map(|time| (time, Verdict::Faster, Verdict::Slower)))
    {
        let [to_half, to_twice] =
            [(2.0, 1.0), (1.0, 2.0)].map(|(a, b)| held(seven_launches(quantity, a), seven_launches(quantity, b)));
        let verdict = |found: &Contrast| found.pairs[0].rows[0].effect.verdict;
        assert_eq!((verdict(&to_half), verdict(&to_twice)), (half, twice), "{quantity:?}");
        let slower = half == Verdict::Slower;
        assert_eq!((fails(&to_half, "slower:5%"), fails(&to_twice, "slower:5%")), (slower, !slower), "{quantity:?}");
        assert_eq!((fails(&to_half, "faster:5%"), fails(&to_twice, "faster:5%")), (!slower, slower), "{quantity:?}");
        assert!(fails(&to_half, "differs") && fails(&to_twice, "differs"), "{quantity:?}");
    }
}

#[test]
fn every_quantity_says_its_unit_and_its_direction_in_every_form() {
    let mut said = Vec::new();
    for quantity in Quantity::ALL {
        let found = held(seven_launches(quantity, 2.0), seven_launches(quantity, 1.0));
        let (text, unit) = (table(&found), quantity.unit());
        assert!(text.contains(&format!("A {unit}")), "{text}");
        let html = found.page().html().expect("a page").replace("&#x2f;", "/");
        assert!(html.contains(unit) && found.csv().contains(&quantity.plain_unit()), "{html}");
        let direction = quantity.direction();
        let directed = direction.iter().all(|words| text.contains(words) && html.contains(words));
        assert!(directed && direction.is_none() == (quantity == Quantity::Time), "{text}");
        said.push(format!("{quantity:?}: {}", found.pairs[0].sentence));
    }
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn rows_of_several_quantities_have_their_unit_each() {
    let both = |time: f64, memory: f64| {
        let other = |case: Sampled| Sampled { key: case.key.named(Axis::Operation, "memory"), ..case };
        let memory = seven_launches(Quantity::Memory, memory).into_iter().map(other);
        seven_launches(Quantity::Time, time).into_iter().chain(memory).collect::<Vec<_>>()
    };
    let found = held(both(10.0, 100.0), both(20.0, 50.0));
    let text = table(&found);
    assert!(text.contains("20.1 µs") && text.contains("50.1 KiB"), "{text}");
    insta::assert_snapshot!(found.pairs[0].sentence);
}

#[test]
fn numbers_of_two_units_are_not_held_against_each_other() {
    let sides = [side("a", seven_launches(Quantity::Time, 2.0)), side("b", seven_launches(Quantity::Megabytes, 2.0))];
    let apart = contrast(&sides, &Choice::default(), DEMAND).unwrap_err();
    assert!(matches!(apart, Apart::Nothing(_)), "{apart:?}");
    let [a, b] = sides;
    let together = Side::together("a+b", vec![a, b]).unwrap_err();
    insta::assert_snapshot!(format!("{apart}\n{together}"));
}

/// A text with one row.
fn text(columns: &[(&str, f64)]) -> Imported {
    let column =
        |&(name, value): &(&str, f64)| Column { head: String::new(), name: name.to_owned(), value: Some(value) };
    let row = PrintedRow {
        benchmark: "Bandwidth".to_owned(),
        ranks: Some(2),
        bytes: Some(8),
        columns: columns.iter().map(column).collect(),
        ..PrintedRow::default()
    };
    let empty = import::read("t", "# OSU MPI Bandwidth Test v7.4\n# Size  Bandwidth (MB/s)\n8  900.00\n")
        .expect("a text")
        .remove(0);
    Imported { rows: vec![row], ..empty }
}

#[test]
fn a_column_that_cannot_be_compared_is_refused_by_its_name() {
    let columns = [("mb_per_s", 900.0), ("passed", 1.0), ("rank", 0.0)];
    let said = ["passed", "rank"].map(|name| imported("t", &[text(&columns)], Some(name)).unwrap_err());
    assert!(said[0].contains("'passed'") && said[1].contains("'rank'"), "{said:?}");
    let only = imported("t", &[text(&columns[1..])], None).expect("a text").lacks.expect("no number");
    insta::assert_snapshot!([&said[..], &[only]].concat().join("\n"));
}

#[test]
fn what_nothing_was_tested_of_passes_no_gate_on_numbers() {
    let one = |us: f64| vec![case("bcast", 8, vec![vec![us]])];
    let two = |us: f64| vec![case("bcast", 8, vec![vec![us], vec![us]])];
    let printed = |us: f64| vec![Sampled { estimate: Some(Estimate::exactly(us)), ..one(us).remove(0) }];
    let neither = |number: f64| seven_launches(Quantity::Percent, number);
    let sides = |name: &str, cases: &dyn Fn(f64) -> Vec<Sampled>| (name.to_owned(), held(cases(1.0), cases(2.0)));
    let mut said = Vec::new();
    for (why, found) in
        [sides("one launch", &one), sides("two launches", &two), sides("a number without an interval", &printed)]
    {
        for gate in ["slower", "faster:5%", "differs"] {
            let failed = failures(&found, &[gate.parse().expect(gate)]);
            assert_eq!(failed.len(), 1, "{why}, {gate}: {failed:?}");
            said.push(format!("{why}: {}", failed[0]));
        }
        assert!(!fails(&found, "missing"), "{why}: what is missing is known without a test");
    }
    let (_, found) = sides("shares", &neither);
    assert!(fails(&found, "slower") && fails(&found, "faster") && fails(&found, "differs"));
    said.push(failures(&found, &["slower".parse().expect("a gate")]).join("\n"));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn each_side_is_tested_for_itself_and_cases_that_cannot_fail_are_named() {
    let [a, b] = [seven_launches(Quantity::Time, 1.0), seven_launches(Quantity::Time, 1.0)];
    let once = vec![case("bcast", 8, vec![vec![9.0]])];
    let sides = [side("a", a.clone()), side("b", b), side("c", once.clone())];
    let found = contrast(&sides, &Choice::default(), DEMAND).expect("three sides");
    let gates = ["slower".parse().expect("a gate")];
    let failed = failures(&found, &gates);
    assert!(failed.len() == 1 && failed[0].starts_with("slower: C: nothing could be tested"), "{failed:?}");
    // Of two cases of one side, one with a single launch.
    let with = |cases: Vec<Sampled>| {
        let once = case("reduce", 8, once[0].launches.clone());
        cases.into_iter().chain([once]).collect::<Vec<_>>()
    };
    let found = held(with(a.clone()), with(a));
    assert_eq!(failures(&found, &gates), [] as [&str; 0]);
    insta::assert_snapshot!(cannot_fail(&found, &gates).join("\n"));
}
