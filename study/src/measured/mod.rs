//! What a campaign of `parallax measure` found: for each operation and world every method's number side by side, what
//! known benchmarks would print of the same calls, how far apart ranks started and left, and what first calls cost.
//!
//! A method's number is the median over its samples (a block, or a valid start) of the slowest rank's time, which is
//! the collective's; of several launches the mean of their medians, from six on the median. The reference is the time from
//! the first start to the slowest rank's end in windows whose buffers are in a named state. Where there is no number there
//! is none, never 0.

mod cells;
mod details;
mod foot;
mod gather;
pub(crate) mod layout;
mod memory;
mod numbers;
mod overlap;
mod page;
mod steadiness;
mod table;

pub(crate) use cells::would_print;
pub(crate) use foot::reference_words;
pub use gather::measured;
pub use steadiness::{Found, Steadiness, WarmUp};

use crate::comparison::ClockCheckRow;
use crate::enough::Deciding;
use crate::measures::Measure;
use crate::over::{OverReference, is_least};
use calibration::states::{State, States};
use probes::clocks::Examined;
use programs::machine::Estimate;
use programs::method::{Buffer, Method, Preset};
use programs::observation::{Case, CasePlace, World};
use render::groups::distinct;
use scenario::axis::{Axis, Key};

/// Confidence of every interval.
pub const CONFIDENCE: f64 = 0.95;

/// A clock error bound above this share of a result is flagged.
pub const DOUBTFUL_SHARE: f64 = 0.1;

/// Everything that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// What was asked.
    pub question: String,
    /// Seed of the order of cases.
    pub seed: u64,
    /// Confidence of every interval.
    pub confidence: f64,
    /// Label and value of each recorded fact of the environment.
    pub environment: Vec<(String, String)>,
    /// Commands that reproduce the campaign.
    pub reproduce: Vec<String>,
    /// One for each operation, algorithm, number of ranks and world, in each state of the machine that was met; the most
    /// visited state first.
    pub subjects: Vec<Subject>,
    /// The states of the machine.
    pub states: States,
    /// What else used the machine, if that matters.
    pub load: Option<String>,
    /// What windows around waits of known duration say of the clocks, one for each group of ranks.
    pub clocks: Vec<ClockCheckRow>,
    /// What the clocks are worth that ranks read, one for each group of ranks.
    pub cards: Vec<GroupCard>,
    /// What ranks had in memory, one for each group of ranks.
    pub memory: Vec<GroupMemory>,
    /// What was asked but could not be measured, and why.
    pub left_out: Vec<String>,
    /// How many launches were taken and why no more, where the ratios decided that.
    pub launches: Option<String>,
}

/// The clock that the ranks of a group read.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupCard {
    /// Where.
    pub world: World,
    /// How many ranks.
    pub ranks: u32,
    /// Its report card, and what it amounts to.
    pub clock: Examined,
}

/// Resident memory of the ranks of a group, the median over its ranks and launches, in MB (10⁶ B).
#[derive(Clone, Debug, PartialEq)]
pub struct GroupMemory {
    /// Where; threads share one process.
    pub world: World,
    /// How many ranks.
    pub ranks: u32,
    /// When the library was initialised and nothing had been sent; of threads before anything was measured.
    pub begin_mb: Option<f64>,
    /// When everything was measured.
    pub end_mb: Option<f64>,
}

/// One operation by one algorithm on so many ranks of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// What its rows have in common: a case without length, window and launch.
    pub case: Case,
    /// Library and version, host and clock.
    pub measured_by: String,
    /// True where more ranks than cores shared the machine.
    pub oversubscribed: bool,
    /// True where all ranks read one clock: its bounds are those of a check.
    pub one_clock: bool,
    /// How often ranks were started.
    pub launches: usize,
    /// In which state of the machine, where there were looks at it.
    pub state: Option<State>,
    /// True for cases that have no number in a state with tables: the machine's state changed in each block, or is a rare one.
    pub changing: bool,
    /// In which state the reference found its buffers.
    pub reference: Option<Buffer>,
    /// What a window with nothing in it takes, and how much of short references that is, in words.
    pub empty_window: Option<String>,
    /// One for each number of bytes.
    pub rows: Vec<Row>,
}

