//! LogGOPS: what can be seen comes back, what cannot is said to be a bound, and S with its rule is found to the byte.

use crate::*;
use programs::machine::{Bound, LogGopsEstimate};

fn estimate(given: &Given, settings: &CalibrationSettings) -> (Machine, LogGopsEstimate) {
    let machine = calibrated(given.network(), SendRule::Eager, settings);
    let estimate = machine.loggops.clone().expect("LogGOPS was calibrated");
    (machine, estimate)
}

/// Rates are exact to the picoseconds of rounding over the longest message.
fn rate(longest: u64) -> f64 {
    8.0 * PS * 1e3 / longest as f64
}

/// What every machine's calibration must return: all but g and G.
fn overheads_and_latency(given: &Given, found: &LogGopsEstimate, longest: u64) {
    exactly("o_s", found.overhead_send_us, given.send as f64 / 1e3, 2.0 * PS);
    exactly("o_r", found.overhead_receive_us, given.receive as f64 / 1e3, 2.0 * PS);
    exactly("L", found.latency_us, given.latency as f64 / 1e3, 4.0 * PS);
    exactly("O", found.overhead_per_byte_ns, given.overhead_per_byte, rate(longest));
    let eager_limit = (given.eager_limit < u64::MAX).then_some(given.eager_limit);
    assert_eq!(found.eager_limit_bytes, eager_limit);
    if eager_limit.is_some() {
        assert_eq!(found.rendezvous, given.rendezvous);
    }
}

#[test]
fn a_wire_slower_than_the_copies_shows_everything() {
    for (gap, overhead_per_byte) in [(600, 0.125), (600, 0.0), (330, 0.45)] {
        let given = Given { gap, overhead_per_byte, ..SLOW_WIRE };
        let (machine, found) = estimate(&given, &quick(65_536));
        overheads_and_latency(&given, &found, 65_536);
        exactly("g", found.gap_us, gap as f64 / 1e3, 4.0 * PS);
        exactly("G", found.gap_per_byte_ns, 0.5, rate(65_536));
        let of_loggops = machine.notes.iter().filter(|note| note.starts_with("LogGOPS")).count();
        let bound = if gap == 600 { 0 } else { of_loggops };
        assert_eq!(of_loggops, bound, "{:?}", machine.notes);
    }
}

#[test]
fn a_gap_longer_than_the_overheads_shows_the_wire_behind_the_copies() {
    // g + BG exceeds o + BO up to (2000 − 320) / (0.5 − 0.2) = 5600 B: trains of the lengths below show G.
    let given = Given { gap: 2_000, gap_per_byte: 0.2, overhead_per_byte: 0.5, ..SLOW_WIRE };
    let (machine, found) = estimate(&given, &quick(65_536));
    overheads_and_latency(&given, &found, 65_536);
    exactly("g", found.gap_us, 2.0, 4.0 * PS);
    exactly("G", found.gap_per_byte_ns, 0.2, rate(1_024));
    assert!(machine.notes.iter().all(|note| !note.starts_with("LogGOPS")), "{:?}", machine.notes);
}

#[test]
fn what_copies_and_overheads_hide_is_bounded_and_noted() {
    let given = Given { gap: 100, gap_per_byte: 0.1, overhead_per_byte: 0.5, ..SLOW_WIRE };
    let (machine, found) = estimate(&given, &quick(65_536));
    overheads_and_latency(&given, &found, 65_536);
    // The sender's own period: o_s, not o_r, which holds the train back.
    bounded("g", found.gap_us, 0.25, 2.0 * PS);
    bounded("G", found.gap_per_byte_ns, 0.5, rate(65_536));
    let notes: Vec<&str> =
        machine.notes.iter().map(String::as_str).filter(|note| note.starts_with("LogGOPS: ")).collect();
    assert!(notes.len() >= 2 && notes[1].contains("0.5000"), "{:?}", machine.notes);
    insta::assert_snapshot!(notes.join("\n"));
}

#[test]
fn bounds_predict_every_exchange_that_was_calibrated() {
    let given = Given { gap: 100, gap_per_byte: 0.1, overhead_per_byte: 0.5, ..SLOW_WIRE };
    let machine = calibrated(given.network(), SendRule::Eager, &quick(16_384));
    let found = machine.loggops(Bound::Best).expect("LogGOPS");
    let (truly, again) = (samples(given.network(), &[], 1, &quick(16_384)), samples(found, &[], 1, &quick(16_384)));
    for (truly, again) in truly.iter().zip(&again) {
        let (Sample::RoundTrips(truly), Sample::RoundTrips(again)) = (truly, again) else { continue };
        let (was, is) = (truly.round_trips[7], again.round_trips[7]);
        assert!(was.0.abs_diff(is.0) <= 100, "{} messages of {} B: {was}, predicted {is}", truly.messages, truly.bytes);
    }
}

#[test]
fn the_eager_limit_is_found_to_the_byte_with_its_rule() {
    for rendezvous in Rendezvous::ALL {
        for (eager_limit, overhead_per_byte) in [(5_000, 0.125), (1, 0.25), (65_535, 0.0)] {
            let given = Given { eager_limit, rendezvous, overhead_per_byte, ..SLOW_WIRE };
            let (machine, found) = estimate(&given, &quick(65_536));
            overheads_and_latency(&given, &found, 65_536);
            exactly("G", found.gap_per_byte_ns, 0.5, rate(65_536));
            let waits: Vec<_> = machine.protocol.iter().filter(|change| change.waits).collect();
            assert_eq!((waits.len(), machine.protocol.len()), (1, 1), "{:?}", machine.protocol);
            assert_eq!((waits[0].last_bytes, waits[0].next_bytes), (eager_limit, eager_limit + 1));
            let jump = if rendezvous == Rendezvous::Match { 0.0 } else { 2.0 * 0.9 };
            exactly("jump", waits[0].jump_us, jump, 1e-4);
            let said = format!("Hockney: Sends of {} B and more wait for their receiver.", eager_limit + 1);
            assert!(machine.notes.iter().any(|note| note.starts_with(&said)), "{:?}", machine.notes);
        }
    }
}

#[test]
fn where_all_messages_wait_there_are_no_overheads() {
    let given = Given { eager_limit: 0, ..SLOW_WIRE };
    let machine = calibrated(given.network(), SendRule::Synchronous, &quick(4_096));
    assert_eq!(machine.loggops, None);
    insta::assert_snapshot!(machine.notes.join("\n"));
}

#[test]
fn loggp_machines_are_loggops_machines_without_copies() {
    let given = Given { send: 300, receive: 300, overhead_per_byte: 0.0, ..SLOW_WIRE };
    let (machine, found) = estimate(&given, &quick(65_536));
    overheads_and_latency(&given, &found, 65_536);
    let loggp = machine.loggp.expect("trains were sent");
    exactly("o", loggp.overhead_us, 0.3, 2.0 * PS);
    exactly("L", loggp.latency_us, 0.9, 4.0 * PS);
    exactly("g", loggp.gap_us, 0.6, 4.0 * PS);
    exactly("G", loggp.gap_per_byte_ns, 0.5, rate(65_536));
}
