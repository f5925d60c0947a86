//! Adjustment for many tests at once.

/// Returns the p of each test adjusted for all of them, so that the chance of any false finding stays as stated: with
/// the m p ascending, the largest of (m − j + 1)·p₍ⱼ₎ up to there, at most 1 (Holm 1979). They are in the order given.
/// A p that is not a number stays so and is not counted.
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).filter(|&i| !ps[i].is_nan()).collect();
    order.sort_by(|&a, &b| ps[a].total_cmp(&ps[b]));
    let mut adjusted = ps.to_vec();
    let mut most: f64 = 0.0;
    for (place, &i) in order.iter().enumerate() {
        most = most.max((order.len() - place) as f64 * ps[i]).min(1.0);
        adjusted[i] = most;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjusted_as_r_does() {
        // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") is 0.03 0.06 0.06 0.02.
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        assert!(found.iter().zip([0.03, 0.06, 0.06, 0.02]).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert_eq!(holm(&[]), [] as [f64; 0]);
        assert_eq!(holm(&[0.2]), [0.2]);
    }

    #[test]
    fn a_test_that_was_not_made_is_not_counted() {
        let found = holm(&[f64::NAN, 0.01, 0.02]);
        assert!(found[0].is_nan());
        assert_eq!(found[1..], [0.02, 0.02]);
    }
}
