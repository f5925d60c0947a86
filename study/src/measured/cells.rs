//! Numbers of one case, computed from its stamps in all launches.

use super::per_rank::{of_launch, starts};
use super::{Cell, FirstCall, FixedWindow, Printed, Reading, Seen, Spread, Steadiness};
use crate::measures::{Measure, columns};
use crate::over::OverReference;
use programs::aggregation::{reported_us, slowest_us};
use programs::machine::Estimate;
use programs::method::{Buffer, Column, Factors, Method, Preset};
use programs::observation::{CaseTiming, Counted, Observation, RankRecord};
use statistics::{Autocorrelation, Batches, median, median_with_interval, over_launches, quantile};

/// Returns a method's number over all launches, with its ratio to the reference's launches, as a reading shows them.
pub(super) fn cell(
    (method, is_reference): (Method, bool),
    launches: &[&Observation],
    reference: &[&Observation],
    reading: &Reading,
) -> Cell {
    let each: Vec<Vec<f64>> = launches.iter().map(|observation| slowest_us(observation)).collect();
    let medians = launches.iter().zip(&each).filter_map(|(one, samples)| Some((launch_of(one), median(samples)?)));
    let launches_us: Vec<(u32, f64)> = medians.collect();
    Cell {
        method,
        is_reference,
        us: median_over(&each, reading.confidence()),
        ratio: over(launches_us.iter().copied(), reference, reading.confidence()),
        launches_us,
        samples: each.iter().map(Vec::len).sum(),
        starts: launches.iter().map(|observation| starts(observation, 0)).sum(),
        steadiness: Steadiness::from_launches(&each),
        ranks: if reading.per_rank {
            launches.iter().flat_map(|observation| of_launch(observation, reading)).collect()
        } else {
            Vec::new()
        },
    }
}

/// Returns the median, with an interval wide enough for samples that resemble their neighbours. Several launches are
/// combined by their medians, since launches are independent of each other and the samples of one are not.
fn median_over(launches: &[Vec<f64>], confidence: f64) -> Option<Estimate> {
    let launches: Vec<Vec<f64>> = launches.iter().filter(|samples| !samples.is_empty()).cloned().collect();
    if let [samples] = launches.as_slice() {
        let order = median_with_interval(samples, confidence)?.estimate;
        let remembers = Autocorrelation::from_samples(samples).is_some_and(|series| series.lag_1 > series.bound);
        let batches = Batches::from_samples(samples).filter(|_| remembers);
        let batched = batches.and_then(|batches| batches.interval(median, confidence));
        return Some(batched.map_or(order, |batched| Estimate {
            value: order.value,
            low: order.low.min(batched.low),
            high: order.high.max(batched.high),
        }));
    }
    let over = over_launches(&launches, median, confidence)?;
    Some(over.median.unwrap_or(over.mean))
}

fn launch_of(observation: &Observation) -> u32 {
    observation.occasion.launch
}

/// Returns one number of each launch over the reference's median in the same launch, without launches that lack a
/// reference.
fn over(
    numbers: impl Iterator<Item = (u32, f64)>,
    reference: &[&Observation],
    confidence: f64,
) -> Option<OverReference> {
    let of_reference = |launch: u32| median(&slowest_us(reference.iter().find(|other| launch_of(other) == launch)?));
    OverReference::of_pairs(numbers.filter_map(|(launch, us)| Some((launch, us, of_reference(launch)?))), confidence)
}

/// Returns the number that a benchmark would print in a column for an observation under these factors. `None` where it
/// would have timed the calls otherwise, or there is no valid time on every rank.
pub(crate) fn would_print(
    (preset, column): (Preset, &Column),
    observation: &Observation,
    factors: &Factors,
) -> Option<f64> {
    let CaseTiming { method, conditions, .. } = observation.case.timing;
    let buffer = if conditions.buffer == Buffer::default() { factors.buffer } else { conditions.buffer };
    let factors = Factors { buffer, ..factors.clone() };
    let alike = conditions.window.is_none() && preset.times_like(method, &factors);
    alike.then(|| reported_us(&observation.ranks, &column.aggregation)).flatten()
}

