//! A campaign of measurements as a page: for each operation what every method says, with the picture of their ratios to
//! the window's number, what benchmarks would print, first calls, clocks.

use super::foot::reference;
use super::steadiness::findings;
use super::table::{micros, over, percent, times};
use super::{Measured, Row, Subject};
use crate::html::clocks_section;
use crate::over::OverReference;
use crate::page::{Cell, Figure, More, Page, Section, Table};
use crate::plots::forest::{self, Forest};
use crate::plots::numbers::{bytes, interval, significant};
use crate::plots::{LOOPS, look_of};
use crate::table::{Csv, Heads};
use models::method::Method;

/// The whole page.
pub fn page(measured: &Measured) -> Page {
    let mut sections: Vec<Section> =
        measured.subjects.iter().enumerate().map(|(index, subject)| section(index, subject)).collect();
    sections.extend(clocks_section(&measured.clocks));
    if !measured.left_out.is_empty() {
        let more = More { id: "left-out".to_owned(), list: measured.left_out.clone(), ..More::default() };
        sections.push(Section { heading: "What was left out, and why".to_owned(), more, ..Section::default() });
    }
    let states = super::foot::states(measured, usize::MAX);
    if let Some((heading, list)) = states.split_first() {
        let more = More {
            id: "states".to_owned(),
            list: list.iter().map(|line| line.trim().to_owned()).collect(),
            ..More::default()
        };
        sections.push(Section { heading: heading.clone(), more, ..Section::default() });
    }
    let (answer, details) = answer(measured);
    Page {
        question: measured.question.clone(),
        answer,
        details,
        origin: format!("Campaign of measurements, seed {}", measured.seed),
        sections,
        reproduce: measured.reproduce.clone(),
        environment: measured.environment.clone(),
    }
}

/// The firm ratio that is furthest from 1, and how many there are; where none is firm, of all that one group of launches
/// explains.
fn answer(measured: &Measured) -> (String, Vec<String>) {
    let all: Vec<(&Subject, &Row, Method, &OverReference)> = measured
        .subjects
        .iter()
        .flat_map(|subject| subject.rows.iter().map(move |row| (subject, row)))
        .flat_map(|(subject, row)| row.methods.iter().map(move |cell| (subject, row, cell)))
        .filter(|(_, _, cell)| !cell.is_reference)
        .filter_map(|(subject, row, cell)| Some((subject, row, cell.method, cell.ratio.as_ref()?)))
        .filter(|(.., over)| over.modes.is_none())
        .collect();
    let firm: Vec<_> = all.iter().copied().filter(|(.., over)| over.is_firm()).collect();
    let told = if firm.is_empty() { &all } else { &firm };
    let shift = |over: &OverReference| over.log_ratio.value.abs();
    // Of ratios that are equally far the first.
    let furthest = told.iter().copied().reduce(|most, one| if shift(one.3) > shift(most.3) { one } else { most });
    let Some((subject, row, method, over)) = furthest else {
        return ("No method could be compared with a reference.".to_owned(), Vec::new());
    };
    let ratio = significant(over.ratio().0);
    let words = format!(
        "{}, {}: method {method} reports {ratio} times the reference ({}).",
        subject.operation,
        bytes(row.bytes),
        subject.title()
    );
    let (count, confidence) = (told.len(), measured.confidence * 100.0);
    let sure = match firm.is_empty() {
        true => "None of them has an interval: take four launches or more (--launches).".to_owned(),
        false => format!("Intervals hold with {confidence:.0} % confidence over launches."),
    };
    let mut details = vec![format!("This is the largest of {count} ratios. {sure}")];
    details.push(format!("Reference: {}.", reference(measured)));
    details.extend(measured.launches.clone());
    details.extend(measured.load.iter().map(|load| format!("{load}.")));
    (words, details)
}

