//! The answer for people: a table for each operation, ranks and column, remarks below.

use super::rows::{Legend, Shown, tables};
use super::{Answer, Row};
use crate::summary::cells::number;
use models::budget::SystematicError;
use models::machine::Machine;
use models::network::Network;
use render::table::Table;
use render::words::hanging;
use std::fmt::Write;

/// How wide text below tables is.
const WIDTH: usize = 100;

/// What every table says of its numbers.
const READING: &str = "times in µs; printed = corrected + E… + remainder. corrected: what the call took, with its 95 % \
    interval [ ]. E…: what each systematic error added to the printed number. remainder: the rest of the difference: \
    the interaction of three switches, errors that a budget could not measure and, with rehearsals, the error of the \
    prediction. ×: the printed number over the expected number.";

/// What the column of sources says, where a table has one.
const SOURCES: &str = " by: predicted (simulated on the machine file), \
    rehearsed (the prediction less its error in the calibration, which timed this benchmark beside the reference; the \
    interval is a prediction interval for one more launch), measured or interpolated (a budget, --budget).";

/// All tables; warnings, remarks and the machine's notes below.
pub fn table(answer: &Answer) -> String {
    let mut legend = Legend::default();
    let mut text = String::new();
    for table in tables(&answer.rows) {
        let shown = Shown::of(&table);
        text += &format!("{}\n{}\n", title(table[0], &shown), one(&table, &shown, &mut legend).text());
    }
    answer.warnings().iter().for_each(|warning| paragraph(&mut text, "!", warning));
    answer.states.iter().for_each(|sentence| paragraph(&mut text, "", sentence));
    for (letter, remark) in legend.entries() {
        paragraph(&mut text, &format!("{letter:<2}"), remark);
    }
    let sources = if Shown::of(&answer.rows.iter().collect::<Vec<_>>()).source { SOURCES } else { "" };
    paragraph(&mut text, "", &format!("{READING}{sources} Reference: {}", answer.reference));
    paragraph(&mut text, "", &errors(&answer.rows));
    let Machine { name, provenance, .. } = answer.machine;
    let said = format!("machine {name}: {}, {}, {}", provenance.ran_by, provenance.host, provenance.date);
    paragraph(&mut text, "", &said);
    notes(answer.machine).for_each(|note| paragraph(&mut text, "  note:", note));
    let _ = writeln!(text, "{}", answer.tally());
    text
}

/// The names of the errors in the heads of columns.
fn errors(rows: &[Row]) -> String {
    let shown = Shown::of(&rows.iter().collect::<Vec<_>>());
    let named = shown.errors.into_iter().map(|error| {
        let by_definition = match error {
            SystematicError::OneRank => {
                " (by definition where the operation has a root: its ranks end at different times)"
            }
            _ => "",
        };
        format!("{} {}{by_definition}", error.label(), error.name())
    });
    named.collect::<Vec<_>>().join(", ")
}

/// The machine's notes, but for those on network models by which nothing is corrected here.
fn notes(machine: &Machine) -> impl Iterator<Item = &String> {
    let best = machine.models().last().copied().unwrap_or_default();
    let of_other = move |note: &String| {
        let model = note.split_once(':').map_or("", |(model, _)| model).to_lowercase();
        Network::MODELS.contains(&model.as_str()) && model != best
    };
    machine.notes.iter().filter(move |note| !of_other(note))
}

/// A remark, wrapped, with what stands before it.
fn paragraph(text: &mut String, before: &str, remark: &str) {
    let before = if before.is_empty() { String::new() } else { format!("{before} ") };
    hanging(&before, remark, WIDTH).iter().for_each(|line| text.extend([line, "\n"]));
}

/// Rows that stand in one table.
pub(super) fn one(rows: &[&Row], shown: &Shown, legend: &mut Legend) -> Table {
    let heads = heads(shown);
    let last = heads.len() - 1;
    let cells: Vec<_> = rows.iter().map(|row| cells(row, shown, legend)).collect();
    Table::plain(heads, cells, |column| column < last)
}

/// `osu.txt: OSU bcast, binomial, 2 ranks, Avg Latency(us)`.
pub(super) fn title(row: &Row, shown: &Shown) -> String {
    let reading = &row.reading;
    let file = reading.file.rsplit('/').next().unwrap_or(&reading.file);
    let mut parts = vec![format!("{} {}", reading.tool, row.operation())];
    parts.extend(row.algorithm.clone().filter(|_| !shown.algorithm));
    parts.extend(row.ranks.map(|ranks| format!("{ranks} ranks")));
    if !reading.head.is_empty() {
        parts.push(reading.head.clone());
    }
    format!("{file}: {}", parts.join(", "))
}

/// Heads of the columns.
fn heads(shown: &Shown) -> Vec<&'static str> {
    let mut heads = vec!["bytes"];
    heads.extend(shown.algorithm.then_some("algorithm"));
    heads.push("printed");
    heads.extend(shown.errors.iter().map(|error| match error {
        SystematicError::OneRank if shown.rooted => "E2 by definition",
        error => error.label(),
    }));
    heads.extend(shown.remainder.then_some("remainder"));
    heads.extend(["corrected", "[", "]", "×"]);
    heads.extend(shown.source.then_some("by"));
    heads.push("remarks");
    heads
}

/// The cells of a row below [`heads`].
fn cells(row: &Row, shown: &Shown, legend: &mut Legend) -> Vec<String> {
    let reading = &row.reading;
    let number = |us: f64| if us == 0.0 { "0".to_owned() } else { number(us) };
    let mut cells = vec![reading.printed_bytes.map(|bytes| bytes.to_string()).unwrap_or_default()];
    if shown.algorithm {
        cells.push(row.algorithm.clone().unwrap_or_default());
    }
    cells.push(reading.printed.map_or("–".to_owned(), |us| number(us.value)));
    let corrected = row.corrected.as_ref().ok();
    let or_dash = |us: Option<f64>| us.map_or("–".to_owned(), number);
    cells.extend(shown.errors.iter().map(|&error| or_dash(corrected.map(|_| row.bar(error).unwrap_or(0.0)))));
    if shown.remainder {
        cells.push(or_dash(corrected.map(|done| done.remainder_us)));
    }
    cells.extend([
        or_dash(corrected.map(|done| done.us.value)),
        or_dash(corrected.map(|done| done.us.low)),
        or_dash(corrected.map(|done| done.us.high)),
        corrected.map_or("–".to_owned(), |done| format!("{:.2}", done.scale)),
    ]);
    if shown.source {
        cells.push(corrected.map_or("–", |done| done.source.name()).to_owned());
    }
    cells.push(legend.letters(row));
    cells
}
