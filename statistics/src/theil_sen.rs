//! A line through points by medians (Theil 1950, Sen 1968), with distribution-free intervals.

use super::median::{median_with_interval, middle_of};
use super::proper;
use ordered_float::OrderedFloat;
use programs::machine::Estimate;
use statrs::distribution::{ContinuousCDF, Normal};

/// Line fitted by medians, with intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TheilSen {
    /// Rise per unit of x: median of the slopes between all pairs with different x.
    pub slope: Estimate,
    /// Value at x = 0: median of y − slope·x.
    pub intercept: Estimate,
    /// Confidence of the slope's interval: at least the one asked for, except where even the whole range of slopes does
    /// not reach it (then it is that range's).
    pub reached: f64,
}

/// Largest number of points for which Kendall's distribution is counted out rather than approximated.
const EXACT_UP_TO: usize = 60;

/// Fits y = intercept + slope·x to points with x ≥ 0.
///
/// The slope's interval is Sen's: the slopes whose ranks are (N ∓ C)/2, with C the quantile of Kendall's S for
/// `points.len()` points, exact up to 60 points without ties in x, otherwise by the normal approximation with Sen's
/// variance for ties. The intercept's interval is joint (Bonferroni): order-statistic intervals of y − b·x for b at
/// both ends of a slope interval, each at half the risk, and monotone in b since x ≥ 0. `None` unless all numbers are
/// finite, x ≥ 0, and two x differ.
pub fn theil_sen(points: &[(f64, f64)], confidence: f64) -> Option<TheilSen> {
    let confidence = proper(confidence)?;
    if !points.iter().all(|&(x, y)| x.is_finite() && x >= 0.0 && y.is_finite()) {
        return None;
    }
    let slopes = slopes(points);
    if slopes.is_empty() {
        return None;
    }
    let (low, high, reached) = slope_interval(points, &slopes, confidence);
    let slope = Estimate { value: middle_of(&slopes), low, high };
    let half_risk = f64::midpoint(1.0, confidence);
    let (wide_low, wide_high, _) = slope_interval(points, &slopes, half_risk);
    let level = |slope: f64| {
        let left: Vec<f64> = points.iter().map(|&(x, y)| y - slope * x).collect();
        median_with_interval(&left, half_risk).map(|median| median.estimate)
    };
    let value = level(slope.value)?.value;
    let intercept = Estimate { value, low: level(wide_high)?.low.min(value), high: level(wide_low)?.high.max(value) };
    Some(TheilSen { slope, intercept, reached })
}

/// Returns the slopes between all pairs with different x, ascending.
fn slopes(points: &[(f64, f64)]) -> Vec<f64> {
    let pairs = points.iter().enumerate().flat_map(|(i, &a)| points[..i].iter().map(move |&b| (a, b)));
    let mut slopes: Vec<f64> =
        pairs.filter(|(a, b)| a.0 != b.0).map(|((xa, ya), (xb, yb))| (ya - yb) / (xa - xb)).collect();
    slopes.sort_unstable_by_key(|&slope| OrderedFloat(slope));
    slopes
}

/// Returns the ends and the confidence of the slope's interval.
fn slope_interval(points: &[(f64, f64)], slopes: &[f64], confidence: f64) -> (f64, f64, f64) {
    let n = points.len();
    let (cut, reached) = if n <= EXACT_UP_TO && slopes.len() == n * (n - 1) / 2 {
        cut_exactly(n, confidence)
    } else {
        cut_normally(points, slopes.len(), confidence)
    };
    (slopes[cut], slopes[slopes.len() - 1 - cut], reached)
}

/// Returns the number of slopes that lie outside at each end: the largest c with P(fewer than c+1 of the pairs are
/// discordant) at most half the risk, and the confidence this gives.
fn cut_exactly(n: usize, confidence: f64) -> (usize, f64) {
    let inversions = inversions(n);
    let mut tail = 0.0;
    let (mut cut, mut reached) = (0, 1.0 - 2.0 * inversions[0]);
    for (below, share) in inversions.iter().enumerate() {
        tail += share;
        if 1.0 - 2.0 * tail < confidence {
            break;
        }
        (cut, reached) = (below, 1.0 - 2.0 * tail);
    }
    (cut, reached)
}

/// Returns P(a random order of n things has i inversions), for each i (Kendall 1938).
///
/// Sums over windows are differences of sums from the start. In the lower half, where shares rise, they lose no digits.
pub(super) fn inversions(n: usize) -> Vec<f64> {
    let mut shares = vec![1.0];
    for things in 2..=n {
        let mut up_to = Vec::with_capacity(shares.len() + 1);
        up_to.push(0.0);
        for share in &shares {
            up_to.push(up_to[up_to.len() - 1] + share);
        }
        let most = shares.len() + things - 1;
        let window = |i: usize| up_to[(i + 1).min(shares.len())] - up_to[(i + 1).saturating_sub(things)];
        let lower = most.div_ceil(2);
        let below: Vec<f64> = (0..lower).map(|i| window(i) / things as f64).collect();
        // As many orders have i inversions as have all but i.
        shares = (0..most).map(|i| below[i.min(most - 1 - i)]).collect();
    }
    shares
}

