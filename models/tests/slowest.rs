//! The largest of n delays: closed forms, the numbers of the specification, and draws.

use parallax_models::closed_form::noise::{expected_largest, slowest, slowest_recorded};
use parallax_models::noise::{Delays, RecordedDelays};
use parallax_models::stable::draws;
use parallax_models::time::Span;
use proptest::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::{gamma, ln_gamma};

fn delays(text: &str) -> Delays {
    Delays::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// M_n in µs.
fn mean_us(text: &str, n: u64) -> f64 {
    slowest(n, &delays(text)).mean_ps / 1e6
}

fn close(found: f64, expected: f64, within: f64, what: &str) {
    assert!((found - expected).abs() <= within * expected.abs(), "{what}: {found} against {expected}");
}

#[test]
fn closed_forms_come_back_to_nine_digits_for_one_rank_and_for_millions() {
    let harmonic = |n: u64| (1..=n).map(|k| 1.0 / k as f64).sum::<f64>();
    for n in [1, 2, 3, 10, 1_000, 65_536, 10_000_000] {
        let count = n as f64;
        close(mean_us("exponential:mean=4us", n), 4.0 * harmonic(n), 1e-9, &format!("exponential, {n}"));
        close(mean_us("uniform:from=0us,to=8us", n), 8.0 * count / (count + 1.0), 1e-9, &format!("uniform, {n}"));
        let bernoulli = 10.0 * -(count * (-0.001_f64).ln_1p()).exp_m1();
        close(mean_us("bernoulli:probability=0.001,duration=10us", n), bernoulli, 1e-9, &format!("Bernoulli, {n}"));
        for alpha in [1.05_f64, 1.5, 3.0] {
            let log = ln_gamma(count + 1.0) + ln_gamma(1.0 - 1.0 / alpha) - ln_gamma(count + 1.0 - 1.0 / alpha);
            // Differences of large logarithms have fewer digits.
            let within = 1e-9_f64.max(count * count.ln() * 1e-15);
            close(
                mean_us(&format!("pareto:scale=1us,shape={alpha}"), n),
                log.exp(),
                within,
                &format!("Pareto {alpha}, {n}"),
            );
        }
    }
    let pi = std::f64::consts::PI;
    close(mean_us("half-normal:sigma=4us", 1), 4.0 * (2.0 / pi).sqrt(), 1e-9, "half-normal, 1");
    close(mean_us("half-normal:sigma=4us", 2), 8.0 / pi.sqrt(), 1e-9, "half-normal, 2");
    close(mean_us("fixed:duration=5us", 1_000), 5.0, 1e-12, "fixed");
    close(mean_us("rectified-normal:sigma=4us", 1), 4.0 / (2.0 * pi).sqrt(), 1e-9, "rectified");
    // One exponential delay has the variance of its mean squared, n of them Σ 1/k².
    let squares: f64 = (1..=100).map(|k| 1.0 / f64::from(k * k)).sum();
    close(slowest(100, &delays("exponential:mean=4us")).variance_ps2 / 1e12, 16.0 * squares, 1e-8, "variance");
}

/// Mean in µs and variance in µs² of the largest of n.
fn moments_us(text: &str, n: u64) -> (f64, f64) {
    let found = slowest(n, &delays(text));
    (found.mean_ps / 1e6, found.variance_ps2 / 1e12)
}

/// The k-th moment of the largest of n from that of the least of j: the alternating sum over all subsets.
fn by_least(n: u64, k: f64, least: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut sum, mut ways) = (0.0, 1.0);
    for j in 1..=n {
        ways *= (n - j + 1) as f64 / j as f64;
        sum += if j % 2 == 1 { ways } else { -ways } * least(j as f64, k);
    }
    sum
}

#[test]
fn power_laws_have_their_variance_from_the_shape_on_that_has_one() {
    for shape in [1.000_001, 1.01, 1.5, 2.0, 2.000_1, 2.01, 2.5, 5.0, 1_000.0] {
        // The least of j has the shape j times.
        let least = |j: f64, k: f64| 5.0_f64.powf(k) * j * shape / (j * shape - k);
        for n in 1..9 {
            let (what, (mean, variance)) =
                (format!("{n} of {shape}"), moments_us(&format!("pareto:scale=5us,shape={shape}"), n));
            let expected = by_least(n, 1.0, least);
            close(mean, expected, 1e-9, &what);
            if shape > 2.0 {
                close(variance, by_least(n, 2.0, least) - expected * expected, 1e-6, &what);
            } else {
                assert!(variance.is_infinite(), "{what}: {variance}");
            }
        }
    }
    let (mean, variance) = moments_us("pareto:scale=5us,shape=2.01", 1);
    assert!(
        (mean - 9.950_495).abs() < 1e-6 && (variance.sqrt() - 70.185_4).abs() < 1e-4,
        "{mean} ± {}",
        variance.sqrt()
    );
    close(moments_us("pareto:scale=5us,shape=1.01", 1).0, 505.0, 1e-9, "a mean that is nearly none");
}

