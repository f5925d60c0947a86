//! Expectations of the scenario with their results: a line for each expectation in each world.

use render::page::Section;
use scenario::expect::{Answered, Judgement, Outcome};
use study::cells::number;

/// Returns the section of all expectations; `None` where there are none.
pub(crate) fn section(judgements: &[Judgement]) -> Option<Section> {
    let fact = |judgement: &Judgement| (sign(judgement), format!("{}{}", judgement.says, found(judgement)));
    (!judgements.is_empty()).then(|| Section::new("Expectations").with_facts(judgements.iter().map(fact)))
}

/// Returns the verdicts on the answers of an exercise, without the right answers.
pub fn answers(judgements: &[Judgement]) -> Section {
    let answer = |judgement: &Judgement| {
        let given = judgement.answer.as_ref()?.given.as_deref().unwrap_or_default();
        Some((sign(judgement), format!("{} {given}", judgement.says).trim_end().to_owned()))
    };
    Section::default().with_facts(judgements.iter().filter_map(answer))
}

fn sign(judgement: &Judgement) -> &'static str {
    match (judgement.outcome, &judgement.answer) {
        (Outcome::Met, None) => "✓ met",
        (Outcome::Met, Some(_)) => "✓ right",
        (Outcome::Missed, None) => "✗ NOT MET",
        (Outcome::Missed, Some(_)) => "✗ not right",
        (Outcome::Untried, Some(Answered { given: None, .. })) => "– no answer yet",
        (Outcome::Untried, _) => "– not tried",
    }
}

/// Prints the range of an expectation: `: 2.500 (4 numbers, wanted closed form …; simulated)`.
fn found(judgement: &Judgement) -> String {
    let Some((low, high)) = judgement.range else { return ": no case of it was run here".to_owned() };
    let unit = if judgement.unit.is_empty() { String::new() } else { format!(" {}", judgement.unit) };
    let (low, high) = (number(low), number(high));
    let range = match &judgement.answer {
        Some(answer) => answer.right.clone(),
        None if low == high => low,
        None => format!("{low} to {high}"),
    };
    let count = if judgement.numbers == 1 || judgement.answer.is_some() {
        String::new()
    } else {
        format!("{} numbers, ", judgement.numbers)
    };
    let world = if judgement.world.is_empty() { String::new() } else { format!("; {}", judgement.world) };
    let worst = judgement.worst.as_ref().map(|worst| format!("; largest error: {worst}")).unwrap_or_default();
    let wanted = match judgement.answer.as_ref().map(|answer| answer.given.as_deref()) {
        Some(given) => given.map_or("not answered".to_owned(), |given| format!("answered {given}")),
        None => format!("{count}wanted {}", judgement.wanted),
    };
    format!(": {range}{unit} ({wanted}{world}{worst})")
}
