//! Drift: the rise or fall of times over a run.

use super::median::middle_of;
use super::{finite, sorted, theil_sen};
use programs::machine::Estimate;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// Number of blocks to whose medians a longer series is drawn together, so that pairs stay few and neighbours'
/// dependence fades.
const BLOCKS: usize = 60;

/// Drift of a series.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// Change per sample with its 95 % interval (Theil 1950, Sen 1968).
    pub per_sample: Estimate,
    /// Kendall's tau of values and time, −1 … 1 (tau-a; Mann 1945).
    pub tau: f64,
    /// Two-sided p: probability of as much drift in a series without any (Mann and Kendall's test, see
    /// [`mann_kendall`]).
    pub p: f64,
}

impl Drift {
    /// Returns the drift of samples. `None` for fewer than five samples, or where one is not finite.
    pub fn from_samples(samples: &[f64]) -> Option<Drift> {
        let samples = finite(samples).filter(|samples| samples.len() >= 5)?;
        let points = blocks(samples);
        let per_sample = theil_sen(&points, 0.95)?.slope;
        let values: Vec<f64> = points.iter().map(|&(_, value)| value).collect();
        let (s, p) = mann_kendall(&values)?;
        let pairs = (values.len() * (values.len() - 1) / 2) as f64;
        Some(Drift { per_sample, tau: s as f64 / pairs, p })
    }
}

/// Returns the places and medians of up to [`BLOCKS`] blocks.
fn blocks(samples: &[f64]) -> Vec<(f64, f64)> {
    let (n, count) = (samples.len(), samples.len().min(BLOCKS));
    let bound = |block: usize| n * block / count;
    let block = |i: usize| {
        let (from, to) = (bound(i), bound(i + 1));
        let sorted = sorted(&samples[from..to]).expect("finite, and no block is empty");
        ((from + to - 1) as f64 / 2.0, middle_of(&sorted))
    };
    (0..count).map(block).collect()
}

/// Returns S = Σ sign(xⱼ − xᵢ) over i < j, and the two-sided p of Mann (1945): exact without ties up to 60 values
/// (Kendall 1938), else normal with variance (n(n−1)(2n+5) − Σ t(t−1)(2t+5))/18 for ties of t values, and one taken
/// from |S| for continuity (Kendall 1975). `None` for fewer than three values, or where one is not finite.
pub fn mann_kendall(values: &[f64]) -> Option<(i64, f64)> {
    let sorted = sorted(values).filter(|values| values.len() >= 3)?;
    let n = values.len();
    let sign = |a: f64, b: f64| i64::from(b > a) - i64::from(b < a);
    let s: i64 = (0..n).flat_map(|j| (0..j).map(move |i| sign(values[i], values[j]))).sum();
    let ties = sorted.chunk_by(|a, b| a == b).map(<[f64]>::len);
    if n <= BLOCKS && ties.clone().all(|tied| tied == 1) {
        // S = pairs − 2·inversions: as far out on either side.
        let pairs = (n * (n - 1) / 2) as i64;
        let outside = ((pairs - s.abs()) / 2) as usize;
        let tail: f64 = theil_sen::inversions(n)[..=outside].iter().sum();
        return Some((s, (2.0 * tail).min(1.0)));
    }
    let term = |m: usize| (m * (m - 1) * (2 * m + 5)) as f64;
    let variance = (term(n) - ties.map(term).sum::<f64>()) / 18.0;
    if variance <= 0.0 {
        return Some((s, 1.0));
    }
    let z = (s.abs() - 1).max(0) as f64 / variance.sqrt();
    Some((s, 2.0 * Normal::standard().sf(z)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_are_those_of_kendalls_table() {
        // Kendall 1975 (table A21 of Hollander and Wolfe): P(S ≥ 6) = 0.042 for n = 4, P(S ≥ 21) = 0.036 for n = 10.
        let (s, p) = mann_kendall(&[1.0, 2.0, 3.0, 4.0]).expect("values");
        assert_eq!(s, 6);
        assert!((p / 2.0 - 0.042).abs() < 5e-4, "{p}");
        let (s, p) = mann_kendall(&[4.0, 3.0, 2.0, 1.0, 5.0, 7.0, 6.0, 10.0, 9.0, 8.0]).expect("values");
        assert_eq!(s, 45 - 2 * 10);
        let (s_less, p_less) = mann_kendall(&[5.0, 3.0, 2.0, 1.0, 4.0, 7.0, 6.0, 10.0, 9.0, 8.0]).expect("values");
        assert!(s_less < s && p_less > p);
        let inversions = theil_sen::inversions(10);
        assert!((inversions[..=12].iter().sum::<f64>() - 0.036).abs() < 5e-4);
    }

    #[test]
    fn ties_lessen_the_variance_and_constants_show_nothing() {
        assert_eq!(mann_kendall(&[2.0; 9]), Some((0, 1.0)));
        // n = 5, ties of 2: variance (5·4·15 − 2·1·9)/18 = 15.667, S = 9: z = 8/3.958.
        let (s, p) = mann_kendall(&[1.0, 2.0, 2.0, 3.0, 4.0]).expect("values");
        assert_eq!(s, 9);
        assert!((p - 2.0 * Normal::standard().sf(8.0 / (282.0f64 / 18.0).sqrt())).abs() < 1e-12);
        assert_eq!(mann_kendall(&[1.0, 2.0]), None);
    }

    #[test]
    fn a_ramp_drifts_by_its_slope_however_long_it_is() {
        for n in [5, 59, 60, 61, 1_000] {
            let ramp: Vec<f64> = (0..n).map(|i| 10.0 + 0.25 * f64::from(i)).collect();
            let drift = Drift::from_samples(&ramp).expect("samples");
            assert!((drift.per_sample.value - 0.25).abs() < 1e-12 && drift.tau == 1.0, "{n}: {drift:?}");
            assert!(drift.p < 0.02, "{n}: {drift:?}");
        }
        let still = Drift::from_samples(&[3.0; 100]).expect("samples");
        assert_eq!((still.per_sample.value, still.tau, still.p), (0.0, 0.0, 1.0));
        assert_eq!(Drift::from_samples(&[1.0; 4]), None);
    }
}
