//! Files of Netgauge's selfish benchmark, which LogGOPSim reads as noise traces.
//!
//! Lines starting with `#` are comments; all others are a start and a duration in ns (Netgauge prints both with two
//! decimals and a tab between, starts counted from the first detour). The last entry's start is the length of the
//! trace, as in LogGOPSim, so its duration does not count.

use super::{entry, in_order};
use crate::noise::trace::{Detour, DetourTrace};
use crate::time::Span;

/// Headers of Netgauge's other noise benchmarks, whose numbers have another meaning.
const OTHERS: [&str; 2] = ["Fixed Work Quantum", "Fixed Time Quantum"];

pub(super) fn read(name: &str, text: &str) -> Result<DetourTrace, String> {
    let mut trace = DetourTrace { name: name.to_owned(), ..DetourTrace::default() };
    for (number, line) in text.lines().enumerate() {
        let (number, line) = (number + 1, line.trim());
        if let Some(comment) = line.strip_prefix('#') {
            if let Some(other) = OTHERS.iter().find(|other| comment.contains(*other)) {
                return Err(format!(
                    "{name} line {number}: a file of the {other} benchmark, which holds no detours; expected one of selfish"
                ));
            }
            if let Some((key, value)) = comment.split_once(':') {
                trace.header.push((key.trim().to_owned(), value.trim().to_owned()));
            }
        } else if !line.is_empty() {
            let detour = entry(name, number, line)?;
            in_order(name, number, trace.detours.last(), &detour)?;
            trace.detours.push(detour);
        }
    }
    match trace.detours.pop() {
        Some(Detour { start, .. }) if start.0 > 0 && !trace.detours.is_empty() => trace.length = Span(start.0),
        _ => {
            return Err(format!(
                "{name}: expected at least two detours, since the start of the last one gives the length of the trace"
            ));
        }
    }
    trace.detours.retain(|detour| detour.start.0 < trace.length.0);
    Ok(trace)
}
