//! What noise does to collectives, through the engines, against what is known of it. Seeds are fixed; where a mean is
//! compared, the tolerance is four standard errors of it.

use models::closed_form::noise::expected_largest;
use models::collective::{Algorithm, Collective, Shape};
use models::engine::Engine;
use models::network::Network;
use models::noise::Noise;
use models::time::{Span, Time};
use parallax_sim::{Entry, Simulation};
use proptest::prelude::*;
use std::sync::Arc;

fn noise(specs: &[&str], seed: u64) -> Noise {
    let specs: Vec<String> = specs.iter().map(|spec| (*spec).to_owned()).collect();
    Noise::parse(&specs, seed).expect("the spec is right")
}

/// Barriers back to back under LogGOPS, whose defaults are L = 2.5 µs, o = 1.5 µs, g = 1 µs.
fn barriers(algorithm: &str, ranks: u32, settings: &str, noise: Noise, repeat: u32) -> Simulation {
    Simulation {
        algorithm: Algorithm::find(Collective::Barrier, algorithm).expect("it is in the table"),
        shape: Shape::new(ranks, 0, 0),
        platform: Network::parse("loggops", Some(settings), None).expect("settings are right").into(),
        noise,
        entry: Entry::Together,
        repeat,
        compute: Span::ZERO,
        buffer: None,
    }
}

/// When the last rank leaves the last barrier, in µs.
fn last_exit(outcome: &parallax_sim::SimulationOutcome) -> f64 {
    outcome.finish.range().1.since(Time::ZERO).as_us()
}

fn quiet(simulation: &Simulation) -> f64 {
    let quiet = Simulation { noise: Noise::none(), ..simulation.clone() };
    last_exit(&quiet.run(Engine::Auto).expect("it runs"))
}

