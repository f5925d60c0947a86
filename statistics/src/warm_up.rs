//! Warm-up of a series: the begin of its steady part.

use super::mean::mean;
use super::{finite, outliers, rank_test};
use serde::{Deserialize, Serialize};

/// Number of samples in a batch.
const BATCH: usize = 5;
/// Value of p below which a warm-up is called evident.
const EVIDENT: f64 = 1e-4;

/// Warm-up of a series. Nothing is dropped for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarmUp {
    /// Index of the first sample of the steady part, 0 where all is steady.
    pub steady_from: usize,
    /// Whether the series has settled: false where the best place lay at the end of the part that may be cut, half the
    /// series.
    pub settled: bool,
    /// Whether the samples before differ from those after beyond chance (Mann and Whitney's test, p below 0.0001: the
    /// place was chosen for being different).
    pub evident: bool,
}

/// Finds the steady part by MSER-5: with Zⱼ the means of successive five samples, m of them, it begins with the batch d
/// ≤ m/2 that minimises Σ_{j>d} (Zⱼ − Z̄)²/(m − d)² (White 1997; White, Cobb and Spratt 2000).
///
/// Samples are first drawn in to the fences of their outliers, so that one spike late in the run is not taken for the
/// end of a warm-up. `None` for fewer than 20 samples, or where one is not finite.
pub fn warm_up(samples: &[f64]) -> Option<WarmUp> {
    let samples = finite(samples).filter(|samples| samples.len() >= 4 * BATCH)?;
    let fences = outliers(samples)?;
    let drawn_in: Vec<f64> = samples.iter().map(|&sample| fences.drawn_in(sample)).collect();
    let batches: Vec<f64> = drawn_in.chunks_exact(BATCH).map(mean).collect();
    let first = mser(&batches);
    let steady_from = first * BATCH;
    let evident = first > 0
        && rank_test::mann_whitney(&samples[..steady_from], &samples[steady_from..])
            .is_some_and(|test| test.p < EVIDENT);
    Some(WarmUp { steady_from, settled: first < batches.len() / 2, evident })
}

/// Returns the batch that minimises the squared standard error of the rest, the first of equals.
fn mser(batches: &[f64]) -> usize {
    let all = batches.len();
    // From the end, so that each rest adds one batch: mean and squares by Welford's recurrence.
    let (mut middle, mut sum) = (0.0, 0.0);
    let (mut best, mut least) = (0, f64::INFINITY);
    for (count, first) in (0..all).rev().enumerate() {
        let away = batches[first] - middle;
        middle += away / (count + 1) as f64;
        sum += away * (batches[first] - middle);
        let error = sum / ((count + 1) as f64).powi(2);
        if first <= all / 2 && error <= least {
            (best, least) = (first, error);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::mean::squares;
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// As many draws from 0 … 1.
    fn noise(n: usize) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        (0..n).map(|_| rng.random()).collect()
    }

    /// Noise on a curve.
    fn around(n: usize, curve: impl Fn(f64) -> f64) -> Vec<f64> {
        noise(n).iter().enumerate().map(|(i, noise)| curve(i as f64) + noise).collect()
    }

    #[test]
    fn the_start_of_the_steady_part_is_found() {
        let series = around(200, |i| if i < 40.0 { 30.0 } else { 10.0 });
        let found = warm_up(&series).expect("samples");
        assert!((40..=60).contains(&found.steady_from) && found.evident && found.settled, "{found:?}");
        let decaying = around(400, |i| 10.0 + 20.0 * (-i / 10.0).exp());
        let found = warm_up(&decaying).expect("samples");
        assert!((20..=60).contains(&found.steady_from) && found.evident && found.settled, "{found:?}");
    }

    #[test]
    fn a_spike_is_no_warm_up() {
        let mut series = noise(200);
        series[70] = 1_000.0;
        let found = warm_up(&series).expect("samples");
        assert!(!found.evident, "{found:?}");
    }

    #[test]
    fn what_is_steady_is_hardly_ever_called_a_warm_up() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let called = (0..300).filter(|_| {
            let series: Vec<f64> = (0..150).map(|_| -(1.0 - rng.random::<f64>()).ln()).collect();
            warm_up(&series).expect("samples").evident
        });
        assert!(called.count() <= 3, "more than one in a hundred");
    }

    #[test]
    fn what_still_falls_has_not_settled() {
        let falling: Vec<f64> = (0..100).map(|i| 100.0 - f64::from(i)).collect();
        let found = warm_up(&falling).expect("samples");
        assert_eq!((found.steady_from, found.settled), (50, false));
    }

    #[test]
    fn constants_are_steady_and_few_samples_tell_nothing() {
        assert_eq!(warm_up(&[4.0; 60]), Some(WarmUp { steady_from: 0, settled: true, evident: false }));
        assert_eq!(warm_up(&[4.0; 19]), None);
        assert_eq!(warm_up(&[f64::NAN; 40]), None);
    }

    #[test]
    fn the_recurrence_gives_the_sum_it_stands_for() {
        let batches = around(31, |i| if i < 4.0 { 3.0 } else { 0.0 });
        let error = |first: usize| squares(&batches[first..]) / ((31 - first) as f64).powi(2);
        let least = (0..=15).min_by(|&a, &b| error(a).total_cmp(&error(b))).expect("some");
        assert_eq!(mser(&batches), least);
        assert_eq!(least, 4);
    }
}
