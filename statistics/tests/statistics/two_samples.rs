//! How often comparisons of two samples are right.

use crate::coverage::{covered, trials};
use crate::populations::Population;
use parallax_statistics::{
    cliffs_delta, hodges_lehmann, holm, mann_whitney, ratio_of_locations, ratio_of_medians_with_interval,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, Normal};

const RISKS: [f64; 3] = [0.1, 0.05, 0.01];

/// How often p was at most each of the risks, which must be no oftener than they say.
#[track_caller]
fn seldom(what: &str, trials: u32, mut p: impl FnMut(&mut ChaCha8Rng) -> f64) -> [f64; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let ps: Vec<f64> = (0..trials).map(|_| p(&mut rng)).collect();
    RISKS.map(|risk| {
        let share = ps.iter().filter(|&&p| p <= risk).count() as f64 / f64::from(trials);
        println!("{what:<58}{:6.1} of {:.1} %", 100.0 * share, 100.0 * risk);
        let most = risk + 3.0 * (risk * (1.0 - risk) / f64::from(trials)).sqrt();
        assert!(share <= most, "{what}: {share} where {risk} was promised");
        share
    })
}

#[test]
fn the_rank_test_finds_no_more_than_it_may_where_there_is_nothing() {
    let coarse = |samples: Vec<f64>| -> Vec<f64> { samples.iter().map(|sample| (sample / 0.5).round()).collect() };
    for (m, n) in [(8, 9), (12, 30), (40, 45)] {
        let alike = |rng: &mut ChaCha8Rng| (Population::Pareto.sample_n(m, rng), Population::Pareto.sample_n(n, rng));
        let found = seldom(&format!("Mann and Whitney, {m} and {n}"), trials(1_600), |rng| {
            let (a, b) = alike(rng);
            mann_whitney(&a, &b).expect("samples").p
        });
        assert!(found[1] > 0.02, "blunt: {found:?}");
        seldom(&format!("Mann and Whitney with ties, {m} and {n}"), trials(1_600), |rng| {
            let (a, b) = alike(rng);
            mann_whitney(&coarse(a), &coarse(b)).expect("samples").p
        });
    }
}

#[test]
fn shifts_and_factors_are_covered() {
    for (population, m, n) in [(Population::Normal, 12, 15), (Population::Spikes, 40, 50)] {
        let what = format!("shift, Hodges and Lehmann, {population:?}, {m} and {n}");
        let shifted = |rng: &mut ChaCha8Rng| {
            let a: Vec<f64> = population.sample_n(m, rng).iter().map(|sample| sample + 3.0).collect();
            (a, population.sample_n(n, rng))
        };
        covered(what, trials(2_000), 3.0, shifted, |(a, b), confidence| {
            hodges_lehmann(a, b, confidence).map(|shift| shift.estimate)
        })
        .holds(0.0)
        .not_wide(0.02);
    }
    let factor = |rng: &mut ChaCha8Rng| {
        let a: Vec<f64> = Population::Lognormal.sample_n(25, rng).iter().map(|sample| sample * 1.7).collect();
        (a, Population::Lognormal.sample_n(30, rng))
    };
    covered("ratio, Hodges and Lehmann, Lognormal".to_owned(), trials(2_000), 1.7, factor, |(a, b), confidence| {
        ratio_of_locations(a, b, confidence).map(|shift| shift.estimate)
    })
    .holds(0.0)
    .not_wide(0.02);
    covered("ratio of medians, bootstrap, Lognormal".to_owned(), trials(800), 1.7, factor, |(a, b), confidence| {
        ratio_of_medians_with_interval(a, b, confidence, 1)
    })
    .holds(0.01);
}

#[test]
fn cliffs_delta_is_covered() {
    for (shift, m, n) in [(0.0, 20, 20), (2.5, 20, 30), (7.0, 40, 40)] {
        let truth = 2.0 * Normal::standard().cdf(shift / 5.0 / 2.0f64.sqrt()) - 1.0;
        let what = format!("Cliff's delta {truth:.2}, {m} and {n}");
        let draw = |rng: &mut ChaCha8Rng| {
            let a: Vec<f64> = Population::Normal.sample_n(m, rng).iter().map(|sample| sample + shift).collect();
            (a, Population::Normal.sample_n(n, rng))
        };
        covered(what, trials(3_000), truth, draw, |(a, b), confidence| cliffs_delta(a, b, confidence)).holds(0.01);
    }
}

#[test]
fn many_cases_compared_together_give_no_more_false_findings_than_one() {
    let cases = |rng: &mut ChaCha8Rng| -> Vec<(Vec<f64>, Vec<f64>)> {
        (0..10).map(|_| (Population::Lognormal.sample_n(10, rng), Population::Lognormal.sample_n(10, rng))).collect()
    };
    let ps = |cases: &[(Vec<f64>, Vec<f64>)]| -> Vec<f64> {
        cases.iter().map(|(a, b)| mann_whitney(a, b).expect("samples").p).collect()
    };
    let least = |ps: Vec<f64>| ps.into_iter().fold(1.0, f64::min);
    seldom("least p of ten cases, Holm", trials(400), |rng| least(holm(&ps(&cases(rng)))));
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let unadjusted = (0..100).filter(|_| least(ps(&cases(&mut rng))) <= 0.05);
    assert!(unadjusted.count() > 20, "one by one, ten cases are found different far too often");
    // And what is there is found.
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    let mut all = cases(&mut rng);
    all[3].0.iter_mut().for_each(|sample| *sample *= 12.0);
    assert!(holm(&ps(&all))[3] <= 0.05, "and it is the one: {:?}", mann_whitney(&all[3].0, &all[3].1));
}
