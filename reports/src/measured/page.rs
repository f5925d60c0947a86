//! A campaign of measurements as a page: for each operation what every method says, with the picture of their ratios to
//! the window's number, what benchmarks would print, first calls, clocks.

use super::foot::reference;
use super::steadiness::findings;
use super::table::{micros, over, percent, times};
use super::{CONFIDENCE, Measured, Row, Subject};
use crate::html::clocks_section;
use crate::over::OverReference;
use crate::plots::{LOOPS, look_of};
use crate::shm::{SideBySide, Tuned};
use models::method::Method;
use render::page::{Cell, Figure, Page, Section, Table};
use render::plots::forest::{self, Forest};
use render::plots::numbers::{bytes, significant, with_limits};
use render::table::{Csv, Heads};
use scenario::axis::Axis;

/// The whole page.
pub fn page(measured: &Measured) -> Page {
    let told = measured.subjects.iter().enumerate().filter(|(_, subject)| !is_told_beside(subject));
    let mut sections: Vec<Section> = told.map(|(index, subject)| section(index, subject)).collect();
    let broadcasts = SideBySide::of(measured, None);
    if let Some(broadcasts) = &broadcasts {
        let tuned = Tuned::of(broadcasts);
        let tuned = (!tuned.is_empty()).then(|| tuned.section());
        sections.splice(0..0, [broadcasts.section()].into_iter().chain(tuned));
    }
    sections.extend(clocks_section(&measured.clocks));
    if !measured.left_out.is_empty() {
        sections.push(Section::left_out(&measured.left_out));
    }
    if let Some((heading, list)) = super::foot::states(measured, usize::MAX).split_first() {
        sections.push(Section::new(heading).with_id("states").with_list(list.iter().map(|line| line.trim())));
    }
    let (mut answer, mut details) = answer(measured);
    // Where windows alone were measured there is no other method to be compared with them.
    if let Some((words, more)) = broadcasts.filter(|_| !is_compared(measured)).and_then(|one| one.fastest()) {
        (answer, details) = (words, vec![more]);
    }
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
        subject.operation(),
        bytes(row.bytes),
        subject.title()
    );
    let (count, confidence) = (told.len(), measured.confidence * 100.0);
    let sure = match firm.is_empty() {
        true => "None of them has an interval: a state needs four launches or more (--launches).".to_owned(),
        false => format!("Intervals have {confidence:.0} % confidence over launches."),
    };
    let mut details = vec![format!("This is the largest of {count} ratios. {sure}")];
    details.push(format!("Reference: {}.", reference(measured)));
    details.extend(measured.launches.clone());
    details.extend(measured.load.iter().map(|load| format!("{load}.")));
    (words, details)
}

/// More numbers that are not steady are a list.
const MOST_UNSTEADY: usize = 2;

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
    let mut unsteady: Vec<String> = findings(subject).into_iter().map(|finding| format!("{finding}.")).collect();
    let listed = (unsteady.len() > MOST_UNSTEADY).then(|| {
        let count = format!("{} numbers, which are listed below.", unsteady.len());
        Section::new("What is not steady").folded().with_list(std::mem::replace(&mut unsteady, vec![count]))
    });
    warnings.extend(unsteady.into_iter().map(|finding| format!("Not steady: {finding}")));
    warnings.extend(disturbed.map(|(bytes, why)| format!("Disturbed at {bytes} B: {why}.")));
    let facts = [
        ("Measured by", subject.measured_by.clone()),
        ("Launches", subject.launches.to_string()),
        ("Calls per loop, k", subject.case.timing.calls.to_string()),
        ("Clocks synchronised by", subject.case.timing.conditions.sync.name().to_owned()),
    ];
    let tables =
        [methods(subject), benchmarks(subject), first_calls(subject), fixed_windows(subject), overlaps(subject)];
    Section::new(subject.title())
        .with_warnings(warnings)
        .with_figures(picture(index, subject))
        .with_tables(tables.into_iter().flatten())
        .with_id(format!("operation-{}", index + 1))
        .with_facts(facts)
        .with_parts(listed)
}

/// True if another method than windows was measured.
fn is_compared(measured: &Measured) -> bool {
    let mut cells = measured.subjects.iter().flat_map(|subject| &subject.rows).flat_map(|row| &row.methods);
    cells.any(|cell| cell.method != Method::Window)
}

/// True for queues whose only number stands beside the others', in a section of its own.
fn is_told_beside(subject: &Subject) -> bool {
    let is_queue = subject.case.subject.implementation.queued().is_some();
    is_queue && subject.rows.iter().all(|row| row.methods.len() <= 1 && row.fixed_windows.is_empty())
}

