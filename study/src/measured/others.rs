//! The tables that JSON has beside the numbers of a campaign of measurements.

use super::numbers::{Number, Place, at_home, each, first_calls, fixed_windows, numbers, of_numbers, overlaps, placed};
use super::per_rank;
use super::{GroupMemory, Measured, MeasuredRow, SteadinessFinding, Subject};
use crate::comparison::ClockCheckRow;
use render::columns;
use render::data::{Filled, Known, Table};
use scenario::axis::Axis;
use std::collections::BTreeSet;

/// Returns the tables that JSON has beside the numbers.
pub(super) fn others(measured: &Measured) -> Vec<Table> {
    let (all, numbers) = (&measured.subjects, numbers(&measured.subjects));
    let per_rank = measured.reading.per_rank.then(|| per_rank::table(&numbers, &measured.reading));
    let confidence_of_clocks = measured.reading.confidence_of_clocks();
    let of_campaign = [
        checks(&measured.clocks, confidence_of_clocks),
        clocks(measured),
        memory(&measured.memory),
        measured.states.table(),
    ];
    let of_calls =
        [operations(all), lengths(all), launches(&numbers), first_calls(all), fixed_windows(all), overlaps(all)];
    let environment = render::summary::environment_of(&measured.environment);
    of_calls.into_iter().chain(per_rank).chain([unsteady(&numbers)]).chain(of_campaign).chain([environment]).collect()
}

