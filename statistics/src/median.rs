//! Median with its exact order-statistic interval, and quantiles.

use super::{proper, sorted};
use programs::machine::Estimate;
use statrs::distribution::{Binomial, DiscreteCDF};

/// Median with the interval between two order statistics that contains the true one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MedianInterval {
    /// Sample median with the interval.
    pub estimate: Estimate,
    /// Confidence of the interval: at least the one asked for, except where even \[min, max\] does not reach it. Then
    /// it is that interval's, 1 − 2^(1−n).
    pub reached: f64,
}

/// Returns the median with the narrowest symmetric interval of order statistics [X₍ₗ₎, X₍ₙ₊₁₋ₗ₎] whose coverage 1 −
/// 2·P(Bin(n, ½) < l) is at least `confidence` (Thompson 1936; Hahn and Meeker 1991, section 5.2).
///
/// Exact for independent samples of any continuous distribution, at least that where values repeat. Fewer samples than
/// 1 − log₂(1 − confidence) cannot reach the confidence (8 are needed for 99 %): the interval is then [min, max] and
/// [`MedianInterval::reached`] says how much that is.
pub fn median_with_interval(samples: &[f64], confidence: f64) -> Option<MedianInterval> {
    let confidence = proper(confidence)?;
    let sorted = sorted(samples)?;
    let n = sorted.len();
    let (mut rank, mut too_high) = (1, n / 2 + 1);
    // Coverage falls as the rank rises: find the last rank that reaches the confidence.
    while too_high - rank > 1 {
        let middle = rank + (too_high - rank) / 2;
        if coverage(n, middle) >= confidence { rank = middle } else { too_high = middle }
    }
    let estimate = Estimate { value: middle_of(&sorted), low: sorted[rank - 1], high: sorted[n - rank] };
    Some(MedianInterval { estimate, reached: coverage(n, rank) })
}

/// Returns P(X₍ₗ₎ ≤ median ≤ X₍ₙ₊₁₋ₗ₎) for the rank l ≥ 1.
fn coverage(n: usize, rank: usize) -> f64 {
    let flips = Binomial::new(0.5, n as u64).expect("a fair coin");
    1.0 - 2.0 * flips.cdf(rank as u64 - 1)
}

/// Returns the sample median: of an even number of samples, the mean of the two in the middle.
pub fn median(samples: &[f64]) -> Option<f64> {
    sorted(samples).map(|sorted| middle_of(&sorted))
}

pub(crate) fn middle_of(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2])
}

/// Returns the quantile of order `share` (0 … 1), interpolated linearly between order statistics at (n−1)·share (type 7
/// of Hyndman and Fan 1996; the default of R and NumPy).
pub fn quantile(samples: &[f64], share: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    sorted(samples).map(|sorted| quantile_of(&sorted, share))
}

