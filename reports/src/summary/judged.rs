//! What the scenario expects, held against what came out: a line for each expectation in each world.

use super::cells::{Paint, number};
use crate::comparison::Report;
use crate::words::wrapped;
use scenario::expect::{Judgement, Outcome};

/// All expectations; nothing where there are none.
pub(super) fn lines(report: &Report, width: usize, paint: Paint) -> Vec<String> {
    if report.judgements.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![paint.bold("Expectations")];
    for judgement in &report.judgements {
        let sign = match judgement.outcome {
            Outcome::Met => paint.good("✓ met"),
            Outcome::Missed => paint.bad("✗ NOT MET"),
            Outcome::Untried => paint.faint("– not tried"),
        };
        let told = wrapped(&format!("{}{}", judgement.says, found(judgement)), width - 4, "    ");
        lines.push(format!("  {sign}  {}", told.first().map_or("", String::as_str)));
        lines.extend(told.into_iter().skip(1).map(|line| format!("  {line}")));
    }
    lines
}

/// `✓ met  A single call has no error: 1.000 (…)`.
pub(crate) fn line(judgement: &Judgement) -> String {
    let sign = match judgement.outcome {
        Outcome::Met => "✓ met",
        Outcome::Missed => "✗ NOT MET",
        Outcome::Untried => "– not tried",
    };
    format!("{sign}  {}{}", judgement.says, found(judgement))
}

/// `: 2.500 (4 numbers, wanted closed form …; simulated)`.
pub(crate) fn found(judgement: &Judgement) -> String {
    let Some((low, high)) = judgement.range else { return ": nothing of it was run here".to_owned() };
    let unit = if judgement.unit.is_empty() { String::new() } else { format!(" {}", judgement.unit) };
    let (low, high) = (number(low), number(high));
    let range = if low == high { low } else { format!("{low} to {high}") };
    let count = if judgement.numbers == 1 { String::new() } else { format!("{} numbers, ", judgement.numbers) };
    let world = if judgement.world.is_empty() { String::new() } else { format!("; {}", judgement.world) };
    let worst = judgement.worst.as_ref().map(|worst| format!("; furthest off: {worst}")).unwrap_or_default();
    format!(": {range}{unit} ({count}wanted {}{world}{worst})", judgement.wanted)
}
