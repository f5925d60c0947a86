//! Coverage where samples resemble their neighbours, or those of their launch.

use crate::coverage::{Covered, covered, trials};
use crate::populations::{Population, autoregressive};
use parallax_statistics::{
    Autocorrelation, Batches, mean_with_interval, median, median_with_interval, over_launches, theil_sen, trimmed_mean,
};
use programs::machine::Estimate;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};

#[derive(Clone, Copy, Debug)]
enum Statistic {
    Mean,
    Median,
    Midmean,
}

const STATISTICS: [Statistic; 3] = [Statistic::Mean, Statistic::Median, Statistic::Midmean];

impl Statistic {
    fn value(self, samples: &[f64]) -> Option<f64> {
        match self {
            Statistic::Mean => Some(samples.iter().sum::<f64>() / samples.len() as f64),
            Statistic::Median => median(samples),
            Statistic::Midmean => trimmed_mean(samples, 0.25).map(|trimmed| trimmed.value),
        }
    }

    fn interval(self, samples: &[f64], confidence: f64, dependence: Dependence) -> Option<Estimate> {
        match (dependence, self) {
            (Dependence::Serial, _) => Batches::from_samples(samples)?.interval(|batch| self.value(batch), confidence),
            (Dependence::None, Statistic::Mean) => mean_with_interval(samples, confidence),
            (Dependence::None, Statistic::Median) => Some(median_with_interval(samples, confidence)?.estimate),
            (Dependence::None, Statistic::Midmean) => trimmed_mean(samples, 0.25)?.interval(confidence),
        }
    }
}

/// What an interval takes of successive samples.
#[derive(Clone, Copy, Debug)]
enum Dependence {
    None,
    Serial,
}

fn series(phi: f64, n: usize, skewed: bool, statistic: Statistic, dependence: Dependence) -> Covered {
    let truth = match (skewed, statistic) {
        (false, _) => 0.0,
        (true, Statistic::Median) => 1.0,
        (true, Statistic::Mean) => 0.32f64.exp(),
        (true, Statistic::Midmean) => Population::Lognormal.midmean(),
    };
    let what = format!("{statistic:?}, {dependence:?}, {}AR(1) {phi}, n = {n}", if skewed { "exp " } else { "" });
    let draw = |rng: &mut ChaCha8Rng| {
        let mut series = autoregressive(phi, n, rng);
        series.iter_mut().filter(|_| skewed).for_each(|x| *x = (0.8 * *x).exp());
        series
    };
    covered(what, trials(800), truth, draw, |samples, confidence| statistic.interval(samples, confidence, dependence))
}

#[test]
fn independent_intervals_are_too_narrow_for_series_that_remember_and_batches_are_not() {
    for statistic in STATISTICS {
        for (phi, n, skewed) in [(0.5, 400, false), (0.5, 400, true), (0.8, 1_500, false)] {
            series(phi, n, skewed, statistic, Dependence::None).falls_short(0.04);
            series(phi, n, skewed, statistic, Dependence::Serial).holds(0.02);
        }
    }
}

#[test]
fn batches_cover_independent_samples_too() {
    for statistic in STATISTICS {
        series(0.0, 200, false, statistic, Dependence::Serial).holds(0.01);
        series(0.0, 200, true, statistic, Dependence::Serial).holds(0.03);
        series(-0.5, 200, false, statistic, Dependence::Serial).holds(0.01);
    }
}

#[test]
fn a_series_too_short_for_its_memory_is_seldom_given_an_interval() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let given = (0..200).filter(|_| Batches::from_samples(&autoregressive(0.95, 300, &mut rng)).is_some());
    assert!(given.count() <= 30, "300 samples are worth eight");
}

#[test]
fn the_effective_number_of_samples_is_that_of_theory() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for phi in [0.0, 0.3, 0.6, 0.9] {
        let n = 4_000;
        let mut found: Vec<f64> = (0..40)
            .map(|_| Autocorrelation::from_samples(&autoregressive(phi, n, &mut rng)).expect("it varies").effective_n)
            .collect();
        found.sort_by(f64::total_cmp);
        let theory = n as f64 * (1.0 - phi) / (1.0 + phi);
        assert!((found[20] / theory - 1.0).abs() < 0.12, "φ = {phi}: {} against {theory}", found[20]);
    }
    let found = Autocorrelation::from_samples(&autoregressive(0.6, 4_000, &mut rng)).expect("it varies");
    assert!((found.lag_1 - 0.6).abs() < 0.06 && found.is_evident(), "{found:?}");
}

#[test]
fn samples_of_one_launch_are_not_independent() {
    let (between, within) = (Normal::new(0.0, 1.0).expect("a normal"), Normal::new(0.0, 2.0).expect("a normal"));
    let launches = |rng: &mut ChaCha8Rng| -> Vec<Vec<f64>> {
        let launch = |rng: &mut ChaCha8Rng| {
            let base = 50.0 + between.sample(rng);
            // Launches need not be of one size.
            let n = rng.random_range(20..=40);
            (0..n).map(|_| base + within.sample(rng)).collect()
        };
        (0..9).map(|_| launch(rng)).collect()
    };
    let average = |launch: &[f64]| Statistic::Mean.value(launch);
    let count = trials(2_000);
    covered("mean, all samples pooled, 9 launches".to_owned(), count, 50.0, launches, |launches, confidence| {
        mean_with_interval(&launches.concat(), confidence)
    })
    .falls_short(0.2);
    covered("mean over launches, Student, 9 launches".to_owned(), count, 50.0, launches, |launches, confidence| {
        over_launches(launches, average, confidence).map(|over| over.mean)
    })
    .holds(0.0)
    .not_wide(0.0);
    covered("median over launches, Student, 9 launches".to_owned(), count, 50.0, launches, |launches, confidence| {
        over_launches(launches, median, confidence).map(|over| over.mean)
    })
    .holds(0.0);
    covered("median over launches, order, 9 launches".to_owned(), count, 50.0, launches, |launches, confidence| {
        over_launches(launches, median, confidence)?.median
    })
    .holds(0.0);
}

#[test]
fn a_drift_is_covered_and_none_is_seldom_seen() {
    let noise = Population::Spikes;
    let what = "slope, Theil and Sen, Spikes, n = 50".to_owned();
    let rising = |rng: &mut ChaCha8Rng| -> Vec<(f64, f64)> {
        let samples = noise.sample_n(50, rng);
        samples.iter().enumerate().map(|(i, y)| (i as f64, 0.05 * i as f64 + y)).collect()
    };
    let slope = |points: &Vec<(f64, f64)>, confidence| theil_sen(points, confidence).map(|fit| fit.slope);
    covered(what, trials(1_000), 0.05, rising, slope).holds(0.0);
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for n in [20, 200] {
        let count = trials(2_000);
        let seen = (0..count).filter(|_| {
            let drift = parallax_statistics::Drift::from_samples(&noise.sample_n(n, &mut rng)).expect("samples");
            drift.p <= 0.05
        });
        let share = seen.count() as f64 / f64::from(count);
        assert!(share <= 0.05 + 3.0 * (0.05 * 0.95 / f64::from(count)).sqrt(), "n = {n}: {share}");
    }
}
