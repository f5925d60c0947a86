//! What is left of a confidence when measuring stops at the first narrow interval.

use crate::coverage::{Covered, covered, trials};
use crate::populations::Population;
use models::machine::Estimate;
use rand_chacha::ChaCha8Rng;
use reports::statistics::{Decision, Dependence, Statistic, StoppingRule};

/// Draws until the rule says stop, looking where it says.
fn stopped(rule: StoppingRule, population: Population, every_sample: bool, rng: &mut ChaCha8Rng) -> (Estimate, usize) {
    let (mut samples, mut look) = (Vec::new(), rule.least);
    loop {
        samples.extend(population.draw(look - samples.len(), rng));
        match rule.decide(&samples) {
            Decision::GoOn => look = if every_sample { look + 1 } else { rule.next_look(look) },
            Decision::Precise(estimate) | Decision::Most(Some(estimate)) => return (estimate, samples.len()),
            Decision::Most(None) => panic!("{} samples and no interval", samples.len()),
        }
    }
}

fn at_95(rule: StoppingRule, population: Population, every_sample: bool, truth: f64) -> Covered {
    let what = format!("{:?}, stopped, {population:?}, least {}", rule.statistic, rule.least);
    let draw = |rng: &mut ChaCha8Rng| stopped(rule, population, every_sample, rng).0;
    covered(what, trials(1_500), truth, draw, |estimate, confidence| (confidence == 0.95).then_some(*estimate))
}

fn narrow(statistic: Statistic, least: usize, width: f64) -> StoppingRule {
    StoppingRule { statistic, least, relative_half_width: width, most: 5_000, ..StoppingRule::default() }
}

#[test]
fn stopping_costs_little_confidence_from_thirty_samples_on_and_much_from_two_on() {
    let lognormal = Population::Lognormal;
    let late = at_95(narrow(Statistic::Median, 30, 0.15), lognormal, false, 1.0);
    assert!(late.at_95() > 0.925, "{}", late.at_95());
    let trimmed = Statistic::TrimmedMean { share: 0.25 };
    let late = at_95(narrow(trimmed, 30, 0.15), lognormal, false, lognormal.midmean());
    assert!(late.at_95() > 0.925, "{}", late.at_95());
    // Looking after every sample from the second on: two are soon alike by luck.
    let normal = |least, width, every| at_95(narrow(Statistic::Mean, least, width), Population::Normal, every, 100.0);
    let (early, late) = (normal(2, 0.05, true), normal(30, 0.01, false));
    assert!(early.at_95() < 0.91 && late.at_95() > 0.925, "{} {}", early.at_95(), late.at_95());
}

#[test]
fn it_stops_about_where_theory_says_and_never_beyond_the_most() {
    use rand::SeedableRng;
    // Normal, deviation 5 % of the mean: half a 95 % interval of 0.5 % takes (1.96·0.05/0.005)² = 384 samples.
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let rule = narrow(Statistic::Mean, 30, 0.005);
    for _ in 0..20 {
        let (_, n) = stopped(rule, Population::Normal, false, &mut rng);
        assert!((300..=500).contains(&n), "{n}");
    }
    let capped = StoppingRule { most: 100, ..rule };
    assert_eq!(stopped(capped, Population::Normal, false, &mut rng).1, 100);
    let serial = StoppingRule { dependence: Dependence::Serial, least: 60, ..rule };
    let (_, n) = stopped(serial, Population::Normal, false, &mut rng);
    assert!(n >= 200, "batches are no less careful: {n}");
}
