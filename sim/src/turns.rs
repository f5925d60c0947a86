//! Who acts when: ranks in the global order of (time, sequence number).

use models::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The ranks that are to act, each at its time.
#[derive(Default)]
pub(crate) struct Turns {
    queue: BinaryHeap<Reverse<Turn>>,
    sequence: u64,
    now: Time,
}

/// When a rank is to act: the turns of a queue have the order of their times, and of their sequence numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    time: Time,
    sequence: u64,
    rank: u32,
}

impl Turns {
    /// The engine's time.
    pub(crate) fn now(&self) -> Time {
        self.now
    }

    /// The next rank to act.
    pub(crate) fn next(&mut self) -> Option<u32> {
        let Reverse(turn) = self.queue.pop()?;
        self.now = turn.time;
        Some(turn.rank)
    }

    /// The rank acts at a time, behind those that were queued for it before.
    pub(crate) fn queue(&mut self, rank: u32, time: Time) {
        self.queue.push(Reverse(Turn { time, sequence: self.sequence, rank }));
        self.sequence += 1;
    }

    /// Whether the rank that acts may do so at its own time without queueing: the engine's time is there, or comes there because
    /// nobody is to act before, nor at that time. If not, the rank is queued, and has to suspend.
    pub(crate) fn goes_on(&mut self, rank: u32, time: Time) -> bool {
        time <= self.now || self.comes_next(rank, time)
    }

    /// The same for a rank that has waited: who is to act at the same time comes before it.
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
