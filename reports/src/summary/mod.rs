//! The summary that a terminal shows: for each subject the methods' numbers rank by rank, with the
//! error ratio as a bar; at the end counts and the answer. Fits any width from 64 columns on.
//!
//! Where there is no number an en dash stands, never 0.

mod cells;
mod table;

use crate::comparison::{RankRow, Report, SubjectComparison, Verdict};
use crate::statistics::median;
use cells::{Paint, percent, wrapped};
use models::observation::Carrier;

/// The narrowest summary.
const NARROWEST: usize = 64;

/// The whole summary, lines ending in `\n`; `width` in columns, ANSI colours if `colour`.
pub fn terminal(report: &Report, width: usize, colour: bool) -> String {
    let width = width.max(NARROWEST);
    let paint = Paint(colour);
    let mut lines: Vec<String> = wrapped(&report.question, width, "").iter().map(|line| paint.bold(line)).collect();
    lines.push(paint.faint(&format!("scenario {}, seed {}", report.name, report.seed)));
    for subject in &report.subjects {
        lines.push(String::new());
        lines.extend(table::subject(subject, width, paint));
    }
    if !report.left_out.is_empty() {
        lines.push(String::new());
        lines.push(paint.bold("Left out"));
        lines.extend(report.left_out.iter().flat_map(|what| wrapped(what, width, "  ")));
    }
    lines.push(String::new());
    for (name, carrier) in [("Emulated network", Carrier::Emulated), ("Native transport", Carrier::Native)] {
        lines.extend(wrapped(&counts(report, name, carrier), width, "  "));
    }
    lines.push(String::new());
    lines.extend(wrapped(&report.answer, width, "").iter().map(|line| paint.bold(line)));
    lines.push(String::new());
    lines.join("\n")
}

/// How many numbers agree, and how far prediction and measurement are apart.
fn counts(report: &Report, name: &str, carrier: Carrier) -> String {
    let subjects = || report.subjects.iter().filter(|subject| subject.carrier == carrier);
    let rows: Vec<(&SubjectComparison, &RankRow)> = subjects()
        .flat_map(|subject| subject.methods.iter().flat_map(|method| &method.rows).map(move |row| (subject, row)))
        .collect();
    let of = |verdict| rows.iter().filter(|(_, row)| row.verdict == verdict).count();
    let apart = |row: &RankRow| row.relative_difference().abs();
    let differences: Vec<f64> = rows.iter().map(|(_, row)| apart(row)).collect();
    let furthest = rows.iter().max_by(|a, b| apart(a.1).total_cmp(&apart(b.1)));
    let (Some(middle), Some((subject, row))) = (median(&differences), furthest) else {
        return format!("{name}: – (nothing compared)");
    };
    format!(
        "{name}: of {} numbers {} agree, {} are close, {} differ; relative difference {} in the median, {} at most ({}, \
         rank {})",
        rows.len(),
        of(Verdict::Agrees),
        of(Verdict::Close),
        of(Verdict::Differs),
        percent(middle),
        percent(apart(row)),
        subject.title(),
        row.rank
    )
}

#[cfg(test)]
mod tests;
