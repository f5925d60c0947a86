//! Results of a campaign of `parallax measure`. They are, for each operation and world, every method's number side by
//! side, the numbers that known benchmarks would print of the same calls, the skews of starts and exits, and the cost
//! of first calls.
//!
//! A method's number is the median over its samples (a block, or a valid start) of the slowest rank's time, which is
//! the collective's; of several launches the mean of their medians, from six on the median. The reference is the time
//! from the first start to the slowest rank's end in windows whose buffers are in a named state. A missing number is
//! never shown as 0.

mod cells;
mod details;
mod foot;
mod gather;
pub(crate) mod layout;
mod memory;
mod numbers;
mod others;
mod overlap;
mod page;
mod per_rank;
mod reading;
mod steadiness;
mod table;

pub(crate) use cells::would_print;
pub(crate) use foot::reference_words;
pub use gather::{measured, measured_by};
pub use per_rank::{OfRank, Times};
pub use reading::{CONFIDENCE, Reading};
pub use steadiness::{Steadiness, SteadinessFinding, WarmUp};

use crate::comparison::ClockCheckRow;
use crate::enough::Deciding;
use crate::measures::Measure;
use crate::over::{OverReference, is_least};
use calibration::states::{MetState, States};
use probes::clocks::Examined;
use programs::machine::Estimate;
use programs::method::{Buffer, Method, Preset};
use programs::observation::{Case, CasePlace, World};
use render::groups::distinct;
use scenario::axis::{Axis, Key};

/// Share of a result above which a clock's error bound is flagged.
pub const DOUBTFUL_SHARE: f64 = 0.1;

/// Results of a campaign of measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Question that the campaign answers.
    pub question: String,
    /// Seed of the order of cases.
    pub seed: u64,
    /// Settings by which the measurements are read.
    pub reading: Reading,
    /// Label and value of each recorded fact of the environment.
    pub environment: Vec<(String, String)>,
    /// Commands that reproduce the campaign.
    pub reproduce: Vec<String>,
    /// Subjects: one for each operation, algorithm, number of ranks and world, in each state of the machine that was
    /// met, the most visited state first.
    pub subjects: Vec<Subject>,
    /// States of the machine that were met.
    pub states: States,
    /// Sentence on other users of the machine, if they matter.
    pub load: Option<String>,
    /// Checks of the clocks by windows around waits of known duration, one for each group of ranks.
    pub clocks: Vec<ClockCheckRow>,
    /// Report cards of the clocks that ranks read, one for each group of ranks.
    pub cards: Vec<GroupCard>,
    /// Resident memory of the ranks, one entry for each group of ranks.
    pub memory: Vec<GroupMemory>,
    /// Measurements that were requested but not possible, each with the reason.
    pub left_out: Vec<String>,
    /// Number of launches and the reason why no more were taken, where the ratios decided that.
    pub launches: Option<String>,
}

/// Clock that the ranks of a group read.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupCard {
    /// World of the ranks.
    pub world: World,
    /// Number of the group's ranks.
    pub ranks: u32,
    /// Report card of the clock, and the verdict on it.
    pub clock: Examined,
}

/// Resident memory of the ranks of a group, the median over its ranks and launches, in MB (10⁶ B).
#[derive(Clone, Debug, PartialEq)]
pub struct GroupMemory {
    /// World of the ranks; threads share one process.
    pub world: World,
    /// Number of the group's ranks.
    pub ranks: u32,
    /// Memory when the library was initialised and nothing had been sent; for threads, before anything was measured.
    pub begin_mb: Option<f64>,
    /// Memory when everything was measured.
    pub end_mb: Option<f64>,
}

/// Measurements of one operation by one algorithm on a number of ranks of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Case that its rows share, without length, window and launch.
    pub case: Case,
    /// Library and version, host and clock.
    pub measured_by: String,
    /// True where more ranks than cores shared the machine.
    pub oversubscribed: bool,
    /// True where all ranks read one clock: its bounds are those of a check.
    pub one_clock: bool,
    /// Number of launches of the ranks.
    pub launches: usize,
    /// State of the machine, where there were looks at it.
    pub state: Option<MetState>,
    /// True for cases that have no number in a state with tables, because the machine's state changed in each block or
    /// is a rare one.
    pub changing: bool,
    /// State in which the reference found its buffers.
    pub reference: Option<Buffer>,
    /// Sentence on the time of an empty window and its share of short references.
    pub empty_window: Option<String>,
    /// Rows, one for each number of bytes.
    pub rows: Vec<MeasuredRow>,
}

