//! Detours of several CPUs on one time axis.

use models::noise::{Aligned, DetourTrace, said};
use models::time::Span;

/// Recording of several CPUs at once: on the global clock, cut to the time in which all of them recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    pub(super) length: u64,
    pub(super) ranks: Vec<Rank>,
}

/// Detours of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// Number of the rank, as the header says, or its place.
    pub number: u32,
    /// Name of the file that the detours come from.
    pub name: String,
    /// Lines of the file's header, as key and value.
    pub header: Vec<(String, String)>,
    /// Detours in the order of time, apart from each other.
    pub(super) detours: Vec<Stretch>,
}

/// One detour, or the part of it that lies within the recording, in ps from its begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub start: u64,
    pub end: u64,
    /// Duration of the whole detour, which decides on its class.
    pub whole: u64,
}

impl Recording {
    /// Puts traces on one time axis, see [`Aligned`].
    ///
    /// # Errors
    ///
    /// Fails where [`Aligned::from_traces`] fails, and for a header whose rank is none.
    pub fn from_traces(traces: &[DetourTrace]) -> Result<Recording, String> {
        let aligned = Aligned::from_traces(traces)?;
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

    /// Returns the time for which all ranks recorded together.
    pub fn length(&self) -> Span {
        Span(self.length)
    }

    /// Returns the ranks, in the order of their traces.
    pub fn ranks(&self) -> &[Rank] {
        &self.ranks
    }
}

impl Rank {
    /// Returns the value of a key in the rank's header.
    pub fn says(&self, key: &str) -> Option<&str> {
        said(&self.header, key)
    }

    /// Returns the host, where the header says it.
    pub fn host(&self) -> Option<&str> {
        self.says("host")
    }

    /// Returns the number of the rank's detours.
    pub fn count(&self) -> usize {
        self.detours.len()
    }

    /// Returns the time at which each detour began, from the begin of the recording, and its whole duration.
    pub fn stretches(&self) -> impl Iterator<Item = (Span, Span)> {
        self.detours.iter().map(|detour| (Span(detour.start), Span(detour.whole)))
    }

    /// Returns the duration of the longest detour.
    pub fn longest(&self) -> Span {
        Span(self.detours.iter().map(|detour| detour.whole).max().unwrap_or(0))
    }

    /// Returns the time that detours take from the rank.
    pub fn taken(&self) -> Span {
        Span(self.detours.iter().map(Stretch::length).sum())
    }
}

impl Stretch {
    pub(super) fn length(&self) -> u64 {
        self.end - self.start
    }
}
