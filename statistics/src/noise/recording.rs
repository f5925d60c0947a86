//! Detours of several CPUs on one time axis.

use models::noise::DetourTrace;
use models::time::Span;

/// What was recorded on several CPUs at once: on the global clock, cut to the time in which all of them recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    pub(super) length: u64,
    pub(super) ranks: Vec<Rank>,
}

/// The detours of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// The file that they come from.
    pub name: String,
    /// The host, where the header says it.
    pub host: Option<String>,
    /// In the order of time, apart from each other.
    pub(super) detours: Vec<Stretch>,
}

/// One detour, or what of it lies within the recording, in ps from its begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub start: u64,
    pub end: u64,
    /// How long the whole detour took, which decides on its class.
    pub whole: u64,
}

/// Parts per billion.
const BILLION: i128 = 1_000_000_000;

impl Recording {
    /// Puts traces on one time axis: headers say when each began on the global clock (`start_global_ns`) and how much its
    /// clock gains on that (`drift_ppb`); what says nothing began at 0.
    ///
    /// # Errors
    /// No trace; a header whose number is none; traces that have no time in common.
    pub fn of(traces: &[DetourTrace]) -> Result<Recording, String> {
        let axes = traces.iter().map(Axis::of).collect::<Result<Vec<Axis>, String>>()?;
        let begin = axes.iter().map(|axis| axis.start).max().ok_or("expected recorded detours, found none")?;
        let end = axes.iter().zip(traces).map(|(axis, trace)| axis.at(trace.length.0)).min().unwrap_or(begin);
        let length = u64::try_from(end - begin).ok().filter(|&length| length > 0);
        let length = length.ok_or("the traces have no time in common; expected those of one collection")?;
        let rank = |(axis, trace): (&Axis, &DetourTrace)| Rank {
            name: trace.name.clone(),
            host: trace.says("host").map(str::to_owned),
            detours: trace
                .apart()
                .into_iter()
                .filter_map(|(start, stop)| within((axis.at(start), axis.at(stop)), begin, end))
                .collect(),
        };
        Ok(Recording { length, ranks: axes.iter().zip(traces).map(rank).collect() })
    }

    /// How long all ranks recorded together.
    pub fn length(&self) -> Span {
        Span(self.length)
    }

    /// The ranks, in the order of their traces.
    pub fn ranks(&self) -> &[Rank] {
        &self.ranks
    }
}

impl Rank {
    /// Number of its detours.
    pub fn count(&self) -> usize {
        self.detours.len()
    }

    /// The longest of them.
    pub fn longest(&self) -> Span {
        Span(self.detours.iter().map(|detour| detour.whole).max().unwrap_or(0))
    }

    /// The time that detours take from it.
    pub fn taken(&self) -> Span {
        Span(self.detours.iter().map(Stretch::length).sum())
    }
}

impl Stretch {
    pub(super) fn length(&self) -> u64 {
        self.end - self.start
    }
}

/// Where a trace lies on the global clock.
struct Axis {
    start: i128,
    drift_ppb: i128,
}

impl Axis {
    fn of(trace: &DetourTrace) -> Result<Axis, String> {
        let number = |key: &str| match trace.says(key).map(str::parse::<f64>) {
            None => Ok(0.0),
            Some(Ok(number)) if number.abs() < 1e18 => Ok(number),
            Some(_) => {
                Err(format!("{}: {key}: expected a number, found '{}'", trace.name, trace.says(key).unwrap_or("")))
            }
        };
        let (start_ns, drift_ppb) = (number("start_global_ns")?, number("drift_ppb")?);
        Ok(Axis { start: (start_ns * 1e3).round() as i128, drift_ppb: drift_ppb.round() as i128 })
    }

    /// When a local instant of the trace was, in ps.
    fn at(&self, local: u64) -> i128 {
        let local = i128::from(local);
        self.start + local + (local * self.drift_ppb).div_euclid(BILLION)
    }
}

/// What of a detour lies between two instants, in ps from the first.
fn within((from, to): (i128, i128), begin: i128, end: i128) -> Option<Stretch> {
    let (start, stop) = (from.max(begin), to.min(end));
    (start < stop).then(|| Stretch {
        start: (start - begin) as u64,
        end: (stop - begin) as u64,
        whole: u64::try_from(to - from).unwrap_or(u64::MAX),
    })
}
