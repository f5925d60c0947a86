//! Samples that lie apart: named by a rule and counted, never dropped.

use super::median::{middle_of, quantile_of};
use super::{medcouple, sorted};
use serde::{Deserialize, Serialize};

/// What counts as lying apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutlierRule {
    /// Beyond the whiskers of the box plot for skewed samples, with MC the medcouple: [Q₁ − 1.5·e^(−4·MC)·IQR,
    /// Q₃ + 1.5·e^(3·MC)·IQR] for MC ≥ 0, exponents −3 and 4 for MC < 0 (Hubert and Vandervieren 2008, equations 5 and 6).
    /// Times are skewed to the right; the long tail alone does not make outliers.
    #[default]
    Medcouple,
    /// Further than 3.5·1.4826·MAD from the median (Iglewicz and Hoaglin 1993).
    MedianDeviation,
}

/// How many samples lie apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outliers {
    /// The rule.
    pub rule: OutlierRule,
    /// Samples below this lie apart.
    pub low_fence: f64,
    /// Samples above this lie apart.
    pub high_fence: f64,
    /// How many are below.
    pub below: usize,
    /// How many are above.
    pub above: usize,
}

impl Outliers {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.below + self.above
    }

    /// A sample drawn in to the nearest fence.
    pub fn drawn_in(&self, sample: f64) -> f64 {
        sample.clamp(self.low_fence, self.high_fence)
    }
}

/// Counts the samples that lie apart. `None` for fewer than five samples, or where one is not finite.
pub fn outliers(samples: &[f64], rule: OutlierRule) -> Option<Outliers> {
    let sorted = sorted(samples).filter(|sorted| sorted.len() >= 5)?;
    let (low_fence, high_fence) = match rule {
        OutlierRule::Medcouple => adjusted_whiskers(&sorted),
        OutlierRule::MedianDeviation => {
            let middle = middle_of(&sorted);
            let mut deviations: Vec<f64> = sorted.iter().map(|sample| (sample - middle).abs()).collect();
            deviations.sort_unstable_by(f64::total_cmp);
            let reach = 3.5 * 1.4826 * middle_of(&deviations);
            (middle - reach, middle + reach)
        }
    };
    let below = sorted.partition_point(|&sample| sample < low_fence);
    let above = sorted.len() - sorted.partition_point(|&sample| sample <= high_fence);
    Some(Outliers { rule, low_fence, high_fence, below, above })
}

fn adjusted_whiskers(sorted: &[f64]) -> (f64, f64) {
    let (first, third) = (quantile_of(sorted, 0.25), quantile_of(sorted, 0.75));
    let skewness = medcouple::of(sorted);
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
        let found = outliers(&samples[..9], OutlierRule::Medcouple).expect("samples");
        assert_eq!((found.low_fence, found.high_fence), (-3.0, 13.0));
        assert_eq!(found.count(), 0);
        let found = outliers(&samples, OutlierRule::Medcouple).expect("samples");
        assert_eq!((found.below, found.above), (0, 1));
        assert_eq!((found.drawn_in(40.0), found.drawn_in(5.0)), (found.high_fence, 5.0));
    }

    #[test]
    fn a_long_tail_is_not_called_outliers() {
        // The quantiles of an exponential distribution: with Tukey's fences, 1.5 IQR, 4.8 % lie above.
        let samples: Vec<f64> = (0..200).map(|i| -(1.0 - (f64::from(i) + 0.5) / 200.0).ln()).collect();
        let adjusted = outliers(&samples, OutlierRule::Medcouple).expect("samples");
        assert!(adjusted.above <= 3, "{adjusted:?}");
        let (first, third) = (quantile_of(&samples, 0.25), quantile_of(&samples, 0.75));
        assert!(samples.iter().filter(|&&sample| sample > third + 1.5 * (third - first)).count() >= 9);
    }

    #[test]
    fn median_deviations_by_hand() {
        // About 4: 3 2 1 0 1 2 96; their median 2, fences 4 ∓ 10.3782.
        let found = outliers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 100.0], OutlierRule::MedianDeviation).expect("samples");
        assert!((found.high_fence - 14.3782).abs() < 1e-9 && (found.low_fence + 6.3782).abs() < 1e-9, "{found:?}");
        assert_eq!((found.below, found.above), (0, 1));
    }

    #[test]
    fn too_few_samples_have_none() {
        assert_eq!(outliers(&[1.0, 2.0, 3.0, 4.0], OutlierRule::Medcouple), None);
        assert_eq!(outliers(&[1.0, 2.0, 3.0, 4.0, f64::NAN], OutlierRule::Medcouple), None);
        assert_eq!(outliers(&[2.0; 6], OutlierRule::Medcouple).map(|found| found.count()), Some(0));
    }
}
