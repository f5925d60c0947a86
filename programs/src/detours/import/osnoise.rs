//! Lines of Linux's osnoise tracer (Bristot de Oliveira 2021), from `trace` or `trace_pipe`: start and duration of what
//! interrupted the tracer's thread of each CPU. Time that nothing of the system explains is hardware's. Durations are
//! net: an interruption of an interrupt or of a thread has a line of its own, and its time is not contained in theirs.
//!
//! `osnoise/8-961 [008] d.h. 5789.857532: irq_noise: local_timer:236 start 5789.857529929 duration 1845 ns`

use super::keys;
use super::refused::RECORD;
use models::noise::{Detour, DetourTrace, read};
use models::time::{Span, Time};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Events that are detours, each before those that it can interrupt. A `sample_threshold` is the whole gap. It counts
/// only where nothing explains it, since the causes of the others have events of their own.
const KINDS: [&str; 5] = ["nmi_noise", "irq_noise", "softirq_noise", "thread_noise", "sample_threshold"];

/// Beginning of the kernel's header above the lines.
pub(super) const TRACER: &str = "# tracer: osnoise";

/// Whether a line is an event of osnoise.
pub(super) fn is_event(line: &str) -> bool {
    kind(line).is_some()
}

/// Index of an event in [`KINDS`], and the text behind its name.
fn kind(line: &str) -> Option<(usize, &str)> {
    KINDS.iter().enumerate().find_map(|(place, kind)| {
        let (before, rest) = line.split_once(kind)?;
        // The name must be a whole word: `irq_noise` is also the end of another name.
        let alone = before.ends_with([' ', '\t']) && rest.starts_with(':');
        alone.then(|| (place, &rest[1..]))
    })
}

/// Start of an event and its own time, in ns, and its index in [`KINDS`].
type Event = (u64, u64, usize);

#[derive(Default)]
struct CpuEvents {
    events: Vec<Event>,
    kinds: BTreeMap<&'static str, u64>,
    /// Start and end of each detour of the CPU's thread, in ns and in order.
    lost: Vec<(u64, u64)>,
}

impl CpuEvents {
    /// Finds the detours of the CPU's thread: each event that nothing else contains, with the time of all that
    /// interrupted it.
    fn join(&mut self) {
        self.events.sort_unstable_by_key(|&(start, own, kind)| (start, Reverse(kind), own));
        // Current events, the innermost last, each with its end and its kind.
        let mut open: Vec<(u64, usize)> = Vec::new();
        for &(start, own, kind) in &self.events {
            while open.last().is_some_and(|&(end, _)| end <= start) {
                open.pop();
            }
            let interrupts = open.last().is_some_and(|&(_, other)| kind < other);
            if interrupts {
                open.iter_mut().for_each(|(end, _)| *end += own);
                open.push((start + own, kind));
            } else {
                // Lines that overlap in any other way have the same time, rounded.
                open = vec![(start + own, kind)];
                self.lost.push((start, 0));
            }
            if let (Some(detour), Some(&(end, _))) = (self.lost.last_mut(), open.first()) {
                detour.1 = detour.1.max(end);
            }
        }
    }
}

pub(super) fn read(files: &[(String, Vec<u8>)]) -> Result<Vec<DetourTrace>, String> {
    let mut cpus: BTreeMap<u32, CpuEvents> = BTreeMap::new();
    for (name, bytes) in files {
        for (number, line) in (1..).zip(read::text(name, bytes)?.lines()) {
            if let Some((kind, rest)) = kind(line) {
                add(&mut cpus, line, (kind, rest)).ok_or_else(|| {
                    format!(
                        "{name} line {number}: expected [CPU] … {}: … start S.NNNNNNNNN duration N ns, found '{}'",
                        KINDS[kind],
                        line.trim()
                    )
                })?;
            }
        }
    }
    cpus.values_mut().for_each(CpuEvents::join);
    let all = || cpus.values().flat_map(|cpu| &cpu.lost);
    let name = files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let (Some(first), Some(last)) = (all().map(|one| one.0).min(), all().map(|one| one.1).max()) else {
        return Err(format!(
            "{name}: expected events of osnoise ({}), found none, and its other lines are sums; {RECORD}",
            KINDS.join(", ")
        ));
    };
    let ranks = cpus.len();
    let trace =
        |(rank, (cpu, found)): (usize, (u32, CpuEvents))| trace(&name, (rank, ranks), cpu, &found, (first, last));
    Ok(cpus.into_iter().enumerate().map(trace).collect())
}

/// Adds the event of a line to its CPU. Returns `None` if the line cannot be read.
fn add(cpus: &mut BTreeMap<u32, CpuEvents>, line: &str, (kind, rest): (usize, &str)) -> Option<()> {
    let cpu = line.split_once('[')?.1.split_once(']')?.0.trim().parse().ok()?;
    // The name of a task may contain anything.
    let (_, after) = rest.rsplit_once("start ")?;
    let mut words = after.split_whitespace();
    let (seconds, fraction) = words.next()?.split_once('.')?;
    if fraction.len() != 9 {
        return None;
    }
    let start =
        seconds.parse::<u64>().ok().filter(|&s| s < LONGEST_S)? * 1_000_000_000 + fraction.parse::<u64>().ok()?;
    let duration = if words.next()? == "duration" { words.next()?.parse::<u64>().ok()? } else { return None };
    if duration >= LONGEST_S * 1_000 {
        return None;
    }
    let cpu = cpus.entry(cpu).or_default();
    let is_sample = kind + 1 == KINDS.len();
    if !is_sample || rest.trim_end().ends_with("interference 0") {
        cpu.events.push((start, duration, kind));
        *cpu.kinds.entry(if is_sample { "hardware" } else { KINDS[kind] }).or_default() += 1;
    }
    Some(())
}

/// Largest accepted time since a machine was started, in s.
const LONGEST_S: u64 = 1_000_000_000;

/// Builds the trace of a CPU. All CPUs have one time axis, from the first detour of any to the end of the last.
fn trace(
    name: &str,
    (rank, ranks): (usize, usize),
    cpu: u32,
    found: &CpuEvents,
    (first, last): (u64, u64),
) -> DetourTrace {
    let ps = |ns: u64| ns.saturating_mul(1_000);
    let detour =
        |&(start, end): &(u64, u64)| Detour { start: Time(ps(start - first)), duration: Span(ps(end - start)) };
    let detours = found.lost.iter().map(detour).collect();
    let mut header: Vec<(String, String)> = keys(rank, ranks).into();
    header.push(("cpu".to_owned(), cpu.to_string()));
    header.push(("method".to_owned(), "osnoise".to_owned()));
    header.extend(found.kinds.iter().map(|(kind, count)| ((*kind).to_owned(), count.to_string())));
    header.push(("imported_from".to_owned(), name.to_owned()));
    DetourTrace { name: name.to_owned(), length: Span(ps(last - first).max(1)), detours, header }
}
