//! A recorded trace: the detours that one CPU really had.

use crate::time::{Span, Time};

/// One detour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Detour {
    /// When it took the CPU.
    pub start: Time,
    /// For how long.
    pub duration: Span,
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
        self.header.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
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
    fn rank(&self) -> Option<u32> {
        self.says("rank").and_then(|rank| rank.parse().ok())
    }

    /// Leaves out what was recorded from `length` on.
    pub(super) fn cut(&mut self, length: Span) {
        self.length = self.length.min(length);
        self.detours.retain(|detour| detour.start < Time::ZERO + length);
    }
}

/// Sorts traces by the ranks that their headers name, where all do.
///
/// # Errors
/// Two traces of one rank: they are not of one collection.
pub(super) fn sort_by_rank(traces: &mut [DetourTrace]) -> Result<(), String> {
    if traces.iter().any(|trace| trace.rank().is_none()) {
        return Ok(());
    }
    traces.sort_by_key(DetourTrace::rank);
    match traces.windows(2).find(|pair| pair[0].rank() == pair[1].rank()) {
        Some(pair) => {
            let (one, other, rank) = (&pair[0].name, &pair[1].name, pair[0].rank().unwrap_or_default());
            Err(format!("{one} and {other} both say rank={rank}; expected the traces of one collection"))
        }
        None => Ok(()),
    }
}
