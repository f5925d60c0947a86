//! Changes of protocol from half round trips.

use super::*;
use programs::calibration::{LateReceives, LateSends};

/// Doubling lengths.
fn lengths() -> Vec<u64> {
    std::iter::once(1).chain((4..=20).map(|power| 1 << power)).collect()
}

/// Ping-pongs whose halves take so many µs, each off by as much as 1 %.
fn ping_pongs(half_us: impl Fn(f64) -> f64, seed: u64) -> Vec<Sample> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut one = |bytes: u64| {
        let exact = 2e-6 * half_us(bytes as f64);
        let round_trips = (0..21).map(|_| Span::from_seconds(exact * rng.random_range(0.99..1.01))).collect();
        Sample::RoundTrips(Prtt { messages: 1, delay: Span::ZERO, bytes, round_trips, sending: Vec::new() })
    };
    lengths().into_iter().map(&mut one).collect()
}

fn changes(samples: &[Sample]) -> Vec<programs::machine::ProtocolChange> {
    fitted(SendRule::Eager, samples).expect("a machine").protocol
}

#[test]
fn a_straight_curve_has_no_changes() {
    for seed in 0..5 {
        assert_eq!(changes(&ping_pongs(|m| 0.5 + 1e-4 * m, seed)), []);
    }
}

#[test]
fn a_jump_and_another_slope_are_found_where_they_are() {
    // From 8 KiB on 3 µs more; from 128 KiB on half the time per byte, which crosses there.
    let curve = |m: f64| match m {
        ..8_192.0 => 0.5 + 4e-4 * m,
        ..131_072.0 => 3.5 + 4e-4 * m,
        _ => 3.5 + 2e-4 * (m + 131_072.0),
    };
    for seed in 0..5 {
        let found = changes(&ping_pongs(curve, seed));
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((found[0].last_bytes, found[0].next_bytes, found[0].waits), (4_096, 8_192, false));
        assert!((found[0].jump_us.value - 3.0).abs() < 0.3, "{found:?}");
        assert!(found[0].jump_us.low < found[0].jump_us.value && found[0].jump_us.value < found[0].jump_us.high);
        // Both lines meet at 128 KiB: it may belong to either.
        assert!([65_536, 131_072].contains(&found[1].last_bytes), "{found:?}");
        assert!(found[1].jump_us.value.abs() < 0.05 * curve(131_072.0), "{found:?}");
    }
}

#[test]
fn where_senders_begin_to_wait_is_a_change_even_without_a_jump() {
    let late = |bytes: u64, waits: bool| {
        let delay = Span::from_us(100);
        let sends = vec![if waits { delay } else { Span::from_us(1) }; 9];
        Sample::LateReceives(LateReceives { delay, bytes, sends, receives: vec![Span::from_us(1); 9] })
    };
    let mut samples = ping_pongs(|m| 0.5 + 1e-4 * m, 1);
    samples.extend(lengths().into_iter().map(|bytes| late(bytes, bytes > 3_000)));
    // What halving tried in between.
    samples.extend([late(3_000, false), late(3_001, true)]);
    let found = changes(&samples);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].last_bytes, found[0].next_bytes, found[0].waits), (3_000, 3_001, true));
    assert!(found[0].jump_us.value.abs() < 0.05, "{found:?}");
    let machine = fitted(SendRule::Eager, &samples).expect("a machine");
    assert_eq!((machine.loggops, machine.plogp), (None, None), "there are no trains");
}

#[test]
fn a_longer_length_that_does_not_wait_after_all_is_told() {
    let model = loggp(900, 300, 600, 0.5);
    let mut samples = wrapped(&played(&model, &LENGTHS, 10, 9));
    for bytes in LENGTHS {
        let delay = Span::from_ms(10);
        let send = if bytes == 8_192 { delay } else { Span::from_ns(300) };
        let receives = vec![Span::from_ns(300); 9];
        samples.push(Sample::LateReceives(LateReceives { delay, bytes, sends: vec![send; 9], receives }));
    }
    let machine = fitted(SendRule::Eager, &samples).expect("a machine");
    insta::assert_snapshot!(machine.notes.join("\n"));
    let mut empty = samples;
    empty.push(Sample::LateReceives(LateReceives {
        delay: Span::ZERO,
        bytes: 1,
        sends: Vec::new(),
        receives: Vec::new(),
    }));
    let refused = fitted(SendRule::Eager, &empty);
    assert_eq!(refused, Err(FitError::NoLateSamples { bytes: 1 }));
}

#[test]
fn a_sender_that_waits_for_longer_than_its_message_is_told() {
    // As on Open MPI's shared memory: a send waits until its receiver has said that all is there.
    let model = loggp(400, 100, 150, 0.1);
    let mut samples = wrapped(&played(&model, &LENGTHS, 10, 9));
    for bytes in LENGTHS {
        let (delay, waits) = (Span::from_ms(10), bytes > 256);
        let send = if waits { delay } else { Span::from_ns(100) };
        let receives = vec![Span::from_ns(100); 9];
        samples.push(Sample::LateReceives(LateReceives { delay, bytes, sends: vec![send; 9], receives }));
        if waits {
            let sends = vec![model.one_message(bytes) + Span::from_us(20); 9];
            samples.push(Sample::LateSends(LateSends { delay, bytes, sends }));
        }
    }
    let machine = fitted(SendRule::Eager, &samples).expect("a machine");
    // o + BG + L + o and 20 µs, against o + BG, or o + 2L + BG.
    assert!(machine.notes.iter().any(|note| note.contains("20.702 µs")), "{:?}", machine.notes);
    insta::assert_snapshot!(machine.notes.join("\n"));
    assert_eq!(machine.loggops.expect("LogGOPS").eager_limit_bytes, Some(256));
}
