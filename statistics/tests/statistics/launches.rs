//! Launches as the unit: how often intervals cover, two runs agree, plans keep the confidence, and one mode is taken for two.

use crate::coverage::{covered, trials};
use crate::populations::Population;
use parallax_statistics::{
    AutoLaunches, LaunchDecision, LaunchEstimate, launch_estimate, mean_with_interval, modes, signed_rank,
};
use programs::machine::Estimate;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal, StandardNormal, StudentT};

/// Draws the log ratio of a launch.
type Draw = fn(&mut ChaCha8Rng) -> f64;

/// Where log ratios of launches come from, all symmetric about 0.
const SHAPES: [(&str, Draw); 3] = [
    ("normal", |rng| StandardNormal.sample(rng)),
    ("uniform", |rng| rng.random::<f64>() - 0.5),
    ("Student's, 3 degrees of freedom", |rng| StudentT::new(3.0).expect("a distribution").sample(rng)),
];

fn interval(found: LaunchEstimate) -> Option<Estimate> {
    found.interval.map(|_| found.estimate())
}

#[test]
fn intervals_over_launches_are_covered() {
    for (name, draw) in SHAPES {
        for launches in [6, 8, 10, 20, 70] {
            let what = format!("Hodges and Lehmann over {launches} launches, {name}");
            let numbers = |rng: &mut ChaCha8Rng| (0..launches).map(|_| draw(rng)).collect::<Vec<f64>>();
            covered(what, trials(3_000), 0.0, numbers, |numbers, confidence| {
                launch_estimate(numbers, confidence).and_then(interval)
            })
            .holds(if launches < 8 { 0.01 } else { 0.0 });
        }
    }
    for launches in [4, 5] {
        let what = format!("few launches, {launches}, normal");
        let numbers = |rng: &mut ChaCha8Rng| (0..launches).map(|_| SHAPES[0].1(rng)).collect::<Vec<f64>>();
        covered(what, trials(4_000), 0.0, numbers, |numbers, confidence| {
            launch_estimate(numbers, confidence).and_then(interval)
        })
        .holds(0.005);
    }
}

/// Whether two runs that measured the same thing agree: |a − b| ≤ 1.96·√(se_a² + se_b²). Right standard errors make this true
/// in nearly 95 % of all pairs.
fn agree(a: &LaunchEstimate, b: &LaunchEstimate) -> bool {
    let error = |one: &LaunchEstimate| one.standard_error.expect("four launches or more");
    (a.value - b.value).abs() <= 1.96 * error(a).hypot(error(b))
}

#[test]
fn two_runs_of_the_same_agree_in_90_to_98_percent() {
    for (name, draw) in SHAPES {
        // Few launches are taken for normal.
        for (first, second) in [(5, 5), (6, 6), (7, 12), (10, 10), (20, 20)] {
            if first < 6 && name != "normal" {
                continue;
            }
            let mut rng = ChaCha8Rng::seed_from_u64(8);
            let mut run = |launches: usize| {
                let numbers: Vec<f64> = (0..launches).map(|_| draw(&mut rng)).collect();
                launch_estimate(&numbers, 0.95).expect("launches")
            };
            let pairs = 4_000;
            let agreeing = (0..pairs).filter(|_| agree(&run(first), &run(second))).count();
            let share = agreeing as f64 / f64::from(pairs);
            println!("agree, {first} and {second} launches, {name:<40}{:6.1} %", 100.0 * share);
            assert!((0.90..=0.98).contains(&share), "{name}, {first} and {second}: {share}");
        }
    }
}

#[test]
fn the_signed_rank_test_finds_no_more_than_it_may() {
    for (name, launches, coarse) in [("exact", 9, false), ("exact with ties and zeros", 15, true), ("normal", 80, true)]
    {
        let mut rng = ChaCha8Rng::seed_from_u64(77);
        let mut p = || {
            let number = |rng: &mut ChaCha8Rng| {
                let number: f64 = StandardNormal.sample(rng);
                if coarse { (number * 2.0).round() } else { number }
            };
            signed_rank(&(0..launches).map(|_| number(&mut rng)).collect::<Vec<f64>>()).expect("numbers").p
        };
        let tests = trials(4_000);
        let ps: Vec<f64> = (0..tests).map(|_| p()).collect();
        for risk in [0.1, 0.05, 0.01] {
            let share = ps.iter().filter(|&&p| p <= risk).count() as f64 / f64::from(tests);
            println!("signed ranks, {name:<44}{:6.1} of {:.1} %", 100.0 * share, 100.0 * risk);
            assert!(share <= risk + 3.0 * (risk * (1.0 - risk) / f64::from(tests)).sqrt(), "{name}: {share}");
        }
    }
}

