//! Pairs of ranks that differ as their cores do: costs of messages and of touching memory between them.

use super::Lines;
use crate::network::{CostTable, Network};
use std::fmt;
use std::sync::Arc;

/// Parameters of two ranks whose cores are at one distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Between {
    /// Latency of a cache line from one core to the other, in ns.
    pub line_ns: f64,
    /// Network model of messages between the two.
    pub network: Network,
    /// Costs of touching memory that the other rank holds.
    pub lines: Option<Lines>,
    /// Extra time of sending and receiving at once, beyond the longer of the two, by the bytes received.
    pub duplex: CostTable,
    /// Extra latency of the first message after a wait on the clock, by its bytes.
    pub after_wait: CostTable,
}

/// Parameters of every two ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    ranks: u32,
    /// Index into `kinds` by rank and other rank.
    places: Arc<[u8]>,
    kinds: Arc<[Between]>,
}

impl Pairs {
    /// Parameters of `ranks` ranks; `place` returns the index into `kinds` for two of them.
    ///
    /// # Panics
    /// If `place` returns an index that `kinds` does not have.
    pub fn new(ranks: u32, kinds: Vec<Between>, place: impl Fn(u32, u32) -> usize) -> Pairs {
        let all = (0..ranks).flat_map(|one| (0..ranks).map(move |other| (one, other)));
        let places: Arc<[u8]> =
            all.map(|(one, other)| if one == other { 0 } else { place(one, other) as u8 }).collect();
        assert!(places.iter().all(|&place| usize::from(place) < kinds.len()), "every place is known");
        Pairs { ranks, places, kinds: kinds.into() }
    }

    /// Parameters of two ranks.
    #[inline]
    pub fn between(&self, one: u32, other: u32) -> &Between {
        &self.kinds[usize::from(self.places[(one * self.ranks + other) as usize])]
    }

    /// Kinds of pairs with their numbers of pairs, the nearest first.
    pub fn counts(&self) -> Vec<(&Between, usize)> {
        let mut pairs = vec![0; self.kinds.len()];
        for one in 0..self.ranks {
            (0..one).for_each(|other| pairs[usize::from(self.places[(one * self.ranks + other) as usize])] += 1);
        }
        let mut all: Vec<_> = self.kinds.iter().zip(pairs).filter(|(_, pairs)| *pairs > 0).collect();
        all.sort_by(|(one, _), (other, _)| one.line_ns.total_cmp(&other.line_ns));
        all
    }

    pub(super) fn check(&self, ranks: u32) -> Result<(), String> {
        if ranks <= self.ranks { Ok(()) } else { Err(format!("pairs of {} ranks, but there are {ranks}", self.ranks)) }
    }
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |(kind, pairs): (&Between, usize)| format!("{pairs} of {:.0} ns: {}", kind.line_ns, kind.network);
        let all: Vec<String> = self.counts().into_iter().map(words).collect();
        write!(f, "pairs of cores by their cache lines: {}", all.join("; "))
    }
}
