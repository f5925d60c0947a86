//! Expectations of the scenario with their results: a line for each expectation in each world.

use render::paint::Paint;
use render::words::hanging;
use scenario::expect::{Answered, Judgement, Outcome};
use study::cells::number;
use study::comparison::Report;

/// Returns the lines of all expectations; empty where there are none.
pub(super) fn lines(report: &Report, width: usize, paint: Paint) -> Vec<String> {
    if report.judgements.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![paint.bold("Expectations")];
    for judgement in &report.judgements {
        let sign = sign(judgement);
        let painted = match judgement.outcome {
            Outcome::Met => paint.good(sign),
            Outcome::Missed => paint.bad(sign),
            Outcome::Untried => paint.faint(sign),
        };
        // The sign is as wide with its colour as without.
        let told = hanging(&format!("  {sign}  "), &format!("{}{}", judgement.says, found(judgement)), width);
        lines.extend(
            told.into_iter()
                .enumerate()
                .map(|(nth, line)| if nth == 0 { line.replacen(sign, &painted, 1) } else { line }),
        );
    }
    lines
}

/// Returns the verdicts on the answers of an exercise, each on its line, without the right answers.
pub fn answers(judgements: &[Judgement], width: usize) -> Vec<String> {
    let line = |judgement: &Judgement| {
        let given = judgement.answer.as_ref()?.given.as_deref().unwrap_or_default();
        let words = format!("{} {given}", judgement.says);
        Some(hanging(&format!("  {}  ", sign(judgement)), words.trim_end(), width))
    };
    judgements.iter().filter_map(line).flatten().collect()
}

/// Prints the result of an expectation: `✓ met  A single call has no error: 1.000 (…)`.
pub(crate) fn line(judgement: &Judgement) -> String {
    format!("{}  {}{}", sign(judgement), judgement.says, found(judgement))
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
