//! What took the CPU in detours: lines of the kernel's trace and files of causes are read or refused, never a panic; what is
//! read and written again is the same, and whatever a CPU did, each detour gets a cause.

#![no_main]

use libfuzzer_sys::fuzz_target;
use models::noise::Detour;
use models::time::{Span, Time};
use programs::detours::causes::{Join, Timeline, TraceLine, head, line, read};
use programs::detours::{Collected, Method, Recorded, Watched};

/// Of one detour after the other of these lengths, as far apart.
fn detours(bytes: &[u8]) -> Vec<Detour> {
    let mut at = Time::ZERO;
    let one = |byte: &u8| {
        let duration = Span(u64::from(*byte) * 1_000 + 1);
        let detour = Detour { start: at, duration };
        at = at + duration + Span(u64::from(byte % 7) * 1_000);
        detour
    };
    bytes.iter().take(64).map(one).collect()
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut timeline = Timeline::new(3, 1 << 14);
    let mut origin = 0;
    for (number, trace) in text.lines().enumerate() {
        if let Ok(TraceLine::Event(event)) = TraceLine::parse(trace) {
            origin = event.ticks;
        }
        if number == 2 {
            timeline.begin_at(origin);
        }
        timeline.add(trace);
    }
    let watched = Watched { usual: Span(30_000), ..Watched::default() };
    let collected = Collected { start_ticks: origin, watched, ..Collected::default() };
    let recorded = Recorded { collected, hz: 1e9, cpu: 3, ..Recorded::default() };
    let detours = detours(bytes);
    for method in [Method::Selfish, Method::Fwq] {
        let join = Join::new(&timeline, &recorded, method, &detours);
        let mut written = head(&[], Span(1 << 40));
        let mut count = 0;
        for (detour, cause) in detours.iter().zip(join.causes(&detours)) {
            written.push_str(&line(detour, &cause));
            count += 1;
        }
        assert_eq!(count, detours.len());
        let file = read("fuzz", written.as_bytes()).expect("we read what we write");
        assert!(file.entries.iter().map(|entry| entry.detour).eq(detours.iter().copied()));
    }
    let _ = read("fuzz", bytes);
});
