//! Page of a campaign of measurements: for each operation every method's number, with the picture of their ratios to
//! the window's number, the numbers that benchmarks would print, first calls, clocks.

use super::foot::reference;
use super::numbers::{self, Number};
use super::per_rank;
use super::steadiness::findings;
use super::table::{over, times};
use super::{FixedWindow, Measured, MeasuredRow, Reading, Subject};
use crate::clock_checks;
use crate::over::OverReference;
use crate::plots::{LOOPS, look_of};
use crate::shm;
use programs::method::Method;
use render::data::{self, Show, View};
use render::page::{Cell, Figure, Page, Section, Table};
use render::plots::forest::{self, Forest};
use render::plots::numbers::{bytes, significant};
use render::results::{Look, Results};
use render::whence::Whence;

impl Results for Measured {
    fn answer(&self) -> String {
        summary(self).0
    }

    fn notes(&self) -> Vec<String> {
        let (_, details) = summary(self);
        details.into_iter().chain(self.left_out.iter().cloned()).collect()
    }

    fn page(&self) -> Page {
        page(self)
    }

    fn rows(&self) -> data::Table {
        numbers::table(&numbers::numbers(&self.subjects), self.reading.confidence())
    }

    fn rows_in_parts(&self) -> Box<dyn Iterator<Item = data::Table> + '_> {
        let part = |at| numbers::table(&numbers::at_length(at), self.reading.confidence());
        Box::new(numbers::lengths(&self.subjects).map(part))
    }

    fn others(&self) -> Vec<data::Table> {
        super::others::others(self)
    }

    fn facts(&self) -> Vec<(&'static str, data::Cell)> {
        vec![
            ("question", self.question.as_str().into()),
            ("seed", self.seed.into()),
            ("confidence", self.reading.confidence().into()),
            ("unclear_blocks", self.states.unclear.into()),
        ]
    }

    fn whence(&self) -> Option<Whence> {
        Some(Whence::from_facts(&self.environment))
    }

    fn terminal(&self, look: Look) -> String {
        let table = if look.detailed { super::table::details } else { super::table::table };
        table(self, look.width, look.colour)
    }
}

impl Measured {
    /// Returns the numbers of ranks as CSV, which are empty but for the heads where the reading does not show them.
    pub fn per_rank_csv(&self) -> String {
        per_rank::table(&numbers::numbers(&self.subjects), &self.reading).csv(self.whence().as_ref())
    }
}

