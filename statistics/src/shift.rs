//! The difference, or the factor, by which one sample lies above another (Hodges and Lehmann 1963).

use super::rank_sums::pairs_outside;
use super::{proper, sorted};
use programs::machine::Estimate;
use serde::{Deserialize, Serialize};

/// Shift between two samples, or a factor, with an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shift {
    /// Value of the shift with its interval.
    pub estimate: Estimate,
    /// Confidence of the interval: at least the one asked for, except where even the range of all differences does not
    /// reach it. Then it is that range's.
    pub reached: f64,
}

/// Returns the median of all differences aᵢ − bⱼ, with the interval that inverts the test of Mann and Whitney (Hodges
/// and Lehmann 1963; Moses 1953): exact for independent samples of two continuous distributions that differ by a shift.
/// `None` where one side has no samples.
pub fn hodges_lehmann(a: &[f64], b: &[f64], confidence: f64) -> Option<Shift> {
    let confidence = proper(confidence)?;
    let (a, b) = (sorted(a)?, sorted(b)?);
    let pairs = a.len() * b.len();
    let (outside, reached) = pairs_outside(a.len(), b.len(), confidence);
    let rank = outside.max(1);
    let value = f64::midpoint(difference(&a, &b, pairs.div_ceil(2)), difference(&a, &b, pairs / 2 + 1));
    let (low, high) = (difference(&a, &b, rank), difference(&a, &b, pairs + 1 - rank));
    Some(Shift { estimate: Estimate { value, low: low.min(value), high: high.max(value) }, reached })
}

/// Returns the median of all ratios aᵢ / bⱼ, by the shift of their logarithms: exact where two distributions differ by
/// a factor, as times usually do. `None` where one side has no samples, or one that is not positive.
pub fn ratio_of_locations(a: &[f64], b: &[f64], confidence: f64) -> Option<Shift> {
    let logarithms = |samples: &[f64]| -> Option<Vec<f64>> {
        samples.iter().map(|&sample| (sample > 0.0).then(|| sample.ln())).collect()
    };
    let Shift { estimate, reached } = hodges_lehmann(&logarithms(a)?, &logarithms(b)?, confidence)?;
    let Estimate { value, low, high } = estimate;
    Some(Shift { estimate: Estimate { value: value.exp(), low: low.exp(), high: high.exp() }, reached })
}

/// Returns the k-th smallest of all differences aᵢ − bⱼ, 1 ≤ k ≤ mn: by halving the range of f64s, each time counting
/// the differences up to there along both samples, so that the differences are never all there.
fn difference(a: &[f64], b: &[f64], k: usize) -> f64 {
    let (mut below, mut reached) = (in_order(a[0] - b[b.len() - 1]), in_order(a[a.len() - 1] - b[0]));
    // The answer lies in [below, reached].
    while below < reached {
        let middle = below + (reached - below) / 2;
        if count_up_to(a, b, from_order(middle)) >= k { reached = middle } else { below = middle + 1 }
    }
    from_order(reached)
}

fn count_up_to(a: &[f64], b: &[f64], most: f64) -> usize {
    let mut first = 0;
    let at = |&x: &f64| {
        // As x rises, the first b with x − b ≤ most moves up.
        while first < b.len() && x - b[first] > most {
            first += 1;
        }
        b.len() - first
    };
    a.iter().map(at).sum()
}

/// Returns whole numbers in the order of the f64s they stand for.
fn in_order(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn from_order(number: u64) -> f64 {
    f64::from_bits(if number >> 63 == 1 { number & !(1 << 63) } else { !number }) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shift_of_a_textbook() {
        // Hollander and Wolfe 1973, permeability of membranes: 0.305, at 96 % −0.15 to 0.76.
        let at_term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        let earlier = [1.15, 0.88, 0.90, 0.74, 1.21];
        let found = hodges_lehmann(&at_term, &earlier, 0.95).expect("samples");
        assert!((found.estimate.value - 0.305).abs() < 1e-12, "{found:?}");
        assert!((found.estimate.low + 0.15).abs() < 1e-12 && (found.estimate.high - 0.76).abs() < 1e-12, "{found:?}");
        assert!((found.reached - 0.960).abs() < 5e-4, "{found:?}");
    }

    #[test]
    fn differences_are_the_sorted_ones() {
        let (a, b) = ([-3.0, 0.0, 0.5, 7.25, 7.25], [-1.5, 0.0, 2.0]);
        let mut all: Vec<f64> = a.iter().flat_map(|x| b.iter().map(move |y| x - y)).collect();
        all.sort_by(f64::total_cmp);
        for (k, expected) in all.iter().enumerate() {
            assert_eq!(difference(&a, &b, k + 1), *expected);
        }
        for x in [-1e300, -2.0, -1e-300, 0.0, 1e-300, 3.5, 1e300] {
            assert_eq!(from_order(in_order(x)), x);
        }
        assert_eq!(in_order(-0.0), in_order(0.0));
    }

    #[test]
    fn a_factor_is_a_factor() {
        let b: Vec<f64> = (1..=20).map(|i| 1.0 + f64::from(i * i)).collect();
        let a: Vec<f64> = b.iter().map(|x| 3.0 * x).collect();
        let found = ratio_of_locations(&a, &b, 0.95).expect("samples").estimate;
        assert!((found.value - 3.0).abs() < 1e-9 && found.low < 3.0 && found.high > 3.0, "{found:?}");
        assert_eq!(ratio_of_locations(&a, &[0.0], 0.95), None);
        assert_eq!(hodges_lehmann(&[], &b, 0.95), None);
        assert_eq!(hodges_lehmann(&a, &b, 1.0), None);
        let one = hodges_lehmann(&[5.0], &[3.0], 0.95).expect("samples");
        assert_eq!((one.estimate.value, one.reached), (2.0, 0.0));
    }
}
