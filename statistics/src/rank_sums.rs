//! Distributions of sums of ranks: where any m of N samples are as likely to be one side's (rank-sum test), and where
//! each rank is as likely to count as not (signed-rank test).

use statrs::distribution::{ContinuousCDF, Normal};

/// Largest number of samples in all for which the distribution is counted out.
pub(super) const EXACT_UP_TO: usize = 60;

/// Returns the number of ways in which `choose` of the numbers, ascending, have each sum from 0 on.
pub(super) fn ways_to_choose(numbers: &[usize], choose: usize) -> Vec<f64> {
    let most: usize = numbers.iter().rev().take(choose).sum();
    let mut ways = vec![vec![0.0; most + 1]; choose + 1];
    ways[0][0] = 1.0;
    for (seen, &number) in numbers.iter().enumerate() {
        for chosen in (1..=choose.min(seen + 1)).rev() {
            let (fewer, more) = ways.split_at_mut(chosen);
            let sums = more[0].iter_mut().skip(number);
            for (with, without) in sums.zip(&fewer[chosen - 1]) {
                *with += without;
            }
        }
    }
    ways.swap_remove(choose)
}

/// Returns the number of ways in which m + n different samples, m of them a's, have each U from 0 to mn: the
/// coefficients of Π (1 − qⁿ⁺ⁱ)/(1 − qⁱ), i = 1 … m (Mann and Whitney 1947; Andrews 1976, section 3.2). Whole numbers,
/// up to 60 samples.
pub(super) fn ways_of_u(m: usize, n: usize) -> Vec<f64> {
    let mut ways = vec![0i64; m * n + 1];
    ways[0] = 1;
    for i in 1..=m {
        for u in (n + i..ways.len()).rev() {
            ways[u] -= ways[u - n - i];
        }
        for u in i..ways.len() {
            ways[u] += ways[u - i];
        }
    }
    ways.into_iter().map(|ways| ways as f64).collect()
}

/// Returns the number of ways in which some of the numbers, or none or all of them, have each sum from 0 on.
pub(super) fn ways_to_sum(numbers: &[usize]) -> Vec<f64> {
    let mut ways = vec![0.0; numbers.iter().sum::<usize>() + 1];
    ways[0] = 1.0;
    for &number in numbers {
        for sum in (number..ways.len()).rev() {
            ways[sum] += ways[sum - number];
        }
    }
    ways
}

/// Returns the number of all m·n pairs' differences that lie outside at each end of an interval of the shift: the
/// largest c with P(U ≤ c − 1) ≤ (1 − confidence)/2, and the confidence this gives. Counted out up to 60 samples in
/// all, above that normal (Hollander and Wolfe 1999, section 4.3). Without an end far enough out, 0 and the confidence
/// of \[least, largest\].
pub(super) fn pairs_outside(m: usize, n: usize, confidence: f64) -> (usize, f64) {
    let half_risk = (1.0 - confidence) / 2.0;
    if m + n <= EXACT_UP_TO {
        return cut(&ways_of_u(m, n), half_risk);
    }
    let pairs = m as f64 * n as f64;
    cut_normally(pairs, (pairs / 12.0 * ((m + n) as f64 + 1.0)).sqrt(), half_risk)
}