fn page(measured: &Measured) -> Page {
    let told = measured.subjects.iter().enumerate().filter(|(_, subject)| !shm::stands_beside(subject));
    let mut sections: Vec<Section> = told.map(|(index, subject)| section(index, subject, &measured.reading)).collect();
    sections.splice(0..0, shm::sections(measured));
    sections.extend(clock_checks::section(&measured.clocks));
    if !measured.left_out.is_empty() {
        sections.push(Section::left_out(&measured.left_out));
    }
    if let Some((heading, list)) = super::foot::states(measured, usize::MAX).split_first() {
        sections.push(Section::new(heading).with_id("states").with_list(list.iter().map(|line| line.trim())));
    }
    let (answer, details) = summary(measured);
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

/// Returns the answer with the sentences that qualify it. Where windows alone were measured, the fastest broadcast
/// through shared memory is the answer.
fn summary(measured: &Measured) -> (String, Vec<String>) {
    let fastest = if is_compared(measured) { None } else { shm::fastest(measured) };
    let (words, mut details) = match fastest {
        Some((words, more)) => (words, vec![more]),
        None => largest_shift(measured),
    };
    details.extend(told(&measured.reading));
    details.extend(measured.launches.clone());
    details.extend(measured.load.iter().map(|load| format!("{load}.")));
    (words, details)
}

/// Returns a sentence on the settings by which the measurements are read; `None` where none was chosen.
fn told(reading: &Reading) -> Option<String> {
    let words = reading.words();
    (!words.is_empty()).then(|| format!("Shown with {}.", words.join(", ")))
}

/// Returns a sentence on the firm ratio that is furthest from 1, and details. Where none is firm, it is chosen among
/// all ratios that one group of launches explains.
fn largest_shift(measured: &Measured) -> (String, Vec<String>) {
    let all: Vec<(&Subject, &MeasuredRow, Method, &OverReference)> = measured
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
    let (count, confidence) = (told.len(), measured.reading.confidence() * 100.0);
    let sure = match firm.is_empty() {
        true => "None of them has an interval: a state needs four launches or more (--launches).".to_owned(),
        false => format!("Intervals have {confidence:.0} % confidence over launches."),
    };
    let mut details = vec![format!("This is the largest of {count} ratios. {sure}")];
    details.push(format!("Reference: {}.", reference(measured)));
    (words, details)
}

/// Largest number of unsteady numbers that are not shown as a list.
const MOST_UNSTEADY: usize = 2;

fn section(index: usize, subject: &Subject, reading: &Reading) -> Section {
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
    let numbers = numbers::numbers(std::slice::from_ref(subject));
    let tables = tables(subject, &numbers);
    let ranks = reading.per_rank.then(|| per_rank::seen(&numbers, reading));
    Section::new(subject.title())
        .with_warnings(warnings)
        .with_figures(picture(index, subject, numbers, reading.confidence()))
        .with_tables(tables)
        .with_id(format!("operation-{}", index + 1))
        .with_facts(facts)
        .with_parts(ranks.map(|table| Section::new("Ranks").folded().with_tables([table])))
        .with_parts(listed)
}

/// True if another method than windows was measured.
fn is_compared(measured: &Measured) -> bool {
    let mut cells = measured.subjects.iter().flat_map(|subject| &subject.rows).flat_map(|row| &row.methods);
    cells.any(|cell| cell.method != Method::Window)
}

/// Returns the tables of an operation: a view of each kind of numbers that it has.
fn tables(subject: &Subject, numbers: &[Number<'_>]) -> Vec<Table> {
    let one = std::slice::from_ref(subject);
    let table = numbers::shown(numbers);
    let is_seen =
        |number: &Number, kind: &str| number.kind == kind && (kind == "method" || number.printed_by.is_some());
    let view = |kind: &'static str, caption: &str, name: Show<'_>, time: &'static str| {
        let rows = (0..numbers.len()).filter(|&place| is_seen(&numbers[place], kind));
        let over = Show::made("× the reference", |row| ratio(&numbers[row.place()]));
        let time = Show::changed("time_us", move |column| column.headed(time));
        View::new(&table).captioned(caption).rows(rows).show([Show::one("bytes"), name, time, over]).laid_out()
    };
    let name = Show::made("method", |row| {
        Cell::text(match subject.reference {
            Some(buffer) if numbers[row.place()].is_reference() => format!("reference ({})", buffer.name()),
            _ => numbers[row.place()].name.clone(),
        })
    });
    let by = Show::made("benchmark and column", |row| {
        Cell::text(numbers[row.place()].printed_by.clone().unwrap_or_default())
    });
    let caption = "Each method's number, the slowest rank's, and the same over the reference";
    let printed = "What benchmarks would print of the same calls";
    let others = [
        ("First calls (E1)", numbers::first_calls(one)),
        ("Overlap of the call with computation, as benchmarks would print it", numbers::overlaps(one)),
    ];
    let others = others
        .iter()
        .map(|(caption, table)| View::new(table).captioned(*caption).show([Show::one("bytes")]).whole().laid_out());
    let fixed = numbers::fixed_windows(one);
    let windows: Vec<&FixedWindow> = subject.rows.iter().flat_map(|row| &row.fixed_windows).collect();
    let fixed = View::new(&fixed)
        .captioned("Windows that do not adapt (E8)")
        .show(Show::all(["bytes", "window_us", "idle_us", "time_us"]))
        .show([Show::made("× the reference", |row| over_reference(windows[row.place()].cell.ratio.as_ref()))])
        .laid_out();
    let of_windows = |number: &Number| matches!(number.kind, "window" | "start-skew" | "exit-skew");
    let of_windows = View::new(&table)
        .captioned("Further times of the reference's windows, and skews")
        .rows((0..numbers.len()).filter(|&place| of_windows(&numbers[place])))
        .show(Show::all(["bytes", "kind", "name"]))
        .show([Show::value("time_us")])
        .laid_out();
    let of_numbers =
        [view("method", caption, name, "time"), view("benchmark", printed, by, "it would print"), of_windows, fixed];
    of_numbers.into_iter().chain(others).filter(|table| !table.rows.is_empty()).collect()
}

/// Returns a ratio to the reference as readers see it, with two groups of launches where there are two, its interval,
/// and caveats.
pub(super) fn ratio(number: &Number<'_>) -> Cell {
    over_reference(number.over.filter(|_| !number.is_reference()))
}

fn over_reference(ratio: Option<&OverReference>) -> Cell {
    Cell::number(over(ratio), ratio.map(note).unwrap_or_default())
}

/// Returns the interval of a ratio, with caveats.
fn note(over: &OverReference) -> String {
    let interval = over.ratio().1.filter(|_| over.modes.is_none());
    let interval = interval.map(|(low, high)| format!("[{}, {}]", times(Some(low)), times(Some(high))));
    let remark = Some(over.remark()).filter(|remark| !remark.is_empty());
    interval.into_iter().chain(remark).collect::<Vec<_>>().join(" ")
}

/// Draws every method's ratio to the reference, with its interval.
fn picture(index: usize, subject: &Subject, numbers: Vec<Number<'_>>, confidence: f64) -> Option<Figure> {
    let mut rows = Vec::new();
    for row in &subject.rows {
        let mut group = Some(bytes(row.bytes));
        for cell in row.methods.iter().filter(|cell| !cell.is_reference) {
            let Some(value) = cell.ratio.as_ref().map(OverReference::estimate) else { continue };
            let (name, group) = (cell.method.to_string(), group.take());
            rows.push(forest::ForestRow { name, group, value, hue: look_of(cell.method) });
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
        let of_methods: Vec<Number> = numbers.into_iter().filter(|number| number.kind == "method").collect();
        Figure::new(
            format!("methods-{}", index + 1),
            format!("Each method's number over the reference. {LOOPS}"),
            forest.drawing(),
            numbers::table(&of_methods, confidence),
        )
    })
}
