//! Quantiles of any order with distribution-free intervals between order statistics.

use super::median::quantile_of;
use super::{proper, sorted};
use programs::machine::Estimate;
use statrs::distribution::{Binomial, DiscreteCDF};

/// Quantile with the interval between two order statistics that contains the true one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantileInterval {
    /// Sample quantile (type 7) with the interval.
    pub estimate: Estimate,
    /// Ranks of the two order statistics, counted from 1.
    pub ranks: (usize, usize),
    /// Confidence of the interval: at least the one asked for, except where an end has no order statistic far enough
    /// out. That end is then the smallest or the largest sample, and this is the confidence that remains.
    pub reached: f64,
}

/// Returns the quantile of order `share` (0 < share < 1) with [X₍ₗ₎, X₍ᵤ₎], where l is the largest rank with P(Bin(n,
/// share) < l) ≤ (1 − confidence)/2 and u the smallest with P(Bin(n, share) ≥ u) ≤ (1 − confidence)/2 (Thompson 1936;
/// Hahn and Meeker 1991, section 5.2).
///
/// Exact for independent samples of any continuous distribution, at least that where values repeat. High quantiles need
/// many samples: the 99 % quantile has an upper end at 95 % from 367 samples on (0.99ⁿ ≤ 0.025).
pub fn quantile_with_interval(samples: &[f64], share: f64, confidence: f64) -> Option<QuantileInterval> {
    let tail = (1.0 - proper(confidence)?) / 2.0;
    let share = proper(share)?;
    let sorted = sorted(samples)?;
    let n = sorted.len();
    let below = Binomial::new(share, n as u64).ok()?;
    let low = last_up_to(n, |rank| below.cdf(rank as u64 - 1) <= tail);
    let too_low = last_up_to(n, |rank| below.sf(rank as u64 - 1) > tail);
    let high = if below.sf(0) <= tail { 1 } else { (too_low + 1).min(n) };
    let value = quantile_of(&sorted, share);
    let estimate = Estimate { value, low: sorted[low - 1].min(value), high: sorted[high - 1].max(value) };
    let reached = (1.0 - below.cdf(low as u64 - 1) - below.sf(high as u64 - 1)).max(0.0);
    Some(QuantileInterval { estimate, ranks: (low, high), reached })
}

/// Returns the last rank of 1 … n that holds, of a property that holds up to some rank, or 1 where it holds for none.
fn last_up_to(n: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut rank, mut too_high) = (1, n + 1);
    while too_high - rank > 1 {
        let middle = rank + (too_high - rank) / 2;
        if holds(middle) { rank = middle } else { too_high = middle }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::super::median_with_interval;
    use super::*;

    fn ranks(n: u32, share: f64, confidence: f64) -> ((usize, usize), f64) {
        let samples: Vec<f64> = (1..=n).rev().map(f64::from).collect();
        let found = quantile_with_interval(&samples, share, confidence).expect("samples");
        (found.ranks, found.reached)
    }

    #[test]
    fn at_one_half_it_is_the_medians_interval() {
        for n in 1..80 {
            for confidence in [0.5, 0.9, 0.95, 0.99] {
                let samples: Vec<f64> = (0..n).map(f64::from).collect();
                let quantile = quantile_with_interval(&samples, 0.5, confidence).expect("samples");
                let median = median_with_interval(&samples, confidence).expect("samples");
                assert_eq!(quantile.estimate, median.estimate, "n = {n} at {confidence}");
                assert!((quantile.reached - median.reached).abs() < 1e-9);
            }
        }
        assert_eq!(ranks(10, 0.5, 0.95).0, (2, 9));
    }

    #[test]
    fn an_upper_quartile_by_the_binomial_table() {
        // Binomial table for n = 16, p = 0.75 (Conover 1999, table A3): P(Y ≤ 8) = 0.0271, P(Y ≤ 9) = 0.0796,
        // P(Y ≤ 14) = 0.9365, P(Y ≤ 15) = 0.9900. With at most 5 % at each end that is ranks 9 and 16.
        let (found, reached) = ranks(16, 0.75, 0.90);
        assert_eq!(found, (9, 16));
        assert!((reached - (0.9900 - 0.0271)).abs() < 1e-4, "{reached}");
        // Asked for less, one step in at each end: 0.9365 − 0.0796.
        let (found, reached) = ranks(16, 0.75, 0.84);
        assert_eq!(found, (10, 15));
        assert!((reached - 0.8569).abs() < 1e-4, "{reached}");
    }

    #[test]
    fn a_high_quantile_of_few_samples_says_what_its_interval_is_worth() {
        let (found, reached) = ranks(366, 0.99, 0.95);
        assert_eq!(found.1, 366);
        assert!(reached < 0.975, "the upper tail alone is 0.99^366 = 0.0253: {reached}");
        let (found, reached) = ranks(367, 0.99, 0.95);
        assert_eq!(found.1, 367);
        assert!(reached >= 0.95, "{reached}");
        // Mirrored at the other end.
        assert_eq!(ranks(16, 0.25, 0.90).0, (1, 8));
    }

    #[test]
    fn no_data_and_no_proper_share_have_none() {
        assert_eq!(quantile_with_interval(&[], 0.5, 0.95), None);
        assert_eq!(quantile_with_interval(&[1.0, f64::NAN], 0.5, 0.95), None);
        for share in [0.0, 1.0, f64::NAN] {
            assert_eq!(quantile_with_interval(&[1.0, 2.0], share, 0.95), None);
        }
        assert_eq!(quantile_with_interval(&[1.0, 2.0], 0.5, 1.0), None);
        let one = quantile_with_interval(&[7.0], 0.9, 0.95).expect("a sample");
        assert_eq!((one.estimate.low, one.estimate.high, one.reached), (7.0, 7.0, 0.0));
    }
}
