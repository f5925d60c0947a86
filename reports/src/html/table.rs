//! Rows of the page's tables of numbers.

use super::subjects::id;
use crate::summary::mood;
use programs::method::Method;
use render::page::{Cell, Table};
use render::plots::numbers::{TimeUnit, percent, significant};
use study::comparison::{MethodComparison, RankRow, SubjectComparison, Verdict};
use study::plots::reporting;

/// Returns all predicted, measured and reference times of subjects, in µs.
pub(super) fn times_us<'a>(subjects: impl IntoIterator<Item = &'a SubjectComparison>) -> Vec<f64> {
    let of_subject = |subject: &'a SubjectComparison| {
        let rows = reporting(subject).flat_map(|method| &method.rows);
        rows.flat_map(|row| [row.predicted_us.value, row.measured_us.value])
    };
    subjects.into_iter().flat_map(of_subject).collect()
}

/// Headings of the columns after the rows' own.
fn columns(unit: TimeUnit) -> Vec<String> {
    let unit = unit.symbol();
    vec![
        format!("Predicted, {unit}"),
        format!("Measured, {unit}"),
        "Predicted error ratio".to_owned(),
        "Measured error ratio".to_owned(),
        "Closed form r".to_owned(),
        "Times: verdict, difference".to_owned(),
    ]
}

/// Returns the table of each method's slowest rank of every subject, and its most misreported one where that is
/// another.
pub(super) fn summary(subjects: &[SubjectComparison], unit: TimeUnit) -> Table {
    let head = [vec!["Method, rank".to_owned()], columns(unit), vec!["All ranks".to_owned()]].concat();
    let mut rows = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let flag = if subject.oversubscribed { "⚠ oversubscribed" } else { "" };
        rows.push(vec![Cell::text(subject.title()).noting(flag).linking(id(index))]);
        rows.extend(at_a_glance(subject, unit));
    }
    Table::new("", head, rows).without_empty_columns()
}

/// How the verdicts fall over all ranks stands at a method's first row.
fn at_a_glance(subject: &SubjectComparison, unit: TimeUnit) -> Vec<Vec<Cell>> {
    let mut all = Vec::new();
    for method in reporting(subject) {
        let mut verdicts = Some(tally(&method.rows));
        let rank = |row: Option<&RankRow>| row.map(|row| row.rank);
        let (slowest, shifted) = (rank(method.slowest()), rank(method.most_misreported()));
        for row in &method.rows {
            let why = match (Some(row.rank) == slowest, Some(row.rank) == shifted) {
                (true, true) => "slowest, largest error",
                (true, false) => "slowest",
                (false, true) => "largest error",
                (false, false) => continue,
            };
            let mut cells = vec![Cell::text(format!("{}, rank {}", method.method, row.rank)).noting(why)];
            cells.extend(numbers(row, unit));
            cells.push(verdicts.take().unwrap_or_default());
            all.push(cells);
        }
    }
    all
}

/// Returns the table of every rank under every method.
pub(super) fn per_rank(subject: &SubjectComparison, unit: TimeUnit) -> Table {
    let mut rows = Vec::new();
    for method in reporting(subject) {
        rows.push(vec![Cell::text(method.method.name()).noting(behind(method))]);
        rows.extend(method.rows.iter().map(|row| {
            let note = if row.rank == subject.case.subject.root { "root" } else { "" };
            [vec![Cell::text(row.rank.to_string()).noting(note)], numbers(row, unit)].concat()
        }));
    }
    Table::new("", [vec!["Rank".to_owned()], columns(unit)].concat(), rows).without_empty_columns()
}

fn behind(method: &MethodComparison) -> String {
    match method.method {
        Method::Window => format!("{} valid of {} windows", method.samples, method.starts),
        Method::RoundTime => format!("{} valid of {} starts", method.samples, method.starts),
        Method::Loop
        | Method::BarrierLoop
        | Method::BarrierSubtract
        | Method::RootRotation
        | Method::BarrierOwn
        | Method::BarrierInside
        | Method::LoopTrace => format!("{} samples", method.samples),
    }
}

fn numbers(row: &RankRow, unit: TimeUnit) -> Vec<Cell> {
    let closed = row.closed_form_ratio.map_or_else(String::new, significant);
    let word = match row.verdict {
        Verdict::Agrees => "✓ agrees",
        Verdict::Close => "≈ close",
        Verdict::Differs => "✗ differs",
        Verdict::Idle | Verdict::Unmeasured => "–",
        Verdict::Unpredicted => "measured only",
    };
    let apart = row.relative_difference();
    let apart = if apart.is_finite() { percent(apart) } else { String::new() };
    vec![
        Cell::estimate(&unit.of_estimate(row.predicted_us)),
        Cell::estimate(&unit.of_estimate(row.measured_us)),
        Cell::estimate(&row.predicted_ratio),
        Cell::estimate(&row.measured_ratio),
        Cell::number(closed, ""),
        Cell::verdict(word, apart, mood(row.verdict)),
    ]
}

/// How the verdicts fall over all ranks: `all agree`, or `5 agree` and below it `2 close, 1 differ`.
fn tally(rows: &[RankRow]) -> Cell {
    let words = [
        (Verdict::Agrees, "agree"),
        (Verdict::Close, "close"),
        (Verdict::Differs, "differ"),
        (Verdict::Idle, "take no time"),
        (Verdict::Unmeasured, "simulated"),
        (Verdict::Unpredicted, "measured only"),
    ];
    let counts = words.map(|(verdict, word)| (rows.iter().filter(|row| row.verdict == verdict).count(), word));
    let mut parts = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| if *count == rows.len() { format!("all {word}") } else { format!("{count} {word}") });
    let text = parts.next().unwrap_or_default();
    Cell::number(text, parts.collect::<Vec<_>>().join(", "))
}
