//! Bootstrap intervals of any statistic: percentile and BCa; and of the mean: bootstrap-t.

use super::mean::{mean, squares};
use super::median::quantile_of;
use super::{RESAMPLES, percentile_interval, proper, sorted};
use models::machine::Estimate;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, Normal};

/// A statistic and its values for 2000 resamples: drawn once, read at every confidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Bootstrap {
    value: f64,
    /// Ascending.
    replicates: Vec<f64>,
    /// What leaving each sample out takes from the statistic.
    acceleration: f64,
}

impl Bootstrap {
    /// Of any statistic, which must be finite for all resamples; `None` where it is not, or for fewer than two samples.
    pub fn of(samples: &[f64], statistic: impl Fn(&[f64]) -> f64, seed: u64) -> Option<Bootstrap> {
        let whole = sorted(samples).filter(|samples| samples.len() > 1)?;
        let left_out: Vec<f64> = (0..whole.len())
            .map(|out| {
                let rest: Vec<f64> = [&whole[..out], &whole[out + 1..]].concat();
                statistic(&rest)
            })
            .collect();
        let replicates = resamples(&whole, seed).map(|resample| statistic(&resample)).collect();
        Bootstrap::with(statistic(&whole), &left_out, replicates)
    }

    /// Of the mean, in less time.
    pub fn of_mean(samples: &[f64], seed: u64) -> Option<Bootstrap> {
        let whole = sorted(samples).filter(|samples| samples.len() > 1)?;
        let left_out: Vec<f64> = whole.iter().map(|sample| -sample).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n = whole.len();
        let mut resample = || (0..n).map(|_| whole[rng.random_range(0..n)]).sum::<f64>() / n as f64;
        Bootstrap::with(mean(&whole), &left_out, (0..RESAMPLES).map(|_| resample()).collect())
    }

    /// The statistics of the samples without one each need be right up to a common factor and term.
    fn with(value: f64, left_out: &[f64], replicates: Vec<f64>) -> Option<Bootstrap> {
        let centre = mean(left_out);
        let cubes: f64 = left_out.iter().map(|without| (centre - without).powi(3)).sum();
        let spread = squares(left_out).powf(1.5);
        let acceleration = if spread > 0.0 { cubes / (6.0 * spread) } else { 0.0 };
        let all_finite = value.is_finite() && acceleration.is_finite();
        let replicates = sorted(&replicates).filter(|_| all_finite)?;
        Some(Bootstrap { value, replicates, acceleration })
    }

    /// The middle `confidence` share of the replicates (Efron 1979), widened to hold the value itself.
    ///
    /// Too narrow for few samples, and blind to skewness.
    pub fn percentile(&self, confidence: f64) -> Option<Estimate> {
        percentile_interval(self.value, &self.replicates, confidence)
    }

    /// The replicates between the shares Φ(z₀ + (z₀ ± z)/(1 − a(z₀ ± z))): corrected for bias z₀ and
    /// acceleration a, the latter by the jackknife (Efron 1987; Efron and Tibshirani 1993, equations 14.10–14.15).
    pub fn bca(&self, confidence: f64) -> Option<Estimate> {
        let normal = Normal::standard();
        let reach = normal.inverse_cdf(f64::midpoint(1.0, proper(confidence)?));
        let end = |z: f64| quantile_of(&self.replicates, self.share_at(&normal, z));
        let (low, high) = (end(-reach), end(reach));
        Some(Estimate { value: self.value, low: low.min(self.value), high: high.max(self.value) })
    }

    fn share_at(&self, normal: &Normal, z: f64) -> f64 {
        let bias = self.bias(normal);
        let shifted = bias + z;
        let slack = 1.0 - self.acceleration * shifted;
        // Beyond the pole lies everything on that side.
        if slack > 0.0 { normal.cdf(bias + shifted / slack) } else { f64::from(u8::from(shifted > 0.0)) }
    }

    /// z₀: where among the replicates the value itself lies, replicates equal to it counting half.
    fn bias(&self, normal: &Normal) -> f64 {
        let below = self.replicates.partition_point(|&replicate| replicate < self.value);
        let not_above = self.replicates.partition_point(|&replicate| replicate <= self.value);
        let all = self.replicates.len() as f64;
        let share = (below + not_above) as f64 / 2.0 / all;
        normal.inverse_cdf(share.clamp(0.5 / all, 1.0 - 0.5 / all))
    }
}

/// Resamples with replacement, each as long as the samples.
fn resamples(samples: &[f64], seed: u64) -> impl Iterator<Item = Vec<f64>> + '_ {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n = samples.len();
    (0..RESAMPLES).map(move |_| (0..n).map(|_| samples[rng.random_range(0..n)]).collect())
}

/// A mean and its t for 2000 resamples (Efron 1981; Efron and Tibshirani 1993, equation 12.22). Of the intervals of
/// a mean here this bears skewness best.
#[derive(Clone, Debug, PartialEq)]
pub struct BootstrapT {
    value: f64,
    standard_error: f64,
    /// (mean of the resample − mean) / standard error of the resample, ascending.
    ts: Vec<f64>,
}

