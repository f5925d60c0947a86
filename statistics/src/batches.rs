//! Intervals that stay honest where samples depend on each other: batches long enough to forget.

use super::Autocorrelation;
use super::mean::{mean, squares, student};
use super::{finite, proper};
use programs::machine::Estimate;

/// Number of correlation times that a batch lasts.
const CORRELATION_TIMES: f64 = 6.0;
/// Least number of batches: with fewer there is no interval.
const LEAST: usize = 6;
/// Largest number of batches: more gain nothing that Student's quantile has not given already (Schmeiser 1982).
const MOST: usize = 30;

/// Series of samples that is cut into batches.
#[derive(Clone, Copy, Debug)]
pub struct Batches<'a> {
    samples: &'a [f64],
    count: usize,
}

impl<'a> Batches<'a> {
    /// Cuts samples, in the order in which they were taken, into 6 to 30 batches that last six correlation times n /
    /// n_effective each ([`Autocorrelation`]), or longer. `None` where the series is too short for its memory, so that
    /// it cannot tell how sure it is, and where a sample is not finite.
    pub fn from_samples(samples: &'a [f64]) -> Option<Batches<'a>> {
        let samples = finite(samples)?;
        if samples.len() >= LEAST && samples.iter().all(|sample| *sample == samples[0]) {
            return Some(Batches { samples, count: LEAST });
        }
        let effective = Autocorrelation::from_samples(samples)?.effective_n;
        let count = ((effective / CORRELATION_TIMES) as usize).min(MOST);
        (count >= LEAST).then_some(Batches { samples, count })
    }

    /// Returns a statistic of all samples ± t·s/√b, with s the spread of the statistic over the b batches and t
    /// Student's at b − 1 degrees of freedom (batch means: Conway 1963, Schmeiser 1982; batch quantiles: Seila 1982).
    /// `None` where the statistic is `None` for a batch.
    pub fn interval(&self, statistic: impl Fn(&[f64]) -> Option<f64>, confidence: f64) -> Option<Estimate> {
        let value = statistic(self.samples)?;
        let bound = |batch: usize| self.samples.len() * batch / self.count;
        let batch = |batch: usize| statistic(&self.samples[bound(batch)..bound(batch + 1)]);
        let of_batches: Vec<f64> = (0..self.count).map(batch).collect::<Option<_>>()?;
        let b = self.count as f64;
        // About the statistic of all, not about their mean: the deviation of batches from it is part of the error.
        let spread = squares(&of_batches) / (b - 1.0) + (mean(&of_batches) - value).powi(2);
        let reach = student(proper(confidence)?, b - 1.0)? * (spread / b).sqrt();
        Some(Estimate { value, low: value - reach, high: value + reach })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::median;

    fn cut(samples: &[f64]) -> Option<usize> {
        Batches::from_samples(samples).map(|batches| batches.count)
    }

    #[test]
    fn a_series_too_short_for_its_memory_has_no_interval() {
        let ramp: Vec<f64> = (0..500).map(f64::from).collect();
        assert_eq!(cut(&ramp), None);
        assert_eq!(cut(&ramp[..5]), None);
        assert_eq!(cut(&[]), None);
        assert_eq!(cut(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn the_reach_is_students_over_batches() {
        // Independent enough to be cut into the most batches, 30 of 10, whose means vary about the mean of all.
        let samples: Vec<f64> = (0..300u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 16)).collect();
        let average = |batch: &[f64]| Some(mean(batch));
        let batches = Batches::from_samples(&samples).expect("independent samples");
        assert_eq!(batches.count, MOST);
        let found = batches.interval(average, 0.95).expect("batches");
        let means: Vec<f64> = samples.chunks(10).map(mean).collect();
        let student = crate::mean_with_interval(&means, 0.95).expect("30 means");
        assert!((found.low / student.low - 1.0).abs() < 1e-9, "{found:?} {student:?}");
        assert!((found.high / student.high - 1.0).abs() < 1e-9, "{found:?} {student:?}");
    }

    #[test]
    fn constants_are_certain() {
        let batches = Batches::from_samples(&[3.0; 10]).expect("samples");
        assert_eq!(batches.interval(median, 0.99), Some(Estimate { value: 3.0, low: 3.0, high: 3.0 }));
        assert_eq!(batches.interval(median, 1.0), None);
    }
}
