mod copying;
mod coverage;
mod protocol;

use super::*;
use models::network::{Hockney, LogGp, Message, NetworkModel, Port};
use models::noise::Quiet;
use models::time::{PerByte, Span};
use programs::calibration::Prtt;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Two ranks play PRTT(n, d, s) by the model's own rules, blocking, in exact picoseconds.
struct RankPair<'a, M> {
    model: &'a M,
    ports: [Port; 2],
}

impl<M: NetworkModel> RankPair<'_, M> {
    fn message(&mut self, from: usize, bytes: u64) {
        let message = Message { from: from as u32, to: 1 - from as u32, bytes };
        let departure = self.model.send(&mut self.ports[from], &message, &mut Quiet);
        let matched = self.model.matched(&message, &departure, self.ports[1 - from].cpu);
        self.ports[from].cpu = self.ports[from].cpu.max(matched.released);
        self.model.receive(&mut self.ports[1 - from], &message, matched.arrival, &mut Quiet);
    }

    fn round_trip(&mut self, messages: u32, delay: Span, bytes: u64) -> Span {
        let start = self.ports[0].cpu;
        self.message(0, bytes);
        for _ in 1..messages {
            self.ports[0].cpu += delay;
            self.message(0, bytes);
        }
        self.message(1, bytes);
        self.ports[0].cpu.since(start)
    }
}

/// `count` round trips of each kind, as a calibration makes them.
fn played(model: &impl NetworkModel, lengths: &[u64], train: u32, count: u32) -> Vec<Prtt> {
    let mut pair = RankPair { model, ports: [Port::default(); 2] };
    let mut kind = |messages, delay, bytes| Prtt {
        messages,
        delay,
        bytes,
        sending: Vec::new(),
        round_trips: (0..count + 2).map(|_| pair.round_trip(messages, delay, bytes)).skip(2).collect(),
    };
    let mut all: Vec<Prtt> = lengths.iter().map(|&bytes| kind(1, Span::ZERO, bytes)).collect();
    if train > 1 {
        all.extend(lengths.iter().map(|&bytes| kind(train, Span::ZERO, bytes)));
        let delay = all.iter().flat_map(|prtt| prtt.round_trips.iter().copied()).max().unwrap_or_default() * 2;
        all.extend(lengths.iter().map(|&bytes| kind(train, delay, bytes)));
    }
    all
}

/// As a calibration returns them.
fn wrapped(samples: &[Prtt]) -> Vec<Sample> {
    samples.iter().cloned().map(Sample::RoundTrips).collect()
}

/// The delayed train of this length.
fn delayed(samples: &mut [Prtt], bytes: u64) -> &mut Prtt {
    let mut delayed = samples.iter_mut().filter(|prtt| prtt.delay > Span::ZERO && prtt.bytes == bytes);
    delayed.next().expect("a delayed train")
}

fn provenance() -> Provenance {
    Provenance {
        date: "2026-01-01T00:00:00Z".to_owned(),
        host: "model".to_owned(),
        ran_by: "two ports".to_owned(),
        how: "exact".to_owned(),
        confidence: 0.99,
    }
}

fn fitted(send_rule: SendRule, samples: &[Sample]) -> Result<Machine, FitError> {
    ToFit { name: "unit", provenance: provenance(), send_rule, samples }.machine()
}

fn fit(samples: &[Prtt]) -> Machine {
    fitted(SendRule::Busy, &wrapped(samples)).expect("a machine")
}

fn loggp(latency_ns: u64, overhead_ns: u64, gap_ns: u64, per_byte_ns: f64) -> LogGp {
    let overhead = Span::from_ns(overhead_ns);
    LogGp {
        latency: Span::from_ns(latency_ns),
        overhead_send: overhead,
        overhead_receive: overhead,
        gap: Span::from_ns(gap_ns),
        gap_per_byte: PerByte::from_ns(per_byte_ns),
    }
}

/// The estimate is within `tolerance` of the truth, and so are the ends of its interval.
fn exactly(what: &str, estimate: Estimate, truth: f64, tolerance: f64) {
    for found in [estimate.low, estimate.value, estimate.high] {
        assert!((found - truth).abs() <= tolerance, "{what}: {estimate:?}, truly {truth}");
    }
}

fn contains(what: &str, estimate: Estimate, truth: f64) {
    assert!(estimate.low <= truth && truth <= estimate.high, "{what}: {estimate:?}, truly {truth}");
    assert!(estimate.low < estimate.high, "{what} has no width: {estimate:?}");
}

/// One picosecond, in µs.
const PS: f64 = 1e-6;
const LENGTHS: [u64; 7] = [0, 1, 8, 256, 1_024, 8_192, 65_536];

