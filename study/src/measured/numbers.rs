//! The numbers of a campaign of measurements as typed tables, for all forms.

use super::{Cell, FirstCall, FixedWindow, GroupMemory, Hidden, Measured, MeasuredRow, Subject};
use crate::comparison::ClockCheckRow;
use crate::over::OverReference;
use programs::method::Preset;
use render::columns;
use render::data::{self, Filled, Known, Table};
use scenario::axis::{Axis, Key};

/// Number at one length.
pub(super) struct Number<'a> {
    subject: &'a Subject,
    row: &'a MeasuredRow,
    /// Values on all axes, with method, benchmark or launch.
    key: Key,
    pub(super) kind: &'static str,
    pub(super) name: String,
    us: data::Cell,
    /// Ratio to the reference, launch by launch.
    pub(super) over: Option<&'a OverReference>,
    /// Ratio of a first call to later ones.
    later: data::Cell,
    /// Cell with the method's samples, starts and launches.
    pub(super) cell: Option<&'a Cell>,
    hidden_percent: Option<f64>,
    /// Names of all benchmarks that print this number; only at the first of them.
    pub(super) printed_by: Option<String>,
}

impl<'a> Number<'a> {
    fn new(
        (subject, row): (&'a Subject, &'a MeasuredRow),
        (kind, name): (&'static str, impl Into<String>),
        us: impl Into<data::Cell>,
    ) -> Number<'a> {
        Number {
            subject,
            row,
            key: subject.key_at(row),
            kind,
            name: name.into(),
            us: us.into(),
            over: None,
            later: data::Cell::None,
            cell: None,
            hidden_percent: None,
            printed_by: None,
        }
    }

    fn of_cell(
        at: (&'a Subject, &'a MeasuredRow),
        name: (&'static str, impl Into<String>),
        cell: &'a Cell,
    ) -> Number<'a> {
        let number = Number::new(at, name, cell.us);
        let key = number.key.clone().named(Axis::Method, cell.method.name());
        Number { key, over: cell.ratio.as_ref(), cell: Some(cell), ..number }
    }

    pub(super) fn is_reference(&self) -> bool {
        self.cell.is_some_and(|cell| cell.is_reference)
    }

    fn ratio(&self) -> data::Cell {
        self.over.map_or_else(|| self.later.clone(), |over| OverReference::cell(Some(over)))
    }

    fn has_interval(&self) -> bool {
        [&self.us, &self.ratio()].into_iter().any(|cell| matches!(cell, data::Cell::Interval(_)))
    }
}

/// Returns the numbers at all lengths.
pub(super) fn numbers(subjects: &[Subject]) -> Vec<Number<'_>> {
    let rows = subjects.iter().flat_map(|subject| subject.rows.iter().map(move |row| (subject, row)));
    rows.flat_map(at_length).collect()
}

fn at_length<'a>(at @ (_, row): (&'a Subject, &'a MeasuredRow)) -> Vec<Number<'a>> {
    let single = |kind, name: String, us: data::Cell| Number::new(at, (kind, name), us);
    let mut all: Vec<Number> =
        row.methods.iter().map(|cell| Number::of_cell(at, ("method", cell.name()), cell)).collect();
    for printed in &row.benchmarks {
        let name = |(preset, head): (&Preset, &&str)| format!("{preset} {head}");
        let names: Vec<String> = printed.by.iter().zip(&printed.heads).map(name).collect();
        let mut together = printed.us.map(|_| names.join(", "));
        all.extend(printed.by.iter().zip(names).map(|(preset, name)| {
            let number = single("benchmark", name, printed.us.into());
            let key = number.key.clone().named(Axis::Benchmark, preset.name());
            Number { key, over: printed.ratio.as_ref(), printed_by: together.take(), ..number }
        }));
    }
    all.extend(row.columns.iter().map(|seen| single("window", seen.measure.name().to_owned(), seen.us.into())));
    for (kind, spread) in [("start-skew", row.start_skew_us), ("exit-skew", row.exit_skew_us)] {
        let both = spread.iter().flat_map(|spread| [("median", spread.median_us), ("p99", spread.p99_us)]);
        all.extend(both.map(|(name, us)| single(kind, name.to_owned(), us.into())));
    }
    all.extend(row.first_calls.iter().map(|call| {
        let number = single("first-call", "first".to_owned(), call.first_us.into());
        Number {
            later: call.ratio().into(),
            key: number.key.clone().counted(Axis::Launch, Some(call.launch)),
            ..number
        }
    }));
    let fixed = |fixed: &'a FixedWindow| (("fixed-window", format!("{} us", fixed.window_us)), &fixed.cell);
    all.extend(row.fixed_windows.iter().map(fixed).map(|(name, cell)| Number::of_cell(at, name, cell)));
    all.extend(row.hidden.iter().map(|hidden| {
        let number = single("overlap", format!("{} overall", hidden.by), hidden.overall_us.into());
        Number { hidden_percent: hidden.percent, ..number }
    }));
    all
}

