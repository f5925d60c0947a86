//! What all forms of an audit share: its subjects with their titles, ways and lengths, and sentences on references.

use super::answer::ratio;
use super::{Audit, AuditRow, NOT_PAIRED};
use crate::over::RIGHT;
use calibration::states::States;
use render::groups::{distinct, grouped, together};
use render::plots::numbers::significant;
use render::table::{Cell, Table};
use statistics::median;

/// Rows grouped by operation, world and state.
pub(super) fn subjects(audit: &Audit) -> Vec<Vec<&AuditRow>> {
    together(audit.rows.iter().map(|row| ((row.world, row.ranks, row.collective, row.state), row)))
}

/// Title of a subject: the operation, ranks, world and state that its rows share.
pub(super) fn title(row: &AuditRow) -> String {
    let state = States::and_words(row.state.as_ref());
    let mark = row.text.as_ref().map(|_| format!("; {NOT_PAIRED}")).unwrap_or_default();
    format!("{}, {} ranks, {}{state}{mark}", row.collective, row.ranks, row.world.title())
}

/// The ways to run benchmarks, each with a column other than minima, in the order of rows.
pub(super) fn ways(rows: &[&AuditRow]) -> Vec<String> {
    distinct(rows.iter().filter(|row| !row.is_least()).map(|row| row.title()))
}

/// The lengths of rows, ascending.
pub(super) fn lengths(rows: &[&AuditRow]) -> Vec<u64> {
    let mut lengths: Vec<u64> = rows.iter().map(|row| row.bytes).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// Half an interval's length as a logarithm, beyond which tables print both ends: a wide interval is seldom symmetric.
const WIDE: f64 = 0.2;

/// A ratio in short: `0.71 ±3 %`; `0.71 [0.55, 1.40]` where the interval is wide; the two ratios where launches fall
/// into two groups; `~` before a ratio without an interval.
fn brief(row: &AuditRow) -> String {
    if let Some(groups) = row.over.groups() {
        return groups;
    }
    match row.over.ratio() {
        (value, Some((low, high))) if (high / low).ln() > 2.0 * WIDE => format!("{value:.2} [{low:.2}, {high:.2}]"),
        (value, Some((low, high))) => format!("{value:.2} ±{:.0} %", 50.0 * (high / low).ln()),
        (value, None) => format!("~{value:.2}"),
    }
}

/// The references of all ways of one length, in µs: `4.68`, or `4.68–11.3` where they differ by more than a tenth. Each
/// way has the references of its own launches, with the way's roots and buffers.
pub(super) fn references(of_ways: &[f64]) -> String {
    let ends = of_ways.iter().copied().reduce(f64::min).zip(of_ways.iter().copied().reduce(f64::max));
    match ends {
        Some((least, most)) if most > (1.0 + RIGHT) * least => format!("{}–{}", significant(least), significant(most)),
        _ => median(of_ways).map(significant).unwrap_or_default(),
    }
}

/// A subject's ratios: a line for each way to run a benchmark, a column for each length.
pub(super) fn by_way(rows: &[&AuditRow]) -> Table {
    let lengths = lengths(rows);
    let of_length = |length: u64| rows.iter().filter(move |row| row.bytes == length);
    let head = lengths.iter().map(u64::to_string);
    let reference = |&length: &u64| references(&of_length(length).map(|row| row.reference_us).collect::<Vec<f64>>());
    let line = |way: String| {
        let cell = |&length: &u64| {
            let found = of_length(length).find(|row| row.title() == way);
            Cell::number(found.map_or("–".to_owned(), |row| brief(row)), "")
        };
        let cells: Vec<Cell> = lengths.iter().map(cell).collect();
        [vec![Cell::text(way)], cells].concat()
    };
    let references = lengths.iter().map(|length| Cell::number(reference(length), ""));
    let references = [Cell::text("reference, µs")].into_iter().chain(references).collect();
    Table::new(
        "",
        ["printed ÷ reference, bytes:".to_owned()].into_iter().chain(head),
        [references].into_iter().chain(ways(rows).into_iter().map(line)),
    )
}

/// Sentence on the signs of these tables.
pub(super) fn signs(audit: &Audit) -> String {
    let over = if audit.texts.is_some() { "of one more launch" } else { "over launches" };
    format!(
        "±: half-width of the {:.0} % interval {over}, or its two limits; ~: too few launches for an interval; \
         0.70|1.10: two groups of launches. Each way has its own reference, from its launches, roots and \
         buffers: 4.68–11.3 is the range over all ways. The minimum over ranks, and the parts of each ratio: \
         --details, audit.csv.",
        audit.confidence * 100.0
    )
}

const HEADS: [&str; 9] =
    ["bytes", "printed µs", "reference µs", "printed ÷ reference", "E4 buffers", "E2 ranks", "rest", "launches", ""];

/// Tables of each number with its contributions, for the rows of a subject: one for each way to run a benchmark.
pub(super) fn contributions(rows: &[&AuditRow]) -> Vec<Table> {
    let cells = |row: &AuditRow| {
        let factor = |log: Option<f64>| log.map_or("–".to_owned(), |log| format!("×{:.2}", log.exp()));
        [
            row.bytes.to_string(),
            significant(row.printed_us),
            significant(row.reference_us),
            ratio(row),
            factor(row.parts.never_rewritten),
            factor(row.parts.ranks_counted),
            factor(Some(row.parts.rest)),
            row.over.log_ratio.launches.to_string(),
            row.remark(),
        ]
    };
    let of_way = |(way, rows): (String, Vec<&AuditRow>)| Table {
        caption: way,
        ..Table::plain(HEADS, rows.into_iter().map(cells), |column| column < 8)
    };
    grouped(rows.iter().map(|row| (row.title(), *row))).into_iter().map(of_way).collect()
}

/// Sentence on the contributions to each number.
pub(super) const CONTRIBUTIONS: &str = "printed ÷ reference = E4 · E2 · rest. E4: buffers are never rewritten. E2: the number is not that of the slowest \
     rank (for bcast, reduce, scatter and gather by definition, which is no error). Rest: how calls are started and how \
     times are aggregated.";

/// Sentence on the number of printed numbers that are left out, with the reasons.
pub(super) fn unpaired(audit: &Audit) -> Option<String> {
    let (them, or) = match audit.texts {
        Some(_) => ("their references", "none was valid"),
        None => ("they", "their calls were not observed"),
    };
    (audit.unpaired > 0).then(|| {
        format!(
            "{} printed numbers are left out: the state of the machine changed or was unclear while {them} were measured, or \
             {or}.",
            audit.unpaired
        )
    })
}

/// Sentence on the time and place at which references were taken.
pub(super) fn taken(audit: &Audit) -> &'static str {
    if audit.texts.is_some() {
        "It was measured on this machine now, in launches of Parallax's own ranks, not in the launch that printed the \
         text; states of the machine are those of the references."
    } else {
        "It was measured between the benchmark's rows, in the same processes and on the benchmark's own buffers; \
         numbers and references of different states of the machine are never compared."
    }
}
