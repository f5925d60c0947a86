//! The medcouple, a measure of skewness from −1 to 1 that a quarter of odd samples cannot spoil.

use super::median::{middle_of, quantile_of};

/// Largest number of samples whose pairs are all taken. Of more samples, this number of their quantiles stands for
/// them.
const MOST: usize = 1_000;

/// Returns the median of h(a, b) = ((a − m) − (m − b)) / (a − b) over all a ≥ m ≥ b, m the median. Where both equal m,
/// h is the sign of the order in which equal samples lie about the middle (Brys, Hubert and Struyf 2004, equations 2
/// and 3).
pub(super) fn medcouple(sorted: &[f64]) -> f64 {
    if sorted.len() > MOST {
        let even: Vec<f64> = (0..MOST).map(|i| quantile_of(sorted, i as f64 / (MOST - 1) as f64)).collect();
        return medcouple(&even);
    }
    let middle = middle_of(sorted);
    let above = &sorted[sorted.partition_point(|&sample| sample < middle)..];
    let below = &sorted[..sorted.partition_point(|&sample| sample <= middle)];
    // Number of samples equal to the middle: the first of those above, and of those below from the middle down.
    let tied = above.partition_point(|&sample| sample <= middle);
    let mut kernels: Vec<f64> = Vec::with_capacity(above.len() * below.len());
    for (i, a) in above.iter().enumerate() {
        for (j, b) in below.iter().rev().enumerate() {
            kernels.push(if i < tied && j < tied {
                (i as isize + j as isize + 1 - tied as isize).signum() as f64
            } else {
                ((a - middle) - (middle - b)) / (a - b)
            });
        }
    }
    let half = kernels.len() / 2;
    let (lower, &mut upper, _) = kernels.select_nth_unstable_by(half, f64::total_cmp);
    let lower = lower.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if kernels.len() % 2 == 1 { upper } else { f64::midpoint(lower, upper) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medcouples_are_those_of_robustbase() {
        // R, robustbase, ?mc: mc(1:5) is 0, mc(c(1, 2, 7, 9, 10)) is −1/3, mc(cushny) is 0.125.
        assert_eq!(medcouple(&[1.0, 2.0, 3.0, 4.0, 5.0]), 0.0);
        assert!((medcouple(&[1.0, 2.0, 7.0, 9.0, 10.0]) + 1.0 / 3.0).abs() < 1e-15);
        assert!((medcouple(&[0.0, 0.8, 1.0, 1.2, 1.3, 1.3, 1.4, 1.8, 2.4, 4.6]) - 0.125).abs() < 1e-12);
    }

    #[test]
    fn many_samples_are_as_skewed_as_few_of_their_quantiles() {
        let exponential =
            |n: u32| -> Vec<f64> { (0..n).map(|i| -(1.0 - (f64::from(i) + 0.5) / f64::from(n)).ln()).collect() };
        let (few, many) = (medcouple(&exponential(999)), medcouple(&exponential(50_000)));
        assert!((few - many).abs() < 0.003, "{few} {many}");
        assert!(few > 0.3 && few < 0.36, "exponential: 0.333 within a little: {few}");
    }

    #[test]
    fn a_mirrored_sample_is_skewed_the_other_way_and_equal_ones_not_at_all() {
        let samples = [1.0, 2.0, 2.0, 2.0, 3.0, 9.0, 30.0];
        let mut mirrored = samples.map(|sample| -sample);
        mirrored.reverse();
        assert!((medcouple(&samples) + medcouple(&mirrored)).abs() < 1e-15);
        assert_eq!(medcouple(&[2.0; 6]), 0.0);
    }
}
