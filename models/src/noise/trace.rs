//! A recorded trace: the detours that one CPU really had.

use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// One detour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Detour {
    /// When it took the CPU.
    pub start: Time,
    /// For how long.
    pub duration: Span,
}

impl Detour {
    /// How long after the begin of the recording it started.
    pub fn after(&self) -> Span {
        self.start.since(Time::ZERO)
    }
}

/// What was recorded on one CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetourTrace {
    /// Where it comes from: the file's name.
    pub name: String,
    /// How long was recorded.
    pub length: Span,
    /// The detours in the order of their starts, which lie before `length`.
    pub detours: Vec<Detour>,
    /// What the header says: key and value, in the file's order.
    pub header: Vec<(String, String)>,
}

impl DetourTrace {
    /// What the header says under a name.
    pub fn says(&self, key: &str) -> Option<&str> {
        said(&self.header, key)
    }

    /// The detours in the order of time, apart from each other: a CPU is in one at a time, and those that touch or overlap are
    /// one. Start and end of each, in ps; all start before the end of the trace, the last may end behind it.
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

    /// The rank that it was recorded on, as its header says.
    ///
    /// # Errors
    /// A header that names something else.
    pub fn rank(&self) -> Result<Option<u32>, String> {
        let Some(text) = self.says("rank") else { return Ok(None) };
        let rank =
            text.parse().map_err(|_| format!("{}: rank: expected a number from 0, found '{text}'", self.name))?;
        Ok(Some(rank))
    }
}

/// What a header says under a key.
pub fn said<'a>(header: &'a [(String, String)], key: &str) -> Option<&'a str> {
    header.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
}

/// Sorts traces by the ranks that their headers name, if they do.
///
/// # Errors
/// Two traces of one rank, or some without one: they are not of one collection.
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

/// Refuses traces of several ranks between which one is missing: who plays them would play another's.
///
/// # Errors
/// The rank of which there is no trace.
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
