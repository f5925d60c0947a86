//! What the scenario expects, and what came of it.

use crate::comparison::Report;
use crate::page::{Cell, Mood, More, Section, Table};
use crate::plots::numbers::significant;
use scenario::expect::{Judgement, Outcome};

/// Nothing where the scenario expects nothing.
pub(super) fn section(report: &Report) -> Option<Section> {
    if report.expectation.is_empty() && report.found.is_empty() && report.judgements.is_empty() {
        return None;
    }
    let head = ["Expectation", "World", "Wanted", "Came out", "Verdict"].map(str::to_owned).to_vec();
    let caption = "Held against what came out, in each world by itself".to_owned();
    let table = Table { caption, head, rows: report.judgements.iter().map(row).collect() };
    let told = [("Expected", &report.expectation), ("Found when it was written", &report.found)];
    let told = told.into_iter().filter(|(_, words)| !words.is_empty());
    let facts = told.map(|(name, words)| (name.to_owned(), words.clone())).collect();
    Some(Section {
        heading: "What was expected".to_owned(),
        tables: if report.judgements.is_empty() { Vec::new() } else { vec![table] },
        more: More { id: "expected".to_owned(), facts, ..More::default() },
        ..Section::default()
    })
}

fn row(judgement: &Judgement) -> Vec<Cell> {
    let (word, mood) = match judgement.outcome {
        Outcome::Met => ("✓ met", Mood::Agrees),
        Outcome::Missed => ("✗ not met", Mood::Differs),
        Outcome::Untried => ("– not tried", Mood::Plain),
    };
    let unit = if judgement.unit.is_empty() { String::new() } else { format!(" {}", judgement.unit) };
    let range = judgement.range.map_or_else(
        || "–".to_owned(),
        |(low, high)| {
            let (low, high) = (significant(low), significant(high));
            if low == high { format!("{low}{unit}") } else { format!("{low} to {high}{unit}") }
        },
    );
    let count = match judgement.numbers {
        0 => String::new(),
        1 => "one number".to_owned(),
        several => format!("{several} numbers"),
    };
    vec![
        Cell::text(judgement.says.clone()),
        Cell::text(judgement.world.clone()),
        Cell::text(judgement.wanted.clone()),
        Cell::number(range, count),
        Cell::verdict(word, "", mood),
    ]
}