/// Returns the table of numbers, one per row.
pub(super) fn table(numbers: &[Number<'_>], confidence: f64) -> Table {
    let columns: [Filled<Number>; 15] = [
        (columns::KIND.column(), &|number| number.kind.into()),
        (columns::NAME.column(), &|number| number.name.as_str().into()),
        (columns::TIME.headed("time").with_limits(), &|number| number.us.clone()),
        (columns::RATIO.column(), &Number::ratio),
        (columns::CONFIDENCE.column(), &|number| number.has_interval().then_some(confidence).into()),
        (columns::SAMPLES.column(), &|number| number.cell.map(|cell| cell.samples).into()),
        (columns::STARTS.column(), &|number| number.cell.map(|cell| cell.starts).into()),
        (columns::LAUNCHES.column(), &|number| number.over.map(|over| over.log_ratio.launches).into()),
        (columns::MODES.column(), &|number| number.over.map(OverReference::groups_found).into()),
        (columns::HIDDEN.headed("hidden"), &|number| number.hidden_percent.into()),
        (columns::REFERENCE_BUFFER.column(), &|number| number.subject.reference.map(|buffer| buffer.name()).into()),
        (columns::OVERSUBSCRIBED.column(), &|number| number.subject.oversubscribed.into()),
        (columns::DISTURBED.column(), &|number| number.row.disturbed.is_some().into()),
        (columns::LINE_NS.column().written(1), &|number| number.subject.state.map(|state| state.line_ns).into()),
        (columns::SLOWER.column().written(2), &|number| number.subject.state.map(|state| state.slower).into()),
    ];
    let own = [Axis::Method, Axis::Benchmark, Axis::Launch];
    placed(Table::from_rows("rows", numbers, &columns), numbers.iter().map(|number| &number.key), &own)
}

/// Returns the table with the axes of its rows before its own columns.
fn placed<'k>(table: Table, keys: impl Iterator<Item = &'k Key> + Clone, own: &[Axis]) -> Table {
    let axes = || Axis::VARIANT.iter().chain(own).copied();
    let cells = keys.clone().map(|key| columns::at(key, axes()).collect());
    columns::of_cases(table.with_columns(0, columns::axes(axes()), cells), keys.cloned())
}