#[test]
fn power_laws_of_many_are_what_integration_finds() {
    for (shape, n) in [(1.5, 1e3), (1.5, 1e7), (3.0, 10.0), (3.0, 4e9)] {
        let (mean, variance) = moments_us(&format!("pareto:scale=1us,shape={shape}"), n as u64);
        let beyond = |z: f64| z.max(1.0).powf(-shape);
        close(mean, expected_largest(n, &beyond, &[1.0], 1.0), 1e-8, &format!("{n} of {shape}"));
        if shape > 2.0 {
            let square = expected_largest(n, &|square: f64| beyond(square.sqrt()), &[1.0], 1.0);
            close(variance, square - mean * mean, 1e-6, &format!("variance of {n} of {shape}"));
        }
    }
    for (text, beyond) in [
        ("uniform:from=2us,to=8us", (|z| ((8.0 - z) / 6.0_f64).clamp(0.0, 1.0)) as fn(f64) -> f64),
        ("bernoulli:probability=0.001,duration=10us", |z| if z < 10.0 { 0.001 } else { 0.0 }),
    ] {
        for n in [1_u64, 30, 100_000] {
            let (mean, variance) = moments_us(text, n);
            let count = n as f64;
            close(mean, expected_largest(count, &beyond, &[2.0, 8.0, 10.0], 1.0), 1e-9, text);
            let square = expected_largest(count, &|square: f64| beyond(square.sqrt()), &[4.0, 64.0, 100.0], 1.0);
            assert!((variance - (square - mean * mean)).abs() < 1e-7 * square, "{text}, {n}: {variance}");
        }
    }
}

#[test]
fn laws_of_which_one_delay_outweighs_all_others_have_a_variance_all_the_same() {
    let normal = Normal::standard();
    for sigma in [1e-6, 1e-3, 0.5, 2.0, 6.0, 10.0_f64] {
        let text = format!("lognormal:mean=5us,sigma={sigma}");
        let (mean, variance) = moments_us(&text, 1);
        close(mean, 5.0, 1e-9, &text);
        close(variance, 25.0 * (sigma * sigma).exp_m1(), 1e-6, &text);
        let (mean, variance) = moments_us(&text, 2);
        let expected = 10.0 * normal.cdf(sigma / 2.0_f64.sqrt());
        close(mean, expected, 1e-9, &text);
        let square = 50.0 * (sigma * sigma).exp() * normal.cdf(sigma * 2.0_f64.sqrt());
        // Of a small sigma the logarithms are normal themselves, and the formula's difference has no digits left.
        let near = 25.0 * sigma * sigma * (1.0 - std::f64::consts::FRAC_1_PI);
        let (expected, within) = if sigma < 1e-2 { (near, 1e-2) } else { (square - expected * expected, 1e-6) };
        close(variance, expected, within, &text);
    }
    for shape in [0.1, 0.3, 1.0, 7.0, 1_000.0_f64] {
        let text = format!("weibull:scale=5us,shape={shape}");
        let least = |j: f64, k: f64| (5.0 * j.powf(-1.0 / shape)).powf(k) * gamma(1.0 + k / shape);
        for n in 1..7 {
            let (mean, variance) = moments_us(&text, n);
            let expected = by_least(n, 1.0, least);
            close(mean, expected, 1e-9, &text);
            close(variance, by_least(n, 2.0, least) - expected * expected, 1e-6, &text);
        }
    }
}

#[test]
fn laws_that_hardly_spread_have_the_variance_that_is_left() {
    let pi = std::f64::consts::PI;
    close(moments_us("half-normal:sigma=4us", 1).1, 16.0 * (1.0 - 2.0 / pi), 1e-9, "half-normal, 1");
    close(moments_us("half-normal:sigma=4us", 2).1, 16.0 * (1.0 - 2.0 / pi), 1e-9, "half-normal, 2");
    close(moments_us("rectified-normal:sigma=4us", 1).1, 16.0 * (0.5 - 0.5 / pi), 1e-9, "rectified, 1");
    for text in ["fixed:duration=5us", "uniform:from=5us,to=5us", "bernoulli:probability=1,duration=5us"] {
        assert_eq!(moments_us(text, 1_000), (5.0, 0.0), "{text}");
    }
}

