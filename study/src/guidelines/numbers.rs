//! Numbers of several calls of one campaign that a test may count: launches, or independent samples within one.

use crate::contrast::Sampled;
use statistics::{Autocorrelation, median};

/// Length of batches in correlation times: the remaining correlation widens no interval by more than a few percent.
const CORRELATION_TIMES: f64 = 6.0;
/// Length of batches, in correlation times, where the usual one leaves too few of them.
const AT_LEAST: f64 = 3.0;
/// Number of batches that is enough for a test.
const ENOUGH: usize = 12;

/// Returns independent numbers of several cases, in µs: the medians of launches where each case has several; else
/// samples, or the medians of batches of them where they are correlated. The calls were measured in the same launches,
/// so that samples of one launch can be compared. The order of the cases has no effect.
pub(super) fn together(cases: &[&Sampled]) -> Vec<Vec<f64>> {
    let each = |of: &dyn Fn(&[Vec<f64>]) -> Vec<f64>| cases.iter().map(|case| of(&case.launches)).collect::<Vec<_>>();
    if cases.iter().all(|case| case.launches.len() > 1) {
        return each(&|launches| launches.iter().filter_map(|launch| median(launch)).collect());
    }
    let launches = cases.iter().flat_map(|case| &case.launches);
    let memory = launches.map(|launch| memory(launch)).fold(1.0, f64::max);
    if memory <= 1.0 {
        return each(&|launches| launches.concat());
    }
    let cut = |times: f64| each(&|launches| batches(launches, (memory * times).ceil() as usize));
    let long = cut(CORRELATION_TIMES);
    let fewest = long.iter().map(Vec::len).min().unwrap_or(0);
    if fewest >= ENOUGH { long } else { cut(AT_LEAST) }
}

/// Number of successive samples that are worth one independent one; 1 where there is no evidence of correlation.
fn memory(samples: &[f64]) -> f64 {
    let series = Autocorrelation::from_samples(samples).filter(Autocorrelation::is_evident);
    series.map_or(1.0, |series| (samples.len() as f64 / series.effective_n.max(1.0)).max(1.0))
}

/// Medians of batches of about `long` samples; a shorter launch is one batch.
fn batches(launches: &[Vec<f64>], long: usize) -> Vec<f64> {
    let cut = |launch: &Vec<f64>| {
        let count = (launch.len() / long.max(1)).max(1);
        let bound = |batch: usize| launch.len() * batch / count;
        (0..count).filter_map(|batch| median(&launch[bound(batch)..bound(batch + 1)])).collect::<Vec<f64>>()
    };
    launches.iter().flat_map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contrast::tests::{case, rng, times};

    #[test]
    fn launches_count_where_there_are_several_and_samples_that_resemble_each_other_as_batches() {
        let mut rng = rng(1);
        let independent = case("bcast", 8, vec![times(&mut rng, 400, 1.0)]);
        assert_eq!(together(&[&independent, &independent])[0].len(), 400);
        let mut last = 0.0;
        let remembering = times(&mut rng, 400, 1.0).into_iter().map(|time| {
            last = 0.8 * last + time.ln();
            10.0 * last.exp()
        });
        let remembering = case("reduce", 8, vec![remembering.collect()]);
        let numbers = together(&[&independent, &remembering]);
        assert!(numbers[1].len() < 100 && numbers[0].len() == numbers[1].len(), "{numbers:?}");
        let launches = case("scan", 8, vec![vec![1.0, 2.0, 9.0], vec![3.0]]);
        assert_eq!(together(&[&launches, &launches]), [[2.0, 3.0], [2.0, 3.0]]);
    }
}
