//! Memory of a series: autocorrelations and the effective number of samples.

use super::finite;
use super::mean::{mean, squares};
use serde::{Deserialize, Serialize};

/// Most products spent on the autocorrelations of one series. Longer memories than this finds are cut short.
const PRODUCTS: usize = 50_000_000;

/// Autocorrelation of a series in the order in which it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Autocorrelation {
    /// Autocorrelation r₁ of neighbours.
    pub lag_1: f64,
    /// Bound within which r₁ lies in 95 of 100 independent series: ±1.96/√n (Bartlett 1946).
    pub bound: f64,
    /// Number of independent samples that would fix the mean as well, at most the number of samples.
    pub effective_n: f64,
}

impl Autocorrelation {
    /// Returns the autocorrelation of samples. `None` for fewer than three samples, where one is not finite, and where
    /// all are equal.
    pub fn from_samples(samples: &[f64]) -> Option<Autocorrelation> {
        let series = CentredSeries::from_samples(samples)?;
        let n = samples.len() as f64;
        Some(Autocorrelation { lag_1: series.at(1), bound: 1.96 / n.sqrt(), effective_n: series.effective() })
    }

    /// Returns whether neighbours are more alike, or less, than independent ones would be.
    pub fn is_evident(&self) -> bool {
        self.lag_1.abs() > self.bound
    }
}

/// Series of samples, centred about its mean.
struct CentredSeries {
    centred: Vec<f64>,
    squares: f64,
}

impl CentredSeries {
    fn from_samples(samples: &[f64]) -> Option<CentredSeries> {
        let samples = finite(samples).filter(|samples| samples.len() > 2)?;
        let (mean, squares) = (mean(samples), squares(samples));
        let centred = samples.iter().map(|sample| sample - mean).collect();
        (squares > 0.0 && squares.is_finite()).then_some(CentredSeries { centred, squares })
    }

    /// Returns r_k = Σ (xₜ − x̄)(xₜ₊ₖ − x̄) / Σ (xₜ − x̄)² (Box and Jenkins 1976, equation 2.1.13).
    fn at(&self, lag: usize) -> f64 {
        let later = self.centred.get(lag..).unwrap_or_default();
        self.centred.iter().zip(later).map(|(a, b)| a * b).sum::<f64>() / self.squares
    }

    /// Returns n / τ with τ = −1 + 2·Σ Γₖ, Γₖ = r₂ₖ + r₂ₖ₊₁ summed while positive and made monotone (Geyer 1992,
    /// section 3.3).
    fn effective(&self) -> f64 {
        let n = self.centred.len();
        let last = (n / 2).min((PRODUCTS / n).max(50));
        let (mut sum, mut least) = (0.0, f64::INFINITY);
        for lag in (0..last).step_by(2) {
            least = least.min(self.at(lag) + self.at(lag + 1));
            if least <= 0.0 {
                break;
            }
            sum += least;
        }
        let time = 2.0 * sum - 1.0;
        n as f64 / time.clamp(1.0, n as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lag_1_is_that_of_a_small_example_by_hand() {
        // 1 … 5 about 3: (−2)(−1) + 0 + 0 + 1·2 = 4, of 10; lag 2: 0 − 1 + 0 = −1.
        let series = CentredSeries::from_samples(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("a series");
        assert!((series.at(1) - 0.4).abs() < 1e-15 && (series.at(2) + 0.1).abs() < 1e-15);
        assert_eq!(series.at(9), 0.0);
    }

    #[test]
    fn a_series_that_swings_counts_no_more_than_it_has() {
        let swinging: Vec<f64> = (0..40).map(|i| f64::from(i % 2)).collect();
        let found = Autocorrelation::from_samples(&swinging).expect("a series");
        assert!(found.lag_1 < -0.9 && found.is_evident());
        assert_eq!(found.effective_n, 40.0);
    }

    #[test]
    fn a_ramp_is_hardly_more_than_one_sample() {
        let ramp: Vec<f64> = (0..200).map(f64::from).collect();
        let found = Autocorrelation::from_samples(&ramp).expect("a series");
        assert!(found.effective_n < 4.0, "{found:?}");
    }

    #[test]
    fn what_does_not_vary_has_none() {
        for samples in [&[][..], &[1.0, 2.0], &[3.0; 10], &[1.0, f64::NAN, 2.0]] {
            assert_eq!(Autocorrelation::from_samples(samples), None);
        }
    }
}