/// Launches as planned, each with a log ratio of this deviation about 0.
fn planned(auto: AutoLaunches, deviation: f64, rng: &mut ChaCha8Rng) -> (Vec<f64>, u32) {
    let normal = Normal::new(0.0, deviation).expect("a normal");
    let (mut row, mut looks): (Vec<Option<f64>>, u32) = (Vec::new(), 0);
    loop {
        match auto.decide(&[row.clone()]) {
            LaunchDecision::Until(launches) => row.resize_with(launches, || Some(normal.sample(rng))),
            LaunchDecision::Enough | LaunchDecision::Most { .. } => {
                return (row.into_iter().flatten().collect(), looks);
            }
        }
        looks += 1;
    }
}

#[test]
fn planned_launches_keep_the_confidence_and_reach_the_width() {
    let auto = AutoLaunches { half_width: 0.05, confidence: 0.95, most: 400 };
    for deviation in [0.01, 0.03, 0.05, 0.10, 0.20] {
        let what = format!("launches by plan, deviation {deviation}");
        let (mut narrow, mut all) = (0, 0);
        let draw = |rng: &mut ChaCha8Rng| {
            let (numbers, looks) = planned(auto, deviation, rng);
            assert!(looks <= 3, "five, the first plan, the second plan");
            numbers
        };
        let found = covered(what, trials(2_000), 0.0, draw, |numbers, confidence| {
            (confidence == 0.95).then(|| launch_estimate(numbers, 0.95).and_then(interval)).flatten()
        });
        let least = if cfg!(debug_assertions) { 0.91 } else { 0.93 };
        assert!(found.at_95() >= least, "{deviation}: {}", found.at_95());
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for _ in 0..trials(400) {
            let (numbers, _) = planned(auto, deviation, &mut rng);
            let found = mean_with_interval(&numbers, 0.95).expect("five or more");
            narrow += u32::from((found.high - found.low) / 2.0 <= 0.05f64.ln_1p());
            all += 1;
        }
        println!("wide at most 5 %, deviation {deviation}: {narrow} of {all}");
        assert!(f64::from(narrow) >= 0.75 * f64::from(all), "{deviation}: {narrow} of {all} are as narrow as asked");
    }
}

#[test]
fn stopping_at_the_first_narrow_interval_would_not_keep_it() {
    let normal = Normal::new(0.0, 0.10).expect("a normal");
    let draw = |rng: &mut ChaCha8Rng| {
        let mut numbers: Vec<f64> = (0..3).map(|_| normal.sample(rng)).collect();
        loop {
            let found = mean_with_interval(&numbers, 0.95).expect("numbers");
            if (found.high - found.low) / 2.0 <= 0.05f64.ln_1p() {
                return found;
            }
            numbers.push(normal.sample(rng));
        }
    };
    let found = covered("launches until narrow".to_owned(), trials(2_000), 0.0, draw, |found, confidence| {
        (confidence == 0.95).then_some(*found)
    });
    assert!(found.at_95() < 0.92, "{}", found.at_95());
}

/// In how many of so many samples two modes are found.
fn two_modes(what: &str, samples: u32, mut draw: impl FnMut(&mut ChaCha8Rng) -> Vec<f64>) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let found = (0..samples).filter(|_| modes(&draw(&mut rng)).is_some()).count();
    let share = found as f64 / f64::from(samples);
    println!("two modes, {what:<48}{:6.1} %", 100.0 * share);
    share
}

#[test]
fn one_mode_is_seldom_taken_for_two() {
    for launches in [6, 10, 20] {
        for ((name, draw), most) in SHAPES.into_iter().zip([0.05, 0.12, 0.05]) {
            let what = format!("{launches} launches, {name}");
            let share = two_modes(&what, 400, |rng| (0..launches).map(|_| draw(rng)).collect());
            assert!(share <= most, "{what}: {share}");
        }
    }
    let lognormal = two_modes("10 launches, lognormal", 400, |rng| Population::Lognormal.sample_n(10, rng));
    assert!(lognormal <= 0.10, "{lognormal}");
}

#[test]
fn two_modes_far_apart_are_found() {
    for (low, high, apart, least) in [(5, 5, 10.0, 0.9), (3, 7, 10.0, 0.85), (10, 10, 8.0, 0.9), (4, 8, 10.0, 0.85)] {
        let what = format!("{low} and {high} launches, {apart} deviations apart");
        let share = two_modes(&what, trials(200), |rng| {
            let number = |i: usize, rng: &mut ChaCha8Rng| {
                let number: f64 = StandardNormal.sample(rng);
                if i < low { number } else { number + apart }
            };
            (0..low + high).map(|i| number(i, rng)).collect()
        });
        assert!(share >= least, "{what}: {share}");
    }
}
