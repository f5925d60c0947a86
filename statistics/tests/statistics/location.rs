//! Coverage of the intervals of one independent sample set.

use crate::coverage::{Covered, covered, trials};
use crate::populations::{ALL, Population};
use parallax_statistics::{mean_with_interval, median_with_interval, quantile_with_interval, trimmed_mean};
use programs::machine::Estimate;

fn sample_coverage(
    what: &str,
    population: Population,
    n: usize,
    count: u32,
    truth: f64,
    intervals: impl Fn(&Vec<f64>, f64) -> Option<Estimate>,
) -> Covered {
    let what = format!("{what}, {population:?}, n = {n}");
    covered(what, trials(count), truth, |rng| population.sample_n(n, rng), intervals)
}

#[test]
fn a_median_between_order_statistics_covers_everywhere() {
    for population in ALL {
        for n in [15, 50] {
            sample_coverage(
                "median, order statistics",
                population,
                n,
                4_000,
                population.quantile(0.5),
                |samples, confidence| median_with_interval(samples, confidence).map(|median| median.estimate),
            )
            .holds(0.0);
        }
    }
}

#[test]
fn quantiles_between_order_statistics_cover_everywhere() {
    for population in ALL {
        for (share, n) in [(0.25, 60), (0.9, 120), (0.95, 300)] {
            let what = format!("quantile {share}, order statistics");
            sample_coverage(&what, population, n, 2_000, population.quantile(share), |samples, confidence| {
                let quantile = quantile_with_interval(samples, share, confidence)?;
                (quantile.reached >= confidence).then_some(quantile.estimate)
            })
            .holds(0.0)
            .not_wide(0.04);
        }
    }
}

#[test]
fn a_mean_by_student_covers_normal_samples_and_not_heavy_tails() {
    let student = |samples: &Vec<f64>, confidence| mean_with_interval(samples, confidence);
    for n in [5, 30] {
        sample_coverage("mean, Student", Population::Normal, n, 4_000, 100.0, student).holds(0.0).not_wide(0.0);
    }
    for population in [Population::Lognormal, Population::Pareto, Population::Spikes] {
        sample_coverage("mean, Student", population, 30, 4_000, population.mean(), student).falls_short(0.01);
    }
    // Many samples mend it where there is a variance to speak of.
    sample_coverage("mean, Student", Population::Lognormal, 1_000, 800, Population::Lognormal.mean(), student)
        .holds(0.015);
}

#[test]
fn a_trimmed_mean_covers_with_the_winsorised_error_and_not_with_the_plain_one() {
    let n = 40;
    for population in ALL {
        let truth = population.midmean();
        sample_coverage("trimmed mean, winsorised error", population, n, 4_000, truth, |samples, confidence| {
            trimmed_mean(samples, 0.25)?.interval(confidence)
        })
        .holds(0.015)
        .not_wide(0.01);
        sample_coverage("trimmed mean, plain error of the kept", population, n, 4_000, truth, |samples, confidence| {
            let mut kept = samples.clone();
            kept.sort_by(f64::total_cmp);
            mean_with_interval(&kept[n / 4..n - n / 4], confidence)
        })
        .falls_short(0.15);
    }
}
