//! Test whether differences lie about zero: the signed-rank test (Wilcoxon 1945).

use super::rank_sums::{EXACT_UP_TO, ways_to_sum};
use super::rank_test::{below, not_above};
use super::{finite, sorted};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// Result of a signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignedRank {
    /// Sum of the ranks of positive differences, ranked by size. Equal sizes have the mean of their ranks.
    pub w: f64,
    /// Number of differences that were ranked: all that are not zero.
    pub ranked: usize,
    /// Number of differences of exactly zero, which were dropped.
    pub zeros: usize,
    /// Two-sided p: probability of a sum as far from its middle if each sign were as likely.
    pub p: f64,
    /// Whether p was counted exactly, given the ties. Otherwise it is the normal approximation.
    pub exact: bool,
}

impl SignedRank {
    /// Returns the sum that is expected where each sign is as likely.
    pub fn middle(&self) -> f64 {
        let n = self.ranked as f64;
        n * (n + 1.0) / 4.0
    }
}

/// Carries out Wilcoxon's signed-rank test, two-sided, of differences between the members of pairs (one pair per launch
/// or round).
///
/// Zeros are dropped (Wilcoxon 1945) and counted in `zeros`. Up to 60 differences p is exact: the share of all 2ⁿ
/// assignments of signs to the midranks whose sum is as far from the middle, ties included (Pratt and Gibbons 1981).
/// Above, normal with variance n(n+1)(2n+1)/24 − Σ(t³ − t)/48 for ties of t sizes and half a rank taken off for
/// continuity (Lehmann 1975, chapter 3). If all differences are zero, p is 1. `None` for no differences or one that is
/// not finite.
pub fn signed_rank(differences: &[f64]) -> Option<SignedRank> {
    let differences = finite(differences)?;
    let moved: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    let (ranked, zeros) = (moved.len(), differences.len() - moved.len());
    let exact = ranked <= EXACT_UP_TO;
    let sizes: Vec<f64> = moved.iter().map(|difference| difference.abs()).collect();
    let Some(sizes) = sorted(&sizes) else {
        return Some(SignedRank { w: 0.0, ranked, zeros, p: 1.0, exact });
    };
    let twice_rank = |size: f64| below(&sizes, size) + not_above(&sizes, size) + 1;
    let twice_w: usize = moved.iter().filter(|difference| **difference > 0.0).map(|&size| twice_rank(size)).sum();
    // All midranks add up to n(n + 1)/2, so that this is how far twice the sum is from twice its middle, times two.
    let away = (2 * twice_w).abs_diff(ranked * (ranked + 1));
    let p = if exact {
        let twice_ranks: Vec<usize> = sizes.iter().map(|&size| twice_rank(size)).collect();
        tail_exactly(&twice_ranks, away)
    } else {
        tail_normally(&sizes, away)
    };
    Some(SignedRank { w: twice_w as f64 / 2.0, ranked, zeros, p, exact })
}

/// Returns P(|4W − n(n + 1)| ≥ away) where each rank is as likely to count as not.
fn tail_exactly(twice_ranks: &[usize], away: usize) -> f64 {
    let ways = ways_to_sum(twice_ranks);
    let most = ways.len() - 1;
    let outside = ways.iter().enumerate().filter(|(twice_w, _)| (2 * twice_w).abs_diff(most) >= away);
    (outside.map(|(_, ways)| ways).sum::<f64>() / ways.iter().sum::<f64>()).min(1.0)
}

/// Returns P(|4W − n(n + 1)| ≥ away) by the normal approximation. The sizes ascend.
fn tail_normally(sizes: &[f64], away: usize) -> f64 {
    let n = sizes.len() as f64;
    let ties: f64 = sizes.chunk_by(|a, b| a == b).map(|tied| (tied.len() as f64).powi(3) - tied.len() as f64).sum();
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let z = (away as f64 / 4.0 - 0.5).max(0.0) / variance.sqrt();
    (2.0 * Normal::standard().sf(z)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::approx_constant, reason = "a score of 3.14 is no π")]
    fn the_test_of_a_textbook() {
        // Hollander and Wolfe 1973, table 3.1, depression scores; R: wilcox.test(x, y, paired = TRUE) gives V = 40,
        // p = 0.01953 one-sided.
        let x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        let differences: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
        let found = signed_rank(&differences).expect("differences");
        assert_eq!((found.w, found.ranked, found.zeros, found.exact), (40.0, 9, 0, true));
        assert!((found.p - 2.0 * 10.0 / 512.0).abs() < 1e-12, "{found:?}");
        assert_eq!(found.middle(), 22.5);
    }

    #[test]
    fn ties_are_counted_exactly_and_zeros_dropped() {
        // Midranks 1.5 1.5 3: sums 6 and 0 are furthest out, 2 of 8 ways; all other sums are nearer.
        let found = signed_rank(&[2.0, 2.0, 5.0, 0.0]).expect("differences");
        assert_eq!((found.w, found.ranked, found.zeros), (6.0, 3, 1));
        assert!((found.p - 0.25).abs() < 1e-12, "{found:?}");
        // −2 and 2 cancel: 1.5 + 3 = 4.5 or 1.5 and beyond, 6 of 8 ways.
        let found = signed_rank(&[-2.0, 2.0, 5.0]).expect("differences");
        assert_eq!(found.w, 4.5);
        assert!((found.p - 0.75).abs() < 1e-12, "{found:?}");
        let zeros = signed_rank(&[0.0; 7]).expect("differences");
        assert_eq!((zeros.p, zeros.ranked, zeros.zeros), (1.0, 0, 7));
        assert_eq!(signed_rank(&[]), None);
        assert_eq!(signed_rank(&[1.0, f64::INFINITY]), None);
    }

    #[test]
    fn exact_and_normal_agree_where_they_meet() {
        let drift = |n: i32| (1..=n).map(|i| f64::from(i) * if i % 3 == 0 { -1.0 } else { 1.01 }).collect::<Vec<f64>>();
        let (exact, normal) = (signed_rank(&drift(60)).expect("60"), signed_rank(&drift(61)).expect("61"));
        assert!(exact.exact && !normal.exact);
        let sizes: Vec<f64> = (1..=60).map(f64::from).collect();
        let away = (4.0 * (exact.w - exact.middle())).abs() as usize;
        assert!((tail_normally(&sizes, away) - exact.p).abs() < 2e-3, "{exact:?}");
    }
}
