//! Test whether two samples lie alike (Wilcoxon 1945, Mann and Whitney 1947).

use super::rank_sums::{EXACT_UP_TO, ways_of_u, ways_to_choose};
use super::sorted;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// Result of the test on samples a and b.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MannWhitney {
    /// U of a: number of pairs in which a's sample is larger, those in which both are equal counting half.
    pub u: f64,
    /// Two-sided p: probability of as large a difference between samples of one distribution.
    pub p: f64,
    /// Whether p is exact (given the ties), or by the normal approximation.
    pub exact: bool,
}

/// Carries out Mann and Whitney's U test, two-sided.
///
/// Up to 60 samples in all p is exact, the share of all ways to deal out the midranks that are as far from the middle
/// (with ties too: Streitberg and Röhmel 1986). Above, normal with variance mn/12·(N + 1 − Σ(t³ − t)/(N(N − 1))) for
/// ties of t samples, and half a pair taken off for continuity (Lehmann 1975, equation 1.37). Samples must be
/// independent: of samples in several launches, compare one number per launch. `None` where one side has no samples.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Option<MannWhitney> {
    let (a, b) = (sorted(a)?, sorted(b)?);
    let (m, n) = (a.len(), b.len());
    let twice_u: u64 = a.iter().map(|&x| (below(&b, x) + not_above(&b, x)) as u64).sum();
    let all = sorted(&[a, b].concat())?;
    let exact = m + n <= EXACT_UP_TO;
    let away = twice_u.abs_diff(m as u64 * n as u64);
    let p = if exact { tail_exactly(&all, m, away) } else { tail_normally(&all, m, away) };
    Some(MannWhitney { u: twice_u as f64 / 2.0, p, exact })
}

/// Returns the number of samples that are less than x.
pub(super) fn below(sorted: &[f64], x: f64) -> usize {
    sorted.partition_point(|&sample| sample < x)
}

/// Returns the number of samples that are less than x or equal.
pub(super) fn not_above(sorted: &[f64], x: f64) -> usize {
    sorted.partition_point(|&sample| sample <= x)
}

/// Returns P(|2U − mn| ≥ away) where any m of the samples are as likely to be a's.
fn tail_exactly(all: &[f64], m: usize, away: u64) -> f64 {
    let n = all.len() - m;
    let (ways, first) = if all.windows(2).all(|pair| pair[0] < pair[1]) {
        // 2U from 0 in steps of two.
        let ways = ways_of_u(m, n).into_iter().flat_map(|ways| [ways, 0.0]).collect();
        (ways, 0)
    } else {
        // 2U = 2·(sum of ranks) − m(m + 1). What one side's sum lacks, the other's has: take the smaller side.
        let m = m.min(n);
        let twice_ranks: Vec<usize> = all.iter().map(|&x| below(all, x) + not_above(all, x) + 1).collect();
        (ways_to_choose(&twice_ranks, m), m * (m + 1))
    };
    let middle = (first + m * n) as u64;
    let outside = ways.iter().enumerate().filter(|(sum, _)| middle.abs_diff(*sum as u64) >= away);
    (outside.map(|(_, ways)| ways).sum::<f64>() / ways.iter().sum::<f64>()).min(1.0)
}

/// Returns P(|2U − mn| ≥ away) by the normal approximation.
fn tail_normally(all: &[f64], m: usize, away: u64) -> f64 {
    let n = all.len() as f64;
    let pairs = m as f64 * (n - m as f64);
    let ties: f64 = all.chunk_by(|a, b| a == b).map(|tied| (tied.len() as f64).powi(3) - tied.len() as f64).sum();
    let variance = pairs / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = ((away as f64 - 1.0) / 2.0).max(0.0) / variance.sqrt();
    2.0 * Normal::standard().sf(z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_of_a_textbook() {
        // Hollander and Wolfe 1973, table 4.1, permeability of membranes; R: wilcox.test gives W = 35, p = 0.1272
        // one-sided.
        let at_term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        let earlier = [1.15, 0.88, 0.90, 0.74, 1.21];
        let found = mann_whitney(&at_term, &earlier).expect("samples");
        assert_eq!((found.u, found.exact), (35.0, true));
        assert!((found.p - 2.0 * 0.1272).abs() < 2e-4, "{found:?}");
    }

    #[test]
    fn exact_and_normal_of_scipys_example() {
        // SciPy's mannwhitneyu: U = 17, exact p = 0.1111111…, normal with continuity 0.11134688653314041.
        let (males, females) = ([19.0, 22.0, 16.0, 29.0, 24.0], [20.0, 11.0, 17.0, 12.0]);
        let found = mann_whitney(&males, &females).expect("samples");
        assert_eq!(found.u, 17.0);
        assert!((found.p - 1.0 / 9.0).abs() < 1e-12, "{found:?}");
        let all = sorted(&[&males[..], &females].concat()).expect("finite");
        assert!((tail_normally(&all, 5, 14) - 0.111_346_886_533_140_41).abs() < 1e-9);
    }

    #[test]
    fn ties_are_dealt_out_exactly() {
        // Midranks 1.5 1.5 3 4.5 4.5; of the ten ways to choose two, {1.5, 1.5}, {4.5, 4.5} are furthest out.
        let found = mann_whitney(&[1.0, 1.0], &[2.0, 3.0, 3.0]).expect("samples");
        assert_eq!(found.u, 0.0);
        assert!((found.p - 0.2).abs() < 1e-12, "{found:?}");
        let equal = mann_whitney(&[1.0, 1.0], &[1.0, 1.0, 1.0]).expect("samples");
        assert_eq!((equal.u, equal.p), (3.0, 1.0));
        let many = mann_whitney(&[1.0; 50], &[1.0; 50]).expect("samples");
        assert_eq!((many.p, many.exact), (1.0, false));
    }

    #[test]
    fn no_samples_no_test() {
        assert_eq!(mann_whitney(&[], &[1.0]), None);
        assert_eq!(mann_whitney(&[1.0], &[]), None);
        assert_eq!(mann_whitney(&[1.0], &[f64::NAN]), None);
    }
}
