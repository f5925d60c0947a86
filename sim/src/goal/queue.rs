//! The global queue: events in the order of (time, tie).

use models::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Something that happens to a rank. What `tie` and `id` mean is the rules' affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    pub time: Time,
    pub tie: u64,
    pub rank: u32,
    pub id: u32,
}

/// Events to come.
#[derive(Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Reverse<Event>>,
    events: u64,
}

impl Queue {
    #[inline]
    pub fn push(&mut self, event: Event) {
        self.heap.push(Reverse(event));
    }

    #[inline]
    pub fn pop(&mut self) -> Option<Event> {
        let Reverse(event) = self.heap.pop()?;
        self.events += 1;
        Some(event)
    }

    /// How many have been taken out.
    pub fn events(&self) -> u64 {
        self.events
    }
}
