//! Files of FWQ (Sottile, Seager; LLNL's, and its descendants): the cycles of each quantum, one in a line, without gaps
//! between quanta. Netgauge's have the number of each quantum before it, and whole µs in place of cycles.

use super::{ImportParameters, NETGAUGE_FWQ, comment, lines, rate, whole};
use crate::detours::Baseline;
use crate::detours::fwq::{Excess, TRIAL};
use models::clock::{Ticks, Timescale};
use models::noise::read::{LONGEST_NS, nanoseconds};
use models::noise::{Detour, DetourTrace};
use models::time::{Span, Time};

/// Beginnings of lines that LLNL's program prints around the cycles where they go to standard output.
const SAID: [&str; 5] =
    ["numthreads = ", "thread number ", "Starting FWQ_CORE", "Total time for ", "Average time per thread"];

pub(super) fn is_said(line: &str) -> bool {
    SAID.iter().any(|said| line.starts_with(said))
}

pub(super) fn read(name: &str, text: &str, known: &ImportParameters) -> Result<DetourTrace, String> {
    let in_us = comment(text, NETGAUGE_FWQ).is_some();
    let ticks_per_second = if in_us { 1e6 } else { rate(name, known)? };
    let scale = Timescale { ticks_per_second, origin: Ticks(0), granularity_ticks: 1 };
    let quantum = |(number, line): (usize, &str)| match (in_us, line.split_once([' ', '\t'])) {
        (true, Some((_, us))) => whole(name, number, us, "the duration of a quantum in µs behind its number"),
        (true, None) => Err(format!("{name} line {number}: expected a number and a duration in µs, found '{line}'")),
        (false, _) => whole(name, number, line, "the cycles of a quantum"),
    };
    let quanta = lines(text).filter(|(_, line)| !is_said(line));
    let cycles = quanta.map(quantum).collect::<Result<Vec<u64>, String>>()?;
    if cycles.is_empty() {
        return Err(format!("{name}: expected the cycles of quanta, found none"));
    }
    // In a file the usual duration of all quanta is known from the begin.
    let rolls = known.baseline == Baseline::Rolling;
    let first = if rolls { &cycles[..cycles.len().min(TRIAL as usize)] } else { &cycles };
    let mut excess = Excess::estimate(&scale, known.baseline, known.threshold, first);
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
    // Imported traces are written to files, which are read again.
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