fn realised(simulation: &Simulation, realisations: u32) -> Vec<f64> {
    simulation.realise(Engine::Auto, 0..realisations, |outcome| last_exit(&outcome)).expect("it runs")
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

/// The longest delay among `ranks` ranks, in µs, for each realisation: in a linear barrier whose only cost is 100 µs of
/// work per send, all ranks but the root work once at the same time, then the root, which no noise disturbs, sends.
fn worst_delays(spec: &str, seed: u64, ranks: u32) -> Vec<f64> {
    let spec = format!("{spec},ranks=1-{ranks}");
    let one = barriers("linear", ranks + 1, "L=0,os=100us,or=0,g=0,G=0", noise(&[&spec], seed), 1);
    let undisturbed = Time::ZERO + Span::from_us(100) * (u64::from(ranks) + 1);
    let delay = |outcome: parallax_sim::SimulationOutcome| outcome.finish.time(0).since(undisturbed).as_us();
    one.realise(Engine::Auto, 0..64, delay).expect("it runs")
}

/// Detours that one rank meets in 100 µs at 300 Hz.
const ARRIVALS: f64 = 0.03;
const FEW: u32 = 100;
const MANY: u32 = 1_000;

#[test]
fn the_delay_by_exponential_noise_grows_as_log_n() {
    let spec = "exponential:mean=10us,rate=300Hz";
    // Work meets k detours with the weights of a Poisson law; their sum is Erlang's.
    let beyond = |z: f64| {
        let x = z / 10.0;
        let (one, two) = (ARRIVALS, ARRIVALS * ARRIVALS / 2.0);
        let three = two * ARRIVALS / 3.0;
        (-ARRIVALS - x).exp() * (one + two * (1.0 + x) + three * (1.0 + x + x * x / 2.0))
    };
    let (few, many) = (worst_delays(spec, 11, FEW), worst_delays(spec, 11, MANY));
    assert_mean(&few, expected_largest(f64::from(FEW), &beyond, &[], 10.0), "few ranks");
    assert_mean(&many, expected_largest(f64::from(MANY), &beyond, &[], 10.0), "many ranks");
    // Ten times the detours: the longest is longer by mean · ln 10. With three detours at first, sums are not yet
    // quite logarithmic: E[max of Poisson's n] = mean · (ln n + γ + E₁(n)), and E₁(3) = 0.0130.
    let ((few, few_error), (many, many_error)) = (mean(&few), mean(&many));
    let growth = 10.0 * 10f64.ln();
    assert!((many - few - growth).abs() < 4.0 * few_error.hypot(many_error), "{few} to {many}, expected + {growth}");
}

#[test]
fn the_delay_by_pareto_noise_grows_as_the_root_of_n() {
    let spec = "pareto:scale=1us,shape=3,rate=300Hz";
    let beyond = |z: f64| -(-ARRIVALS * z.max(1.0).powi(-3)).exp_m1();
    let (few, many) = (worst_delays(spec, 12, FEW), worst_delays(spec, 12, MANY));
    assert_mean(&few, expected_largest(f64::from(FEW), &beyond, &[1.0], 1.0), "few ranks");
    assert_mean(&many, expected_largest(f64::from(MANY), &beyond, &[1.0], 1.0), "many ranks");
    let ((few, few_error), (many, many_error)) = (mean(&few), mean(&many));
    let factor = 10f64.powf(1.0 / 3.0);
    let error = factor * (few_error / few).hypot(many_error / many);
    assert!((many / few - factor).abs() < 4.0 * error, "{few} to {many}, expected {factor} times as much");
}

#[test]
fn the_delay_by_bounded_noise_saturates() {
    let spec = "uniform:from=0us,to=10us,rate=300Hz";
    let (few, many) = (worst_delays(spec, 13, FEW), worst_delays(spec, 13, MANY));
    // The worst of Poisson's m uniform delays is b · (1 − (1 − e^−m) / m), m = 3 and 30; ranks that meet two detours
    // (one rank in 2 200: 0.05 and 0.45 of them) add a little to the second.
    let expected = |arrivals: f64| 10.0 * (1.0 - (1.0 - (-arrivals).exp()) / arrivals);
    assert_mean(&few, expected(3.0), "few ranks");
    let (mean, error) = mean(&many);
    assert!(mean > expected(30.0) - 4.0 * error && mean < 11.0, "{mean} ± {error}");
    assert!(
        many.iter().filter(|&&worst| worst <= 10.0).count() > many.len() * 2 / 3,
        "ten times the ranks, no more delay"
    );
}

#[test]
fn rare_long_detours_cost_twenty_times_as_much_as_frequent_short_ones_of_the_same_share() {
    let cost = |ranks, spec: &str| {
        let chain = barriers("dissemination", ranks, "", noise(&[spec], 31), 200);
        assert!((chain.noise.share() - 0.025).abs() < 1e-12);
        mean(&realised(&chain, 8)).0 - quiet(&chain)
    };
    let ratio =
        |ranks| cost(ranks, "periodic:period=100ms,duration=2.5ms") / cost(ranks, "periodic:period=1ms,duration=25us");
    // With few ranks both cost their share; with many each barrier waits for a detour, which is 100 times as long.
    let (few, some, many) = (ratio(8), ratio(100), ratio(1_024));
    assert!((10.0..40.0).contains(&some), "{some} times as much on 100 ranks");
    assert!(few < some / 2.0 && some < many && many < 100.0, "{few}, {some}, {many} times as much");
}

#[test]
fn cosched_noise_costs_its_own_share_on_any_number_of_ranks() {
    for spec in ["periodic:period=1ms,duration=25us,cosched", "exponential:mean=25us,rate=1kHz,cosched"] {
        // Without flight all time is work.
        for (ranks, repeat) in [(2, 20_000), (64, 4_000)] {
            let chain = barriers("dissemination", ranks, "L=0,g=0", noise(&[spec], 32), repeat);
            let quiet = quiet(&chain);
            // Work meets detours at their rate per time outside of them: expected is quiet · share / (1 − share).
            let cost: Vec<f64> = realised(&chain, 16).iter().map(|end| end - quiet).collect();
            let expected = quiet * chain.noise.share() / (1.0 - chain.noise.share());
            let (cost, error) = mean(&cost);
            // Periodic detours may be one more or one less than expected.
            assert!(
                (cost - expected).abs() < 4.0 * error + 25.0,
                "{spec}, {ranks} ranks: {cost} ± {error}, {expected}"
            );
        }
        let chain = |spec: &str| barriers("dissemination", 64, "", noise(&[spec], 32), 1_000);
        let cost = |chain: Simulation| mean(&realised(&chain, 4)).0 - quiet(&chain);
        let (together, apart) = (cost(chain(spec)), cost(chain(spec.trim_end_matches(",cosched"))));
        assert!(apart > 5.0 * together, "{spec}: {apart} µs, together {together} µs");
    }
}

#[test]
fn a_ten_times_faster_network_does_not_help_where_noise_rules() {
    let chain =
        |settings| barriers("dissemination", 1_024, settings, noise(&["periodic:period=100ms,duration=2.5ms"], 33), 50);
    let (slow, fast) = (chain("L=2500,o=1500,g=1000"), chain("L=250,o=150,g=100"));
    assert_eq!(quiet(&slow), 10.0 * quiet(&fast), "without noise all the speed comes through");
    let (before, after) = (mean(&realised(&slow, 8)), mean(&realised(&fast, 8)));
    assert!(before.0 > 20.0 * quiet(&slow), "noise rules: {before:?} µs");
    let gain = before.0 / after.0;
    assert!((0.95..1.1).contains(&gain), "{gain} times as fast: {before:?} to {after:?} µs");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_late_ranks_delay_is_absorbed_once(ranks in 2u32..200, which in any::<u32>(), late in 0u64..10_000_000_000, repeat in 1u32..30) {
        let on_time = barriers("dissemination", ranks, "", Noise::none(), repeat);
        let mut entries = vec![Time::ZERO; ranks as usize];
        entries[(which % ranks) as usize] = Time(late);
        let held_up = Simulation { entry: Entry::Each(Arc::from(entries)), ..on_time.clone() };
        let calls = |simulation: &Simulation| simulation.run(Engine::Auto).expect("it runs").calls;
        for ((_, before), (_, after)) in calls(&on_time).into_iter().zip(calls(&held_up)) {
            prop_assert_eq!(after, before + Span(late), "after every call the same delay, however many follow");
        }
    }
}
