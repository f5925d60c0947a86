//! The numbers of a campaign of measurements as typed tables, for all forms.

use super::{Cell, FirstCall, FixedWindow, Hidden, MeasuredRow, Subject};
use crate::over::OverReference;
use calibration::states::in_states;
use programs::method::Preset;
use render::columns;
use render::data::{self, Filled, Known, Table};
use scenario::axis::{Axis, AxisValue, Key};

/// Number at one length.
pub(super) struct Number<'a> {
    pub(super) subject: &'a Subject,
    row: &'a MeasuredRow,
    /// Method, benchmark or launch of the number.
    own: Option<(Axis, AxisValue)>,
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
            own: None,
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
        let own = Some((Axis::Method, AxisValue::Text(cell.method.name().to_owned())));
        Number { own, over: cell.ratio.as_ref(), cell: Some(cell), ..number }
    }

    /// Returns the values on all axes, with method, benchmark or launch.
    pub(super) fn key(&self) -> Key {
        let place = self.subject.key_at(self.row);
        match self.own.clone() {
            Some((axis, own)) => place.at(axis, Some(own)),
            None => place,
        }
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

/// Returns the rows at all lengths, each with its subject.
pub(super) fn lengths(subjects: &[Subject]) -> impl Iterator<Item = (&Subject, &MeasuredRow)> {
    subjects.iter().flat_map(|subject| subject.rows.iter().map(move |row| (subject, row)))
}

/// Returns the numbers at all lengths.
pub(super) fn numbers(subjects: &[Subject]) -> Vec<Number<'_>> {
    lengths(subjects).flat_map(at_length).collect()
}

