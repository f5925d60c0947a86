//! Intervals that stay honest where repetitions depend on each other: batches long enough to forget.

use super::Autocorrelation;
use super::mean::{mean, squares, student};
use super::{finite, proper};
use models::machine::Estimate;

/// Batches last this many correlation times.
const CORRELATION_TIMES: f64 = 6.0;
/// With fewer batches there is no interval.
const LEAST: usize = 6;
/// More batches gain nothing that Student's quantile has not given already (Schmeiser 1982).
const MOST: usize = 30;

/// A statistic of a series, with an interval from batches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Batched {
    /// The statistic of all samples and its interval.
    pub estimate: Estimate,
    /// Batches compared with each other.
    pub batches: usize,
}

/// A statistic of all samples ± t·s/√b, with s the spread of the statistic over b successive batches and t at b − 1 degrees
/// of freedom (batch means: Conway 1963, Schmeiser 1982; batch quantiles: Seila 1982).
///
/// Samples in the order in which they were taken. A batch lasts six correlation times n / n_effective
/// ([`Autocorrelation`]), and there are 6 to 30 of them. `None` where the series is too short for its memory: it
/// cannot tell how sure it is. `None` too where `statistic` is for a batch.
pub fn batched_interval(
    samples: &[f64],
    statistic: impl Fn(&[f64]) -> Option<f64>,
    confidence: f64,
) -> Option<Batched> {
    proper(confidence)?;
    let samples = finite(samples)?;
    let value = statistic(samples)?;
    if samples.len() >= LEAST && samples.iter().all(|sample| *sample == samples[0]) {
        return Some(Batched { estimate: Estimate { value, low: value, high: value }, batches: LEAST });
    }
    let effective = Autocorrelation::of(samples)?.effective_n;
    let batches = ((effective / CORRELATION_TIMES) as usize).min(MOST);
    if batches < LEAST {
        return None;
    }
    let bound = |batch: usize| samples.len() * batch / batches;
    let of_batches: Option<Vec<f64>> =
        (0..batches).map(|batch| statistic(&samples[bound(batch)..bound(batch + 1)])).collect();
    let of_batches = of_batches?;
    let b = batches as f64;
    let spread = squares(&of_batches) / (b - 1.0) + (mean(&of_batches) - value).powi(2);
    let reach = student(confidence, b - 1.0)? * (spread / b).sqrt();
    Some(Batched { estimate: Estimate { value, low: value - reach, high: value + reach }, batches })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::median;

    #[test]
    fn a_series_too_short_for_its_memory_has_no_interval() {
        let ramp: Vec<f64> = (0..500).map(f64::from).collect();
        assert_eq!(batched_interval(&ramp, median, 0.95), None);
        assert_eq!(batched_interval(&ramp[..5], median, 0.95), None);
        assert_eq!(batched_interval(&[], median, 0.95), None);
        assert_eq!(batched_interval(&[1.0; 40], median, 1.0), None);
    }

    #[test]
    fn the_reach_is_students_over_batches() {
        // Independent enough to be cut into the most batches, 30 of 10, whose means vary about the mean of all.
        let samples: Vec<f64> = (0..300u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) >> 16)).collect();
        let average = |batch: &[f64]| Some(mean(batch));
        let found = batched_interval(&samples, average, 0.95).expect("independent samples");
        assert_eq!(found.batches, MOST);
        let means: Vec<f64> = samples.chunks(10).map(mean).collect();
        let student = crate::statistics::mean_with_interval(&means, 0.95).expect("30 means");
        assert!((found.estimate.low / student.low - 1.0).abs() < 1e-9, "{found:?} {student:?}");
        assert!((found.estimate.high / student.high - 1.0).abs() < 1e-9, "{found:?} {student:?}");
    }

    #[test]
    fn constants_are_certain() {
        let found = batched_interval(&[3.0; 10], median, 0.99).expect("samples");
        assert_eq!(found.estimate, Estimate { value: 3.0, low: 3.0, high: 3.0 });
    }
}
