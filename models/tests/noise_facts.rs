//! What noise does to many ranks, against what is known of it. Seeds are fixed; where a mean is compared, the
//! tolerance is four standard errors of it.

use parallax_models::closed_form::noise::expected_largest;
use parallax_models::noise::{Advance, Noise, RankNoise};
use parallax_models::time::{Span, Time};
use proptest::prelude::*;

fn noise(specs: &[&str], seed: u64) -> Noise {
    let specs: Vec<String> = specs.iter().map(|spec| (*spec).to_owned()).collect();
    Noise::parse(&specs, seed).expect("the spec is right")
}

/// Mean and its standard error.
fn mean(samples: &[f64]) -> (f64, f64) {
    let count = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let variance = samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

fn assert_mean(samples: &[f64], expected: f64, what: &str) {
    let (mean, error) = mean(samples);
    assert!((mean - expected).abs() < 4.0 * error, "{what}: {mean} ± {error}, expected {expected}");
}

const GRAIN: Span = Span::from_us(100);

/// For each realisation the longest delay of one grain over the first `ranks` ranks, in µs.
fn worst_delays(noise: &Noise, ranks: u32, realisations: u32) -> Vec<f64> {
    let mut worst = vec![Span::ZERO; realisations as usize];
    let mut starts = vec![Time::ZERO; realisations as usize];
    for rank in 0..ranks {
        noise.first_starts(rank, 0, &mut starts);
        for (realisation, start) in starts.iter().enumerate() {
            if *start < Time::ZERO + GRAIN {
                let end = noise.realisation(realisation as u32).on(rank).advance(Time::ZERO, GRAIN);
                worst[realisation] = worst[realisation].max(end.since(Time::ZERO + GRAIN));
            }
        }
    }
    worst.into_iter().map(Span::as_us).collect()
}

/// Arrivals in a grain: 100 µs at 100 Hz.
const ARRIVALS: f64 = 0.01;

#[test]
fn the_worst_of_n_exponential_delays_grows_as_log_n() {
    let noise = noise(&["exponential:mean=10us,rate=100Hz"], 11);
    // A grain meets k detours with the weights of a Poisson law; their sum is Erlang's.
    let beyond = |z: f64| {
        let x = z / 10.0;
        let (one, two) = (ARRIVALS, ARRIVALS * ARRIVALS / 2.0);
        let three = two * ARRIVALS / 3.0;
        (-ARRIVALS - x).exp() * (one + two * (1.0 + x) + three * (1.0 + x + x * x / 2.0))
    };
    let (few, many) = (worst_delays(&noise, 1_000, 128), worst_delays(&noise, 10_000, 128));
    assert_mean(&few, expected_largest(1_000.0, &beyond, &[], 10.0), "1000 ranks");
    assert_mean(&many, expected_largest(10_000.0, &beyond, &[], 10.0), "10 000 ranks");
    let ((few, few_error), (many, many_error)) = (mean(&few), mean(&many));
    let growth = 10.0 * 10f64.ln();
    assert!((many - few - growth).abs() < 4.0 * few_error.hypot(many_error), "{few} to {many}, expected + {growth}");
}

#[test]
fn the_worst_of_n_pareto_delays_grows_as_the_root_of_n() {
    let noise = noise(&["pareto:scale=1us,shape=3,rate=100Hz"], 12);
    let beyond = |z: f64| -(-ARRIVALS * z.max(1.0).powi(-3)).exp_m1();
    let (few, many) = (worst_delays(&noise, 1_000, 128), worst_delays(&noise, 10_000, 128));
    assert_mean(&few, expected_largest(1_000.0, &beyond, &[1.0], 1.0), "1000 ranks");
    assert_mean(&many, expected_largest(10_000.0, &beyond, &[1.0], 1.0), "10 000 ranks");
    let ((few, few_error), (many, many_error)) = (mean(&few), mean(&many));
    let factor = 10f64.powf(1.0 / 3.0);
    let error = factor * (few_error / few).hypot(many_error / many);
    assert!((many / few - factor).abs() < 4.0 * error, "{few} to {many}, expected {factor} times as much");
}

#[test]
fn the_worst_of_n_bounded_delays_saturates() {
    let noise = noise(&["uniform:from=0us,to=10us,rate=100Hz"], 13);
    let (few, many) = (worst_delays(&noise, 1_000, 128), worst_delays(&noise, 10_000, 128));
    // Without grains that meet two detours the worst of them is b · (1 − (1 − e^−m) / m) for m arrivals on all ranks;
    // with 10 000 ranks there is half such a grain on average, which adds at most another detour.
    let expected = |arrivals: f64| 10.0 * (1.0 - (1.0 - (-arrivals).exp()) / arrivals);
    assert_mean(&few, expected(10.0), "1000 ranks");
    assert!(many.iter().all(|&worst| worst > 8.0));
    assert!(many.iter().filter(|&&worst| worst <= 10.0).count() > many.len() / 2);
    let ((few, _), (many, error)) = (mean(&few), mean(&many));
    assert!(many > expected(100.0) - 4.0 * error && many - few < 2.0, "{few} to {many}");
}

#[test]
fn work_is_delayed_by_rate_times_mean_duration() {
    // Gaps count in time outside detours, so the number met in work W is Poisson's with mean rate · W.
    for (spec, mean_us) in [
        ("exponential:mean=10us,rate=10kHz", 10.0),
        ("pareto:scale=1us,shape=4,rate=10kHz", 4.0 / 3.0),
        ("lognormal:mean=8us,sigma=0.8,rate=10kHz", 8.0),
        ("weibull:scale=10us,shape=2,rate=10kHz", 10.0 * std::f64::consts::PI.sqrt() / 2.0),
        ("weibull:scale=10us,shape=0.5,rate=10kHz", 20.0),
        ("half-normal:sigma=10us,rate=10kHz", 10.0 * (2.0 / std::f64::consts::PI).sqrt()),
        ("uniform:from=2us,to=10us,rate=10kHz", 6.0),
        ("bernoulli:probability=0.25,duration=10us,rate=10kHz", 2.5),
        ("fixed:duration=10us,rate=10kHz", 10.0),
    ] {
        let noise = noise(&[spec], 21);
        let work = Span::from_ms(10);
        let delay = |rank| noise.on(rank).advance(Time::ZERO, work).since(Time::ZERO + work).as_us();
        let delays: Vec<f64> = (0..400).map(delay).collect();
        assert_mean(&delays, 100.0 * mean_us, spec);
        // In the long run the share is mean / (mean + gap).
        let share = mean_us / (mean_us + 100.0);
        assert!((noise.share() - share).abs() < 1e-9, "{spec}: {} for {share}", noise.share());
    }
}

#[test]
fn several_sources_take_the_share_that_is_said() {
    for specs in [
        &["exponential:mean=10us,rate=10kHz", "fixed:duration=30us,rate=5kHz"][..],
        &["exponential:mean=10us,rate=10kHz,cosched", "fixed:duration=30us,rate=5kHz"],
        &[
            "periodic:period=100us,duration=10us",
            "periodic:period=77us,duration=5us",
            "half-normal:sigma=20us,rate=5kHz",
        ],
        &["periodic:period=1ms,duration=250us"],
    ] {
        let shares: Vec<f64> = (0..40)
            .map(|realisation| {
                let noise = noise(specs, 22).realisation(realisation);
                let work = Span::from_ms(50);
                let end = noise.on(realisation).advance(Time::ZERO, work);
                1.0 - work.as_seconds() / end.since(Time::ZERO).as_seconds()
            })
            .collect();
        // Beginning outside of detours and ending at the end of one shifts the share by a detour in 50 ms.
        let (share, error) = mean(&shares);
        let expected = noise(specs, 22).share();
        assert!((share - expected).abs() < 4.0 * error + 0.01 * expected, "{specs:?}: {share} for {expected}");
    }
}

/// When ranks that synchronise after each grain, at no cost, have done so many.
fn grains_done(noise: &Noise, ranks: u32, from: Time, grain: Span, grains: u32) -> Time {
    let mut cpus: Vec<RankNoise<'_>> = (0..ranks).map(|rank| noise.on(rank)).collect();
    (0..grains)
        .fold(from, |begun, _| cpus.iter_mut().map(|cpu| cpu.advance(begun, grain)).max().expect("there are ranks"))
}

#[test]
fn rare_long_detours_cost_far_more_than_frequent_short_ones_of_the_same_share() {
    let (grain, grains) = (Span::from_ms(1), 100);
    let extra = |spec: &str| {
        let noise = noise(&[spec], 31);
        assert!((noise.share() - 0.025).abs() < 1e-12);
        grains_done(&noise, 256, Time::ZERO, grain, grains).since(Time::ZERO + grain * u64::from(grains)).as_us()
    };
    let (rare, frequent) = (extra("periodic:period=100ms,duration=2.5ms"), extra("periodic:period=1ms,duration=25us"));
    assert!(rare > 20.0 * frequent, "{rare} µs against {frequent} µs");
}

#[test]
fn cosched_noise_costs_its_own_share_on_any_number_of_ranks() {
    let (grain, grains) = (Span::from_us(100), 2_000);
    for spec in ["periodic:period=1ms,duration=25us,cosched", "exponential:mean=25us,rate=1kHz,cosched"] {
        let noise = noise(&[spec], 32);
        let one = grains_done(&noise, 1, Time::ZERO, grain, grains);
        assert_eq!(grains_done(&noise, 16, Time::ZERO, grain, grains), one);
        let work = (grain * u64::from(grains)).as_seconds();
        let share = 1.0 - work / one.since(Time::ZERO).as_seconds();
        // 200 ms meet about 200 detours; the sum of such exponentials has a standard error of √(2/200) of itself.
        assert!((share / noise.share() - 1.0).abs() < 4.0 * 0.1, "{spec}: {share}");
        let independent = self::noise(&[spec.trim_end_matches(",cosched")], 32);
        assert!(grains_done(&independent, 16, Time::ZERO, grain, grains) > one + Span::from_ms(20));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases / 2))]

    #[test]
    fn more_ranks_and_a_later_start_never_finish_earlier(
        spec in prop::sample::select(vec![
            "exponential:mean=20us,rate=10kHz", "pareto:scale=2us,shape=1.3,rate=10kHz", "periodic:period=150us,duration=30us",
        ]),
        seed in 0u64..1000, ranks in 1u32..8, more in 0u32..8, from in 0u64..500_000_000, later in 0u64..100_000_000,
        grain in 1u64..200_000_000, grains in 1u32..10,
    ) {
        let noise = noise(&[spec], seed);
        let done = |ranks, from| grains_done(&noise, ranks, Time(from), Span(grain), grains);
        prop_assert!(done(ranks + more, from) >= done(ranks, from));
        prop_assert!(done(ranks, from + later) >= done(ranks, from));
    }
}