/// Returns the numbers that each benchmark would print, with equal columns merged and ratios' intervals of a confidence;
/// `of` returns a method's observations.
pub(super) fn printed<'a>(
    of: impl Fn(Method) -> Vec<&'a Observation>,
    reference: &[&Observation],
    confidence: f64,
) -> Vec<Printed> {
    let mut all: Vec<(Method, programs::aggregation::Aggregation, Printed)> = Vec::new();
    for preset in Preset::ALL {
        let launches = of(preset.method());
        for column in preset.columns() {
            let same = |known: &&mut (Method, _, Printed)| (known.0, known.1) == (preset.method(), column.aggregation);
            if let Some((_, _, printed)) = all.iter_mut().find(same) {
                printed.by.push(preset);
                printed.heads.push(column.head);
                continue;
            }
            let usual = Factors::default();
            let number = |one: &&Observation| Some((launch_of(one), would_print((preset, &column), one, &usual)?));
            let numbers: Vec<(u32, f64)> = launches.iter().filter_map(number).collect();
            let us = median(&numbers.iter().map(|(_, us)| *us).collect::<Vec<f64>>());
            let ratio = over(numbers.into_iter(), reference, confidence);
            let printed = Printed { by: vec![preset], heads: vec![column.head], us, ratio };
            all.push((preset.method(), column.aggregation, printed));
        }
    }
    let mut printed: Vec<Printed> = all.into_iter().map(|(_, _, printed)| printed).collect();
    // The collection would keep the room of the keys, for each length of a campaign.
    printed.shrink_to_fit();
    printed
}

/// Returns the other measures of the valid windows' stamps, each the median over all launches, and the start and exit
/// skews.
pub(super) fn seen(windows: &[&Observation]) -> (Vec<Seen>, Option<Spread>, Option<Spread>) {
    let launches: Vec<_> =
        windows.iter().map(|launch| columns(&launch.ranks, launch.case.subject.root, Counted::FromOwnStart)).collect();
    let values = |measure| -> Vec<f64> {
        launches.iter().filter_map(|columns| columns.values_us(measure)).flatten().copied().collect()
    };
    let spread = |measure| {
        let values = values(measure);
        Some(Spread { median_us: median(&values)?, p99_us: quantile(&values, 0.99)? })
    };
    let others =
        [Measure::FromDue, Measure::FromFirstStart, Measure::LongestLocal, Measure::Root, Measure::Mean, Measure::Min];
    let seen = others.map(|measure| Seen { measure, us: median(&values(measure)) });
    (seen.to_vec(), spread(Measure::StartSkew), spread(Measure::ExitSkew))
}

/// Returns the first call of a launch, from the case that came first in it; `windows` are the launch's.
pub(super) fn first_call(first: &Observation, windows: Option<&Observation>, fresh: bool) -> Option<FirstCall> {
    let never = |record: &RankRecord| record.cold.start == record.cold.end;
    let first_us = first.ranks.iter().filter(|record| !never(record)).map(|record| record.time_per_call(&record.cold));
    Some(FirstCall {
        launch: first.occasion.launch.saturating_add(1),
        first_us: first_us.max()?.as_us(),
        later_us: windows.and_then(|windows| median(&slowest_us(windows))),
        fresh,
    })
}

/// Returns the number of the window method at one fixed length.
pub(super) fn fixed_window(
    launches: &[&Observation],
    reference: &[&Observation],
    reading: &Reading,
) -> Option<FixedWindow> {
    let window_us = launches.first()?.case.timing.conditions.window?.as_us();
    let cell = cell((Method::Window, false), launches, reference, reading);
    let idle_us = cell.us.map(|time| (window_us - time.value).max(0.0));
    Some(FixedWindow { window_us, idle_us, cell })
}