/// Returns a table of the things that `of` finds at each length of the subjects, one per row, behind the axes of its
/// place.
fn each<'a, T>(
    name: &'static str,
    subjects: &'a [Subject],
    of: impl Fn(&'a MeasuredRow) -> Vec<T>,
    columns: &[Filled<'_, (Key, T)>],
) -> Table {
    let rows = subjects.iter().flat_map(|subject| subject.rows.iter().map(move |row| (subject.key_at(row), row)));
    let all: Vec<(Key, T)> =
        rows.flat_map(|(key, row)| of(row).into_iter().map(move |thing| (key.clone(), thing))).collect();
    placed(Table::from_rows(name, &all, columns), all.iter().map(|(key, _)| key), &[])
}

/// Returns the table of the first calls of launches.
pub(super) fn first_calls(subjects: &[Subject]) -> Table {
    const FIRST: Known = Known::number("first_us", "µs", "the slowest rank's time of the first call", "31.5");
    const LATER: Known = Known::number("later_us", "µs", "the reference in the same launch", "2.5");
    const FRESH: Known = Known::flag("fresh", "true if no other collective was timed before in the launch");
    let columns: [Filled<(Key, &FirstCall)>; 5] = [
        (columns::LAUNCH.column(), &|(_, call)| call.launch.into()),
        (FIRST.headed("first call"), &|(_, call)| call.first_us.into()),
        (LATER.headed("later ones"), &|(_, call)| call.later_us.into()),
        (columns::RATIO.headed("first ÷ later").without_limits(), &|(_, call)| call.ratio().into()),
        (FRESH.headed("first of its launch"), &|(_, call)| call.fresh.into()),
    ];
    each("first_calls", subjects, |row| row.first_calls.iter().collect(), &columns)
}

/// Returns the table of the numbers in windows of fixed lengths.
pub(super) fn fixed_windows(subjects: &[Subject]) -> Table {
    const WINDOW: Known = Known::number("window_us", "µs", "length of every window", "1000");
    const IDLE: Known = Known::number("idle_us", "µs", "what the window leaves of itself after the call", "990");
    let columns: [Filled<(Key, &FixedWindow)>; 4] = [
        (WINDOW.headed("window"), &|(_, fixed)| fixed.window_us.into()),
        (IDLE.headed("idle in it"), &|(_, fixed)| fixed.idle_us.into()),
        (columns::TIME.headed("the call").with_limits(), &|(_, fixed)| fixed.cell.us.into()),
        (columns::RATIO.headed("× the reference"), &|(_, fixed)| OverReference::cell(fixed.cell.ratio.as_ref())),
    ];
    each("fixed_windows", subjects, |row| row.fixed_windows.iter().collect(), &columns)
}

/// Returns the table of the shares of overlapped calls that computation hides, as benchmarks print them.
pub(super) fn overlaps(subjects: &[Subject]) -> Table {
    const OVERALL: Known = Known::number("overall_us", "µs", "the call with the computation", "120");
    const PURE: Known = Known::number("pure_us", "µs", "the call by itself", "60");
    const COMPUTE: Known = Known::number("compute_us", "µs", "the computation", "60");
    let columns: [Filled<(Key, &Hidden)>; 5] = [
        (columns::BENCHMARK.headed("by"), &|(_, hidden)| hidden.by.title().into()),
        (columns::HIDDEN.headed("hidden"), &|(_, hidden)| hidden.percent.into()),
        (OVERALL.headed("call and computation"), &|(_, hidden)| hidden.overall_us.into()),
        (PURE.headed("call alone"), &|(_, hidden)| hidden.pure_us.into()),
        (COMPUTE.headed("computation"), &|(_, hidden)| hidden.compute_us.into()),
    ];
    each("overlaps", subjects, |row| row.hidden.iter().collect(), &columns)
}

/// Returns the tables that JSON has beside the numbers.
pub(super) fn others(measured: &Measured) -> Vec<Table> {
    let all = &measured.subjects;
    let of_campaign = [checks(&measured.clocks), clocks(measured), memory(&measured.memory), measured.states.table()];
    let of_calls = [operations(all), lengths(all), launches(all), first_calls(all), fixed_windows(all), overlaps(all)];
    let environment = render::summary::environment_of(&measured.environment);
    of_calls.into_iter().chain([unsteady(all)]).chain(of_campaign).chain([environment]).collect()
}

/// Returns the table of operations and the conditions of their measurement.
fn operations(subjects: &[Subject]) -> Table {
    const MEASURED_BY: Known = Known::text("measured_by", "library and version, host and clock", "MPICH 4.1 on node1");
    const ONE_CLOCK: Known = Known::flag("one_clock", "true if all ranks read one clock");
    const CHANGING: Known = Known::flag("changing", "true if the machine's state changed during these blocks");
    const EMPTY: Known = Known::text("empty_window", "how much of short references an empty window is", "");
    let columns: [Filled<Subject>; 9] = [
        (columns::CALLS.column(), &|subject| subject.case.timing.calls.into()),
        (MEASURED_BY.column(), &|subject| subject.measured_by.as_str().into()),
        (columns::LAUNCHES.column(), &|subject| subject.launches.into()),
        (columns::OVERSUBSCRIBED.column(), &|subject| subject.oversubscribed.into()),
        (ONE_CLOCK.column(), &|subject| subject.one_clock.into()),
        (CHANGING.column(), &|subject| subject.changing.into()),
        (columns::REFERENCE_BUFFER.column(), &|subject| subject.reference.map(|buffer| buffer.name()).into()),
        (columns::LINE_NS.column(), &|subject| subject.state.map(|state| state.line_ns).into()),
        (EMPTY.column(), &|subject| subject.empty_window.clone().into()),
    ];
    let keys: Vec<Key> = subjects.iter().map(Subject::key).collect();
    placed(Table::from_rows("operations", subjects, &columns), keys.iter(), &[])
}

/// Returns the table of windows, clocks and doubts of each length.
fn lengths(subjects: &[Subject]) -> Table {
    const WINDOW: Known = Known::number("window_us", "µs", "last length of the windows", "12");
    const CAPPED: Known = Known::flag("window_capped", "true if the window wanted to be longer than it may be");
    const BOUND: Known = Known::number("clock_bound_us", "µs", "largest error bound of a rank's clock, before", "0.2");
    const AFTER: Known = Known::number("clock_bound_after_us", "µs", "the same at the end", "0.3");
    const UNSURE: Known = Known::text("unsure", "why the clocks are too unsure for the reference", "");
    const SHAKY: Known = Known::text("shaky", "why the reference is too uncertain for ratios", "");
    const BY: Known = Known::text("disturbed_by", "what else used the machine", "");
    let columns: [Filled<(Key, &MeasuredRow)>; 7] = [
        (WINDOW.column(), &|(_, row)| row.window_us.into()),
        (CAPPED.column(), &|(_, row)| row.window_capped.into()),
        (BOUND.column(), &|(_, row)| row.clock_bound_us.map(|(before, _)| before).into()),
        (AFTER.column(), &|(_, row)| row.clock_bound_us.map(|(_, after)| after).into()),
        (UNSURE.column(), &|(_, row)| row.unsure.clone().into()),
        (SHAKY.column(), &|(_, row)| row.shaky.clone().into()),
        (BY.column(), &|(_, row)| row.disturbed.clone().into()),
    ];
    each("lengths", subjects, |row| vec![row], &columns)
}

/// Returns the table of each method's median in each launch, and its ratio to the reference there.
fn launches(subjects: &[Subject]) -> Table {
    let of_cell = |cell: &Cell| {
        let (name, over) = (cell.name(), cell.ratio.clone());
        let ratio = move |launch: usize| {
            let of_launches = over.as_ref().map(|over| over.of_launches.as_slice()).unwrap_or_default();
            of_launches.iter().find(|(known, _)| *known as usize == launch).map(|(_, log)| log.exp())
        };
        let times = cell.launches_us.clone().into_iter().enumerate();
        times.map(move |(launch, us)| (name, launch + 1, us, ratio(launch))).collect::<Vec<_>>()
    };
    type OfLaunch = (&'static str, usize, Option<f64>, Option<f64>);
    let columns: [Filled<(Key, OfLaunch)>; 4] = [
        (columns::NAME.column(), &|(_, (name, ..))| (*name).into()),
        (columns::LAUNCH.column(), &|(_, (_, launch, ..))| (*launch).into()),
        (columns::TIME.column(), &|(_, (.., us, _))| (*us).into()),
        (columns::RATIO.column().without_limits(), &|(_, (.., ratio))| (*ratio).into()),
    ];
    each("launches", subjects, |row| row.methods.iter().flat_map(of_cell).collect(), &columns)
}

/// Returns the unsteadiness that most launches show beyond chance.
fn unsteady(subjects: &[Subject]) -> Table {
    const SHARE: Known = Known::number("share", "", "how much: a share of the median, or of the samples", "0.04");
    const LASTS: Known = Known::integer("lasts", "", "samples that a warm-up lasts; empty: it has no end", "40");
    let found = |row: &'_ MeasuredRow| {
        let cells = row.methods.iter().filter_map(|cell| Some((cell.name(), cell.steadiness?)));
        let findings = cells.flat_map(|(name, found)| {
            let warm_up = found.warm_up.map(|one| ("warm-up", one.found, one.settled.then_some(one.samples)));
            let drift = found.drift.map(|one| ("drift", one, None));
            let apart = found.apart.map(|one| ("outliers", one, None));
            [warm_up, drift, apart].into_iter().flatten().map(move |finding| (name, finding))
        });
        findings.collect::<Vec<_>>()
    };
    type Finding = (&'static str, (&'static str, super::SteadinessFinding, Option<usize>));
    let columns: [Filled<(Key, Finding)>; 5] = [
        (columns::KIND.column(), &|(_, (_, (kind, ..)))| (*kind).into()),
        (columns::NAME.column(), &|(_, (name, _))| (*name).into()),
        (columns::LAUNCHES.column(), &|(_, (_, (_, found, _)))| found.launches.into()),
        (SHARE.column(), &|(_, (_, (_, found, _)))| found.share.into()),
        (LASTS.column(), &|(_, (.., (.., samples)))| (*samples).into()),
    ];
    each("unsteady", subjects, found, &columns)
}

