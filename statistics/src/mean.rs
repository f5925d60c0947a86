//! Means: with Student's interval, and trimmed as MPIPerf does.

use super::{proper, sorted};
use programs::aggregation::dropped_at_each_end;
use programs::machine::Estimate;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Returns the mean with Student's interval at n − 1 degrees of freedom (Student 1908).
///
/// It holds for samples that are nearly normal, or many. One sample has no spread and so no interval: `None` for fewer
/// than two.
pub fn mean_with_interval(samples: &[f64], confidence: f64) -> Option<Estimate> {
    let sorted = sorted(samples).filter(|sorted| sorted.len() > 1)?;
    let n = sorted.len() as f64;
    let value = mean(&sorted);
    let standard_error = (squares(&sorted) / (n - 1.0) / n).sqrt();
    let reach = student(confidence, n - 1.0)? * standard_error;
    Some(Estimate { value, low: value - reach, high: value + reach })
}

/// Trimmed mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrimmedMean {
    /// Mean of the samples that were kept.
    pub value: f64,
    /// Winsorised standard error of the mean, `None` where fewer than two samples were kept.
    pub standard_error: Option<f64>,
    /// Number of samples dropped at each end.
    pub dropped: usize,
    /// Number of samples that were kept.
    pub kept: usize,
}

/// Returns the mean without the lowest and the highest ⌊n·share⌋ samples (MPIPerf drops a quarter at each end), 0 ≤
/// share < ½.
///
/// Its standard error is the winsorised one of Tukey and McLaughlin (1963): with each dropped sample replaced by the
/// nearest kept one, s_w the sum of squares about their mean and h kept, √(s_w / (h(h−1))). The plain error of the kept
/// samples is too small: they were chosen for being alike.
pub fn trimmed_mean(samples: &[f64], share: f64) -> Option<TrimmedMean> {
    let mut sorted = sorted(samples).filter(|_| (0.0..0.5).contains(&share))?;
    let n = sorted.len();
    let dropped = dropped_at_each_end(n, share);
    let kept = n - 2 * dropped;
    let value = mean(&sorted[dropped..n - dropped]);
    let (lowest, highest) = (sorted[dropped], sorted[n - dropped - 1]);
    sorted[..dropped].fill(lowest);
    sorted[n - dropped..].fill(highest);
    let h = kept as f64;
    let standard_error = (kept > 1).then(|| (squares(&sorted) / (h * (h - 1.0))).sqrt());
    Some(TrimmedMean { value, standard_error, dropped, kept })
}

impl TrimmedMean {
    /// Returns Student's interval at h − 1 degrees of freedom (Tukey and McLaughlin 1963), `None` without a standard
    /// error.
    pub fn interval(&self, confidence: f64) -> Option<Estimate> {
        let reach = student(confidence, self.kept as f64 - 1.0)? * self.standard_error?;
        Some(Estimate { value: self.value, low: self.value - reach, high: self.value + reach })
    }
}

/// Degrees of freedom from which Student's distribution is the normal one to six digits. Its quantile is then not found
/// by search in any time.
const NORMAL_FROM: f64 = 1e6;

/// Returns the two-sided quantile of Student's distribution.
pub(super) fn student(confidence: f64, degrees: f64) -> Option<f64> {
    let share = f64::midpoint(1.0, proper(confidence)?);
    if degrees > NORMAL_FROM {
        return Normal::new(0.0, 1.0).ok().map(|normal| normal.inverse_cdf(share));
    }
    StudentsT::new(0.0, 1.0, degrees).ok().map(|student| student.inverse_cdf(share))
}

/// Returns the mean, which is not a number without samples.
pub fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}

