//! Rows of the page's tables of numbers.

use crate::comparison::{MethodComparison, RankRow, SubjectComparison, Verdict};
use crate::plots::numbers::{TimeUnit, interval, percent, significant};
use crate::plots::reporting;
use models::machine::Estimate;
use models::method::Method;
use serde::Serialize;

/// One cell: a text, a second line in small print, and its CSS class.
#[derive(Debug, Default, Serialize)]
pub(super) struct Cell {
    pub text: String,
    pub note: String,
    pub class: &'static str,
}

/// One row under its heading.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub head: String,
    pub head_note: String,
    pub cells: Vec<Cell>,
}

/// Rows that belong together, under a common heading.
#[derive(Debug, Serialize)]
pub(super) struct Rows {
    pub head: String,
    pub note: String,
    pub rows: Vec<Row>,
}

/// All predicted, measured and true times of subjects, in µs.
pub(super) fn times_us<'a>(subjects: impl IntoIterator<Item = &'a SubjectComparison>) -> Vec<f64> {
    let of_subject = |subject: &'a SubjectComparison| {
        let rows = reporting(subject).flat_map(|method| &method.rows);
        rows.flat_map(|row| [row.predicted_us.value, row.measured_us.value])
    };
    subjects.into_iter().flat_map(of_subject).collect()
}

/// Headings of the columns after the rows' own.
pub(super) fn columns(unit: TimeUnit) -> Vec<String> {
    let unit = unit.symbol();
    vec![
        format!("Predicted, {unit}"),
        format!("Measured, {unit}"),
        "Predicted error ratio".to_owned(),
        "Measured error ratio".to_owned(),
        "Closed form r".to_owned(),
        "Verdict, difference".to_owned(),
    ]
}

/// Each method's slowest rank, and its most misreported one where that is another.
/// How the verdicts fall over all ranks stands at a method's first row.
pub(super) fn summary(subject: &SubjectComparison, unit: TimeUnit) -> Vec<Row> {
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
            let mut cells = numbers(row, unit);
            cells.push(verdicts.take().unwrap_or_default());
            let head = format!("{}, rank {}", method.method, row.rank);
            all.push(Row { head, head_note: why.to_owned(), cells });
        }
    }
    all
}

/// Every rank under every method.
pub(super) fn per_rank(subject: &SubjectComparison, unit: TimeUnit) -> Vec<Rows> {
    let group = |method: &MethodComparison| {
        let row = |row: &RankRow| Row {
            head: row.rank.to_string(),
            head_note: if row.rank == subject.root { "root".to_owned() } else { String::new() },
            cells: numbers(row, unit),
        };
        let note = match method.method {
            Method::Window => format!("{} valid of {} windows", method.samples, method.starts),
            Method::RoundTime => format!("{} valid of {} starts", method.samples, method.starts),
            Method::Loop
            | Method::BarrierLoop
            | Method::BarrierSubtract
            | Method::RootRotation
            | Method::BarrierOwn
            | Method::BarrierInside
            | Method::LoopTrace => format!("{} blocks", method.samples),
        };
        Rows { head: method.method.name().to_owned(), note, rows: method.rows.iter().map(row).collect() }
    };
    reporting(subject).map(group).collect()
}

/// An estimate as a cell.
pub(super) fn estimate(estimate: &Estimate) -> Cell {
    Cell { text: significant(estimate.value), note: interval(estimate).unwrap_or_default(), class: "number" }
}

fn numbers(row: &RankRow, unit: TimeUnit) -> Vec<Cell> {
    let closed = row.closed_form_ratio.map_or_else(String::new, significant);
    let (class, word) = match row.verdict {
        Verdict::Agrees => ("verdict agrees", "✓ agrees"),
        Verdict::Close => ("verdict close", "≈ close"),
        Verdict::Differs => ("verdict differs", "✗ differs"),
        Verdict::Unmeasured => ("verdict", "–"),
    };
    let apart = if row.verdict == Verdict::Unmeasured { String::new() } else { percent(row.relative_difference()) };
    vec![
        estimate(&unit.of_estimate(row.predicted_us)),
        estimate(&unit.of_estimate(row.measured_us)),
        estimate(&row.predicted_ratio),
        estimate(&row.measured_ratio),
        Cell { text: closed, note: String::new(), class: "number" },
        Cell { text: word.to_owned(), note: apart, class },
    ]
}

/// How the verdicts fall over all ranks: `all agree`, or `5 agree` and below it `2 close, 1 differ`.
fn tally(rows: &[RankRow]) -> Cell {
    let words = [
        (Verdict::Agrees, "agree"),
        (Verdict::Close, "close"),
        (Verdict::Differs, "differ"),
        (Verdict::Unmeasured, "simulated"),
    ];
    let counts = words.map(|(verdict, word)| (rows.iter().filter(|row| row.verdict == verdict).count(), word));
    let mut parts = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| if *count == rows.len() { format!("all {word}") } else { format!("{count} {word}") });
    let text = parts.next().unwrap_or_default();
    Cell { text, note: parts.collect::<Vec<_>>().join(", "), class: "number" }
}
