//! Flags in memory that the ranks of a node share: each has one rank that stores values into it, which only grow, and
//! others wait for some value. Storing costs the CPU nothing. A rank that waits already sees a value one way of a cache
//! line after it was stored. A rank that looks later fetches the line first, which takes as long.

use super::Engine;
use models::shared_broadcast::Word;
use models::time::{Span, Time};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// All flags of a simulation.
pub(super) type Flags = FxHashMap<Word, Flag>;

/// Recent values of a flag, and the ranks that wait for it.
#[derive(Default)]
pub(super) struct Flag {
    /// Last values, each with the time at which it was stored.
    stored: VecDeque<(Time, u64)>,
    /// Ranks that wait, each with the value that the flag must exceed.
    waiting: Vec<(u32, u64)>,
}

/// Number of values of a flag that are kept: the last rank is no further behind than there are cells, and no queue that
/// cells are used for here has more.
const KEPT: usize = 16;

impl Engine {
    /// Stores a value at the rank's CPU's time, and lets the ranks that wait for it go on.
    pub(crate) fn store(&mut self, rank: u32, word: Word, value: u64) {
        self.wake(rank);
        let now = self.ranks[rank as usize].cpu;
        let flag = self.flags.entry(word).or_default();
        flag.stored.push_back((now, value));
        if flag.stored.len() > KEPT {
            flag.stored.pop_front();
        }
        let (seen, waiting) = std::mem::take(&mut flag.waiting).into_iter().partition(|&(_, above)| value > above);
        flag.waiting = waiting;
        let seen: Vec<(u32, u64)> = seen;
        for (other, _) in seen {
            self.see(other, now);
            self.resume_at_cpu(other);
        }
    }

    /// Makes a rank wait until a flag shows more than a value. Returns false where it has to suspend: until the value
    /// is seen, or others have acted.
    pub(crate) fn await_above(&mut self, rank: u32, word: Word, above: u64) -> bool {
        self.wake(rank);
        let flag = self.flags.entry(word).or_default();
        let Some(&(stored, _)) = flag.stored.iter().find(|(_, value)| *value > above) else {
            flag.waiting.push((rank, above));
            return false;
        };
        self.see(rank, stored);
        self.turns.comes_next(rank, self.ranks[rank as usize].cpu)
    }

    /// Returns the value of a flag that a rank sees at its CPU's time.
    pub(crate) fn shown(&self, rank: u32, word: Word) -> u64 {
        let now = self.ranks[rank as usize].cpu;
        let stored = self.flags.get(&word).map(|flag| flag.stored.iter().rev());
        let shown = stored.and_then(|mut all| all.find(|(stored, _)| *stored <= now));
        shown.map_or(0, |(_, value)| *value)
    }

    /// Lets a rank see what was stored at an instant.
    fn see(&mut self, rank: u32, stored: Time) {
        self.let_go(rank, stored);
        let line = self.line();
        self.compute(rank, line);
    }

    fn line(&self) -> Span {
        self.platform.cells(self.ranks.len() as u32).unwrap_or(Span::ZERO)
    }
}
