//! Detours of several CPUs on one time axis.

use models::noise::{Aligned, DetourTrace, said};
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
    /// Its number, as the header says, or its place.
    pub number: u32,
    /// The file that they come from.
    pub name: String,
    /// What its header says: key and value.
    pub header: Vec<(String, String)>,
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

impl Recording {
    /// Puts traces on one time axis, see [`Aligned`].
    ///
    /// # Errors
    /// As [`Aligned::of`]; a header whose rank is none.
    pub fn of(traces: &[DetourTrace]) -> Result<Recording, String> {
        let aligned = Aligned::of(traces)?;
        let rank = |(place, trace): (u32, &DetourTrace)| {
            let stretch = |&(from, to): &(i128, i128)| {
                let whole = u64::try_from(to - from).unwrap_or(u64::MAX);
                aligned.within((from, to)).map(|(start, end)| Stretch { start, end, whole })
            };
            Ok(Rank {
                number: trace.rank()?.unwrap_or(place),
                name: trace.name.clone(),
                header: trace.header.clone(),
                detours: aligned.detours[place as usize].iter().filter_map(stretch).collect(),
            })
        };
        let ranks = (0..).zip(traces).map(rank);
        Ok(Recording { length: aligned.length().0, ranks: ranks.collect::<Result<_, String>>()? })
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
    /// What its header says under a key.
    pub fn says(&self, key: &str) -> Option<&str> {
        said(&self.header, key)
    }

    /// The host, where the header says it.
    pub fn host(&self) -> Option<&str> {
        self.says("host")
    }

    /// Number of its detours.
    pub fn count(&self) -> usize {
        self.detours.len()
    }

    /// When each began, from the begin of the recording, and how long it was.
    pub fn stretches(&self) -> impl Iterator<Item = (Span, Span)> {
        self.detours.iter().map(|detour| (Span(detour.start), Span(detour.whole)))
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
