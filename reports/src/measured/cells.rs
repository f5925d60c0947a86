//! From the stamps of one case in all its launches to its numbers.

use super::{CONFIDENCE, Cell, FirstCall, FixedWindow, Printed, Seen, Spread};
use crate::compare::samples_us;
use crate::measures::{Measure, columns};
use crate::statistics::{
    Autocorrelation, Batches, mean_with_interval, median, median_with_interval, over_launches, quantile,
    ratio_of_medians_with_interval,
};
use models::aggregation::reported_us;
use models::machine::Estimate;
use models::method::{Method, Preset};
use models::observation::{Counted, Observation, RankRecord};

/// One seed for all intervals of ratios: they do not depend on what else was measured.
const SEED: u64 = 1;

/// The slowest rank's time of each sample, in µs.
pub(crate) fn slowest_us(observation: &Observation) -> Vec<f64> {
    slowest_of_records_us(observation.case.method, &observation.ranks)
}

/// The same of the ranks' records alone.
pub(crate) fn slowest_of_records_us(method: Method, records: &[RankRecord]) -> Vec<f64> {
    let ranks: Vec<Vec<f64>> = (0..records.len()).map(|rank| samples_us(method, records, rank)).collect();
    let samples = ranks.iter().map(Vec::len).min().unwrap_or(0);
    let slowest = |sample: usize| ranks.iter().map(|times| times[sample]).fold(f64::NEG_INFINITY, f64::max);
    (0..samples).map(slowest).collect()
}

/// A method's number over all launches, held against the reference's launches.
pub(super) fn cell(
    (method, is_reference): (Method, bool),
    launches: &[&Observation],
    reference: &[&Observation],
) -> Cell {
    let each: Vec<Vec<f64>> = launches.iter().map(|observation| slowest_us(observation)).collect();
    let starts = |observation: &&Observation| match method.is_synchronised() {
        true => observation.ranks.first().map_or(0, |rank| rank.stamps.len()),
        false => samples_us(method, &observation.ranks, 0).len(),
    };
    Cell {
        method,
        is_reference,
        us: median_over(&each),
        ratio: ratio_over(launches, &each, reference),
        launches_us: each.iter().map(|samples| median(samples)).collect(),
        samples: each.iter().map(Vec::len).sum(),
        starts: launches.iter().map(starts).sum(),
    }
}

/// The median, wide enough for samples that resemble their neighbours. Of several launches what their medians say
/// together: launches are independent of each other, the samples of one are not.
fn median_over(launches: &[Vec<f64>]) -> Option<Estimate> {
    let launches: Vec<Vec<f64>> = launches.iter().filter(|samples| !samples.is_empty()).cloned().collect();
    if let [samples] = launches.as_slice() {
        let order = median_with_interval(samples, CONFIDENCE)?.estimate;
        let remembers = Autocorrelation::of(samples).is_some_and(|series| series.lag_1 > series.bound);
        let batches = Batches::of(samples).filter(|_| remembers);
        let batched = batches.and_then(|batches| batches.interval(median, CONFIDENCE));
        return Some(batched.map_or(order, |batched| Estimate {
            value: order.value,
            low: order.low.min(batched.low),
            high: order.high.max(batched.high),
        }));
    }
    let over = over_launches(&launches, median, CONFIDENCE)?;
    Some(over.median.unwrap_or(over.mean))
}

/// A method's samples over the reference's, launch by launch.
fn ratio_over(launches: &[&Observation], each: &[Vec<f64>], reference: &[&Observation]) -> Option<Estimate> {
    let of_launch = |launch: u32| reference.iter().find(|other| other.case.conditions.launch == launch);
    let pairs = launches.iter().zip(each).filter_map(|(observation, samples)| {
        let reference = slowest_us(of_launch(observation.case.conditions.launch)?);
        (!samples.is_empty() && !reference.is_empty()).then(|| (samples.clone(), reference))
    });
    let pairs: Vec<(Vec<f64>, Vec<f64>)> = pairs.collect();
    if let [(samples, reference)] = pairs.as_slice() {
        return ratio_of_medians_with_interval(samples, reference, CONFIDENCE, SEED);
    }
    let ratio = |(samples, reference): &(Vec<f64>, Vec<f64>)| {
        let divisor = median(reference).filter(|divisor| *divisor > 0.0)?;
        Some(median(samples)? / divisor)
    };
    over_few(&pairs.iter().map(ratio).collect::<Option<Vec<f64>>>()?)
}

/// What every benchmark would print, those together that print the same; `of` knows a method's observations.
pub(super) fn printed<'a>(of: impl Fn(Method) -> Vec<&'a Observation>, reference: &[&Observation]) -> Vec<Printed> {
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
            let number = |launch: &&&Observation| {
                Some((launch.case.conditions.launch, reported_us(&launch.ranks, &column.aggregation)?))
            };
            let numbers: Vec<(u32, f64)> = launches.iter().filter_map(|launch| number(&launch)).collect();
            let us = median(&numbers.iter().map(|(_, us)| *us).collect::<Vec<f64>>());
            let ratio = ratio_of_numbers(&numbers, reference);
            let printed = Printed { by: vec![preset], heads: vec![column.head], us, ratio };
            all.push((preset.method(), column.aggregation, printed));
        }
    }
    all.into_iter().map(|(_, _, printed)| printed).collect()
}

/// One number of each launch over the reference's median in the same launch.
fn ratio_of_numbers(numbers: &[(u32, f64)], reference: &[&Observation]) -> Option<Estimate> {
    let of_launch = |launch: u32| {
        let found = reference.iter().find(|other| other.case.conditions.launch == launch)?;
        median(&slowest_us(found)).filter(|divisor| *divisor > 0.0)
    };
    let ratios: Vec<f64> = numbers.iter().filter_map(|&(launch, us)| Some(us / of_launch(launch)?)).collect();
    over_few(&ratios)
}

/// Ratios of launches, together; of one launch without an interval.
fn over_few(ratios: &[f64]) -> Option<Estimate> {
    if let [only] = ratios {
        return Some(Estimate { value: *only, low: *only, high: *only });
    }
    let middle = median_with_interval(ratios, CONFIDENCE).filter(|median| median.reached >= CONFIDENCE);
    middle.map(|median| median.estimate).or_else(|| mean_with_interval(ratios, CONFIDENCE))
}

/// What else the stamps of the valid windows say, each measure's median over all launches; and the two skews.
pub(super) fn seen(windows: &[&Observation]) -> (Vec<Seen>, Option<Spread>, Option<Spread>) {
    let launches: Vec<_> =
        windows.iter().map(|launch| columns(&launch.ranks, launch.case.root, Counted::FromOwnStart)).collect();
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
pub(super) fn fixed_window(launches: &[&Observation], reference: &[&Observation]) -> Option<FixedWindow> {
    let window_us = launches.first()?.case.conditions.window?.as_us();
    let cell = cell((Method::Window, false), launches, reference);
    let idle_us = cell.us.map(|time| (window_us - time.value).max(0.0));
    Some(FixedWindow { window_us, idle_us, cell })
}