pub(super) fn quantile_of(sorted: &[f64], share: f64) -> f64 {
    let at = (sorted.len() - 1) as f64 * share;
    let below = sorted[at.floor() as usize];
    let above = sorted[at.ceil() as usize];
    below + (above - below) * at.fract()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn ranks(n: u32, confidence: f64) -> (f64, f64, f64) {
        let samples: Vec<f64> = (1..=n).rev().map(f64::from).collect();
        let median = median_with_interval(&samples, confidence).expect("samples");
        (median.estimate.low, median.estimate.high, median.reached)
    }

    #[test]
    fn ranks_and_confidence_are_those_of_the_printed_tables() {
        // Tables of binomial intervals for a median give, for n: ranks, confidence in %.
        let printed = [
            (0.95, 6, 1, 6, 96.9),
            (0.95, 9, 2, 8, 96.1),
            (0.95, 10, 2, 9, 97.9),
            (0.95, 15, 4, 12, 96.5),
            (0.95, 17, 5, 13, 95.1),
            (0.95, 20, 6, 15, 95.9),
            (0.99, 8, 1, 8, 99.2),
            (0.99, 12, 2, 11, 99.4),
            (0.99, 15, 3, 13, 99.3),
            (0.99, 18, 4, 15, 99.2),
            (0.99, 20, 4, 17, 99.7),
        ];
        for (confidence, n, low, high, percent) in printed {
            let (l, h, reached) = ranks(n, confidence);
            assert_eq!((l, h), (f64::from(low), f64::from(high)), "n = {n}");
            assert!((reached * 100.0 - percent).abs() <= 0.051, "n = {n}: {reached}");
        }
        // One step on either side of the median of 35 (Zaiontz, Real Statistics): 0.264121.
        assert!((coverage(35, 17) - 0.264_121).abs() < 5e-7);
    }

    #[test]
    fn where_the_confidence_cannot_be_reached_the_interval_is_everything_and_says_so() {
        for (n, confidence) in [(7, 0.99), (2, 0.99), (1, 0.5)] {
            let (low, high, reached) = ranks(n, confidence);
            assert_eq!((low, high), (1.0, f64::from(n)));
            assert!((reached - (1.0 - 2f64.powi(1 - n as i32))).abs() < 1e-12, "n = {n}: {reached}");
        }
    }

    #[test]
    fn no_data_is_no_number() {
        for samples in [vec![], vec![f64::NAN], vec![1.0, f64::INFINITY]] {
            assert_eq!(median_with_interval(&samples, 0.99), None);
            assert_eq!(median(&samples), None);
            assert_eq!(quantile(&samples, 0.5), None);
        }
        for confidence in [0.0, 1.0, -0.5, f64::NAN] {
            assert_eq!(median_with_interval(&[1.0], confidence), None);
        }
        assert_eq!(quantile(&[1.0], 1.5), None);
    }

    #[test]
    fn quantiles_are_those_of_type_7() {
        // R: quantile(c(1, 3, 4, 8, 20), c(0, .1, .5, .75, .99, 1)).
        let expected = [(0.0, 1.0), (0.1, 1.8), (0.5, 4.0), (0.75, 8.0), (0.99, 19.52), (1.0, 20.0)];
        for (share, value) in expected {
            let found = quantile(&[20.0, 3.0, 1.0, 8.0, 4.0], share).expect("samples");
            assert!((found - value).abs() < 1e-12, "{share}: {found}");
        }
        assert_eq!(median(&[4.0, 1.0, 3.0, 10.0]), Some(3.5));
    }

    /// Share of 2000 trials in which the interval of n draws holds the true median.
    fn covered(n: usize, confidence: f64, true_median: f64, draw: fn(&mut ChaCha8Rng) -> f64) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(20_260_714);
        let trials = 2_000;
        let hits = (0..trials).filter(|_| {
            let samples: Vec<f64> = (0..n).map(|_| draw(&mut rng)).collect();
            let estimate = median_with_interval(&samples, confidence).expect("samples").estimate;
            (estimate.low..=estimate.high).contains(&true_median)
        });
        hits.count() as f64 / f64::from(trials)
    }

    fn exponential(rng: &mut ChaCha8Rng) -> f64 {
        -(1.0 - rng.random::<f64>()).ln()
    }

    fn lognormal(rng: &mut ChaCha8Rng) -> f64 {
        // Box and Muller 1958.
        let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
        (radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()).exp()
    }

    #[test]
    fn the_interval_covers_the_true_median_as_often_as_it_says() {
        for (n, confidence) in [(9, 0.9), (30, 0.95), (30, 0.99), (101, 0.95)] {
            let reached = coverage(n, ranks(n as u32, confidence).0 as usize);
            let standard_error = (confidence * (1.0 - confidence) / 2_000.0).sqrt();
            for (name, share) in [
                ("exponential", covered(n, confidence, std::f64::consts::LN_2, exponential)),
                ("lognormal", covered(n, confidence, 1.0, lognormal)),
            ] {
                assert!(share >= confidence - 3.0 * standard_error, "{name}, n = {n}: {share} below {confidence}");
                // And not by being needlessly wide: it covers what it claims to have reached.
                assert!((share - reached).abs() <= 4.0 * standard_error, "{name}, n = {n}: {share}, not {reached}");
            }
        }
    }
}