/// One number of bytes under all methods.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Bytes of one rank's buffer, or of one block where the operation moves a block per rank.
    pub bytes: u64,
    /// The methods, the reference first.
    pub methods: Vec<Cell>,
    /// What else used the machine while this row was measured, if ranks had to wait for it.
    pub disturbed: Option<String>,
    /// What benchmarks would print.
    pub benchmarks: Vec<Printed>,
    /// What else the windows' stamps say.
    pub columns: Vec<Seen>,
    /// Last start minus first start of the windows, on the global clock.
    pub start_skew_us: Option<Spread>,
    /// Last end minus first end of the windows, on the global clock.
    pub exit_skew_us: Option<Spread>,
    /// The windows' last length.
    pub window_us: Option<f64>,
    /// True where the adapting window wanted to be longer than it may be.
    pub window_capped: bool,
    /// Largest error bound of any rank's clock, before and after, in µs.
    pub clock_bound_us: Option<(f64, f64)>,
    /// Why the clocks are too unsure for the window's number, if they are.
    pub unsure: Option<String>,
    /// Why the window's number is no firm ground for ratios, if it is not: then there are none.
    pub shaky: Option<String>,
    /// The first call of each launch.
    pub first_calls: Vec<FirstCall>,
    /// Windows of fixed length (E8), the shortest first.
    pub fixed_windows: Vec<FixedWindow>,
    /// Of overlapped calls, what benchmarks would print.
    pub hidden: Vec<Hidden>,
}

/// How much of an overlapped call a benchmark says that computation hides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hidden {
    /// The benchmark.
    pub by: Preset,
    /// The share of the call that is hidden, in percent; none where a call takes no time.
    pub percent: Option<f64>,
    /// The call with the computation, in µs.
    pub overall_us: f64,
    /// The call by itself, in µs.
    pub pure_us: f64,
    /// The computation, in µs.
    pub compute_us: f64,
}

/// One method's number.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The method.
    pub method: Method,
    /// True for the windows that the others are held against.
    pub is_reference: bool,
    /// Median of the slowest rank's times; none where there is no valid sample.
    pub us: Option<Estimate>,
    /// Over the reference's, launch by launch.
    pub ratio: Option<OverReference>,
    /// Each launch's median.
    pub launches_us: Vec<Option<f64>>,
    /// Blocks or valid starts behind the number.
    pub samples: usize,
    /// Blocks or starts in all.
    pub starts: usize,
    /// What most launches show besides chance; none where their samples are steady.
    pub steadiness: Option<Steadiness>,
}

/// A number that one or more benchmarks would print, alike because they time calls and sum up alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// Which benchmarks.
    pub by: Vec<Preset>,
    /// Under which head each prints it.
    pub heads: Vec<&'static str>,
    /// The number, in µs whatever the benchmark's unit; of several launches the median.
    pub us: Option<f64>,
    /// Over the reference's, launch by launch.
    pub ratio: Option<OverReference>,
}

/// One of the other numbers that the stamps of the windows hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Which.
    pub measure: Measure,
    /// Its median over all valid windows; none without one.
    pub us: Option<f64>,
}

/// A distribution in two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Median, in µs.
    pub median_us: f64,
    /// 99 % quantile, in µs.
    pub p99_us: f64,
}

/// The first call of an operation with so many bytes in a launch (E1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstCall {
    /// In which launch, counted from 1.
    pub launch: u32,
    /// The slowest rank's time of the first call.
    pub first_us: f64,
    /// The window method's time in the same launch.
    pub later_us: Option<f64>,
    /// True if no other collective was timed before in this launch.
    pub fresh: bool,
}

/// The window method with windows that do not adapt.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedWindow {
    /// Length of every window.
    pub window_us: f64,
    /// What the window leaves of itself after the call: how long ranks idled.
    pub idle_us: Option<f64>,
    /// The number.
    pub cell: Cell,
}