/// Numbers of all methods at one number of bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredRow {
    /// Bytes of one rank's buffer, or of one block where the operation moves a block per rank.
    pub bytes: u64,
    /// Numbers of the methods, the reference first.
    pub methods: Vec<Cell>,
    /// Sentence on other users of the machine while this row was measured, if ranks had to wait for them.
    pub disturbed: Option<String>,
    /// Numbers that benchmarks would print.
    pub benchmarks: Vec<Printed>,
    /// Other measures of the windows' stamps.
    pub columns: Vec<Seen>,
    /// Last start minus first start of the windows, on the global clock.
    pub start_skew_us: Option<Spread>,
    /// Last end minus first end of the windows, on the global clock.
    pub exit_skew_us: Option<Spread>,
    /// Last length of the windows, in µs.
    pub window_us: Option<f64>,
    /// True where the adapting window wanted to be longer than it may be.
    pub window_capped: bool,
    /// Largest error bound of any rank's clock, before and after, in µs.
    pub clock_bound_us: Option<(f64, f64)>,
    /// Reason why the clocks are too unsure for the window's number, if they are.
    pub unsure: Option<String>,
    /// Reason why the window's number is no firm ground for ratios, if it is not. Then there are none.
    pub shaky: Option<String>,
    /// First call of each launch.
    pub first_calls: Vec<FirstCall>,
    /// Windows of fixed length (E8), the shortest first.
    pub fixed_windows: Vec<FixedWindow>,
    /// Shares that benchmarks would print for overlapped calls.
    pub hidden: Vec<Hidden>,
}

/// Share of an overlapped call that computation hides, as a benchmark prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hidden {
    /// Benchmark that prints the share.
    pub by: Preset,
    /// Share of the call that is hidden, in percent; `None` where a call takes no time.
    pub percent: Option<f64>,
    /// Duration of the call with the computation, in µs.
    pub overall_us: f64,
    /// Duration of the call by itself, in µs.
    pub pure_us: f64,
    /// Duration of the computation, in µs.
    pub compute_us: f64,
}

/// Number of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Method that gives the number.
    pub method: Method,
    /// True for the windows that the other methods are compared with.
    pub is_reference: bool,
    /// Median of the slowest rank's times; none where there is no valid sample.
    pub us: Option<Estimate>,
    /// Ratio to the reference, launch by launch.
    pub ratio: Option<OverReference>,
    /// Median of each launch that has a valid sample, in µs, with the launch's number, from 0.
    pub launches_us: Vec<(u32, f64)>,
    /// Blocks or valid starts behind the number.
    pub samples: usize,
    /// Blocks or starts in all.
    pub starts: usize,
    /// Unsteadiness that most launches show beyond chance; `None` where their samples are steady.
    pub steadiness: Option<Steadiness>,
    /// Numbers of each rank in each launch; empty where they are not shown.
    pub ranks: Vec<OfRank>,
}

/// Number that one or more benchmarks would print, alike because they time calls and sum up alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// Benchmarks that print the number.
    pub by: Vec<Preset>,
    /// Head under which each benchmark prints it.
    pub heads: Vec<&'static str>,
    /// Printed number, in µs whatever the benchmark's unit; of several launches the median.
    pub us: Option<f64>,
    /// Ratio to the reference, launch by launch.
    pub ratio: Option<OverReference>,
}

/// Another measure of the stamps of the windows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Measure that the number gives.
    pub measure: Measure,
    /// Median of the measure over all valid windows; `None` without one.
    pub us: Option<f64>,
}

/// Distribution, reduced to two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Median of the distribution, in µs.
    pub median_us: f64,
    /// 99 % quantile, in µs.
    pub p99_us: f64,
}

/// First call of an operation of some length in a launch (E1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstCall {
    /// Launch of the call, counted from 1.
    pub launch: u32,
    /// Time of the first call on the slowest rank, in µs.
    pub first_us: f64,
    /// Time by the window method in the same launch, in µs.
    pub later_us: Option<f64>,
    /// True if no other collective was timed before in this launch.
    pub fresh: bool,
}

/// Number of the window method with windows of one length.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedWindow {
    /// Length of every window, in µs.
    pub window_us: f64,
    /// Time that ranks idled between the call and the end of the window.
    pub idle_us: Option<f64>,
    /// Number under these windows.
    pub cell: Cell,
}

