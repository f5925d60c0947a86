//! What of two cases' samples is independent, so that a test may count it.

use super::side::Sampled;
use crate::statistics::{Autocorrelation, median};
use serde::Serialize;

/// What one number of a test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// The median of a launch: there are several on both sides, so that what varies from launch to launch is seen.
    Launches,
    /// The median of so many successive repetitions, which resemble each other one by one.
    Batches,
    /// A repetition; of several launches on one side only, all of theirs.
    Repetitions,
    /// One number with an interval that the benchmark printed.
    Intervals,
}

/// The numbers that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// What they are.
    pub unit: Unit,
    /// The first side's, in µs.
    pub a: Vec<f64>,
    /// The second side's.
    pub b: Vec<f64>,
    /// What both sides print as their time: the median of launches, else of all repetitions.
    pub medians: (Option<f64>, Option<f64>),
}

/// Batches last so many correlation times: what is left of the correlation widens no interval by more than a few percent.
const CORRELATION_TIMES: f64 = 6.0;
/// Where that leaves too few, so many.
const AT_LEAST: f64 = 3.0;
/// That many batches are enough to be told apart.
const ENOUGH: usize = 12;

/// Independent numbers of both sides; the same for (b, a), the other way round.
pub fn units(a: &Sampled, b: &Sampled) -> Units {
    let (unit, mut numbers) = together(&[a, b]);
    let (second, first) = (numbers.pop().unwrap_or_default(), numbers.pop().unwrap_or_default());
    let of = |numbers: &[f64], side: &Sampled| match unit {
        Unit::Launches => median(numbers),
        Unit::Batches | Unit::Repetitions | Unit::Intervals => median(&side.launches.concat()),
    };
    let medians = (of(&first, a), of(&second, b));
    Units { unit, a: first, b: second, medians }
}

/// Independent numbers of several cases, alike in what they are; the order of cases is of no account.
pub fn together(cases: &[&Sampled]) -> (Unit, Vec<Vec<f64>>) {
    let each = |of: &dyn Fn(&[Vec<f64>]) -> Vec<f64>| cases.iter().map(|case| of(&case.launches)).collect::<Vec<_>>();
    if cases.iter().any(|case| case.estimate.is_some()) {
        return (Unit::Intervals, each(&|launches| launches.concat()));
    }
    if cases.iter().all(|case| case.launches.len() > 1) {
        return (Unit::Launches, each(&|launches| launches.iter().filter_map(|launch| median(launch)).collect()));
    }
    let launches = cases.iter().flat_map(|case| &case.launches);
    let memory = launches.map(|launch| memory(launch)).fold(1.0, f64::max);
    if memory <= 1.0 {
        return (Unit::Repetitions, each(&|launches| launches.concat()));
    }
    let cut = |times: f64| each(&|launches| batches(launches, (memory * times).ceil() as usize));
    let long = cut(CORRELATION_TIMES);
    let fewest = long.iter().map(Vec::len).min().unwrap_or(0);
    (Unit::Batches, if fewest >= ENOUGH { long } else { cut(AT_LEAST) })
}

/// How many successive samples are worth one independent one; 1 where there is no evidence that they resemble each other.
fn memory(samples: &[f64]) -> f64 {
    let series = Autocorrelation::of(samples).filter(Autocorrelation::is_evident);
    series.map_or(1.0, |series| (samples.len() as f64 / series.effective_n.max(1.0)).max(1.0))
}

/// Medians of batches of about so many samples; a launch that is shorter is one batch.
fn batches(launches: &[Vec<f64>], long: usize) -> Vec<f64> {
    let cut = |launch: &Vec<f64>| {
        let count = (launch.len() / long.max(1)).max(1);
        let bound = |batch: usize| launch.len() * batch / count;
        (0..count).filter_map(|batch| median(&launch[bound(batch)..bound(batch + 1)])).collect::<Vec<f64>>()
    };
    launches.iter().flat_map(cut).collect()
}