fn recovered(model: &LogGp, samples: &[Prtt]) -> Machine {
    let machine = fit(samples);
    let found = machine.loggp.as_ref().expect("trains were sent");
    // G is fitted over at least 8 KiB, from round trips rounded to a picosecond.
    exactly("G", found.gap_per_byte_ns, model.gap_per_byte.as_ns(), 2.0 * PS * 1e3 / 7_168.0);
    exactly("o", found.overhead_us, model.overhead_send.as_us(), 2.0 * PS);
    exactly("L", found.latency_us, model.latency.as_us(), 6.0 * PS);
    machine
}

#[test]
fn the_parameters_of_loggp_come_back_from_its_round_trips() {
    for model in [loggp(5_000, 1_000, 2_500, 2.0), loggp(300, 50, 60, 0.04), loggp(100_000, 0, 0, 0.5)] {
        let machine = recovered(&model, &played(&model, &LENGTHS, 10, 20));
        exactly("g", machine.loggp.as_ref().expect("LogGP").gap_us, model.gap.as_us(), 3.0 * PS);
        assert_eq!(machine.notes, [""; 0], "{model}");
    }
}

#[test]
fn a_gap_hidden_by_the_overhead_in_short_messages_is_seen_in_long_ones() {
    // o = 1 µs > g = 0.2 µs: only from 8 KiB on does g + (s−1)G exceed o.
    let model = loggp(5_000, 1_000, 200, 1.0);
    let machine = recovered(&model, &played(&model, &LENGTHS, 16, 9));
    exactly("g", machine.loggp.as_ref().expect("LogGP").gap_us, 0.2, 3.0 * PS);
    assert_eq!(machine.notes, [""; 0]);
}

#[test]
fn a_gap_hidden_in_all_messages_is_only_bounded() {
    let model = loggp(5_000, 1_000, 200, 0.01);
    let lengths = [0, 1, 64, 8_192];
    let machine = recovered(&model, &played(&model, &lengths, 16, 9));
    let gap = machine.loggp.as_ref().expect("LogGP").gap_us;
    // max(o, g + (s−1)G) = o up to 8 KiB bounds g by o − 8191·G.
    assert!((gap.value - (1.0 - 0.081_91)).abs() < 3.0 * PS, "{gap:?}");
    assert_eq!(gap.low, 0.0);
    insta::assert_snapshot!(machine.notes.join("\n"));
}

#[test]
fn lengths_of_zero_and_one_byte_are_one_length_to_loggp() {
    let model = loggp(5_000, 1_000, 2_500, 2.0);
    let machine = fit(&played(&model, &[0, 1], 10, 9));
    let found = machine.loggp.expect("LogGP");
    exactly("g", found.gap_us, 2.5, 2.0 * PS);
    exactly("L", found.latency_us, 5.0, 2.0 * PS);
    assert_eq!(found.gap_per_byte_ns.value, 0.0);
    assert!(machine.notes.iter().any(|note| note.starts_with("Hockney: β is 0")), "{:?}", machine.notes);
}

#[test]
fn hockney_comes_back_under_every_send_rule() {
    for send_rule in SendRule::ALL {
        let model = Hockney { alpha: Span::from_us(200), beta: PerByte::from_ns(10.0), send_rule };
        let machine = fitted(send_rule, &wrapped(&played(&model, &LENGTHS, 1, 9))).expect("a machine");
        exactly("α", machine.hockney.alpha_us, 200.0, PS);
        exactly("β", machine.hockney.beta_ns_per_byte, 10.0, 1e-6);
        assert_eq!((machine.loggp, machine.hockney.send_rule), (None, send_rule));
        assert_eq!((machine.transfer.len(), machine.notes.len()), (LENGTHS.len(), 0));
        assert!(machine.transfer.iter().all(|p| (p.fitted_us - p.half_round_trip_us.value).abs() < PS));
    }
}

/// Exponential noise with the given mean in µs on a share of all round trips.
fn with_noise(mut samples: Vec<Prtt>, share: f64, mean_us: f64, seed: u64) -> Vec<Prtt> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for span in samples.iter_mut().flat_map(|prtt| &mut prtt.round_trips) {
        if rng.random_bool(share) {
            *span = *span + Span::from_seconds(-mean_us * 1e-6 * (1.0 - rng.random::<f64>()).ln());
        }
    }
    samples
}

#[test]
fn noise_on_fewer_than_half_of_the_round_trips_leaves_the_parameters() {
    let model = loggp(5_000, 1_000, 2_500, 2.0);
    for seed in 0..5 {
        let machine = recovered(&model, &with_noise(played(&model, &LENGTHS, 10, 300), 0.3, 40.0, seed));
        exactly("g", machine.loggp.expect("LogGP").gap_us, 2.5, 3.0 * PS);
    }
}