impl Measured {
    /// Returns the ratios that decide how many launches are taken: those that readers see, in states that were met
    /// often. Where nothing is compared with a reference, returns the references themselves, in µs.
    pub fn deciding(&self) -> Vec<Deciding> {
        let common =
            |subject: &&Subject| !subject.changing && subject.state.is_none_or(|state| self.states.is_common(&state));
        let subjects: Vec<&Subject> = self.subjects.iter().filter(common).collect();
        let rows = || subjects.iter().flat_map(|subject| subject.rows.iter().map(move |row| (*subject, row)));
        let name = |what: &str, subject: &Subject, row: &MeasuredRow| {
            format!("{what} at {} B ({})", row.bytes, subject.title())
        };
        let ratios: Vec<Deciding> = rows()
            .flat_map(|(subject, row)| row.ratios().map(move |(what, over)| (what, over, subject, row)))
            .filter(|(what, ..)| !is_least(what))
            .map(|(what, over, subject, row)| (name(&what, subject, row), over.clone()))
            .collect();
        if !ratios.is_empty() {
            return ratios;
        }
        let reference = |(subject, row): (&Subject, &MeasuredRow)| {
            let each = row.reference()?.launches_us.iter().map(|&(launch, us)| (launch, us.ln()));
            Some((
                name("the reference", subject, row),
                OverReference::from_logs(each.collect(), self.reading.confidence())?,
            ))
        };
        rows().filter_map(reference).collect()
    }
}

impl Subject {
    /// Prints operation, algorithm, ranks and world: `bcast, library, 2 ranks, Open MPI (native)`.
    pub fn title(&self) -> String {
        let (CasePlace { world, carrier, ranks }, root) = (self.case.place, self.case.subject.root);
        let root = if self.case.subject.collective.is_rooted() { format!(", root {root}") } else { String::new() };
        let (variant, world, carrier) = (self.case.and_variant(), world.title(), carrier.name());
        let changing = ", while the state of the machine changed".to_owned();
        let state = if self.changing { changing } else { States::and_words(self.state.as_ref()) };
        let (operation, algorithm) = (self.operation(), self.case.subject.implementation.written());
        format!("{operation}, {algorithm}{root}{variant}, {ranks} ranks, {world} ({carrier}){state}")
    }

    /// Returns the name of the call.
    pub(crate) fn operation(&self) -> String {
        self.case.subject.call.name_of(self.case.subject.collective)
    }

    /// Returns the values of its rows on every axis that they share.
    pub(crate) fn key(&self) -> Key {
        // Windows and lengths differ from row to row.
        let apart = [Axis::Bytes, Axis::Counts, Axis::Method, Axis::Calls, Axis::Window];
        let key = Key::from_case(&self.case).within(|axis| !apart.contains(&axis));
        key.counted(Axis::Calls, Some(self.case.timing.calls))
    }

    /// Returns the values of one of its rows on these axes.
    pub(crate) fn key_at(&self, row: &MeasuredRow) -> Key {
        self.key().counted(Axis::Bytes, Some(row.bytes))
    }
}

impl Subject {
    /// Returns the methods of any row, in the rows' order, and whether each is the reference.
    pub(crate) fn cells(&self) -> Vec<(Method, bool)> {
        distinct(self.rows.iter().flat_map(|row| &row.methods).map(|cell| (cell.method, cell.is_reference)))
    }
}

impl Cell {
    /// Returns the method's name, or `reference`.
    pub fn name(&self) -> &'static str {
        if self.is_reference { "reference" } else { self.method.name() }
    }
}

impl MeasuredRow {
    /// Returns the number of a method, as the reference or not.
    pub(crate) fn cell(&self, (method, is_reference): (Method, bool)) -> Option<&Cell> {
        self.methods.iter().find(|cell| (cell.method, cell.is_reference) == (method, is_reference))
    }

    /// Returns the name and the ratio of every number that is compared with the reference.
    pub fn ratios(&self) -> impl Iterator<Item = (String, &OverReference)> {
        let others = self.methods.iter().filter(|cell| !cell.is_reference);
        let methods = others.filter_map(|cell| Some((cell.method.name().to_owned(), cell.ratio.as_ref()?)));
        let printed = self.benchmarks.iter().filter_map(|printed| {
            let by: Vec<&str> = printed.by.iter().map(|preset| preset.title()).collect();
            Some((format!("{} {}", by.join("+"), printed.heads.first()?), printed.ratio.as_ref()?))
        });
        methods.chain(printed)
    }

    /// Returns the cell of the reference.
    pub fn reference(&self) -> Option<&Cell> {
        self.methods.iter().find(|cell| cell.is_reference)
    }
}

impl FirstCall {
    /// Returns the first call's time over the later ones'; `None` where that is not known or not positive.
    pub fn ratio(&self) -> Option<f64> {
        self.later_us.filter(|later| *later > 0.0).map(|later| self.first_us / later)
    }
}

#[cfg(test)]
mod in_file_tests;
#[cfg(test)]
mod tests;
