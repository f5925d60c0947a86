//! Fits on ranks that LogGP does not describe: their CPUs copy what they send and receive.

use super::*;
use models::network::{Departure, Matched, Network};
use models::noise::Advance;
use models::time::Time;
use programs::machine::Bound;

/// LogGP whose CPUs copy what they send and receive: o(s) = o + B·O, as in LogGOPS.
struct Copying {
    base: LogGp,
    per_byte: PerByte,
}

impl Copying {
    fn with(&self, bytes: u64) -> LogGp {
        let overhead = self.base.overhead_send + self.per_byte.for_bytes(bytes.saturating_sub(1));
        LogGp { overhead_send: overhead, overhead_receive: overhead, ..self.base }
    }
}

impl NetworkModel for Copying {
    fn send(&self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        self.with(message.bytes).send(port, message, cpu)
    }

    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched {
        self.with(message.bytes).matched(message, departure, posted)
    }

    fn receive(&self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
        self.with(message.bytes).receive(port, message, arrival, cpu);
    }
}

/// Up to this length no copy outlasts a short gap.
const SHORT: [u64; 4] = [1, 256, 512, 1_024];

#[test]
fn on_ranks_that_copy_one_message_is_predicted_right_and_the_growing_overhead_is_told() {
    // Copies cost three times the wire: trains show o + B·O, 0.12 to 0.426 µs, and no gap.
    let model = Copying { base: loggp(200, 120, 100, 0.1), per_byte: PerByte::from_ns(0.3) };
    let samples = played(&model, &SHORT, 16, 9);
    let machine = fit(&samples);
    let found = machine.loggp.as_ref().expect("trains were sent");
    exactly("o", found.overhead_us, 0.12, 2.0 * PS);
    exactly("L", found.latency_us, 0.2, 6.0 * PS);
    // Both copies and the wire, one after the other.
    exactly("G", found.gap_per_byte_ns, 0.1 + 2.0 * 0.3, 1e-5);
    // The shortest train alone bounds g: in the longer ones copies overlap that G counts twice.
    assert!((found.gap_us.value - 0.12).abs() < 3.0 * PS && found.gap_us.low == 0.0, "{:?}", found.gap_us);
    for prtt in samples.iter().filter(|prtt| prtt.messages == 1) {
        let Some(Network::Loggp(fitted)) = machine.loggp(Bound::Best) else { panic!("LogGP") };
        let off = fitted.one_message(prtt.bytes).as_us() - prtt.round_trips[0].as_us() / 2.0;
        assert!(off.abs() < 10.0 * PS, "{} B: {off} µs", prtt.bytes);
    }
    // 0.12 + 1023 · 0.7 ns = 0.836 µs against 0.427.
    assert!(machine.notes[1].contains("+96 %"), "{:?}", machine.notes);
    insta::assert_snapshot!(machine.notes.join("\n"));
}

#[test]
fn copies_that_the_wire_outlasts_leave_the_gap_to_be_seen() {
    // The wire's 0.5 ns/B exceed the copies' 0.1 ns/B: every train shows g + BG.
    let model = Copying { base: loggp(300, 100, 150, 0.5), per_byte: PerByte::from_ns(0.1) };
    let machine = fit(&played(&model, &SHORT, 16, 9));
    let found = machine.loggp.as_ref().expect("trains were sent");
    exactly("g", found.gap_us, 0.15, 3.0 * PS);
    exactly("G", found.gap_per_byte_ns, 0.7, 1e-5);
    // 0.15 + 1023 · 0.7 ns = 0.866 µs against 0.15 + 1023 · 0.5 ns = 0.662.
    assert!(machine.notes.iter().any(|note| note.contains("+31 %")), "{:?}", machine.notes);
}

#[test]
fn a_train_at_the_pace_of_its_own_copies_says_nothing_of_the_gap() {
    // o = 0.1 < g = 0.15 µs, but from 256 B on the copies' 1 ns/B hold the trains back.
    let model = Copying { base: loggp(300, 100, 150, 0.0), per_byte: PerByte::from_ns(1.0) };
    let hides = |lengths: &[u64]| fit(&played(&model, lengths, 16, 9)).loggp.expect("LogGP").gap_us;
    exactly("g", hides(&SHORT), 0.15, 3.0 * PS);
    // Without the short one there is only a bound, o(256).
    let bound = hides(&SHORT[1..]);
    assert!((bound.value - 0.355).abs() < 3.0 * PS && bound.low == 0.0, "{bound:?}");
}

#[test]
fn an_overhead_that_grows_within_its_noise_is_not_noted() {
    // The copies cost 10 ns for 1 KiB; a median of 15 messages is known to some 50 ns.
    let model = Copying { base: loggp(5_000, 1_000, 2_500, 2.0), per_byte: PerByte::from_ns(0.01) };
    // Whatever else is noted, the overheads of both lengths are not.
    let is_told = |notes: &[String]| notes.iter().any(|note| note.starts_with("LogGP: A send of 1024 B"));
    for seed in 0..5 {
        let noisy = with_noise(played(&model, &SHORT, 16, 21), 1.0, 5.0, seed);
        let notes = fit(&noisy).notes;
        assert!(!is_told(&notes), "{seed}: {notes:?}");
    }
    // Eight times that, on clean clocks, is.
    let model = Copying { per_byte: PerByte::from_ns(0.08), ..model };
    let notes = fit(&played(&model, &SHORT, 16, 21)).notes;
    assert!(is_told(&notes) && notes[0].contains("1.082 µs") && notes[0].contains("1.000 µs"), "{notes:?}");
}
