//! Cliff's delta, a measure of how far two samples overlap.

use super::rank_test::{below, not_above};
use super::{proper, sorted};
use programs::machine::Estimate;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Returns the share of pairs in which a's sample is larger less the share in which b's is, −1 … 1 (Cliff 1993), with
/// his asymmetric interval, (δ − δ³ ± t·s·√((1 − δ²)² + t²s²)) / (1 − δ² + t²s²), s² the consistent estimate of the
/// variance and t Student's at m + n − 2 degrees of freedom (Cliff 1996; Feng and Cliff 2004).
///
/// Where all of one side lie beyond the other, the open end is (k − t²)/(k + t²), k the size of the smaller sample
/// (Feng and Cliff 2004). `None` for fewer than two samples on a side.
pub fn cliffs_delta(a: &[f64], b: &[f64], confidence: f64) -> Option<Estimate> {
    let confidence = proper(confidence)?;
    let degrees = (a.len() + b.len()).checked_sub(2)?;
    let student = StudentsT::new(0.0, 1.0, degrees as f64).ok()?;
    delta_within(a, b, student.inverse_cdf(f64::midpoint(1.0, confidence)))
}

fn delta_within(a: &[f64], b: &[f64], t: f64) -> Option<Estimate> {
    let (a, b) = (sorted(a)?, sorted(b)?);
    if a.len() < 2 || b.len() < 2 {
        return None;
    }
    let (m, n) = (a.len() as f64, b.len() as f64);
    let beats = |x: f64, others: &[f64]| below(others, x) as f64 - (others.len() - not_above(others, x)) as f64;
    let of_a: Vec<f64> = a.iter().map(|&x| beats(x, &b) / n).collect();
    let of_b: Vec<f64> = b.iter().map(|&x| -beats(x, &a) / m).collect();
    let delta = of_a.iter().sum::<f64>() / m;
    let square = delta * delta;
    if of_a.iter().all(|share| share.abs() == 1.0 && share.signum() == of_a[0].signum()) {
        let smaller = m.min(n);
        let open = delta * (smaller - t * t) / (smaller + t * t);
        return Some(Estimate { value: delta, low: open.min(delta), high: open.max(delta) });
    }
    let about = |shares: &[f64]| shares.iter().map(|share| (share - delta).powi(2)).sum::<f64>();
    let unequal: f64 = a.iter().map(|&x| (b.len() - not_above(&b, x) + below(&b, x)) as f64).sum();
    // Σ (dᵢⱼ − δ)², where dᵢⱼ² = 1 unless the two are equal.
    let of_pairs = unequal - m * n * square;
    let (rows, columns) = (about(&of_a) / (m - 1.0), about(&of_b) / (n - 1.0));
    let variance = ((n - 1.0) * rows + (m - 1.0) * columns + of_pairs / ((m - 1.0) * (n - 1.0))) / (m * n);
    let reach = t * variance.sqrt() * ((1.0 - square).powi(2) + t * t * variance).sqrt();
    let (centre, over) = (delta - delta * square, 1.0 - square + t * t * variance);
    if over <= 0.0 {
        return Some(Estimate { value: delta, low: delta, high: delta });
    }
    let (low, high) = ((centre - reach) / over, (centre + reach) / over);
    Some(Estimate { value: delta, low: low.clamp(-1.0, delta), high: high.clamp(delta, 1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_hogarty_and_kromrey() {
        // Hogarty and Kromrey 1999; R, effsize: −0.25, at 95 % with normal quantiles −0.7125351 to 0.3639999.
        let treated = [10.0, 10.0, 20.0, 20.0, 20.0, 30.0, 30.0, 30.0, 40.0, 50.0];
        let control = [10.0, 20.0, 30.0, 40.0, 40.0, 50.0];
        let found = delta_within(&treated, &control, 1.959_963_984_540_054).expect("samples");
        assert!((found.value + 0.25).abs() < 1e-12, "{found:?}");
        assert!((found.low + 0.712_535_1).abs() < 1e-6, "{found:?}");
        assert!((found.high - 0.363_999_9).abs() < 1e-6, "{found:?}");
        let wider = cliffs_delta(&treated, &control, 0.95).expect("samples");
        assert!(wider.low < found.low && found.high < wider.high);
    }

    #[test]
    fn what_does_not_overlap_is_one_with_an_open_end() {
        let found = cliffs_delta(&[5.0, 6.0, 7.0, 8.0], &[1.0, 2.0, 3.0], 0.9).expect("samples");
        assert_eq!((found.value, found.high), (1.0, 1.0));
        assert!(found.low < 1.0 && found.low > -1.0, "{found:?}");
        let mirrored = cliffs_delta(&[1.0, 2.0, 3.0], &[5.0, 6.0, 7.0, 8.0], 0.9).expect("samples");
        assert_eq!((mirrored.value, mirrored.low, mirrored.high), (-1.0, -1.0, -found.low));
    }

    #[test]
    fn equal_samples_do_not_differ_and_single_ones_say_nothing() {
        let found = cliffs_delta(&[2.0; 5], &[2.0; 5], 0.95).expect("samples");
        assert_eq!((found.value, found.low, found.high), (0.0, 0.0, 0.0));
        assert_eq!(cliffs_delta(&[2.0], &[2.0, 3.0], 0.95), None);
        assert_eq!(cliffs_delta(&[], &[2.0, 3.0], 0.95), None);
        assert_eq!(cliffs_delta(&[2.0, f64::NAN], &[2.0, 3.0], 0.95), None);
    }
}
