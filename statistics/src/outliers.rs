//! Samples that lie apart: counted, never dropped.

use super::median::quantile_of;
use super::{medcouple, sorted};
use serde::{Deserialize, Serialize};

/// Samples that lie apart, with the fences that separate them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outliers {
    /// Lower fence: samples below it lie apart.
    pub low_fence: f64,
    /// Upper fence: samples above it lie apart.
    pub high_fence: f64,
    /// Number of samples below the lower fence.
    pub below: usize,
    /// Number of samples above the upper fence.
    pub above: usize,
}

impl Outliers {
    /// Returns the number of samples that lie apart.
    pub fn count(&self) -> usize {
        self.below + self.above
    }

    /// Returns a sample drawn in to the nearest fence.
    pub fn drawn_in(&self, sample: f64) -> f64 {
        sample.clamp(self.low_fence, self.high_fence)
    }
}

/// Counts the samples beyond the whiskers of the box plot for skewed samples, with MC the medcouple: [Q₁ −
/// 1.5·e^(−4·MC)·IQR, Q₃ + 1.5·e^(3·MC)·IQR] for MC ≥ 0, exponents −3 and 4 for MC < 0 (Hubert and Vandervieren 2008,
/// equations 5 and 6). Times are skewed to the right, and the long tail alone does not make outliers. `None` for fewer
/// than five samples, or where one is not finite.
pub fn outliers(samples: &[f64]) -> Option<Outliers> {
    let sorted = sorted(samples).filter(|sorted| sorted.len() >= 5)?;
    let (low_fence, high_fence) = adjusted_whiskers(&sorted);
    let below = sorted.partition_point(|&sample| sample < low_fence);
    let above = sorted.len() - sorted.partition_point(|&sample| sample <= high_fence);
    Some(Outliers { low_fence, high_fence, below, above })
}

fn adjusted_whiskers(sorted: &[f64]) -> (f64, f64) {
    let (first, third) = (quantile_of(sorted, 0.25), quantile_of(sorted, 0.75));
    let skewness = medcouple::medcouple(sorted);
    let (down, up) = if skewness >= 0.0 { (-4.0, 3.0) } else { (-3.0, 4.0) };
    let whisker = |exponent: f64| 1.5 * (exponent * skewness).exp() * (third - first);
    (first - whisker(down), third + whisker(up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symmetric_sample_has_tukeys_fences() {
        let samples: Vec<f64> = (1..=9).map(f64::from).chain([40.0]).collect();
        let found = outliers(&samples[..9]).expect("samples");
        assert_eq!((found.low_fence, found.high_fence), (-3.0, 13.0));
        assert_eq!(found.count(), 0);
        let found = outliers(&samples).expect("samples");
        assert_eq!((found.below, found.above), (0, 1));
        assert_eq!((found.drawn_in(40.0), found.drawn_in(5.0)), (found.high_fence, 5.0));
    }

    #[test]
    fn a_long_tail_is_not_called_outliers() {
        // The quantiles of an exponential distribution: with Tukey's fences, 1.5 IQR, 4.8 % lie above.
        let samples: Vec<f64> = (0..200).map(|i| -(1.0 - (f64::from(i) + 0.5) / 200.0).ln()).collect();
        let adjusted = outliers(&samples).expect("samples");
        assert!(adjusted.above <= 3, "{adjusted:?}");
        let (first, third) = (quantile_of(&samples, 0.25), quantile_of(&samples, 0.75));
        assert!(samples.iter().filter(|&&sample| sample > third + 1.5 * (third - first)).count() >= 9);
    }

    #[test]
    fn too_few_samples_have_none() {
        assert_eq!(outliers(&[1.0, 2.0, 3.0, 4.0]), None);
        assert_eq!(outliers(&[1.0, 2.0, 3.0, 4.0, f64::NAN]), None);
        assert_eq!(outliers(&[2.0; 6]).map(|found| found.count()), Some(0));
    }
}
