//! Audits in a terminal and as Markdown: for each operation a table of ratios, a line for each length.

use super::answer::{advice, conclude, ratio};
use super::{Audit, AuditRow, NOT_PAIRED};
use crate::measured::layout::{Column, panels};
use crate::measured::reference_words;
use crate::over::RIGHT;
use calibration::states::States;
use render::groups::{distinct, grouped, together};
use render::plots::numbers::significant;
use render::table::Table;
use render::words::wrapped;
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
fn compact(rows: &[&AuditRow], width: usize) -> Vec<String> {
    let ways = ways(rows);
    let mut names = vec!["reference, µs".to_owned()];
    names.extend(ways.iter().cloned());
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(40);
    let names: Vec<String> = names.iter().map(|name| format!("{name:<widest$}")).collect();
    let column = |length: u64| {
        let at = |way: &String| rows.iter().find(|row| row.bytes == length && row.title() == *way);
        let here: Vec<f64> = rows.iter().filter(|row| row.bytes == length).map(|row| row.reference_us).collect();
        let mut cells = vec![references(&here)];
        cells.extend(ways.iter().map(|way| at(way).map_or("–".to_owned(), |row| brief(row))));
        Column { group: "printed ÷ reference, bytes:".to_owned(), head: [String::new(), length.to_string()], cells }
    };
    let columns: Vec<Column> = lengths(rows).into_iter().map(column).collect();
    let names = Column { group: String::new(), head: [String::new(), " ".repeat(widest)], cells: names };
    let mut lines = panels(&names, &columns, width);
    lines.iter_mut().for_each(|panel| panel.retain(|line| !line.trim().is_empty()));
    lines.concat()
}

const HEADS: [&str; 9] =
    ["bytes", "printed µs", "reference µs", "printed ÷ reference", "E4 buffers", "E2 ranks", "rest", "launches", ""];

fn cells(row: &AuditRow) -> Vec<String> {
    let factor = |log: Option<f64>| log.map_or("–".to_owned(), |log| format!("×{:.2}", log.exp()));
    vec![
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
}

/// Sentences on how to read the tables.
fn reading(audit: &Audit, detailed: bool) -> Vec<String> {
    let over = if audit.texts.is_some() { "of one more launch" } else { "over launches" };
    let mut said = vec![
        format!("Reference ({}): {}. {}", audit.reference.name(), reference_words(Some(audit.reference)), taken(audit)),
        if detailed {
            format!(
                "printed ÷ reference = E4 · E2 · rest. E4: buffers are never rewritten. E2: the number is not that of \
                 the slowest rank (for bcast, reduce, scatter and gather by definition, which is no error). Rest: how \
                 calls are started and how times are aggregated. Intervals have {:.0} % confidence {over}.",
                audit.confidence * 100.0
            )
        } else {
            format!(
                "±: half-width of the {:.0} % interval {over}, or its two limits; ~: too few launches for an interval; \
                 0.70|1.10: two groups of launches. Each way has its own reference, from its launches, roots and \
                 buffers: 4.68–11.3 is the range over all ways. The minimum over ranks, and the parts of each ratio: \
                 --details, audit.csv.",
                audit.confidence * 100.0
            )
        },
    ];
    said.extend(audit.launches.clone());
    said.extend(unpaired(audit));
    said
}

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

/// The audit for a terminal: the answer, the advice, a table for each operation. With details, it has a line for each
/// number with its contributions.
pub(super) fn table(audit: &Audit, detailed: bool, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph = |text: &str| lines.extend(wrapped(text, width, "  "));
    audit.load.iter().for_each(|load| paragraph(&format!("! {load}.")));
    paragraph(&conclude(audit));
    advice(audit).iter().for_each(|advice| paragraph(&format!("- {advice}")));
    if detailed {
        for (title, rows) in grouped(audit.rows.iter().map(|row| (format!("{}: {}", title(row), row.title()), row))) {
            lines.push(String::new());
            lines.extend(wrapped(&title, width, "  "));
            lines.extend(Table::plain(HEADS, rows.into_iter().map(cells), |column| column < 8).lines());
        }
    } else {
        for rows in subjects(audit) {
            lines.push(String::new());
            lines.extend(wrapped(&title(rows[0]), width, "  "));
            lines.extend(compact(&rows, width));
        }
    }
    lines.push(String::new());
    for said in reading(audit, detailed).iter().chain(&audit.left_out) {
        lines.extend(wrapped(said, width, "  "));
    }
    lines.join("\n") + "\n"
}