/// Returns the numbers at one length.
pub(super) fn at_length<'a>(at @ (_, row): (&'a Subject, &'a MeasuredRow)) -> Vec<Number<'a>> {
    let single = |kind, name: String, us: data::Cell| Number::new(at, (kind, name), us);
    let mut all: Vec<Number> =
        row.methods.iter().map(|cell| Number::of_cell(at, ("method", cell.name()), cell)).collect();
    for printed in &row.benchmarks {
        let name = |(preset, head): (&Preset, &&str)| format!("{preset} {head}");
        let names: Vec<String> = printed.by.iter().zip(&printed.heads).map(name).collect();
        let mut together = printed.us.map(|_| names.join(", "));
        all.extend(printed.by.iter().zip(names).map(|(preset, name)| {
            let number = single("benchmark", name, printed.us.into());
            let own = Some((Axis::Benchmark, AxisValue::Text(preset.name().to_owned())));
            Number { own, over: printed.ratio.as_ref(), printed_by: together.take(), ..number }
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
            own: Some((Axis::Launch, AxisValue::Number(call.launch.into()))),
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
    let columns: [Filled<Number>; 13] = [
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
    ];
    let own = [Axis::Method, Axis::Benchmark, Axis::Launch];
    let states = numbers.iter().map(|number| number.subject.state);
    let table = in_states(Table::from_rows("rows", numbers, &columns), states);
    placed(table, numbers.iter().map(Number::key), &own)
}

/// Returns the table of the numbers of one operation, with those columns only that its page shows.
pub(super) fn shown(numbers: &[Number<'_>]) -> Table {
    let columns: [Filled<Number>; 3] = [
        (columns::KIND.column(), &|number| number.kind.into()),
        (columns::NAME.column(), &|number| number.name.as_str().into()),
        (columns::TIME.headed("time").with_limits(), &|number| number.us.clone()),
    ];
    let bytes = numbers.iter().map(|number| vec![number.row.bytes.into()]);
    Table::from_rows("shown", numbers, &columns).with_columns(0, columns::axes([Axis::Bytes]), bytes)
}

/// Returns the table with the axes of its rows before its own columns.
pub(super) fn placed(table: Table, keys: impl Iterator<Item = Key>, own: &[Axis]) -> Table {
    let axes = || Axis::SHARED.into_iter().chain(Axis::VARIANT).chain(own.iter().copied());
    let cells = keys.map(|key| columns::at(&key, axes()).collect());
    table.with_columns(0, columns::axes(axes()), cells)
}

/// Place of a row: a subject, with the axes of one of its lengths.
pub(super) type Place<'a> = (&'a Subject, Key);

/// Returns a table of the things that `of` finds at each length of the subjects, as [`at_places`] places them.
pub(super) fn each<'a, T>(
    name: &'static str,
    subjects: &'a [Subject],
    of: impl Fn(&'a MeasuredRow) -> Vec<T>,
    columns: &[Filled<'_, (Place<'a>, T)>],
) -> Table {
    let place = |(subject, row): (&'a Subject, &'a MeasuredRow)| (subject, subject.key_at(row));
    at_places(name, lengths(subjects).flat_map(|at| of(at.1).into_iter().map(move |thing| (place(at), thing))), columns)
}

/// Returns a table of the things that `of` finds in each number, as [`at_places`] places them.
pub(super) fn of_numbers<'a, T>(
    name: &'static str,
    numbers: &[Number<'a>],
    of: impl Fn(&Number<'a>) -> Vec<T>,
    columns: &[Filled<'_, (Place<'a>, T)>],
) -> Table {
    let place = |number: &Number<'a>| (number.subject, number.key());
    let of = |number| of(number).into_iter().map(move |thing| (place(number), thing));
    at_places(name, numbers.iter().flat_map(of), columns)
}

/// Returns a table of things, one per row, between the axes of its place and the state of the machine.
fn at_places<'a, T>(
    name: &'static str,
    things: impl Iterator<Item = (Place<'a>, T)>,
    columns: &[Filled<'_, (Place<'a>, T)>],
) -> Table {
    let all: Vec<(Place, T)> = things.collect();
    let table = placed(Table::from_rows(name, &all, columns), all.iter().map(|((_, key), _)| key.clone()), &[]);
    at_home(table, all.iter().map(|((subject, _), _)| *subject))
}

/// Returns the table with the state of the machine behind its columns, and whether it changed; one subject for each row.
pub(super) fn at_home<'a>(table: Table, subjects: impl Iterator<Item = &'a Subject> + Clone) -> Table {
    const CHANGING: Known = Known::flag("changing", "true if the machine's state changed during these blocks");
    let table = in_states(table, subjects.clone().map(|subject| subject.state));
    let behind = table.columns.len();
    table.with_columns(behind, [CHANGING.column().unseen()], subjects.map(|subject| vec![subject.changing.into()]))
}

/// Returns the table of the first calls of launches.
pub(super) fn first_calls(subjects: &[Subject]) -> Table {
    const FIRST: Known = Known::number("first_us", "µs", "the slowest rank's time of the first call", "31.5");
    const LATER: Known = Known::number("later_us", "µs", "the reference in the same launch", "2.5");
    const FRESH: Known = Known::flag("fresh", "true if no other collective was timed before in the launch");
    let columns: [Filled<(Place, &FirstCall)>; 5] = [
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
    let columns: [Filled<(Place, &FixedWindow)>; 4] = [
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
    let columns: [Filled<(Place, &Hidden)>; 5] = [
        (columns::BENCHMARK.headed("by"), &|(_, hidden)| hidden.by.name().into()),
        (columns::HIDDEN.headed("hidden"), &|(_, hidden)| hidden.percent.into()),
        (OVERALL.headed("call and computation"), &|(_, hidden)| hidden.overall_us.into()),
        (PURE.headed("call alone"), &|(_, hidden)| hidden.pure_us.into()),
        (COMPUTE.headed("computation"), &|(_, hidden)| hidden.compute_us.into()),
    ];
    each("overlaps", subjects, |row| row.hidden.iter().collect(), &columns)
}
