//! The turns of ranks: they act in the global order of (time, sequence number).

use models::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ranks that are to act, each at its time.
#[derive(Default)]
pub(crate) struct Turns {
    queue: BinaryHeap<Reverse<Turn>>,
    sequence: u64,
    now: Time,
}

/// Time at which a rank is to act. The turns of a queue have the order of their times, and of their sequence numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    time: Time,
    sequence: u64,
    rank: u32,
}

impl Turns {
    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// Returns the next rank to act.
    pub(crate) fn next(&mut self) -> Option<u32> {
        let Reverse(turn) = self.queue.pop()?;
        self.now = turn.time;
        Some(turn.rank)
    }

    /// Queues the rank for a time, behind those that were queued for it before.
    pub(crate) fn queue(&mut self, rank: u32, time: Time) {
        self.queue.push(Reverse(Turn { time, sequence: self.sequence, rank }));
        self.sequence += 1;
    }

    /// Returns whether the rank that acts may do so at its own time without queueing: the engine's time is there, or
    /// comes there because nobody is to act before, nor at that time. If not, the rank is queued, and has to suspend.
    pub(crate) fn goes_on(&mut self, rank: u32, time: Time) -> bool {
        time <= self.now || self.comes_next(rank, time)
    }

    /// Returns whether a rank that has waited may act at its own time. Ranks that are to act at the same time come
    /// before it.
    pub(crate) fn comes_next(&mut self, rank: u32, time: Time) -> bool {
        let is_next = self.queue.peek().is_none_or(|Reverse(other)| other.time > time);
        if is_next {
            self.now = time;
        } else {
            self.queue(rank, time);
        }
        is_next
    }
}
