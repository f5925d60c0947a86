//! An audit as a page: the answer, the recommended flags, a table for each operation.

use super::answer::{advice, conclude};
use super::show::{
    CONTRIBUTIONS, by_way, contributions, lengths, references, signs, subjects, taken, title, unpaired, ways,
};
use super::{Audit, AuditRow};
use crate::measured::reference_words;
use crate::plots::look_of;
use programs::method::Method;
use render::page::{Cell, Figure, Mood, Page, Section, Table};
use render::plots::forest::{self, Forest};
use render::plots::numbers::bytes;
use render::results::{Look, Results};

/// Largest ratio, or inverse ratio, that is marked as right, and as close.
const RIGHT: f64 = 1.05;
const CLOSE: f64 = 1.1;

pub(super) fn page(audit: &Audit) -> Page {
    let mut details = advice(audit);
    let words = reference_words(Some(audit.reference));
    let confidence = format!("Intervals have {:.0} % confidence.", audit.confidence * 100.0);
    details.push(format!("Reference ({}): {words}. {} {confidence}", audit.reference.name(), taken(audit)));
    details.extend(audit.launches.clone());
    details.extend(unpaired(audit));
    details.extend(audit.load.iter().map(|load| format!("{load}.")));
    let mut sections: Vec<Section> =
        subjects(audit).iter().enumerate().map(|(index, rows)| section(audit, index, rows)).collect();
    if !audit.left_out.is_empty() {
        sections.push(Section::left_out(&audit.left_out));
    }
    Page {
        question: audit.question.clone(),
        answer: conclude(audit),
        details,
        origin: match audit.texts {
            Some(_) => "Audit of benchmark output from other launches",
            None => "Audit of unmodified benchmarks",
        }
        .to_owned(),
        sections,
        reproduce: audit.reproduce.clone(),
        environment: audit.environment.clone(),
    }
}

/// Text of the page for a terminal, where a line for each way fits better than a column; with all details instead the
/// contributions to each number.
pub(super) fn terminal(audit: &Audit, look: Look) -> String {
    let mut page = page(audit);
    page.details.push(if look.detailed { CONTRIBUTIONS.to_owned() } else { signs(audit) });
    for (section, rows) in page.sections.iter_mut().zip(subjects(audit)) {
        section.tables = if look.detailed { contributions(&rows) } else { vec![by_way(&rows)] };
    }
    page.terminal(look)
}

fn section(audit: &Audit, index: usize, rows: &[&AuditRow]) -> Section {
    Section::new(title(rows[0]))
        .with_figures([picture(audit, index, rows)])
        .with_tables([ratios(rows)])
        .with_id(format!("operation-{}", index + 1))
}

/// A table with a line for each length and a column for each way to run a benchmark.
fn ratios(rows: &[&AuditRow]) -> Table {
    let (titles, lengths) = (ways(rows), lengths(rows));
    let cell = |length: u64, title: &String| {
        let found = rows.iter().find(|row| row.bytes == length && row.title() == *title);
        found.map_or_else(|| Cell::number("–", ""), |row| ratio_cell(row))
    };
    let line = |&length: &u64| {
        let here: Vec<f64> = rows.iter().filter(|row| row.bytes == length).map(|row| row.reference_us).collect();
        let first = [length.to_string(), references(&here)].map(|text| Cell::number(text, ""));
        first.into_iter().chain(titles.iter().map(|title| cell(length, title))).collect()
    };
    let table = Table::new(
        "Printed ÷ reference",
        ["Bytes", "Reference, µs"].map(str::to_owned).into_iter().chain(titles.iter().cloned()),
        lengths.iter().map(line),
    );
    let note =
        "Each way has its own reference, from its launches, roots and buffers: 4.68–11.3 is the range over all ways.";
    Table { notes: vec![note.to_owned()], ..table }
}

fn ratio_cell(row: &AuditRow) -> Cell {
    let (value, interval) = row.over.ratio();
    if row.over.modes.is_some() {
        return Cell::number("–", row.over.remark());
    }
    let note = interval.map_or_else(|| row.remark(), |(low, high)| format!("[{low:.2}, {high:.2}]"));
    let off = value.max(1.0 / value);
    let mood = if !row.over.is_firm() {
        Mood::Plain
    } else if off <= RIGHT {
        Mood::Agrees
    } else if off <= CLOSE {
        Mood::Close
    } else {
        Mood::Differs
    };
    Cell::verdict(format!("×{value:.2}"), note, mood)
}

fn picture(audit: &Audit, index: usize, rows: &[&AuditRow]) -> Figure {
    let mut lines = Vec::new();
    let mut last = None;
    let mut sorted: Vec<&&AuditRow> = rows.iter().collect();
    sorted.sort_by_key(|row| row.bytes);
    let shown = ways(rows);
    for row in sorted.into_iter().filter(|row| shown.contains(&row.title())) {
        let group = (last != Some(row.bytes)).then(|| bytes(row.bytes));
        last = Some(row.bytes);
        let hue = look_of(if row.flags.is_empty() { Method::Loop } else { Method::Window });
        lines.push(forest::ForestRow { name: row.title(), group, value: row.over.estimate(), hue });
    }
    let forest = Forest {
        width: forest::WIDTH,
        title: format!("Printed ÷ reference: {}", title(rows[0])),
        axis_title: "number printed ÷ reference; dashed line: no error".to_owned(),
        rows: lines,
        reference: Some(1.0),
    };
    let alone = Audit { rows: rows.iter().map(|row| (*row).clone()).collect(), ..audit.clone() };
    Figure::new(
        format!("audit-{}", index + 1),
        "Printed number divided by the reference; dark: default flags.",
        forest.drawing(),
        alone.rows(),
    )
}
