//! How often the true parameters lie in their intervals.

use super::*;
use crate::fit::{ToFit, fitted};
use models::network::{LogGops, Rendezvous};
use programs::calibration::{LateReceives, LateSends};

const SEEDS: u64 = 60;
const CONFIDENCE: f64 = 0.95;

fn truth() -> LogGops {
    LogGops {
        latency: Span::from_ns(900),
        overhead_send: Span::from_ns(250),
        overhead_receive: Span::from_ns(320),
        gap: Span::from_ns(600),
        gap_per_byte: PerByte::from_ns(0.5),
        overhead_per_byte: PerByte::from_ns(0.125),
        eager_limit: 8_192,
        rendezvous: Rendezvous::RoundTrip,
    }
}

/// What a calibration of these ranks times, 15 of each, every one off by a double exponential of 30 ns.
fn noisy(model: &LogGops, seed: u64) -> Vec<Sample> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut around = |span: Span| -> Vec<Span> {
        let mut one = || {
            let off = Span::from_seconds(-30e-9 * (1.0 - rng.random::<f64>()).ln());
            if rng.random_bool(0.5) { span + off } else { span - off }
        };
        (0..15).map(|_| one()).collect()
    };
    let mut all = Vec::new();
    for bytes in [1, 64, 1_024, 4_096, 8_192, 16_384, 65_536] {
        let pair = || RankPair { model, ports: [Port::default(); 2] };
        for messages in [1, 10] {
            let round_trips = around(pair().round_trip(messages, Span::ZERO, bytes));
            let prtt = Prtt { messages, delay: Span::ZERO, bytes, round_trips, sending: Vec::new() };
            all.push(Sample::RoundTrips(prtt));
        }
        let delay = Span::from_ms(1);
        let waits = model.is_rendezvous(bytes);
        let send = if waits { delay } else { model.sending(bytes) };
        let (sends, receives) = (around(send), around(model.receiving(bytes)));
        all.push(Sample::LateReceives(LateReceives { delay, bytes, sends, receives }));
        if waits {
            all.push(Sample::LateSends(LateSends { delay, bytes, sends: around(model.sending(bytes)) }));
        }
    }
    all
}

#[test]
fn true_parameters_lie_in_their_intervals_as_often_as_is_said() {
    let model = truth();
    let mut covered = [("L", 0), ("o_s", 0), ("o_r", 0), ("g", 0), ("G", 0), ("O", 0), ("jump", 0)];
    for seed in 0..SEEDS {
        let provenance = Provenance { confidence: CONFIDENCE, ..provenance() };
        let samples = noisy(&model, seed);
        let given = ToFit { name: "unit", provenance, send_rule: SendRule::Eager, samples: &samples };
        let machine = fitted(given, None, 300).expect("a machine");
        let found = machine.loggops.expect("LogGOPS");
        assert_eq!(found.rendezvous, Rendezvous::RoundTrip, "seed {seed}");
        let jump = machine.protocol.iter().find(|change| change.waits).expect("S").jump_us;
        let pairs = [
            (found.latency_us, 0.9),
            (found.overhead_send_us, 0.25),
            (found.overhead_receive_us, 0.32),
            (found.gap_us, 0.6),
            (found.gap_per_byte_ns, 0.5),
            (found.overhead_per_byte_ns, 0.125),
            (jump, 1.8),
        ];
        for ((_, count), (estimate, truth)) in covered.iter_mut().zip(pairs) {
            assert!(estimate.low < estimate.high, "{estimate:?}");
            *count += u64::from(estimate.low <= truth && truth <= estimate.high);
        }
    }
    // Three standard deviations below what is claimed.
    let n = SEEDS as f64;
    let least = n * CONFIDENCE - 3.0 * (n * CONFIDENCE * (1.0 - CONFIDENCE)).sqrt();
    assert!(covered.iter().all(|&(_, count)| count as f64 >= least), "{covered:?} of {SEEDS}");
}
