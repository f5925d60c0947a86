//! Statistics of samples, in whatever unit the samples have (µs throughout Parallax).
//!
//! No function invents a number: where there are no samples, where one is not finite, or where a
//! confidence does not lie strictly between 0 and 1, the answer is `None`. Random draws come from `ChaCha8Rng`
//! with an explicit seed.
//!
//! # Start here
//!
//! ```
//! use parallax_statistics::median_with_interval;
//!
//! // The median, and the order statistics between which the true one lies at 95 % confidence.
//! let samples = [5.1, 4.9, 5.0, 5.3, 4.8, 5.2, 9.7, 5.0];
//! let median = median_with_interval(&samples, 0.95).expect("samples");
//! assert_eq!((median.estimate.low, median.estimate.value, median.estimate.high), (4.8, 5.05, 9.7));
//! assert!(median.reached >= 0.95);
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

mod auto_launches;
mod autocorrelation;
mod batches;
mod bootstrap;
mod cliffs_delta;
mod compare_samples;
mod dip;
mod drift;
mod holm;
mod joint;
mod launch_estimate;
mod launches;
mod least_launches;
mod line;
mod mean;
mod medcouple;
mod median;
mod modes;
pub mod noise;
mod nonnegative;
mod outliers;
mod quantile;
mod rank_sums;
mod rank_test;
mod shift;
mod signed_rank;
mod theil_sen;
mod warm_up;

pub use auto_launches::{AutoLaunches, LaunchDecision, deviation_bound, launches_needed};
pub use autocorrelation::Autocorrelation;
pub use batches::Batches;
pub use bootstrap::ratio_of_medians_with_interval;
pub use bootstrap::{RESAMPLES, ResampledMedians, percentile_interval};
pub use cliffs_delta::cliffs_delta;
pub use compare_samples::{Comparison, Faster, compare_pairs, compare_samples};
pub use dip::dip;
pub use drift::{Drift, mann_kendall};
pub use holm::holm;
pub use joint::joint_medians;
pub use launch_estimate::{LaunchCount, LaunchEstimate, launch_estimate, next_launch, next_launch_estimate};
pub use launches::{OverLaunches, over_launches};
pub use least_launches::{Design, least_launches, least_p};
pub use line::least_scaled_deviations;
pub use line::{StraightLine, least_relative_deviations};
pub use mean::mean;
pub use mean::{TrimmedMean, mean_with_interval, trimmed_mean};
pub use median::{MedianInterval, median, median_with_interval, quantile};
pub use modes::{Mode, Modes, modes};
pub use nonnegative::nonnegative_least_squares;
pub use outliers::{Outliers, outliers};
pub use quantile::{QuantileInterval, quantile_with_interval};
pub use rank_test::{MannWhitney, mann_whitney};
pub use shift::{Shift, hodges_lehmann, ratio_of_locations};
pub use signed_rank::{SignedRank, signed_rank};
pub use theil_sen::{TheilSen, theil_sen};
pub use warm_up::{WarmUp, warm_up};

use ordered_float::OrderedFloat;

/// Returns the samples in ascending order, `None` if there are none or one is not finite.
fn sorted(samples: &[f64]) -> Option<Vec<f64>> {
    let mut sorted = finite(samples)?.to_vec();
    sorted.sort_unstable_by_key(|&sample| OrderedFloat(sample));
    Some(sorted)
}

/// Returns the samples in their order, `None` if there are none or one is not finite.
fn finite(samples: &[f64]) -> Option<&[f64]> {
    (!samples.is_empty() && samples.iter().all(|sample| sample.is_finite())).then_some(samples)
}

/// Returns the confidence, if it lies strictly between 0 and 1.
fn proper(confidence: f64) -> Option<f64> {
    (confidence > 0.0 && confidence < 1.0).then_some(confidence)
}
