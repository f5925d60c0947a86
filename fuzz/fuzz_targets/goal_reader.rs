//! Schedules, text and binary: whatever the bytes, they are read or refused; what is read as text writes back the same.

#![no_main]

use goal::{Schedule, binary, check, text};
use libfuzzer_sys::fuzz_target;

fn written(schedule: &Schedule) -> Vec<u8> {
    let mut bytes = Vec::new();
    text::write(schedule, &mut bytes).expect("memory can be written");
    bytes
}

fuzz_target!(|bytes: &[u8]| {
    let schedule = if binary::is_binary(bytes) { binary::read("fuzz", bytes) } else { text::read("fuzz", bytes) };
    let Ok(schedule) = schedule else { return };
    check::check(&schedule);
    let once = written(&schedule);
    let again = text::read("written", &once).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(written(&again), once);
});
