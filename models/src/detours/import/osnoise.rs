//! Lines of Linux's osnoise tracer (Bristot de Oliveira 2021), from `trace` or `trace_pipe`: what interrupted the tracer's thread
//! of each CPU, when and for how long; what nothing of the system explains is hardware's.
//!
//! `osnoise/8-961 [008] d.h. 5789.857532: irq_noise: local_timer:236 start 5789.857529929 duration 1845 ns`

use super::keys;
use crate::noise::{Detour, DetourTrace, read};
use crate::time::{Span, Time};
use std::collections::BTreeMap;

/// Events that are detours. Of `sample_threshold` those that nothing explains: the others are there by their causes.
const KINDS: [&str; 5] = ["irq_noise", "softirq_noise", "thread_noise", "nmi_noise", "sample_threshold"];

/// Whether a line is an event of osnoise.
pub(super) fn is_event(line: &str) -> bool {
    kind(line).is_some()
}

fn kind(line: &str) -> Option<(&'static str, &str)> {
    KINDS.iter().find_map(|kind| {
        let (before, rest) = line.split_once(kind)?;
        // The name stands alone: `irq_noise` is the end of another.
        let alone = before.ends_with([' ', '\t']) && rest.starts_with(':');
        alone.then(|| (*kind, &rest[1..]))
    })
}

#[derive(Default)]
struct Cpu {
    /// Start and duration, in ns.
    detours: Vec<(u64, u64)>,
    kinds: BTreeMap<&'static str, u64>,
}

pub(super) fn read(files: &[(String, Vec<u8>)]) -> Result<Vec<DetourTrace>, String> {
    let mut cpus: BTreeMap<u32, Cpu> = BTreeMap::new();
    for (name, bytes) in files {
        for (number, line) in (1..).zip(read::text(name, bytes)?.lines()) {
            if let Some((kind, rest)) = kind(line) {
                add(&mut cpus, line, (kind, rest)).ok_or_else(|| {
                    format!(
                        "{name} line {number}: expected [CPU] … {kind}: … start S.NNNNNNNNN duration N ns, found '{}'",
                        line.trim()
                    )
                })?;
            }
        }
    }
    let all = || cpus.values().flat_map(|cpu| &cpu.detours);
    let name = files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let (Some(first), Some(last)) = (all().map(|one| one.0).min(), all().map(|one| one.0 + one.1).max()) else {
        return Err(format!("{name}: expected lines of osnoise ({}), found none", KINDS.join(", ")));
    };
    let ranks = cpus.len();
    let trace = |(rank, (cpu, found)): (usize, (u32, Cpu))| trace(&name, (rank, ranks), cpu, found, (first, last));
    Ok(cpus.into_iter().enumerate().map(trace).collect())
}

/// What a line says is one of its CPU's; none if it cannot be read.
fn add(cpus: &mut BTreeMap<u32, Cpu>, line: &str, (kind, rest): (&'static str, &str)) -> Option<()> {
    let cpu = line.split_once('[')?.1.split_once(']')?.0.trim().parse().ok()?;
    let (_, after) = rest.split_once("start ")?;
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
    let is_hardware = kind == "sample_threshold" && rest.trim_end().ends_with("interference 0");
    if kind != "sample_threshold" || is_hardware {
        cpu.detours.push((start, duration));
        *cpu.kinds.entry(if is_hardware { "hardware" } else { kind }).or_default() += 1;
    }
    Some(())
}

/// More seconds than that are no time since a machine was started.
const LONGEST_S: u64 = 1_000_000_000;

/// All CPUs have one time axis, from the first detour of any to the end of the last.
fn trace(name: &str, (rank, ranks): (usize, usize), cpu: u32, found: Cpu, (first, last): (u64, u64)) -> DetourTrace {
    let ps = |ns: u64| ns.saturating_mul(1_000);
    let mut detours: Vec<Detour> = found
        .detours
        .iter()
        .map(|&(start, duration)| Detour { start: Time(ps(start - first)), duration: Span(ps(duration)) })
        .collect();
    detours.sort_unstable();
    let mut header: Vec<(String, String)> = keys(rank, ranks).into();
    header.push(("cpu".to_owned(), cpu.to_string()));
    header.push(("method".to_owned(), "osnoise".to_owned()));
    header.extend(found.kinds.iter().map(|(kind, count)| ((*kind).to_owned(), count.to_string())));
    header.push(("imported_from".to_owned(), name.to_owned()));
    DetourTrace { name: name.to_owned(), length: Span(ps(last - first).max(1)), detours, header }
}
