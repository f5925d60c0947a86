//! Percentile bootstrap of medians (Efron 1979) with an explicit seed.

use super::median::{middle_of, quantile_of};
use super::{proper, sorted};
use programs::machine::Estimate;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{Binomial, DiscreteCDF};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Number of resamples drawn for one interval: at 99 % ten of them lie outside at each end.
pub const RESAMPLES: u32 = 2_000;

/// Medians of resamples, drawn from their exact distribution: the median of m = 2k − 1 draws with replacement is at
/// most the j-th smallest of n samples with P(Bin(m, j/n) ≥ k) (Efron 1979, section 3). So a resample costs one random
/// number, not n. m is n, or n − 1 where n is even.
pub struct ResampledMedians {
    sorted: Vec<f64>,
    cumulative: Arc<[f64]>,
}

/// Probability, for each number of samples, that the median of a resample is at most the j-th smallest. Its computation
/// is most of a fit's time, and it is shared by all samples of a campaign.
static CUMULATIVE: Mutex<BTreeMap<u64, Arc<[f64]>>> = Mutex::new(BTreeMap::new());

fn cumulative(n: u64) -> Arc<[f64]> {
    let mut known = CUMULATIVE.lock().expect("no panic while a table is computed");
    let draws = n - u64::from(n.is_multiple_of(2));
    let at_most = |j: u64| {
        let below = Binomial::new(j as f64 / n as f64, draws).expect("a share of the samples");
        1.0 - below.cdf(draws.div_ceil(2) - 1)
    };
    known.entry(n).or_insert_with(|| (1..n).map(at_most).collect()).clone()
}

impl ResampledMedians {
    /// Prepares the medians of resamples. `None` without samples, or where one is not finite.
    pub fn from_samples(samples: &[f64]) -> Option<ResampledMedians> {
        let sorted = sorted(samples)?;
        Some(ResampledMedians { cumulative: cumulative(sorted.len() as u64), sorted })
    }

    /// Draws the median of one resample.
    pub fn sample_median(&self, rng: &mut ChaCha8Rng) -> f64 {
        let share: f64 = rng.random();
        self.sorted[self.cumulative.partition_point(|&cumulative| cumulative <= share)]
    }
}

/// Returns `value` with the middle `confidence` share of its replicates, widened to hold `value` itself. Replicates
/// that are not finite are left out. `None` if no others are left.
pub fn percentile_interval(value: f64, replicates: &[f64], confidence: f64) -> Option<Estimate> {
    let tail = (1.0 - proper(confidence)?) / 2.0;
    let finite: Vec<f64> = replicates.iter().copied().filter(|replicate| replicate.is_finite()).collect();
    let sorted = sorted(&finite)?;
    let (low, high) = (quantile_of(&sorted, tail), quantile_of(&sorted, 1.0 - tail));
    value.is_finite().then(|| Estimate { value, low: low.min(value), high: high.max(value) })
}

/// Returns the median of `a` over the median of `b` with its percentile bootstrap interval (2000 resamples, the two
/// resampled independently). `None` without samples, or where the median of `b` is zero: there is no such ratio.
pub fn ratio_of_medians_with_interval(a: &[f64], b: &[f64], confidence: f64, seed: u64) -> Option<Estimate> {
    let (over, under) = (ResampledMedians::from_samples(a)?, ResampledMedians::from_samples(b)?);
    let divisor = middle_of(&under.sorted);
    if divisor == 0.0 {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let replicates: Vec<f64> =
        (0..RESAMPLES).map(|_| over.sample_median(&mut rng) / under.sample_median(&mut rng)).collect();
    percentile_interval(middle_of(&over.sorted) / divisor, &replicates, confidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_of_constants_is_exact_and_no_data_has_none() {
        let ratio = ratio_of_medians_with_interval(&[22.0; 9], &[4.0; 5], 0.99, 1).expect("samples");
        assert_eq!(ratio, Estimate { value: 5.5, low: 5.5, high: 5.5 });
        assert_eq!(ratio_of_medians_with_interval(&[], &[4.0], 0.99, 1), None);
        assert_eq!(ratio_of_medians_with_interval(&[4.0], &[], 0.99, 1), None);
        assert_eq!(ratio_of_medians_with_interval(&[4.0], &[0.0], 0.99, 1), None);
        assert_eq!(ratio_of_medians_with_interval(&[4.0], &[f64::NAN], 0.99, 1), None);
        assert_eq!(ratio_of_medians_with_interval(&[4.0], &[1.0], 1.0, 1), None);
    }

    #[test]
    fn one_seed_gives_one_interval() {
        let a: Vec<f64> = (0..30).map(|i| f64::from(i * i % 31)).collect();
        let b: Vec<f64> = (0..31).map(|i| 100.0 + f64::from(i * 7 % 13) + f64::from(i) / 64.0).collect();
        let of = |seed| ratio_of_medians_with_interval(&a, &b, 0.99, seed).expect("samples");
        assert_eq!(of(7), of(7));
        assert_ne!(of(7), of(8));
        assert!(of(7).low < of(7).value && of(7).value < of(7).high);
    }

    #[test]
    fn medians_of_resamples_come_as_often_as_drawing_them_gives() {
        // Efron 1979 lists, for n = 13, P(median of the resample is the j-th smallest), j = 7 … 2.
        let listed = [0.2230, 0.1936, 0.1242, 0.0550, 0.0142, 0.0015];
        let samples: Vec<f64> = (1..=13).map(f64::from).collect();
        let medians = ResampledMedians::from_samples(&samples).expect("samples");
        for (j, share) in (2..=7).rev().zip(listed) {
            let below = medians.cumulative[j - 2];
            assert!((medians.cumulative[j - 1] - below - share).abs() < 1e-4, "{j}: not {share}");
        }
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let drawn = (0..20_000).filter(|_| medians.sample_median(&mut rng) == 7.0).count() as f64 / 20_000.0;
        let resampled = (0..20_000).filter(|_| {
            let mut resample: Vec<u32> = (0..13).map(|_| rng.random_range(1..=13)).collect();
            resample.sort_unstable();
            resample[6] == 7
        });
        let resampled = resampled.count() as f64 / 20_000.0;
        assert!((drawn - resampled).abs() < 0.02, "{drawn} {resampled}");
    }

    #[test]
    fn the_interval_of_a_ratio_covers_the_true_ratio() {
        // Exponential samples with medians in the ratio 3, odd and even numbers of them, at 95 %.
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let mut draw =
            |n: u32, scale: f64| -> Vec<f64> { (0..n).map(|_| -scale * (1.0 - rng.random::<f64>()).ln()).collect() };
        let hits = (0..300u64).filter(|&trial| {
            let (a, b) = (draw(30, 3.0), draw(41, 1.0));
            let ratio = ratio_of_medians_with_interval(&a, &b, 0.95, trial).expect("samples");
            (ratio.low..=ratio.high).contains(&3.0)
        });
        let share = hits.count() as f64 / 300.0;
        assert!(share >= 0.95 - 3.0 * (0.95f64 * 0.05 / 300.0).sqrt(), "covered {share}");
    }
}
