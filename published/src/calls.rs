//! The times of one row's calls, in µs, and their statistics.

use programs::machine::Estimate;
use serde::Serialize;
use statistics::{Autocorrelation, Batches, median, quantile};

/// Confidence of the interval of a median.
const CONFIDENCE: f64 = 0.95;
/// Number of successive calls whose median says where the series is.
const SETTLING: usize = 9;
/// Share by which that median may differ from that of all calls but the first, where a series has settled.
const SETTLED: f64 = 0.05;

/// Order statistics over all calls, the first one included, as far as they are published or follow from single calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Calls {
    /// Number of calls in the row.
    pub count: u64,
    /// Time of the first call, which pays for connections that are not there yet.
    pub first_us: Option<f64>,
    /// Least time of a call.
    pub min_us: f64,
    /// Quantile of 10 % of the calls' times.
    pub p10_us: f64,
    /// Quantile of 25 % of the calls' times.
    pub p25_us: f64,
    /// Median time of the calls.
    pub median_us: f64,
    /// Quantile of 75 % of the calls' times.
    pub p75_us: f64,
    /// Quantile of 90 % of the calls' times.
    pub p90_us: f64,
    /// Mean time of the calls.
    pub mean_us: f64,
    /// Greatest time of a call.
    pub max_us: f64,
    /// Number of calls before the first nine successive ones whose median is within 5 % of that of all calls but the
    /// first, the first call included. `None` where there are fewer calls, or none such, or a summary is published
    /// alone.
    pub unsettled: Option<u64>,
    /// Correlation of each call after the first with the next one: calls follow each other and are no independent
    /// samples.
    pub lag_1: Option<f64>,
    /// Median of all calls but the first, with an interval of 95 % from blocks of calls that are longer than their
    /// memory. `None` where there are too few calls for such blocks.
    pub steady: Option<Estimate>,
    /// Time of each call in ns, in the order of the calls. Empty where a summary is published alone.
    #[serde(skip)]
    pub in_order_ns: Vec<u64>,
}

impl Calls {
    /// Computes the statistics of single calls, `None` if there is none.
    pub fn compute(in_order_ns: Vec<u64>) -> Option<Calls> {
        let us: Vec<f64> = in_order_ns.iter().map(|&ns| ns as f64 / 1e3).collect();
        let mut sorted = us.clone();
        sorted.sort_by(f64::total_cmp);
        let share = |share| quantile(&sorted, share);
        let later = us.get(1..)?;
        Some(Calls {
            count: us.len() as u64,
            first_us: us.first().copied(),
            min_us: *sorted.first()?,
            p10_us: share(0.1)?,
            p25_us: share(0.25)?,
            median_us: share(0.5)?,
            p75_us: share(0.75)?,
            p90_us: share(0.9)?,
            mean_us: us.iter().sum::<f64>() / us.len() as f64,
            max_us: *sorted.last()?,
            unsettled: unsettled(later),
            lag_1: Autocorrelation::from_samples(later).map(|found| found.lag_1),
            steady: Batches::from_samples(later).and_then(|batches| batches.interval(median, CONFIDENCE)),
            in_order_ns,
        })
    }

    /// Returns the time of the first call as a multiple of the median. `None` where it is not published, or the median
    /// is zero.
    pub fn first_over_median(&self) -> Option<f64> {
        self.first_us.filter(|_| self.median_us > 0.0).map(|first| first / self.median_us)
    }

    /// Returns the mean of all calls but the first, in µs. `None` where the first is not published, is alone, or took
    /// longer than all did by the mean, as where the mean leaves it out.
    pub fn later_mean_us(&self) -> Option<f64> {
        let first = self.first_us.filter(|_| self.count > 1)?;
        let later = (self.mean_us * self.count as f64 - first) / (self.count - 1) as f64;
        (later >= 0.0).then_some(later)
    }
}

/// Returns [`Calls::unsettled`], given all calls but the first.
fn unsettled(later: &[f64]) -> Option<u64> {
    let steady = median(later)?;
    let is_settled = |calls: &[f64]| median(calls).is_some_and(|here| (here - steady).abs() <= SETTLED * steady);
    later.windows(SETTLING).position(is_settled).map(|calls| calls as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_call_is_told_from_those_behind_it() {
        let falling = [9_000, 800, 700, 600, 500, 400, 300];
        let calls = Calls::compute(falling.into_iter().chain([100; 93]).collect()).expect("calls");
        assert_eq!((calls.first_over_median(), calls.unsettled), (Some(90.0), Some(3)));
        let later = calls.later_mean_us().expect("more than one call");
        assert!((later - (3.3 + 9.3) / 99.0).abs() < 1e-12, "{later}");
        assert_eq!(Calls::compute(vec![100; 9]).expect("calls").unsettled, None, "eight calls behind the first");
        let alone = Calls::compute(vec![100]).expect("a call");
        assert_eq!((alone.later_mean_us(), alone.unsettled), (None, None));
    }

    #[test]
    fn a_mean_without_the_first_call_has_no_part_of_it() {
        let trimmed = Calls { count: 100, first_us: Some(500.0), mean_us: 1.0, median_us: 0.0, ..Calls::default() };
        assert_eq!((trimmed.later_mean_us(), trimmed.first_over_median()), (None, None));
    }
}
