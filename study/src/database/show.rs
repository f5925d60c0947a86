//! Runs of a store as text for readers.

use super::Run;
use crate::contrast::case_of_row;
use crate::contrast::quantity_of_answer;
use formats::import::Imported;
use probes::cases::cases;
use programs::aggregation::slowest_us;
use programs::observation::Observation;
use render::table::Table;
use scenario::axis::{Axis, Key};
use scenario::store::Line;
use statistics::median;
use std::fmt::Write;

/// A table with a line for each run.
pub fn list(runs: &[Run]) -> String {
    let row = |run: &Run| {
        let (cases, finished) = (run.cases.to_string(), if run.finished { "yes" } else { "no" });
        let names = [run.id.to_string(), run.recorded_at.clone(), run.name.clone()];
        names.into_iter().chain([cases, finished.to_owned(), run.question.clone()])
    };
    let heads = ["run", "recorded", "name", "cases", "finished", "question"];
    Table::plain(heads, runs.iter().map(row), |column| column == 0 || column == 3).ruled()
}

/// The facts of a run, and its cases with their times: the median over samples of the slowest rank's time.
pub fn show(run: &Run, environment: &[(String, String)], lines: &[Line]) -> String {
    let mut text = format!("run {}: {}\n{}\n", run.id, run.name, run.question);
    let finished = if run.finished { "finished" } else { "not finished" };
    let _ = writeln!(text, "\n  recorded {}, seed {}, {finished}", run.recorded_at, run.seed);
    let commit = run.commit.iter().map(|commit| ("commit", commit.as_str()));
    let reproduce = run.command_line.lines().map(|line| ("reproduce", line));
    let facts = environment.iter().map(|(label, value)| (label.as_str(), value.as_str()));
    text.extend(commit.chain(reproduce).chain(facts).map(|(label, value)| format!("  {label}: {value}\n")));
    let heads = ["world", "transport", "operation", "algorithm", "ranks", "bytes", "method", "valid", "of", "time µs"];
    let is_number = |column| column == 4 || column == 5 || column >= 7;
    text + "\n" + &Table::plain(heads, lines.iter().flat_map(rows), is_number).ruled()
}

fn rows(line: &Line) -> Vec<[String; 10]> {
    match line {
        Line::Measured(observation) => vec![cells(observation)],
        Line::Tested(tested) => cases(tested).iter().map(case_cells).collect(),
        Line::Printed { .. } => Imported::of_lines(std::slice::from_ref(line)).iter().map(printed).collect(),
        _ => Vec::new(),
    }
}

/// A row of another benchmark's text.
fn printed(text: &Imported) -> [String; 10] {
    let row = &text.rows[0];
    let (key, time) = case_of_row(text, row);
    let [operation, algorithm, ranks, bytes, method] =
        [Axis::Operation, Axis::Algorithm, Axis::Ranks, Axis::Bytes, Axis::Method].map(|axis| key.text(axis));
    let calls = row.calls.map(|calls| calls.to_string()).unwrap_or_default();
    let time = time.map_or_else(|| "none".to_owned(), |us| format!("{us:.3}"));
    [text.tool.name(), String::new(), operation, algorithm, ranks, bytes, method, calls.clone(), calls, time]
}

/// A case of a test; a number that is no time has its unit.
fn case_cells((key, numbers): &(Key, Vec<f64>)) -> [String; 10] {
    let [operation, form] = [Axis::Operation, Axis::Form].map(|axis| key.text(axis));
    let what = if form.is_empty() { operation } else { format!("{operation}, {form}") };
    let [world, transport, ranks, bytes, sync] =
        [Axis::World, Axis::Transport, Axis::Ranks, Axis::Bytes, Axis::Sync].map(|axis| key.text(axis));
    let middle = median(numbers).map_or_else(|| "none".to_owned(), |number| format!("{number:.3}"));
    let unit = quantity_of_answer(key).unit();
    let middle = if unit == "µs" { middle } else { format!("{middle} {unit}") };
    let count = numbers.len().to_string();
    [world, transport, what, sync, ranks, bytes, String::new(), count.clone(), count, middle]
}

fn cells(observation: &Observation) -> [String; 10] {
    let case = &observation.case;
    let (valid, all) = observation.ranks.first().map_or((0, 0), |rank| (rank.valid().count(), rank.stamps.len()));
    let time = median(&slowest_us(observation));
    [
        case.place.world.name().to_owned(),
        case.place.carrier.name().to_owned(),
        case.subject.call.name_of(case.subject.collective),
        case.subject.implementation.name().to_owned(),
        case.place.ranks.to_string(),
        case.subject.bytes.to_string(),
        case.timing.method.name().to_owned(),
        valid.to_string(),
        all.to_string(),
        time.map_or_else(|| "none".to_owned(), |us| format!("{us:.3}")),
    ]
}
