//! How sums of ranks are distributed where any m of N samples are as likely to be one side's.

use statrs::distribution::{ContinuousCDF, Normal};

/// Up to this many samples in all the distribution is counted out.
pub(super) const EXACT_UP_TO: usize = 60;

/// In how many ways `choose` of the numbers, ascending, have each sum from 0 on.
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

/// How many of all m·n pairs' differences lie outside at each end of an interval of the shift: the largest c with
/// P(U ≤ c − 1) ≤ (1 − confidence)/2, and the confidence this gives. Counted out up to 60 samples in all; above, normal
/// (Hollander and Wolfe 1999, section 4.3). Without an end far enough out, 0 and what \[least, largest\] is worth.
pub(super) fn pairs_outside(m: usize, n: usize, confidence: f64) -> (usize, f64) {
    let half_risk = (1.0 - confidence) / 2.0;
    if m + n <= EXACT_UP_TO {
        let (m, n) = (m.min(n), m.max(n));
        let ranks: Vec<usize> = (1..=m + n).collect();
        let ways = ways_to_choose(&ranks, m);
        let all: f64 = ways.iter().sum();
        let (mut outside, mut tail) = (0, 0.0);
        for ways in &ways[m * (m + 1) / 2..] {
            if tail + ways / all > half_risk {
                break;
            }
            tail += ways / all;
            outside += 1;
        }
        // The c-th difference from either end bounds the shift unless U ≤ c − 1.
        let reached = if outside > 0 { 1.0 - 2.0 * tail } else { 1.0 - 2.0 / all };
        return (outside, reached.max(0.0));
    }
    let pairs = m as f64 * n as f64;
    let deviation = (pairs / 12.0 * ((m + n) as f64 + 1.0)).sqrt();
    let normal = Normal::standard();
    let outside = (pairs / 2.0 - normal.inverse_cdf(1.0 - half_risk) * deviation).floor();
    if outside >= 1.0 { (outside as usize, confidence) } else { (0, 1.0 - 2.0 * normal.sf(pairs / 2.0 / deviation)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_ranks_are_counted_out() {
        // Two of 1 2 3 4: 3 4 5 5 6 7.
        assert_eq!(ways_to_choose(&[1, 2, 3, 4], 2), [0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 1.0, 1.0]);
        let all: f64 = ways_to_choose(&(1..=60).collect::<Vec<usize>>(), 30).iter().sum();
        assert!((all / 1.182_645_815_648_614_2e17 - 1.0).abs() < 1e-12, "60 over 30: {all}");
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
    fn counted_out_and_normal_agree_where_they_meet() {
        let (exact, _) = pairs_outside(30, 30, 0.95);
        let (normal, _) = pairs_outside(30, 31, 0.95);
        assert!((exact as f64 / 900.0 - normal as f64 / 930.0).abs() < 0.01, "{exact} {normal}");
    }
}
