//! Files of FWQ (Sottile, Seager): the cycles of each quantum, one in a line; quanta follow each other.

use super::{Known, lines, rate, whole};
use crate::clock::{Ticks, Timescale};
use crate::detours::Baseline;
use crate::detours::fwq::{Excess, TRIAL};
use crate::noise::read::{LONGEST_NS, nanoseconds};
use crate::noise::{Detour, DetourTrace};
use crate::time::{Span, Time};

pub(super) fn read(name: &str, text: &str, known: &Known) -> Result<DetourTrace, String> {
    let scale = Timescale { ticks_per_second: rate(name, known)?, origin: Ticks(0), granularity_ticks: 1 };
    let cycles = lines(text).map(|(number, line)| whole(name, number, line, "the cycles of a quantum"));
    let cycles = cycles.collect::<Result<Vec<u64>, String>>()?;
    if cycles.is_empty() {
        return Err(format!("{name}: expected the cycles of quanta, found none"));
    }
    // Of a file the usual duration of all quanta is known from the begin.
    let rolls = known.baseline == Baseline::Rolling;
    let first = if rolls { &cycles[..cycles.len().min(TRIAL as usize)] } else { &cycles };
    let mut excess = Excess::of(&scale, known.baseline, known.threshold, first);
    let mut trace = DetourTrace { name: name.to_owned(), ..DetourTrace::default() };
    let mut ended: u64 = 0;
    for &took in &cycles {
        ended = ended.checked_add(took).filter(|&ended| ended < u64::MAX / 2).ok_or_else(|| {
            format!("{name}: all quanta together take longer than any time that is read; expected cycles")
        })?;
        if let Some(over) = excess.over(took) {
            trace.detours.push(Detour {
                start: scale.time(Ticks(ended - over)),
                duration: scale.span(Ticks(ended - over), Ticks(ended)),
            });
        }
        if rolls {
            excess.durations.add(took);
        }
    }
    trace.length = scale.time(Ticks(ended)).since(Time::ZERO).max(Span(1));
    // What is imported is written as files that are read again.
    if trace.length.0 / 1_000 >= LONGEST_NS {
        return Err(format!(
            "{name}: all quanta together take longer than 10^15 ns; expected cycles, and their rate (--hz)"
        ));
    }
    let ns = |span: Span| nanoseconds(span.0);
    let keys = [
        ("method", "fwq".to_owned()),
        ("baseline", known.baseline.name().to_owned()),
        ("quantum_min_ns", ns(scale.span(Ticks(0), Ticks(excess.durations.least)))),
        ("quantum_mode_ns", ns(scale.span(Ticks(0), Ticks(excess.durations.usual)))),
        ("threshold_ns", ns(excess.threshold)),
        ("hz", scale.ticks_per_second.to_string()),
        ("imported_from", name.to_owned()),
    ];
    trace.header.extend(keys.map(|(key, value)| (key.to_owned(), value)));
    Ok(trace)
}