#[test]
fn efficiencies_of_the_specification_come_back_to_the_digit() {
    let cases = [
        ("exponential:mean=4us", &[(1, 92.592_593), (8, 82.140_343), (64, 72.489_440)][..]),
        ("uniform:from=0us,to=8us", &[(1, 92.592_593), (8, 87.548_638), (64, 86.390_218)]),
        ("half-normal:sigma=4us", &[(1, 93.999_914), (2, 91.720_371)]),
    ];
    for (text, numbers) in cases {
        for &(n, percent) in numbers {
            let efficiency = 50.0 / (50.0 + mean_us(text, n)) * 100.0;
            assert!((efficiency - percent).abs() < 5e-7, "{text}, {n}: {efficiency} against {percent}");
        }
    }
}

#[test]
fn draws_have_the_mean_and_the_variance_within_four_standard_errors() {
    let laws = [
        "half-normal:sigma=10us",
        "rectified-normal:sigma=10us",
        "exponential:mean=4us",
        "uniform:from=1us,to=8us",
        "bernoulli:probability=0.01,duration=20us",
        "lognormal:mean=5us,sigma=1",
        "weibull:scale=5us,shape=0.7",
        "pareto:scale=1us,shape=3.5",
    ];
    for (seed, text) in (0..).zip(laws) {
        let (delays, mut random) = (delays(text), draws(seed, "largest"));
        for n in [1_u64, 7, 300] {
            let stages = if n > 100 { 2_000 } else { 20_000 };
            let largest: Vec<f64> = (0..stages)
                .map(|_| (0..n).map(|_| delays.sample_delay(&mut random).as_us()).fold(0.0, f64::max))
                .collect();
            let mean = largest.iter().sum::<f64>() / f64::from(stages);
            let expected = slowest(n, &delays);
            let error = (expected.variance_ps2 / 1e12 / f64::from(stages)).sqrt();
            assert!(
                (mean - expected.mean_ps / 1e6).abs() < 4.0 * error + 1e-6,
                "{text}, {n}: {mean} against {expected:?}"
            );
        }
    }
}

#[test]
fn what_is_no_delay_is_refused() {
    let said = [
        "normal:sigma=1us",
        "gauss:sigma=1us",
        "exponential:mean=1us,rate=5Hz",
        "half-normal",
        "pareto:scale=1us,shape=0.9",
    ]
    .map(|text| Delays::parse(text).expect_err(text));
    insta::assert_snapshot!(said.join("\n"));
    assert!(RecordedDelays::from_delays([]).is_none());
}

proptest! {
    #[test]
    fn recorded_delays_are_what_their_sums_say(all in prop::collection::vec(0_u64..1_000, 1..12), n in 1_u64..6) {
        let delays = RecordedDelays::from_delays(all.iter().map(|&us| Span::from_us(us))).expect("some");
        // Every way in which n ranks can have one each.
        let ways = all.len().pow(n as u32);
        prop_assume!(ways <= 50_000);
        let largest = |mut way: usize| (0..n).map(|_| { let one = all[way % all.len()]; way /= all.len(); one }).max().unwrap_or(0) as f64;
        let (sum, squares) = (0..ways).map(largest).fold((0.0, 0.0), |(sum, squares), one| (sum + one, squares + one * one));
        let (mean, square) = (sum / ways as f64, squares / ways as f64);
        let found = slowest_recorded(n, &delays);
        prop_assert!((found.mean_ps / 1e6 - mean).abs() < 1e-6 * mean.max(1.0), "{} against {mean}", found.mean_ps / 1e6);
        prop_assert!((found.variance_ps2 / 1e12 - (square - mean * mean)).abs() < 1e-5 * square.max(1.0));
    }

    #[test]
    fn more_ranks_wait_longer_but_never_n_times_as_long(n in 1_u64..10_000, more in 1_u64..10_000) {
        for text in ["lognormal:mean=5us,sigma=2", "weibull:scale=5us,shape=0.5", "half-normal:sigma=3us"] {
            let (few, many) = (mean_us(text, n), mean_us(text, n + more));
            prop_assert!(few <= many * (1.0 + 1e-9), "{text}");
            prop_assert!(many <= mean_us(text, 1) * (n + more) as f64 * (1.0 + 1e-9), "{text}");
        }
    }
}