/// Returns the table of the waits of known duration by which clocks are checked.
fn checks(checks: &[ClockCheckRow]) -> Table {
    const CONDITIONS: Known = Known::text("conditions", "conditions and launch, where they are not the usual ones", "");
    const SKEW: Known = Known::number("start_skew_us", "µs", "start skew of the null windows: median", "0.1");
    const SKEW_P99: Known = Known::number("start_skew_p99_us", "µs", "the same: 99 % quantile", "0.4");
    const BOUND: Known = Known::number("clock_bound_us", "µs", "largest error bound of a rank's clock, before", "0.2");
    const AFTER: Known = Known::number("clock_bound_after_us", "µs", "the same at the end", "0.3");
    let columns: [Filled<ClockCheckRow>; 12] = [
        (columns::WORLD.column(), &|check| check.world.name().into()),
        (columns::TRANSPORT.column(), &|check| check.carrier.name().into()),
        (columns::RANKS.column(), &|check| check.ranks.into()),
        (CONDITIONS.column(), &|check| check.variant.as_str().into()),
        (columns::OVERSUBSCRIBED.column(), &|check| check.oversubscribed.into()),
        (columns::NULL.column(), &|check| check.null_us.into()),
        (columns::UP.column(), &|check| check.up_us.into()),
        (columns::DOWN.column(), &|check| check.down_us.into()),
        (SKEW.column(), &|check| check.start_skew_us.0.into()),
        (SKEW_P99.column(), &|check| check.start_skew_us.1.into()),
        (BOUND.column(), &|check| check.clock_bound_us.0.into()),
        (AFTER.column(), &|check| check.clock_bound_us.1.into()),
    ];
    Table::from_rows("checks", checks, &columns)
}

/// Returns the table of the report cards of the clocks that ranks read.
fn clocks(measured: &Measured) -> Table {
    let cards = probes::clocks::table(measured.cards.iter().map(|card| &card.clock));
    let places = measured.cards.iter().map(|card| vec![card.world.name().into(), card.ranks.into()]);
    cards.with_columns(0, [columns::WORLD.column(), columns::RANKS.column()], places)
}

/// Returns the table of the resident memory of ranks.
fn memory(groups: &[GroupMemory]) -> Table {
    const BEGIN: Known = Known::number("begin_mb", "MB", "memory of the median rank after MPI_Init", "12.3");
    const END: Known = Known::number("end_mb", "MB", "the same when everything was measured", "14.5");
    let columns: [Filled<GroupMemory>; 4] = [
        (columns::WORLD.column(), &|group| group.world.name().into()),
        (columns::RANKS.column(), &|group| group.ranks.into()),
        (BEGIN.column(), &|group| group.begin_mb.into()),
        (END.column(), &|group| group.end_mb.into()),
    ];
    Table::from_rows("memory", groups, &columns)
}