#[test]
fn noise_on_all_round_trips_shifts_them_by_its_median_within_the_intervals() {
    // Every duration grows by a noise with median m: a typical message takes m/2 longer, differences do not.
    let model = loggp(5_000, 1_000, 2_500, 2.0);
    let mean_us = 0.2;
    let shift = mean_us * std::f64::consts::LN_2 / 2.0;
    for seed in 0..5 {
        let machine = fit(&with_noise(played(&model, &LENGTHS, 10, 300), 1.0, mean_us, seed));
        let found = machine.loggp.expect("LogGP");
        contains("L", found.latency_us, 5.0 + shift);
        contains("o", found.overhead_us, 1.0);
        contains("g", found.gap_us, 2.5);
        contains("G", found.gap_per_byte_ns, 2.0);
    }
    let model = Hockney { alpha: Span::from_us(20), beta: PerByte::from_ns(10.0), send_rule: SendRule::Eager };
    for seed in 0..5 {
        let machine = fit(&with_noise(played(&model, &LENGTHS, 1, 300), 1.0, mean_us, seed));
        contains("α", machine.hockney.alpha_us, 20.0 + shift);
        contains("β", machine.hockney.beta_ns_per_byte, 10.0);
    }
}

#[test]
fn an_overhead_beyond_half_a_round_trip_is_noted_not_made_a_negative_latency() {
    let mut samples = played(&loggp(100, 1_000, 2_500, 2.0), &LENGTHS, 10, 9);
    delayed(&mut samples, 0).round_trips.iter_mut().for_each(|span| *span = *span + Span::from_us(9));
    let machine = fit(&samples);
    assert_eq!(machine.loggp.expect("LogGP").latency_us.value, 0.0);
    insta::assert_snapshot!(machine.notes.join("\n"));
}

#[test]
fn a_round_trip_as_short_as_the_gap_is_noted() {
    let machine = fit(&played(&loggp(100, 100, 5_000, 0.1), &LENGTHS, 10, 9));
    insta::assert_snapshot!(machine.notes.join("\n"));
}

#[test]
fn what_a_line_does_not_fit_is_noted() {
    let model = Hockney { alpha: Span::from_us(20), beta: PerByte::from_ns(10.0), send_rule: SendRule::Busy };
    let mut samples = played(&model, &LENGTHS, 1, 5);
    samples[3].round_trips.iter_mut().for_each(|span| *span = *span * 2);
    let notes = fit(&samples).notes;
    assert!(notes[0].contains("-50 %") && notes[1].contains("93.8 %"), "{notes:?}");
    insta::assert_snapshot!(notes.join("\n"));
}

#[test]
fn unusable_round_trips_are_errors_that_say_what_to_do() {
    let model = loggp(5_000, 1_000, 2_500, 2.0);
    let good = played(&model, &LENGTHS, 4, 3);
    let of = |samples: &[Prtt]| fitted(SendRule::Busy, &wrapped(samples)).expect_err("unusable");
    assert_eq!(of(&[]), FitError::OneLength);
    assert_eq!(of(&good[2..3]), FitError::OneLength);
    assert_eq!(of(&good[1..]), FitError::NoPingPong { messages: 4, bytes: 0 });
    let mut empty = good.clone();
    empty[8].round_trips.clear();
    assert_eq!(of(&empty), FitError::NoSamples { messages: 4, bytes: 1 });
    let mut still = good.clone();
    still[1].round_trips = vec![Span::ZERO; 3];
    assert_eq!(of(&still), FitError::NoTime { bytes: 1 });
    let unsure = Provenance { confidence: 1.0, ..provenance() };
    let samples = wrapped(&good);
    let unsure = ToFit { name: "unit", provenance: unsure, send_rule: SendRule::Busy, samples: &samples };
    assert_eq!(unsure.machine(), Err(FitError::Confidence(1.0)));
    // A delay shorter than the gap hides o: a machine, but without LogGP.
    let mut hidden = good;
    delayed(&mut hidden, 0).delay = Span::from_ns(10);
    let machine = fit(&hidden);
    assert_eq!(machine.loggp, None);
    insta::assert_snapshot!(machine.notes.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.div_ceil(16)))]
    #[test]
    fn any_loggp_machine_whose_gap_shows_comes_back(
        latency in 100u64..100_000, overhead in 0u64..5_000, more in 0u64..10_000, per_byte in 0.001f64..5.0,
    ) {
        // Ping-pongs wait for the gap unless it is at most 2(L + 2o).
        let gap = (overhead + overhead / 10 + more % 500).min(2 * (latency + 2 * overhead));
        let model = loggp(latency, overhead, gap, per_byte);
        let machine = recovered(&model, &played(&model, &LENGTHS, 5, 2));
        exactly("g", machine.loggp.expect("LogGP").gap_us, model.gap.as_us(), 4.0 * PS);
    }
}