fn section(index: usize, subject: &Subject) -> Section {
    let mut warnings = Vec::new();
    if subject.oversubscribed {
        warnings.push("Oversubscribed: more ranks than cores; ranks sleep while they wait.".to_owned());
    }
    let unsure = subject.rows.iter().find_map(|row| row.unsure.as_ref());
    warnings.extend(unsure.map(|why| format!("The clocks may be wrong: {why}.")));
    warnings.extend(subject.empty_window.as_ref().map(|empty| format!("Short times: {empty}.")));
    let shaky = subject.rows.iter().find_map(|row| Some((row.bytes, row.shaky.as_ref()?)));
    warnings
        .extend(shaky.map(|(bytes, why)| format!("The reference is too uncertain for ratios: at {bytes} B {why}.")));
    let disturbed = subject.rows.iter().find_map(|row| Some((row.bytes, row.disturbed.as_ref()?)));
    warnings.extend(findings(subject).into_iter().map(|finding| format!("Not steady: {finding}.")));
    warnings.extend(disturbed.map(|(bytes, why)| format!("Disturbed at {bytes} B: {why}.")));
    let facts = [
        ("Measured by", subject.measured_by.clone()),
        ("Launches", subject.launches.to_string()),
        ("Calls per loop, k", subject.repetitions.to_string()),
        ("Clocks synchronised by", subject.sync.clone()),
    ];
    let tables =
        [Some(methods(subject)), benchmarks(subject), first_calls(subject), fixed_windows(subject), overlaps(subject)];
    Section {
        heading: subject.title(),
        warnings,
        figures: picture(index, subject).into_iter().collect(),
        tables: tables.into_iter().flatten().collect(),
        more: More {
            id: format!("operation-{}", index + 1),
            facts: facts.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            ..More::default()
        },
        ..Section::default()
    }
}

fn methods(subject: &Subject) -> Table {
    let methods = subject.cells();
    let title = |(method, is_reference): &(Method, bool)| match subject.reference.filter(|_| *is_reference) {
        Some(buffer) => format!("reference ({}), µs", buffer.name()),
        None => format!("{method}, µs"),
    };
    let head = std::iter::once("Bytes".to_owned()).chain(methods.iter().map(title)).collect();
    let cell = |row: &Row, which: (Method, bool)| {
        let Some(cell) = row.cell(which) else { return Cell::number("–", "") };
        let ratio = cell.ratio.as_ref().filter(|_| !which.1).map(|ratio| over(Some(ratio)));
        let spread = cell.us.as_ref().and_then(interval);
        let note = [ratio, spread].into_iter().flatten().collect::<Vec<_>>().join(" ");
        Cell::number(micros(cell.us.map(|us| us.value)), note)
    };
    let line = |row: &Row| {
        let each = methods.iter().map(|&method| cell(row, method));
        std::iter::once(Cell::number(row.bytes.to_string(), "")).chain(each).collect()
    };
    Table {
        caption: "Each method's number, the slowest rank's: µs, × the reference, interval in µs".to_owned(),
        head,
        rows: subject.rows.iter().map(line).collect(),
    }
}

fn benchmarks(subject: &Subject) -> Option<Table> {
    let mut rows = Vec::new();
    for row in &subject.rows {
        for printed in row.benchmarks.iter().filter(|printed| printed.us.is_some()) {
            let (ratio, note) = (printed.ratio.as_ref(), printed.ratio.as_ref().map(note).unwrap_or_default());
            let by: Vec<String> = printed
                .by
                .iter()
                .zip(&printed.heads)
                .map(|(preset, head)| format!("{} {head}", preset.name()))
                .collect();
            rows.push(vec![
                Cell::number(row.bytes.to_string(), ""),
                Cell::text(by.join(", ")),
                Cell::number(micros(printed.us), ""),
                Cell::number(over(ratio), note),
            ]);
        }
    }
    let head = ["Bytes", "Benchmark and column", "It would print, µs", "× the reference"].map(str::to_owned).to_vec();
    (!rows.is_empty()).then(|| Table {
        caption: "What benchmarks would print of the same calls".to_owned(),
        head,
        rows,
    })
}

