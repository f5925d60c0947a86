//! Detours by their durations: number, length, frequency, share of the time, and simultaneity.

use super::recording::{Rank, Recording, Stretch};
use models::time::Span;

/// Class of detours from one duration up to, but not including, another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    /// Shortest duration that belongs to it.
    pub from: Span,
    /// First duration that is too long, if any is.
    pub below: Option<Span>,
}

impl Class {
    /// Class of all detours.
    pub const ALL: Class = Class { from: Span::ZERO, below: None };

    /// Returns the classes between bounds, which are sorted. The last has no upper bound.
    pub fn between(bounds: &[Span]) -> Vec<Class> {
        let below = bounds.iter().skip(1).map(|&bound| Some(bound)).chain([None]);
        bounds.iter().zip(below).map(|(&from, below)| Class { from, below }).collect()
    }

    fn has(&self, detour: &Stretch) -> bool {
        detour.whole >= self.from.0 && self.below.is_none_or(|below| detour.whole < below.0)
    }
}

/// Figures of the detours of one class on p ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Number of ranks, p.
    pub ranks: u32,
    /// Number of ranks that have such detours.
    pub active: u32,
    /// Number of detours, n.
    pub detours: u64,
    /// Time that they take from all ranks together, ΣD.
    pub taken: Span,
    /// Time in which at least one rank is inside one, U.
    pub union: Span,
    /// Length of the recording, T.
    pub length: Span,
}

impl Figures {
    /// Returns the mean duration of a detour, d = ΣD / n, `None` without detours.
    pub fn mean(&self) -> Option<Span> {
        (self.detours > 0).then(|| Span(self.taken.0 / self.detours))
    }

    /// Returns the mean time between detours of one rank, in µs, g = p T / n, `None` without detours.
    pub fn gap_us(&self) -> Option<f64> {
        (self.detours > 0).then(|| f64::from(self.ranks) * self.length.as_us() / self.detours as f64)
    }

    /// Returns the share of the time in which at least one rank is inside a detour, C = U / T.
    pub fn coverage(&self) -> f64 {
        self.union.0 as f64 / self.length.0 as f64
    }

    /// Returns the simultaneity, S = ΣD / (p U): 1 where all ranks have their detours at once, 1/p where no two have.
    /// `None` without detours.
    pub fn simultaneity(&self) -> Option<f64> {
        self.per_rank(self.ranks)
    }

    /// Returns the simultaneity of the ranks alone that have detours of this class.
    pub fn simultaneity_of_active(&self) -> Option<f64> {
        self.per_rank(self.active)
    }

    fn per_rank(&self, ranks: u32) -> Option<f64> {
        (self.union > Span::ZERO).then(|| self.taken.0 as f64 / (f64::from(ranks) * self.union.0 as f64))
    }
}

impl Rank {
    /// Returns the time that detours of a class take from the rank.
    pub fn taken_by(&self, class: &Class) -> Span {
        Span(self.detours.iter().filter(|detour| class.has(detour)).map(Stretch::length).sum())
    }
}

impl Recording {
    /// Returns the figures of the detours of a class on the first `ranks` ranks.
    pub fn figures(&self, class: &Class, ranks: usize) -> Figures {
        let chosen = &self.ranks[..ranks.min(self.ranks.len())];
        let mut all: Vec<(u64, u64)> = Vec::new();
        let mut active = 0;
        for rank in chosen {
            let before = all.len();
            all.extend(rank.detours.iter().filter(|detour| class.has(detour)).map(|detour| (detour.start, detour.end)));
            active += u32::from(all.len() > before);
        }
        let taken = all.iter().map(|(start, end)| end - start).sum();
        Figures {
            ranks: chosen.len() as u32,
            active,
            detours: all.len() as u64,
            taken: Span(taken),
            union: Span(union(&mut all)),
            length: Span(self.length),
        }
    }
}

/// Returns the measure of the union of stretches of time.
fn union(all: &mut [(u64, u64)]) -> u64 {
    all.sort_unstable();
    let (mut sum, mut until) = (0, 0);
    for &(start, end) in all.iter() {
        sum += end.max(until) - start.max(until);
        until = until.max(end);
    }
    sum
}