/// Returns the sum of squares about the mean.
pub(super) fn squares(samples: &[f64]) -> f64 {
    let mean = mean(samples);
    samples.iter().map(|sample| (sample - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn student_interval_of_his_own_data() {
        // Student 1908: additional hours of sleep by drug 1; t(0.975, 9) = 2.262.
        let hours = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let interval = mean_with_interval(&hours, 0.95).expect("samples");
        // R: t.test(extra ~ 1, sleep, subset = group == 1): 0.75, −0.5297804 to 2.0297804.
        assert!((interval.value - 0.75).abs() < 1e-12);
        assert!((interval.low + 0.529_780_4).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - 2.029_780_4).abs() < 1e-6, "{interval:?}");
    }

    #[test]
    fn no_data_and_single_samples_have_no_interval() {
        assert_eq!(mean_with_interval(&[], 0.95), None);
        assert_eq!(mean_with_interval(&[1.0], 0.95), None);
        assert_eq!(mean_with_interval(&[1.0, f64::NAN], 0.95), None);
        assert_eq!(mean_with_interval(&[1.0, 2.0], 1.0), None);
        assert_eq!(trimmed_mean(&[], 0.25), None);
        assert_eq!(trimmed_mean(&[1.0], 0.5), None);
        let one = trimmed_mean(&[7.0], 0.25).expect("a sample");
        assert_eq!((one.value, one.standard_error, one.interval(0.95)), (7.0, None, None));
    }

    #[test]
    fn trimming_drops_a_whole_number_at_each_end() {
        // Rousselet 2017, "Trimmed means": 20 observations, 20 %, 4 at each end, 54.92.
        let seen = [39, 92, 75, 61, 45, 87, 59, 51, 87, 12, 8, 93, 74, 16, 32, 39, 87, 12, 47, 50].map(f64::from);
        let trimmed = trimmed_mean(&seen, 0.2).expect("samples");
        assert_eq!((trimmed.dropped, trimmed.kept), (4, 12));
        assert!((trimmed.value - 54.92).abs() < 0.005, "{trimmed:?}");
        // MPIPerf: ⌊n/4⌋ of 7 is 1.
        assert_eq!(trimmed_mean(&[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 100.0], 0.25).expect("samples").dropped, 1);
        // Winsorised 2 2 3 4 5 9 9 about 34/7: 54.857…; over 5·4.
        let error = trimmed_mean(&[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 100.0], 0.25).and_then(|t| t.standard_error);
        assert!((error.expect("kept five") - (384.0f64 / 7.0 / 20.0).sqrt()).abs() < 1e-12, "{error:?}");
        // Untrimmed it is the ordinary standard error.
        let plain = trimmed_mean(&seen, 0.0).and_then(|t| t.interval(0.95)).expect("samples");
        let student = mean_with_interval(&seen, 0.95).expect("samples");
        assert!((plain.low - student.low).abs() < 1e-9 && (plain.high - student.high).abs() < 1e-9);
    }

    #[test]
    fn the_winsorised_error_covers_where_the_plain_one_of_the_kept_samples_does_not() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut winsorised, mut plain) = (0, 0);
        for _ in 0..2_000 {
            // Symmetric about 0, with heavy tails (Laplace).
            let mut samples: Vec<f64> = (0..40)
                .map(|_| {
                    let size = -(1.0 - rng.random::<f64>()).ln();
                    if rng.random_bool(0.5) { size } else { -size }
                })
                .collect();
            let trimmed = trimmed_mean(&samples, 0.25).and_then(|t| t.interval(0.95)).expect("samples");
            winsorised += u32::from(trimmed.low <= 0.0 && 0.0 <= trimmed.high);
            samples.sort_by(f64::total_cmp);
            let kept = mean_with_interval(&samples[10..30], 0.95).expect("samples");
            plain += u32::from(kept.low <= 0.0 && 0.0 <= kept.high);
        }
        assert!(f64::from(winsorised) / 2_000.0 > 0.95 - 3.0 * (0.95f64 * 0.05 / 2_000.0).sqrt(), "{winsorised}");
        assert!(f64::from(plain) / 2_000.0 < 0.90, "{plain}");
    }
}
