//! From the stamps of one case in all its launches to its numbers.

use super::{CONFIDENCE, Cell, FirstCall, FixedWindow, Printed, Spread};
use crate::compare::samples_us;
use crate::statistics::{median, median_with_interval, quantile, ratio_of_medians_with_interval};
use models::aggregation::reported_us;
use models::method::{Method, Preset};
use models::observation::{Observation, RankRecord};

/// One seed for all intervals of ratios: they do not depend on what else was measured.
const SEED: u64 = 1;

/// The slowest rank's time of each sample, in µs.
pub(super) fn slowest_us(observation: &Observation) -> Vec<f64> {
    let of = |rank| samples_us(observation.case.method, &observation.ranks, rank);
    let ranks: Vec<Vec<f64>> = (0..observation.ranks.len()).map(of).collect();
    let samples = ranks.iter().map(Vec::len).min().unwrap_or(0);
    let slowest = |sample: usize| ranks.iter().map(|times| times[sample]).fold(f64::NEG_INFINITY, f64::max);
    (0..samples).map(slowest).collect()
}

/// A method's number over all launches, held against the reference's samples.
pub(super) fn cell(method: Method, launches: &[&Observation], reference: &[f64]) -> Cell {
    let each: Vec<Vec<f64>> = launches.iter().map(|observation| slowest_us(observation)).collect();
    let samples = each.concat();
    let starts = |observation: &&Observation| match method.is_synchronised() {
        true => observation.ranks.first().map_or(0, |rank| rank.stamps.len()),
        false => samples_us(method, &observation.ranks, 0).len(),
    };
    Cell {
        method,
        us: median_with_interval(&samples, CONFIDENCE).map(|median| median.estimate),
        ratio: ratio_of_medians_with_interval(&samples, reference, CONFIDENCE, SEED),
        launches_us: each.iter().map(|samples| median(samples)).collect(),
        samples: samples.len(),
        starts: launches.iter().map(starts).sum(),
    }
}

/// What every benchmark would print, those together that print the same; `of` knows a method's observations.
pub(super) fn printed<'a>(of: impl Fn(Method) -> Vec<&'a Observation>) -> Vec<Printed> {
    let mut all: Vec<(Method, models::aggregation::Aggregation, Printed)> = Vec::new();
    for preset in Preset::ALL {
        let launches = of(preset.method());
        for column in preset.columns() {
            let same = |known: &&mut (Method, _, Printed)| (known.0, known.1) == (preset.method(), column.aggregation);
            if let Some((_, _, printed)) = all.iter_mut().find(same) {
                printed.by.push(preset);
                printed.heads.push(column.head);
                continue;
            }
            let numbers: Vec<f64> =
                launches.iter().filter_map(|launch| reported_us(&launch.ranks, &column.aggregation)).collect();
            let printed = Printed { by: vec![preset], heads: vec![column.head], us: median(&numbers) };
            all.push((preset.method(), column.aggregation, printed));
        }
    }
    all.into_iter().map(|(_, _, printed)| printed).collect()
}

/// Last minus first of what the ranks did in each valid window of all launches, on the global clock.
fn spread(windows: &[&Observation], at: impl Fn(&RankRecord, usize) -> models::time::Time) -> Option<Spread> {
    let mut apart: Vec<f64> = Vec::new();
    for observation in windows {
        let ranks = &observation.ranks;
        let count = ranks.iter().map(|record| record.stamps.len()).min().unwrap_or(0);
        for window in (0..count).filter(|&window| ranks.iter().all(|record| record.stamps[window].valid)) {
            let times = || ranks.iter().map(|record| at(record, window));
            apart.extend(times().max().zip(times().min()).map(|(last, first)| last.since(first).as_us()));
        }
    }
    Some(Spread { median_us: median(&apart)?, p99_us: quantile(&apart, 0.99)? })
}

/// How far apart ranks started.
pub(super) fn start_skew(windows: &[&Observation]) -> Option<Spread> {
    spread(windows, |record, window| record.clock.time(record.stamps[window].start))
}

/// How far apart ranks left.
pub(super) fn exit_skew(windows: &[&Observation]) -> Option<Spread> {
    spread(windows, |record, window| record.clock.time(record.stamps[window].end))
}

/// The first call of a launch, from the case that came first in it; `windows` are the launch's.
pub(super) fn first_call(first: &Observation, windows: Option<&Observation>, fresh: bool) -> Option<FirstCall> {
    let never = |record: &RankRecord| record.cold.start == record.cold.end;
    let first_us = first.ranks.iter().filter(|record| !never(record)).map(|record| record.time_per_call(&record.cold));
    Some(FirstCall {
        launch: first.case.conditions.launch.saturating_add(1),
        first_us: first_us.max()?.as_us(),
        later_us: windows.and_then(|windows| median(&slowest_us(windows))),
        fresh,
    })
}

/// The window method at one fixed length.
pub(super) fn fixed_window(launches: &[&Observation], reference: &[f64]) -> Option<FixedWindow> {
    let window_us = launches.first()?.case.conditions.window?.as_us();
    let cell = cell(Method::Window, launches, reference);
    let idle_us = cell.us.map(|time| (window_us - time.value).max(0.0));
    Some(FixedWindow { window_us, idle_us, cell })
}
