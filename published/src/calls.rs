//! The times of one row's calls, in µs, and what they come to.

use models::machine::Estimate;
use serde::Serialize;
use statistics::{Autocorrelation, Batches, median, quantile};

/// Confidence of the interval of a median.
const CONFIDENCE: f64 = 0.95;

/// Order statistics over all calls, the first one included, as far as they are published or follow from single calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Calls {
    /// How many there are.
    pub count: u64,
    /// The first call, which pays for connections that are not there yet.
    pub first_us: Option<f64>,
    /// The least.
    pub min_us: f64,
    /// The quantile of 10 %.
    pub p10_us: f64,
    /// The quantile of 25 %.
    pub p25_us: f64,
    /// The median.
    pub median_us: f64,
    /// The quantile of 75 %.
    pub p75_us: f64,
    /// The quantile of 90 %.
    pub p90_us: f64,
    /// The mean.
    pub mean_us: f64,
    /// The greatest.
    pub max_us: f64,
    /// Correlation of each call after the first with the next one: calls follow each other and are no independent samples.
    pub lag_1: Option<f64>,
    /// The median of all calls but the first, with an interval of 95 % from blocks of calls that are longer than their
    /// memory; `None` where there are too few calls for such blocks.
    pub steady: Option<Estimate>,
    /// Each call's time in ns, in the order of the calls; empty where a summary is published alone.
    #[serde(skip)]
    pub in_order_ns: Vec<u64>,
}

impl Calls {
    /// What single calls come to; `None` if there is none.
    pub fn of(in_order_ns: Vec<u64>) -> Option<Calls> {
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
            lag_1: Autocorrelation::of(later).map(|found| found.lag_1),
            steady: Batches::of(later).and_then(|batches| batches.interval(median, CONFIDENCE)),
            in_order_ns,
        })
    }
}
