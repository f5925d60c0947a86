//! Times at which ranks enter the first call.

use models::time::{Span, Time};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// Times at which ranks enter the first call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// All ranks at time zero.
    Together,
    /// Each rank at its own time, in rank order.
    Each(Arc<[Time]>),
    /// Each rank at a time drawn evenly from zero to a latest. Nothing is kept in memory.
    Drawn {
        /// Latest time that may be drawn.
        latest: Span,
        /// Seed of the draws of entries.
        seed: u64,
    },
}

/// Stream of the draws of entries, apart from those of ranks and their noise.
const STREAM: u64 = u64::MAX;

impl Entry {
    /// Returns the time at which a rank enters.
    pub fn time(&self, rank: u32) -> Time {
        let mut one = [0];
        self.fill(rank, &mut one);
        Time(one[0])
    }

    /// Writes the times at which ranks from `first` on enter, in ps.
    pub fn fill(&self, first: u32, times: &mut [u64]) {
        match self {
            Entry::Together => times.fill(0),
            Entry::Each(each) => {
                let each = &each[first as usize..];
                times.iter_mut().zip(each).for_each(|(time, entry)| *time = entry.0);
            }
            Entry::Drawn { latest, seed } => {
                let mut random = ChaCha8Rng::seed_from_u64(*seed);
                random.set_stream(STREAM);
                random.set_word_pos(2 * u128::from(first));
                // One draw for each rank, so that a rank's does not depend on those before it.
                let share = u128::from(latest.0) + 1;
                times.iter_mut().for_each(|time| *time = ((u128::from(random.next_u64()) * share) >> 64) as u64);
            }
        }
    }

    /// Returns the times at which each of `ranks` ranks enters, in ps.
    pub fn all(&self, ranks: u32) -> Vec<u64> {
        let mut times = vec![0; ranks as usize];
        self.fill(0, &mut times);
        times
    }

    /// Returns the latest entry, or the latest that can be drawn.
    pub fn latest(&self) -> Time {
        match self {
            Entry::Together => Time::ZERO,
            Entry::Each(times) => times.iter().copied().max().unwrap_or_default(),
            Entry::Drawn { latest, .. } => Time(latest.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_entries_are_the_same_one_by_one_and_all_at_once() {
        let entry = Entry::Drawn { latest: Span(9), seed: 3 };
        let mut all = [0; 5_000];
        entry.fill(0, &mut all);
        assert!((0..5_000).step_by(37).all(|rank| entry.time(rank).0 == all[rank as usize]));
        let count = |wanted| all.iter().filter(|&&time| time == wanted).count();
        // 500 of each are expected, with a standard deviation of 21.
        assert!((0..=9).all(|time| (400..600).contains(&count(time))));
    }
}