impl Measured {
    /// The ratios that decide how many launches are taken: those that people read, in states that were met often. Where nothing is held against
    /// a reference, references themselves, in µs.
    pub fn deciding(&self) -> Vec<Deciding> {
        let common =
            |subject: &&Subject| !subject.changing && subject.state.is_none_or(|state| self.states.is_common(&state));
        let subjects: Vec<&Subject> = self.subjects.iter().filter(common).collect();
        let rows = || subjects.iter().flat_map(|subject| subject.rows.iter().map(move |row| (*subject, row)));
        let name =
            |what: &str, subject: &Subject, row: &Row| format!("{what} at {} B ({})", row.bytes, subject.title());
        let ratios: Vec<Deciding> = rows()
            .flat_map(|(subject, row)| row.ratios().map(move |(what, over)| (what, over, subject, row)))
            .filter(|(what, ..)| !is_least(what))
            .map(|(what, over, subject, row)| (name(&what, subject, row), over.clone()))
            .collect();
        if !ratios.is_empty() {
            return ratios;
        }
        let reference = |(subject, row): (&Subject, &Row)| {
            let each =
                (0..).zip(&row.reference()?.launches_us).filter_map(|(launch, us)| Some((launch, us.as_ref()?.ln())));
            Some((name("the reference", subject, row), OverReference::from_logs(each.collect())?))
        };
        rows().filter_map(reference).collect()
    }
}

impl Subject {
    /// Operation, algorithm, ranks and world: `bcast, library, 2 ranks, Open MPI (native)`.
    pub fn title(&self) -> String {
        let (CasePlace { world, carrier, ranks }, root) = (self.case.place, self.case.subject.root);
        let root = if self.case.subject.collective.is_rooted() { format!(", root {root}") } else { String::new() };
        let (variant, world, carrier) = (self.case.and_variant(), world.title(), carrier.name());
        let changing = ", while the state of the machine changed".to_owned();
        let state = if self.changing { changing } else { States::and_words(self.state.as_ref()) };
        let (operation, algorithm) = (self.operation(), self.case.subject.implementation.written());
        format!("{operation}, {algorithm}{root}{variant}, {ranks} ranks, {world} ({carrier}){state}")
    }

    /// The name of the call.
    pub(crate) fn operation(&self) -> String {
        self.case.subject.call.name_of(self.case.subject.collective)
    }

    /// Where its rows lie on every axis that they have in common.
    pub(crate) fn key(&self) -> Key {
        // Windows and lengths differ from row to row.
        let apart = [Axis::Bytes, Axis::Counts, Axis::Method, Axis::Calls, Axis::Window];
        let key = Key::from_case(&self.case).within(|axis| !apart.contains(&axis));
        key.counted(Axis::Calls, Some(self.case.timing.calls))
    }

    /// The place of one of its rows on these axes.
    pub(crate) fn key_at(&self, row: &Row) -> Key {
        self.key().counted(Axis::Bytes, Some(row.bytes))
    }
}

impl Subject {
    /// The methods of any row, in the rows' order, and whether as the reference.
    pub(crate) fn cells(&self) -> Vec<(Method, bool)> {
        distinct(self.rows.iter().flat_map(|row| &row.methods).map(|cell| (cell.method, cell.is_reference)))
    }
}

impl Cell {
    /// The method's name, or `reference`.
    pub fn name(&self) -> &'static str {
        if self.is_reference { "reference" } else { self.method.name() }
    }
}

impl Row {
    /// The number of a method, as the reference or not.
    pub(crate) fn cell(&self, (method, is_reference): (Method, bool)) -> Option<&Cell> {
        self.methods.iter().find(|cell| (cell.method, cell.is_reference) == (method, is_reference))
    }

    /// Everything that is held against the reference: what it is called, and the ratio.
    pub fn ratios(&self) -> impl Iterator<Item = (String, &OverReference)> {
        let others = self.methods.iter().filter(|cell| !cell.is_reference);
        let methods = others.filter_map(|cell| Some((cell.method.name().to_owned(), cell.ratio.as_ref()?)));
        let printed = self.benchmarks.iter().filter_map(|printed| {
            let by: Vec<&str> = printed.by.iter().map(|preset| preset.title()).collect();
            Some((format!("{} {}", by.join("+"), printed.heads.first()?), printed.ratio.as_ref()?))
        });
        methods.chain(printed)
    }

    /// What the others are held against.
    pub fn reference(&self) -> Option<&Cell> {
        self.methods.iter().find(|cell| cell.is_reference)
    }
}

impl FirstCall {
    /// First over later.
    pub fn ratio(&self) -> Option<f64> {
        self.later_us.filter(|later| *later > 0.0).map(|later| self.first_us / later)
    }
}

#[cfg(test)]
mod in_file_tests;
#[cfg(test)]
mod tests;