fn first_calls(subject: &Subject) -> Option<Table> {
    let mut rows = Vec::new();
    for row in &subject.rows {
        rows.extend(row.first_calls.iter().map(|call| {
            let fresh = if call.fresh { "first of its launch" } else { "after others" };
            vec![
                Cell::number(row.bytes.to_string(), ""),
                Cell::text(format!("launch {}, {fresh}", call.launch)),
                Cell::number(micros(Some(call.first_us)), ""),
                Cell::number(times(call.ratio()), ""),
            ]
        }));
    }
    let head = ["Bytes", "When", "First call, µs", "Over later ones"].map(str::to_owned).to_vec();
    (!rows.is_empty()).then(|| Table { caption: "First calls (E1)".to_owned(), head, rows })
}

fn overlaps(subject: &Subject) -> Option<Table> {
    let mut rows = Vec::new();
    for row in &subject.rows {
        rows.extend(row.hidden.iter().map(|hidden| {
            vec![
                Cell::number(row.bytes.to_string(), ""),
                Cell::text(hidden.by.title()),
                Cell::number(percent(hidden.percent), ""),
                Cell::number(micros(Some(hidden.overall_us)), ""),
                Cell::number(micros(Some(hidden.pure_us)), ""),
                Cell::number(micros(Some(hidden.compute_us)), ""),
            ]
        }));
    }
    let head = ["Bytes", "By", "Hidden, %", "Call and computation, µs", "Call alone, µs", "Computation, µs"];
    let caption = "Overlap of the call with computation, as benchmarks would print it".to_owned();
    (!rows.is_empty()).then(|| Table { caption, head: head.map(str::to_owned).to_vec(), rows })
}

fn fixed_windows(subject: &Subject) -> Option<Table> {
    let mut rows = Vec::new();
    for row in &subject.rows {
        rows.extend(row.fixed_windows.iter().map(|window| {
            vec![
                Cell::number(row.bytes.to_string(), ""),
                Cell::number(micros(Some(window.window_us)), ""),
                Cell::number(micros(window.idle_us), ""),
                Cell::number(micros(window.cell.us.map(|us| us.value)), over(window.cell.ratio.as_ref())),
            ]
        }));
    }
    let head = ["Bytes", "Window, µs", "Idle in it, µs", "The call, µs"].map(str::to_owned).to_vec();
    (!rows.is_empty()).then(|| Table { caption: "Windows that do not adapt (E8)".to_owned(), head, rows })
}

/// The interval of a ratio, and what to know of it.
fn note(over: &OverReference) -> String {
    let interval = over.ratio().1.filter(|_| over.modes.is_none());
    let interval = interval.map(|(low, high)| format!("[{}, {}]", times(Some(low)), times(Some(high))));
    let remark = Some(over.remark()).filter(|remark| !remark.is_empty());
    interval.into_iter().chain(remark).collect::<Vec<_>>().join(" ")
}

/// Every method's ratio to the reference, with its interval.
fn picture(index: usize, subject: &Subject) -> Option<Figure> {
    let mut rows = Vec::new();
    let mut csv = Csv::new(Heads("bytes,method,us,low_us,high_us,ratio,ratio_low,ratio_high"));
    for row in &subject.rows {
        let mut group = Some(bytes(row.bytes));
        for cell in &row.methods {
            let ratio = cell.ratio.as_ref().map(OverReference::estimate);
            csv.row((row.bytes, cell.name(), cell.us, ratio));
            let Some(value) = ratio.filter(|_| !cell.is_reference) else { continue };
            rows.push(forest::Row {
                name: cell.method.to_string(),
                group: group.take(),
                value,
                hue: look_of(cell.method),
            });
        }
    }
    let svg = Forest {
        title: format!("Over the reference: {}", subject.title()),
        axis_title: "number reported ÷ the reference; dashed line: no error".to_owned(),
        rows,
        reference: Some(1.0),
    };
    (!svg.rows.is_empty()).then(|| Figure {
        name: format!("methods-{}", index + 1),
        caption: format!("Each method's number over the reference. {LOOPS}"),
        svg: svg.draw(),
        csv: csv.text(),
    })
}