/// Returns the table of operations and the conditions of their measurement.
fn operations(subjects: &[Subject]) -> Table {
    const MEASURED_BY: Known = Known::text("measured_by", "library and version, host and clock", "MPICH 4.1 on node1");
    const ONE_CLOCK: Known = Known::flag("one_clock", "true if all ranks read one clock");
    const EMPTY: Known = Known::text("empty_window", "how much of short references an empty window is", "");
    let columns: [Filled<Subject>; 7] = [
        (columns::CALLS.column(), &|subject| subject.case.timing.calls.into()),
        (MEASURED_BY.column(), &|subject| subject.measured_by.as_str().into()),
        (columns::LAUNCHES.column(), &|subject| subject.launches.into()),
        (columns::OVERSUBSCRIBED.column(), &|subject| subject.oversubscribed.into()),
        (ONE_CLOCK.column(), &|subject| subject.one_clock.into()),
        (columns::REFERENCE_BUFFER.column(), &|subject| subject.reference.map(|buffer| buffer.name()).into()),
        (EMPTY.column(), &|subject| subject.empty_window.clone().into()),
    ];
    let table = Table::from_rows("operations", subjects, &columns);
    at_home(placed(table, subjects.iter().map(Subject::key), &[Axis::Delay]), subjects.iter())
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
    let columns: [Filled<(Place, &MeasuredRow)>; 7] = [
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

/// One launch of a number: kind and name, the launch from 1, its median in µs, and its ratio to the reference there.
type OfLaunch = (&'static str, String, u32, Option<f64>, Option<f64>);

/// Returns the table of each launch: medians of methods and of fixed windows, and ratios to the reference. A launch
/// without a reference has a median alone, one of a benchmark's number a ratio alone.
fn launches(numbers: &[Number<'_>]) -> Table {
    let of = |number: &Number<'_>| {
        let us = number.cell.map(|cell| cell.launches_us.as_slice()).unwrap_or_default();
        let ratios = number.over.map(|over| over.of_launches.as_slice()).unwrap_or_default();
        let launches: BTreeSet<u32> = us.iter().chain(ratios).map(|(launch, _)| *launch).collect();
        let find =
            |all: &[(u32, f64)], launch: u32| all.iter().find(|(known, _)| *known == launch).map(|(_, one)| *one);
        let ratio = |launch| find(ratios, launch).map(f64::exp);
        let one = |launch| (number.kind, number.name.clone(), launch + 1, find(us, launch), ratio(launch));
        launches.into_iter().map(one).collect()
    };
    let columns: [Filled<(Place, OfLaunch)>; 5] = [
        (columns::KIND.column(), &|(_, (kind, ..))| (*kind).into()),
        (columns::NAME.column(), &|(_, (_, name, ..))| name.as_str().into()),
        (columns::LAUNCH.column(), &|(_, (_, _, launch, ..))| (*launch).into()),
        (columns::TIME.column(), &|(_, (.., us, _))| (*us).into()),
        (columns::RATIO.column().without_limits(), &|(_, (.., ratio))| (*ratio).into()),
    ];
    of_numbers("launches", numbers, of, &columns)
}

/// Returns the unsteadiness that most launches show beyond chance.
fn unsteady(numbers: &[Number<'_>]) -> Table {
    const SHARE: Known = Known::number("share", "", "how much: a share of the median, or of the samples", "0.04");
    const FOUND_IN: Known = Known::integer("found_in_launches", "", "launches that show it", "4");
    const LASTS: Known = Known::integer("lasts", "", "samples that a warm-up lasts; empty: it has no end", "40");
    let of = |number: &Number<'_>| {
        let Some(found) = number.cell.and_then(|cell| cell.steadiness) else { return Vec::new() };
        let warm_up = found.warm_up.map(|one| ("warm-up", one.found, one.settled.then_some(one.samples)));
        let drift = found.drift.map(|one| ("drift", one, None));
        let apart = found.apart.map(|one| ("outliers", one, None));
        let all = [warm_up, drift, apart].into_iter().flatten();
        all.map(|finding| (number.name.clone(), found.launches, finding)).collect()
    };
    type Finding = (String, usize, (&'static str, SteadinessFinding, Option<usize>));
    let columns: [Filled<(Place, Finding)>; 6] = [
        (columns::words("finding"), &|(_, (.., (kind, ..)))| (*kind).into()),
        (columns::NAME.column(), &|(_, (name, ..))| name.as_str().into()),
        (FOUND_IN.column(), &|(_, (.., (_, found, _)))| found.launches.into()),
        (columns::LAUNCHES.column(), &|(_, (_, launches, _))| (*launches).into()),
        (SHARE.column(), &|(_, (.., (_, found, _)))| found.share.into()),
        (LASTS.column(), &|(_, (.., (.., samples)))| (*samples).into()),
    ];
    of_numbers("unsteady", numbers, of, &columns)
}

/// Returns the table of the waits of known duration by which clocks are checked.
fn checks(checks: &[ClockCheckRow], confidence: f64) -> Table {
    const CONDITIONS: Known = Known::text("conditions", "conditions and launch, where they are not the usual ones", "");
    const SKEW: Known = Known::number("start_skew_us", "µs", "start skew of the null windows: median", "0.1");
    const SKEW_P99: Known = Known::number("start_skew_p99_us", "µs", "the same: 99 % quantile", "0.4");
    const BOUND: Known = Known::number("clock_bound_us", "µs", "largest error bound of a rank's clock, before", "0.2");
    const AFTER: Known = Known::number("clock_bound_after_us", "µs", "the same at the end", "0.3");
    let columns: [Filled<ClockCheckRow>; 13] = [
        (columns::WORLD.column(), &|check| check.world.name().into()),
        (columns::TRANSPORT.column(), &|check| check.carrier.name().into()),
        (columns::RANKS.column(), &|check| check.ranks.into()),
        (CONDITIONS.column(), &|check| check.variant.as_str().into()),
        (columns::OVERSUBSCRIBED.column(), &|check| check.oversubscribed.into()),
        (columns::NULL.column(), &|check| check.null_us.into()),
        (columns::UP.column(), &|check| check.up_us.into()),
        (columns::DOWN.column(), &|check| check.down_us.into()),
        (columns::CONFIDENCE.column(), &|_| confidence.into()),
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
