//! Clocks that ranks read: whether they can be trusted, their resolution, and the cost of a reading.

use super::Finding;
use super::machine::{processor_field, text};
use std::path::Path;
use std::time::{Duration, Instant};

/// Returns all findings about clocks.
pub(super) fn examine(root: &Path) -> Vec<Finding> {
    let (cost, step) = reading();
    source(root).into_iter().chain(counter(root)).chain([readings(cost, step)]).collect()
}

/// Returns the finding about the kernel's clock source. The kernel avoids the counter only after finding it wrong, or
/// where there is none.
pub(super) fn source(root: &Path) -> Option<Finding> {
    let folder = "sys/devices/system/clocksource/clocksource0";
    let current = text(root, &format!("{folder}/current_clocksource"))?;
    let available = text(root, &format!("{folder}/available_clocksource")).unwrap_or_default();
    Some(match current.as_str() {
        "tsc" | "arch_sys_counter" => Finding::ok("clock source", current),
        other => {
            let has_counter = available.split_whitespace().any(|name| name == "tsc");
            let reason = if has_counter {
                "The kernel could use the time stamp counter but does not. Look for the reason with dmesg | grep -i tsc; \
                 unless it calls the counter unstable: echo tsc | sudo tee \
                 /sys/devices/system/clocksource/clocksource0/current_clocksource"
            } else {
                "The kernel does not offer the time stamp counter here: it may be unstable, and ranks on different \
                 cores may disagree. Compare the clock offsets in the report with their bounds."
            };
            Finding::note("clock source", format!("{other}, not tsc"), reason)
        }
    })
}

/// Returns the finding about the time stamp counter, on x86 only: the counters of other processors run evenly by
/// definition.
pub(super) fn counter(root: &Path) -> Option<Finding> {
    let flags = processor_field(root, "flags")?;
    let has = |wanted: &str| flags.split_whitespace().any(|flag| flag == wanted);
    if !has("tsc") {
        return None;
    }
    let lacks: Vec<_> = ["constant_tsc", "nonstop_tsc"].into_iter().filter(|flag| !has(flag)).collect();
    Some(if lacks.is_empty() {
        Finding::ok("counter", "invariant: constant at every frequency (constant_tsc) and in sleep (nonstop_tsc)")
    } else {
        Finding::note(
            "counter",
            format!("the processor does not guarantee {}", lacks.join(" and ")),
            "The time stamp counter cannot be trusted; ranks read CLOCK_MONOTONIC_RAW, which costs more.",
        )
    })
}

/// Returns the median cost of a reading, and the smallest step seen.
fn reading() -> (Duration, Duration) {
    let mut batches: Vec<Duration> = (0..51)
        .map(|_| {
            let began = Instant::now();
            for _ in 0..100 {
                std::hint::black_box(Instant::now());
            }
            began.elapsed() / 100
        })
        .collect();
    batches.sort_unstable();
    let mut last = Instant::now();
    let mut step = Duration::MAX;
    for _ in 0..10_000 {
        let now = Instant::now();
        if now > last {
            step = step.min(now - last);
        }
        last = now;
    }
    (batches[batches.len() / 2], step)
}

/// Returns the finding about readings. A cost of half a microsecond means that a reading enters the kernel.
pub(super) fn readings(cost: Duration, step: Duration) -> Finding {
    let says = format!("{} ns each, {} ns the smallest step", cost.as_nanos(), step.as_nanos());
    if cost < Duration::from_nanos(500) && step < Duration::from_micros(1) {
        return Finding::ok("readings", says);
    }
    Finding::note(
        "readings",
        says,
        "This clock cannot resolve durations near a microsecond: use loops of many calls (--calls), or a machine whose \
         clock source is tsc.",
    )
}
