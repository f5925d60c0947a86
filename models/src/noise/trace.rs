//! Recorded trace of the detours of one CPU.

use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Detour that took the CPU from a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Detour {
    /// Time at which the detour took the CPU.
    pub start: Time,
    /// Duration of the detour.
    pub duration: Span,
}

impl Detour {
    /// Time from the begin of the recording to the detour.
    pub fn after(&self) -> Span {
        self.start.since(Time::ZERO)
    }
}

/// Detours that were recorded on one CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetourTrace {
    /// Name of the file from which the trace comes.
    pub name: String,
    /// Duration of the recording.
    pub length: Span,
    /// Detours in the order of their starts, which lie before `length`.
    pub detours: Vec<Detour>,
    /// Keys and values of the header, in the file's order.
    pub header: Vec<(String, String)>,
}

impl DetourTrace {
    /// Value of a key in the header.
    pub fn says(&self, key: &str) -> Option<&str> {
        said(&self.header, key)
    }

    /// Start and end of each detour, in ps, in the order of time and disjoint: a CPU is in one detour at a time, and
    /// those that touch or overlap are one. All start before the end of the trace, and the last may end behind it.
    pub fn apart(&self) -> Vec<(u64, u64)> {
        let mut given: Vec<(u64, u64)> = self.detours.iter().map(|d| (d.start.0, (d.start + d.duration).0)).collect();
        given.retain(|(start, end)| start < end && *start < self.length.0);
        given.sort_unstable();
        let mut apart: Vec<(u64, u64)> = Vec::with_capacity(given.len());
        for (start, end) in given {
            match apart.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => apart.push((start, end)),
            }
        }
        apart
    }

    /// Rank on which the trace was recorded, according to its header.
    ///
    /// # Errors
    /// Fails if the header's rank is no number.
    pub fn rank(&self) -> Result<Option<u32>, String> {
        let Some(text) = self.says("rank") else { return Ok(None) };
        let rank =
            text.parse().map_err(|_| format!("{}: rank: expected a number from 0, found '{text}'", self.name))?;
        Ok(Some(rank))
    }
}

/// Value of a key in a header.
pub fn said<'a>(header: &'a [(String, String)], key: &str) -> Option<&'a str> {
    header.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
}

/// Sorts traces by the ranks that their headers name, if they do.
///
/// # Errors
/// Fails if two traces are of one rank, or if some name none: they are not of one collection.
pub(super) fn sort_by_rank(traces: &mut [DetourTrace]) -> Result<(), String> {
    let ranks = traces.iter().map(DetourTrace::rank).collect::<Result<Vec<Option<u32>>, String>>()?;
    let Some(place) = ranks.iter().position(Option::is_some) else { return Ok(()) };
    if let Some(without) = ranks.iter().position(Option::is_none) {
        let (with, without) = (&traces[place].name, &traces[without].name);
        return Err(format!("{without} says no # rank=…, but {with} does; expected the traces of one collection"));
    }
    traces.sort_by_key(|trace| trace.rank().ok().flatten());
    match traces.windows(2).find(|pair| pair[0].says("rank") == pair[1].says("rank")) {
        Some(pair) => {
            let (one, other, rank) = (&pair[0].name, &pair[1].name, pair[0].says("rank").unwrap_or_default());
            Err(format!("{one} and {other} both say rank={rank}; expected the traces of one collection"))
        }
        None => Ok(()),
    }
}

/// Refuses traces of several ranks with one missing: its player would play another's trace.
///
/// # Errors
/// Names the rank without a trace.
pub(super) fn all_ranks(traces: &[DetourTrace]) -> Result<(), String> {
    let missing =
        (0..).zip(traces).find(|(rank, trace)| trace.rank().is_ok_and(|said| said.is_some_and(|said| said != *rank)));
    match missing.filter(|_| traces.len() > 1) {
        Some((rank, trace)) => Err(format!(
            "{} is of rank {}, and there is no trace of rank {rank}; expected those of all ranks from 0",
            trace.name,
            trace.says("rank").unwrap_or_default()
        )),
        None => Ok(()),
    }
}