fn methods(subject: &Subject) -> Option<Table> {
    let name = |(method, is_reference): (Method, bool)| match subject.reference.filter(|_| is_reference) {
        Some(buffer) => format!("reference ({})", buffer.name()),
        None => method.to_string(),
    };
    let caption = "Each method's number, the slowest rank's, and the same over the reference";
    let all = subject.cells();
    by_length(subject, caption, &["Method", "Time, µs", "× the reference"], |row| {
        let line = |which: (Method, bool)| {
            let cell = row.cell(which)?;
            let (us, limits) = cell.us.as_ref().map_or_else(|| (micros(None), None), with_limits);
            let ratio = cell.ratio.as_ref().filter(|_| !which.1);
            let time = Cell::number(us, limits.unwrap_or_default());
            Some(vec![Cell::text(name(which)), time, Cell::number(over(ratio), ratio.map(note).unwrap_or_default())])
        };
        all.iter().copied().filter_map(line).collect()
    })
}

/// A table with rows for each length, which begin with it; nothing without rows.
fn by_length(subject: &Subject, caption: &str, head: &[&str], rows: impl Fn(&Row) -> Vec<Vec<Cell>>) -> Option<Table> {
    let with_bytes = |row: &Row| {
        let bytes = Cell::number(row.bytes.to_string(), "");
        rows(row).into_iter().map(|cells| [vec![bytes.clone()], cells].concat()).collect::<Vec<_>>()
    };
    let head = std::iter::once("Bytes").chain(head.iter().copied());
    let table = Table::new(caption, head, subject.rows.iter().flat_map(with_bytes));
    (!table.rows.is_empty()).then_some(table)
}

fn benchmarks(subject: &Subject) -> Option<Table> {
    let head = ["Benchmark and column", "It would print, µs", "× the reference"];
    by_length(subject, "What benchmarks would print of the same calls", &head, |row| {
        let printed = row.benchmarks.iter().filter(|printed| printed.us.is_some()).map(|printed| {
            let by: Vec<String> = printed
                .by
                .iter()
                .zip(&printed.heads)
                .map(|(preset, head)| format!("{} {head}", preset.name()))
                .collect();
            let (ratio, note) = (printed.ratio.as_ref(), printed.ratio.as_ref().map(note).unwrap_or_default());
            vec![Cell::text(by.join(", ")), number(printed.us), Cell::number(over(ratio), note)]
        });
        printed.collect()
    })
}

fn first_calls(subject: &Subject) -> Option<Table> {
    by_length(subject, "First calls (E1)", &["When", "First call, µs", "Over later ones"], |row| {
        let calls = row.first_calls.iter().map(|call| {
            let fresh = if call.fresh { "first of its launch" } else { "after others" };
            let when = Cell::text(format!("launch {}, {fresh}", call.launch));
            vec![when, number(Some(call.first_us)), Cell::number(times(call.ratio()), "")]
        });
        calls.collect()
    })
}

fn overlaps(subject: &Subject) -> Option<Table> {
    let head = ["By", "Hidden, %", "Call and computation, µs", "Call alone, µs", "Computation, µs"];
    by_length(subject, "Overlap of the call with computation, as benchmarks would print it", &head, |row| {
        let hidden = row.hidden.iter().map(|hidden| {
            let parts = [hidden.overall_us, hidden.pure_us, hidden.compute_us].map(|us| number(Some(us)));
            let by = [Cell::text(hidden.by.title()), Cell::number(percent(hidden.percent), "")];
            by.into_iter().chain(parts).collect()
        });
        hidden.collect()
    })
}

fn fixed_windows(subject: &Subject) -> Option<Table> {
    let head = ["Window, µs", "Idle in it, µs", "The call, µs"];
    by_length(subject, "Windows that do not adapt (E8)", &head, |row| {
        let windows = row.fixed_windows.iter().map(|window| {
            let call = number(window.cell.us.map(|us| us.value)).noting(over(window.cell.ratio.as_ref()));
            vec![number(Some(window.window_us)), number(window.idle_us), call]
        });
        windows.collect()
    })
}

fn number(us: Option<f64>) -> Cell {
    Cell::number(micros(us), "")
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
    let mut csv = Csv::new((
        Heads(&Axis::shared_heads()),
        Axis::VARIANT.map(Axis::name),
        Heads("method,time_us,time_low_us,time_high_us,ratio,ratio_low,ratio_high,confidence"),
    ));
    for row in &subject.rows {
        let mut group = Some(bytes(row.bytes));
        for cell in &row.methods {
            let ratio = cell.ratio.as_ref().map(OverReference::estimate);
            let key = subject.key().counted(Axis::Bytes, Some(row.bytes));
            let variant = Axis::VARIANT.map(|axis| key.text(axis));
            csv.row((key.shared_cells(), variant, cell.method.name(), cell.us, ratio, CONFIDENCE));
            let Some(value) = ratio.filter(|_| !cell.is_reference) else { continue };
            rows.push(forest::Row {
                name: cell.method.to_string(),
                group: group.take(),
                value,
                hue: look_of(cell.method),
            });
        }
    }
    let forest = Forest {
        width: forest::WIDTH,
        title: format!("Over the reference: {}", subject.title()),
        axis_title: "number reported ÷ the reference; dashed line: no error".to_owned(),
        rows,
        reference: Some(1.0),
    };
    (!forest.rows.is_empty()).then(|| {
        Figure::new(
            format!("methods-{}", index + 1),
            format!("Each method's number over the reference. {LOOPS}"),
            forest.drawing(),
            csv.text(),
        )
    })
}
