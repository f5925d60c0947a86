//! The kernel's events and files of causes: whatever is given is read or refused, never a panic; detours can be held against what
//! is read, and what is written of them can be read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use models::noise::Detour;
use models::time::{Span, Time};
use programs::detours::causes::{Join, Timeline, head, line, read};
use programs::detours::{Collected, Method, Recorded};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = read("fuzz", bytes) {
        assert!(file.entries.iter().all(|entry| (entry.what as usize) < file.names.len()));
    }
    let text = String::from_utf8_lossy(bytes);
    let mut timeline = Timeline::new(0, 64);
    text.lines().for_each(|line| timeline.add(line));
    assert!(timeline.len() <= 64);
    let collected = Collected { start_ticks: 1_000, ..Collected::default() };
    let recorded = Recorded { collected, hz: 1e9, ..Recorded::default() };
    let detours: Vec<Detour> =
        (0..8).map(|k| Detour { start: Time(k * 1_000_000), duration: Span(1 << (2 * k + 10)) }).collect();
    for method in [Method::Selfish, Method::Fwq] {
        let join = Join::new(&timeline, &recorded, method, &detours);
        let mut written = head(&[], Span(1 << 40));
        for (detour, cause) in detours.iter().zip(join.causes(&detours)) {
            assert!(cause.traced <= detour.duration);
            written.push_str(&line(detour, &cause));
        }
        let file = read("fuzz", written.as_bytes()).expect("we read what we write");
        assert!(file.entries.iter().map(|entry| entry.detour).eq(detours.iter().copied()));
    }
});
