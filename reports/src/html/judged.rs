//! Expectations of the scenario with their results.

use render::page::{Cell, Mood, Section, Table};
use render::plots::numbers::significant;
use scenario::expect::{Judgement, Outcome};

/// Returns the section of expectations; `None` where the file expects nothing.
pub(crate) fn section(expectation: &str, found: &str, judgements: &[Judgement]) -> Option<Section> {
    if expectation.is_empty() && found.is_empty() && judgements.is_empty() {
        return None;
    }
    let head = ["Expectation", "Verdict", "Came out", "Wanted", "World"];
    let caption = "Compared with the results, separately for each world";
    let table = Table::new(caption, head, judgements.iter().map(row)).of_sentences().without_empty_columns();
    // Folded away: whoever is to find out for themselves need not read the answer first.
    let answer = (!found.is_empty())
        .then(|| Section::new("Found when it was written").folded().with_paragraphs([found.to_owned()]));
    Some(
        Section::new("What was expected")
            .with_tables(if judgements.is_empty() { Vec::new() } else { vec![table] })
            .with_id("expected")
            .with_facts(Some(("Expected", expectation)).into_iter().filter(|(_, words)| !words.is_empty()))
            .with_parts(answer),
    )
}

fn row(judgement: &Judgement) -> Vec<Cell> {
    let (word, mood) = match judgement.outcome {
        Outcome::Met => ("✓ met", Mood::Agrees),
        Outcome::Missed => ("✗ not met", Mood::Differs),
        Outcome::Untried => ("– not tried", Mood::Plain),
    };
    let unit = if judgement.unit.is_empty() { String::new() } else { format!(" {}", judgement.unit) };
    let range = judgement.range.filter(|_| judgement.answer.is_none());
    let range = range.map_or_else(
        || judgement.answer.as_ref().map_or("–", |answer| &answer.right).to_owned(),
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
        Cell::verdict(word, "", mood),
        Cell::text(range).noting(count),
        Cell::text(judgement.wanted.clone()),
        Cell::text(judgement.world.clone()),
    ]
}