/// Returns the number of the J(J + 1)/2 Walsh averages of J numbers that lie outside at each end of an interval of
/// their centre of symmetry: the largest c with P(W ≤ c − 1) ≤ (1 − confidence)/2, and the confidence this gives (Tukey
/// 1949; Hollander and Wolfe 1999, section 3.3). Without an end far enough out, 0 and the confidence of \[least,
/// largest\].
pub(super) fn averages_outside(numbers: usize, confidence: f64) -> (usize, f64) {
    let half_risk = (1.0 - confidence) / 2.0;
    if numbers <= EXACT_UP_TO {
        let ranks: Vec<usize> = (1..=numbers).collect();
        return cut(&ways_to_sum(&ranks), half_risk);
    }
    let n = numbers as f64;
    cut_normally(n * (n + 1.0) / 2.0, (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt(), half_risk)
}

/// Returns the number of values of a statistic that lie outside at each end, where `ways` holds the number of ways in
/// which it has each value from 0 on, and the confidence that is left inside: value c − 1 must not be reached for the
/// c-th number from either end to be a bound.
fn cut(ways: &[f64], half_risk: f64) -> (usize, f64) {
    let all: f64 = ways.iter().sum();
    let (mut outside, mut tail) = (0, 0.0);
    for ways in ways {
        if tail + ways / all > half_risk {
            break;
        }
        tail += ways / all;
        outside += 1;
    }
    let reached = if outside > 0 { 1.0 - 2.0 * tail } else { 1.0 - 2.0 / all };
    (outside, reached.max(0.0))
}

/// Returns these for a statistic from 0 to `most` that is nearly normal about the middle.
fn cut_normally(most: f64, deviation: f64, half_risk: f64) -> (usize, f64) {
    let normal = Normal::standard();
    let outside = (most / 2.0 - normal.inverse_cdf(1.0 - half_risk) * deviation).floor();
    if outside >= 1.0 {
        (outside as usize, 1.0 - 2.0 * half_risk)
    } else {
        (0, 1.0 - 2.0 * normal.sf(most / 2.0 / deviation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_ranks_are_counted_out() {
        // Two of 1 2 3 4: 3 4 5 5 6 7.
        assert_eq!(ways_to_choose(&[1, 2, 3, 4], 2), [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 1.0, 1.0]);
        let ranks: Vec<usize> = (1..=60).collect();
        let of_ranks = ways_to_choose(&ranks, 30);
        let all: f64 = of_ranks.iter().sum();
        assert!((all / 1.182_645_815_648_614_2e17 - 1.0).abs() < 1e-12, "60 over 30: {all}");
        // Without ties the quick way counts the same, U being the sum less its least.
        for (quick, slow) in ways_of_u(30, 30).iter().zip(&of_ranks[30 * 31 / 2..]) {
            assert!((quick / slow - 1.0).abs() < 1e-12, "{quick} {slow}");
        }
        assert_eq!(ways_of_u(2, 2), [1.0, 1.0, 2.0, 1.0, 1.0]);
        assert_eq!(ways_of_u(7, 13).iter().sum::<f64>(), 77_520.0, "20 over 7");
    }

    #[test]
    fn cuts_are_those_of_the_table_of_u() {
        // Two-sided 5 % critical values of U (Mann and Whitney 1947; Siegel 1956, table K): U ≤ c rejects.
        for (m, n, critical) in [(4, 4, 0), (5, 5, 2), (6, 6, 5), (8, 8, 13), (10, 10, 23), (10, 15, 39), (20, 20, 127)]
        {
            let (outside, reached) = pairs_outside(m, n, 0.95);
            assert_eq!(outside, critical + 1, "{m} and {n}");
            assert!((0.95..1.0).contains(&reached), "{m} and {n}: {reached}");
        }
        // Three and three cannot reach it: U = 0 has 1/20 at each end.
        let (outside, reached) = pairs_outside(3, 3, 0.95);
        assert_eq!(outside, 0);
        assert!((reached - 0.9).abs() < 1e-12, "{reached}");
    }

    #[test]
    fn cuts_are_those_of_the_table_of_signed_ranks() {
        // Two-sided 5 % critical values of T (Wilcoxon 1945; Siegel 1956, table G): T ≤ c rejects.
        for (n, critical) in [(6, 0), (7, 2), (8, 3), (9, 5), (10, 8), (15, 25), (20, 52), (25, 89)] {
            let (outside, reached) = averages_outside(n, 0.95);
            assert_eq!(outside, critical + 1, "{n}");
            assert!((0.95..1.0).contains(&reached), "{n}: {reached}");
        }
        let (outside, reached) = averages_outside(5, 0.95);
        assert_eq!(outside, 0, "2/32 at both ends");
        assert!((reached - 0.9375).abs() < 1e-12, "{reached}");
        assert_eq!(ways_to_sum(&[1, 2, 3]), [1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0]);
        let (exact, _) = averages_outside(60, 0.95);
        let (normal, _) = averages_outside(61, 0.95);
        assert!((exact as f64 / 1830.0 - normal as f64 / 1891.0).abs() < 0.005, "{exact} {normal}");
    }

    #[test]
    fn counted_out_and_normal_agree_where_they_meet() {
        let (exact, _) = pairs_outside(30, 30, 0.95);
        let (normal, _) = pairs_outside(30, 31, 0.95);
        assert!((exact as f64 / 900.0 - normal as f64 / 930.0).abs() < 0.01, "{exact} {normal}");
    }
}