/// Returns these by the normal approximation, with the variance of S for ties in x (Sen 1968).
fn cut_normally(points: &[(f64, f64)], slopes: usize, confidence: f64) -> (usize, f64) {
    let term = |m: f64| m * (m - 1.0) * (2.0 * m + 5.0);
    let mut xs: Vec<f64> = points.iter().map(|&(x, _)| x).collect();
    xs.sort_by(f64::total_cmp);
    let ties: f64 = xs.chunk_by(|a, b| a == b).map(|tied| term(tied.len() as f64)).sum();
    let deviation = ((term(points.len() as f64) - ties) / 18.0).sqrt();
    let normal = Normal::standard();
    let reach = normal.inverse_cdf(f64::midpoint(1.0, confidence)) * deviation;
    let cut = ((slopes as f64 - reach) / 2.0).floor() - 1.0;
    if cut >= 0.0 {
        return (cut as usize, confidence);
    }
    (0, (2.0 * normal.cdf(slopes as f64 / deviation) - 1.0).min(confidence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The example of Sen 1968.
    const SEN: [(f64, f64); 7] =
        [(1.0, 9.0), (2.0, 15.0), (3.0, 19.0), (4.0, 20.0), (10.0, 45.0), (12.0, 55.0), (18.0, 78.0)];

    #[test]
    fn sens_own_example() {
        let fit = theil_sen(&SEN, 0.93).expect("points");
        assert_eq!(fit.slope.value, 4.0);
        assert!((fit.intercept.value - 6.0).abs() < 1e-9, "{fit:?}");
        // Kendall's table for n = 7: P(S ≥ 13) = 0.035, P(S ≥ 15) = 0.015. The slopes ranked 5 and 17
        // of 21 enclose the true one unless |S| ≥ 13 (Hollander and Wolfe 1999, section 9.3).
        let slopes = slopes(&SEN);
        assert!((fit.reached - 0.93).abs() < 0.002, "{fit:?}");
        assert_eq!((fit.slope.low, fit.slope.high), (slopes[4], slopes[16]));
        // Sen prints 26/7 and 35/8, ranks 4 and 18; those hold at 97 %.
        let fit = theil_sen(&SEN, 0.96).expect("points");
        assert!((fit.reached - 0.97).abs() < 0.001, "{fit:?}");
        assert_eq!((fit.slope.low, fit.slope.high), (26.0 / 7.0, 35.0 / 8.0));
    }

    #[test]
    fn kendalls_distribution_is_that_of_his_table() {
        // n = 4: 1, 3, 5, 6, 5, 3, 1 of 24 orders have 0 … 6 inversions.
        let expected = [1.0, 3.0, 5.0, 6.0, 5.0, 3.0, 1.0].map(|orders| orders / 24.0);
        assert!(inversions(4).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
    }

    #[test]
    fn a_perfect_line_is_found_and_outliers_are_not() {
        let mut points: Vec<(f64, f64)> = (0..12).map(|i| (f64::from(i), 3.0 + 2.0 * f64::from(i))).collect();
        let fit = theil_sen(&points, 0.95).expect("points");
        assert_eq!(fit.slope, Estimate { value: 2.0, low: 2.0, high: 2.0 });
        assert_eq!(fit.intercept, Estimate { value: 3.0, low: 3.0, high: 3.0 });
        points[11].1 = 1e6;
        let fit = theil_sen(&points, 0.95).expect("points");
        assert_eq!((fit.slope.value, fit.intercept.value), (2.0, 3.0));
    }

    #[test]
    fn nothing_is_fitted_to_nothing() {
        for points in [
            &[][..],
            &[(1.0, 2.0)],
            &[(1.0, 2.0), (1.0, 3.0)],
            &[(1.0, f64::NAN), (2.0, 1.0)],
            &[(-1.0, 2.0), (1.0, 3.0)],
        ] {
            assert_eq!(theil_sen(points, 0.95), None, "{points:?}");
        }
        assert_eq!(theil_sen(&SEN, 1.0), None);
    }

    #[test]
    fn the_intervals_cover_and_exact_and_normal_agree() {
        let mut rng = ChaCha8Rng::seed_from_u64(17);
        let (mut slope, mut intercept) = (0, 0);
        for _ in 0..2_000 {
            let points: Vec<(f64, f64)> = (0..15)
                .map(|i| {
                    let noise = -(1.0 - rng.random::<f64>()).ln() - std::f64::consts::LN_2;
                    (f64::from(i), 5.0 + 0.3 * f64::from(i) + noise)
                })
                .collect();
            let fit = theil_sen(&points, 0.95).expect("points");
            slope += u32::from(fit.slope.low <= 0.3 && 0.3 <= fit.slope.high);
            intercept += u32::from(fit.intercept.low <= 5.0 && 5.0 <= fit.intercept.high);
        }
        let least = 0.95 - 3.0 * (0.95f64 * 0.05 / 2_000.0).sqrt();
        assert!(f64::from(slope) / 2_000.0 >= least, "{slope}");
        assert!(f64::from(intercept) / 2_000.0 >= least, "{intercept}");
        let many: Vec<(f64, f64)> = (0..50).map(|i| (f64::from(i), 0.0)).collect();
        let (exact, normal) = (cut_exactly(50, 0.95).0, cut_normally(&many, 1_225, 0.95).0);
        assert!(exact.abs_diff(normal) <= 2, "{exact} {normal}");
    }
}