impl BootstrapT {
    /// `None` for fewer than two samples, or where one is not finite.
    pub fn of_mean(samples: &[f64], seed: u64) -> Option<BootstrapT> {
        let whole = sorted(samples).filter(|samples| samples.len() > 1)?;
        let n = whole.len() as f64;
        let error = |samples: &[f64]| (squares(samples) / (n - 1.0) / n).sqrt();
        let (value, standard_error) = (mean(&whole), error(&whole));
        if standard_error == 0.0 {
            return Some(BootstrapT { value, standard_error, ts: vec![0.0] });
        }
        let ts = resamples(&whole, seed).map(|resample| (mean(&resample) - value) / error(&resample));
        // A resample of one sample n times has no error of its own.
        let ts = sorted(&ts.filter(|t| t.is_finite()).collect::<Vec<f64>>())?;
        Some(BootstrapT { value, standard_error, ts })
    }

    /// Student's interval, with these t in place of his.
    pub fn interval(&self, confidence: f64) -> Option<Estimate> {
        let tail = (1.0 - proper(confidence)?) / 2.0;
        let end = |share: f64| self.value - quantile_of(&self.ts, share) * self.standard_error;
        let (low, high) = (end(1.0 - tail), end(tail));
        Some(Estimate { value: self.value, low: low.min(self.value), high: high.max(self.value) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Efron and Tibshirani 1993, table 14.1: spatial test A of 26 children.
    const SPATIAL: [f64; 26] = [
        48.0, 36.0, 20.0, 29.0, 42.0, 42.0, 20.0, 42.0, 22.0, 41.0, 45.0, 14.0, 6.0, 0.0, 33.0, 28.0, 34.0, 4.0, 32.0,
        24.0, 47.0, 41.0, 24.0, 26.0, 30.0, 41.0,
    ];

    fn variance(samples: &[f64]) -> f64 {
        squares(samples) / samples.len() as f64
    }

    #[test]
    fn intervals_of_a_variance_are_those_of_the_book() {
        let bootstrap = Bootstrap::of(&SPATIAL, variance, 1).expect("samples");
        // Table 14.2 and equations 14.13 to 14.15: variance 171.5, a = 0.061, z0 = 0.146, at 90 % percentile
        // (100.8, 233.9) and BCa (115.8, 259.6), each of 2000 resamples.
        assert!((bootstrap.value - 171.5).abs() < 0.05, "{}", bootstrap.value);
        assert!((bootstrap.acceleration - 0.061).abs() < 5e-4, "{}", bootstrap.acceleration);
        assert!((bootstrap.bias(&Normal::standard()) - 0.146).abs() < 0.07);
        let near =
            |found: Estimate, low: f64, high: f64| (found.low - low).abs() < 6.0 && (found.high - high).abs() < 9.0;
        let (percentile, bca) = (bootstrap.percentile(0.9).expect("some"), bootstrap.bca(0.9).expect("some"));
        assert!(near(percentile, 100.8, 233.9), "{percentile:?}");
        assert!(near(bca, 115.8, 259.6), "{bca:?}");
    }

    #[test]
    fn the_quick_way_for_the_mean_is_the_general_one() {
        let (quick, general) = (Bootstrap::of_mean(&SPATIAL, 9), Bootstrap::of(&SPATIAL, mean, 9));
        let (quick, general) = (quick.expect("samples"), general.expect("samples"));
        assert!((quick.acceleration - general.acceleration).abs() < 1e-9);
        let (a, b) = (quick.bca(0.95).expect("some"), general.bca(0.95).expect("some"));
        assert!((a.low - b.low).abs() < 1e-9 && (a.high - b.high).abs() < 1e-9, "{a:?} {b:?}");
        assert_ne!(Bootstrap::of_mean(&SPATIAL, 8), Some(quick));
    }

    #[test]
    fn constants_have_no_width_and_nothing_has_no_interval() {
        let constant = Bootstrap::of_mean(&[4.0; 9], 1).expect("samples");
        let exactly = Estimate { value: 4.0, low: 4.0, high: 4.0 };
        assert_eq!((constant.bca(0.99), constant.percentile(0.99)), (Some(exactly), Some(exactly)));
        assert_eq!(BootstrapT::of_mean(&[4.0; 9], 1).and_then(|t| t.interval(0.99)), Some(exactly));
        for samples in [&[][..], &[1.0], &[1.0, f64::NAN]] {
            assert_eq!(Bootstrap::of_mean(samples, 1), None);
            assert_eq!(Bootstrap::of(samples, mean, 1), None);
            assert_eq!(BootstrapT::of_mean(samples, 1), None);
        }
        assert_eq!(Bootstrap::of(&[1.0, 2.0], |_| f64::NAN, 1), None);
        assert_eq!(constant.bca(1.0), None);
    }
}
