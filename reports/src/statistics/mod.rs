//! Statistics of samples, in whatever unit the samples have (µs throughout this crate).
//!
//! No function invents a number: where there are no samples, where one is not finite, or where a
//! confidence does not lie strictly between 0 and 1, the answer is `None`. Random draws come from `ChaCha8Rng`
//! with an explicit seed.

mod bootstrap;
mod line;
mod mean;
mod median;
mod theil_sen;

pub use bootstrap::ratio_of_medians_with_interval;
pub(crate) use bootstrap::{RESAMPLES, ResampledMedians, percentile_interval};
pub use line::{Line, least_relative_deviations};
pub use mean::{TrimmedMean, mean_with_interval, trimmed_mean};
pub use median::{MedianInterval, median, median_with_interval, quantile};
pub use theil_sen::{TheilSen, theil_sen};

use ordered_float::OrderedFloat;

/// The samples in ascending order; `None` if there are none or one is not finite.
fn sorted(samples: &[f64]) -> Option<Vec<f64>> {
    if samples.is_empty() || !samples.iter().all(|sample| sample.is_finite()) {
        return None;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by_key(|&sample| OrderedFloat(sample));
    Some(sorted)
}

/// The confidence, if it lies strictly between 0 and 1.
fn proper(confidence: f64) -> Option<f64> {
    (confidence > 0.0 && confidence < 1.0).then_some(confidence)
}
