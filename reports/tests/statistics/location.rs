//! Coverage of the intervals of one independent sample set.

use crate::coverage::{Covered, covered, trials};
use crate::populations::{ALL, Population};
use models::machine::Estimate;
use rand_chacha::ChaCha8Rng;
use reports::statistics::{
    Bootstrap, BootstrapT, mean_with_interval, median_with_interval, minimum_with_interval, quantile_with_interval,
    trimmed_mean,
};

fn of(
    what: &str,
    population: Population,
    n: usize,
    count: u32,
    truth: f64,
    intervals: impl Fn(&Vec<f64>, f64) -> Option<Estimate>,
) -> Covered {
    let what = format!("{what}, {population:?}, n = {n}");
    covered(what, trials(count), truth, |rng| population.draw(n, rng), intervals)
}

#[test]
fn a_median_between_order_statistics_covers_everywhere() {
    for population in ALL {
        for n in [15, 50] {
            of("median, order statistics", population, n, 4_000, population.quantile(0.5), |samples, confidence| {
                median_with_interval(samples, confidence).map(|median| median.estimate)
            })
            .holds(0.0);
        }
    }
}

#[test]
fn quantiles_between_order_statistics_cover_everywhere() {
    for population in ALL {
        for (share, n) in [(0.25, 60), (0.9, 120), (0.95, 300)] {
            let what = format!("quantile {share}, order statistics");
            of(&what, population, n, 2_000, population.quantile(share), |samples, confidence| {
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
        of("mean, Student", Population::Normal, n, 4_000, 100.0, student).holds(0.0).not_wide(0.0);
    }
    for population in [Population::Lognormal, Population::Pareto, Population::Spikes] {
        of("mean, Student", population, 30, 4_000, population.mean(), student).falls_short(0.01);
    }
    // Many samples mend it where there is a variance to speak of.
    of("mean, Student", Population::Lognormal, 1_000, 800, Population::Lognormal.mean(), student).holds(0.015);
}

#[test]
fn a_mean_by_bootstrap_bears_skewness_best_with_t() {
    let mean_of = |population: Population| {
        let what = |kind: &str| format!("mean, bootstrap {kind}, {population:?}, n = 40");
        let draw = |rng: &mut ChaCha8Rng| Bootstrap::of_mean(&population.draw(40, rng), 1).expect("samples");
        let draw_t = |rng: &mut ChaCha8Rng| BootstrapT::of_mean(&population.draw(40, rng), 1).expect("samples");
        let (count, truth) = (trials(600), population.mean());
        (
            covered(what("percentile"), count, truth, draw, |drawn, confidence| drawn.percentile(confidence)),
            covered(what("BCa"), count, truth, draw, |drawn, confidence| drawn.bca(confidence)),
            covered(what("t"), count, truth, draw_t, |drawn, confidence| drawn.interval(confidence)),
        )
    };
    let (percentile, bca, t) = mean_of(Population::Normal);
    percentile.holds(0.02);
    bca.holds(0.02);
    t.holds(0.0);
    let (percentile, bca, t) = mean_of(Population::Lognormal);
    bca.holds(0.05);
    t.holds(0.03);
    assert!(percentile.at_95() < t.at_95());
}

#[test]
fn a_trimmed_mean_covers_with_the_winsorised_error_and_not_with_the_plain_one() {
    let n = 40;
    for population in ALL {
        let truth = population.midmean();
        of("trimmed mean, winsorised error", population, n, 4_000, truth, |samples, confidence| {
            trimmed_mean(samples, 0.25)?.interval(confidence)
        })
        .holds(0.015)
        .not_wide(0.01);
        of("trimmed mean, plain error of the kept", population, n, 4_000, truth, |samples, confidence| {
            let mut kept = samples.clone();
            kept.sort_by(f64::total_cmp);
            mean_with_interval(&kept[n / 4..n - n / 4], confidence)
        })
        .falls_short(0.15);
    }
}

#[test]
fn the_least_covers_where_times_begin_at_once_and_not_where_they_thin_out() {
    let least = |samples: &Vec<f64>, confidence| minimum_with_interval(samples, confidence);
    for population in ALL {
        match population.least() {
            Some(truth) => {
                of("least, Robson and Whitlock", population, 100, 4_000, truth, least).holds(0.0).not_wide(0.0);
            }
            // What a normal distribution has as good as never: its 10⁻⁶ quantile; and a lognormal one has 0.
            None => of("least, Robson and Whitlock", population, 100, 4_000, population.quantile(1e-6), least)
                .falls_short(0.02),
        }
    }
}
