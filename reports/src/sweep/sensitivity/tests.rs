use super::*;
use crate::forms::{json, table};
use render::results::Results;

fn line(name: &str, function: impl Fn(u64) -> u64) -> Line {
    let pieces = Pieces::find(0..=10_000_000, true, |x| Ok::<u64, ()>(function(x))).unwrap();
    Line { name: name.to_owned(), pieces, doubt: String::new() }
}

fn sensitivity(lines: Vec<Line>) -> Sensitivity {
    let panel = Panel { parameter: "L".to_owned(), per_byte: false, own: 2_500_000.0, lines };
    Sensitivity { title: "Two chains".to_owned(), notes: vec!["LogGP".to_owned()], panels: vec![panel] }
}

#[test]
fn pieces_are_told_in_every_form() {
    let drawn = sensitivity(vec![line("", |x| (40_000 + 2 * x).max(7_000_000))]).drawn();
    insta::assert_snapshot!("pieces_as_text", table(&drawn));
    insta::assert_snapshot!("pieces_as_csv", drawn.csv());
    assert_eq!(json(&drawn)["pieces"][1]["parameter_from"], 3_480_001);
    assert_eq!(json(&drawn)["pieces"][1]["slope"], 2);
    // Two pieces, one breakpoint, the present value.
    let svg = drawn.drawing.to_string();
    assert!(svg.contains("n = 2") && svg.contains("n = 0") && svg.contains("<circle"), "{svg}");
    assert!(svg.contains("<desc>LogGP</desc>") && !svg.contains(">LogGP</text>"), "{svg}");
    crate::room_tests::finds_room(&drawn.drawing, "Two chains");
}

#[test]
fn the_cheapest_changes_where_lines_cross() {
    // 1 µs + 3x and 5 µs + x cross at 2 µs.
    let drawn = sensitivity(vec![line("many", |x| 1_000_000 + 3 * x), line("few", |x| 5_000_000 + x)]).drawn();
    let found = json(&drawn);
    let crossover = &found["crossovers"][0];
    assert_eq!((crossover["before"].as_str(), crossover["after"].as_str()), (Some("many"), Some("few")));
    assert!((crossover["at_ps"].as_f64().unwrap() - 2e6).abs() < 1.0, "{crossover}");
}

#[test]
fn numbers_are_decimal() {
    assert_eq!(
        [decimal(2_500_000, 6), decimal(-1, 6), decimal(0, 3), decimal(12_345, 3)],
        ["2.5", "−0.000001", "0", "12.345"]
    );
}
