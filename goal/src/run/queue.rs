//! The global queue: events in the order of (time, tie).
//!
//! A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990): events to come lie in buckets by the highest bit in which
//! their time differs from the present, and move to lower buckets as it comes closer. Those of the present are
//! sorted: in regular schedules they are many, and nearly in order already. Events of the past are rare (only
//! LogGOPSim's rules know them: with several CPUs its time runs backwards) and lie in an ordinary heap.

use models::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Event of a rank. The rules give `tie` and `id` their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    pub time: Time,
    pub tie: u64,
    pub rank: u32,
    pub id: u32,
}

/// Queue of the events to come.
pub(super) struct Queue {
    /// The present: the latest time of which an event was taken.
    now: Time,
    /// Events of the present, last first.
    sorted: Vec<Event>,
    /// Events of the present and the past, pushed since the present began.
    late: BinaryHeap<Reverse<Event>>,
    /// Events of the future: in bucket i the highest bit in which their time differs from the present is bit i.
    buckets: [Vec<Event>; 64],
    /// Buckets that are not empty: bit i stands for bucket i.
    occupied: u64,
    events: u64,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue {
            now: Time::ZERO,
            sorted: Vec::new(),
            late: BinaryHeap::new(),
            buckets: [const { Vec::new() }; 64],
            occupied: 0,
            events: 0,
        }
    }
}

impl Queue {
    #[inline]
    pub(super) fn push(&mut self, event: Event) {
        if event.time <= self.now {
            self.late.push(Reverse(event));
        } else {
            self.put((event.time.0 ^ self.now.0).ilog2(), event);
        }
    }

    #[inline]
    fn put(&mut self, bucket: u32, event: Event) {
        self.buckets[bucket as usize].push(event);
        self.occupied |= 1 << bucket;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Event> {
        if self.sorted.is_empty() && self.late.is_empty() {
            self.advance()?;
        }
        self.events += 1;
        match (self.sorted.last(), self.late.peek()) {
            (Some(sorted), Some(Reverse(late))) if late < sorted => self.late.pop().map(|Reverse(event)| event),
            (Some(_), _) => self.sorted.pop(),
            (None, _) => self.late.pop().map(|Reverse(event)| event),
        }
    }

    /// Goes on to the time of the next event.
    fn advance(&mut self) -> Option<()> {
        if self.occupied == 0 {
            return None;
        }
        let lowest = self.occupied.trailing_zeros();
        self.occupied &= !(1 << lowest);
        let mut bucket = std::mem::take(&mut self.buckets[lowest as usize]);
        self.now = bucket.iter().map(|event| event.time).min()?;
        for event in bucket.drain(..) {
            match event.time.0 ^ self.now.0 {
                0 => self.sorted.push(event),
                difference => self.put(difference.ilog2(), event),
            }
        }
        self.buckets[lowest as usize] = bucket;
        self.sorted.sort_unstable_by(|a, b| b.cmp(a));
        Some(())
    }

    /// Returns the event of the present that will come after `others` others, unless new ones come before it.
    #[inline(always)]
    pub(super) fn after(&self, others: usize) -> Option<&Event> {
        self.sorted.len().checked_sub(others + 1).map(|place| &self.sorted[place])
    }

    /// Returns the number of events that have been taken out.
    pub(super) fn events(&self) -> u64 {
        self.events
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn events_come_out_in_order(pushes in prop::collection::vec((any::<bool>(), 0u64..20, 0u64..5, 0u32..63, 0u64..9), 1..200)) {
            let (mut queue, mut heap) = (Queue::default(), BinaryHeap::new());
            let (mut now, mut id) = (0u64, 0);
            for (pop, delay, tie, shift, back) in pushes {
                id += 1;
                let event = Event { time: Time((now / (back + 1)).saturating_add(delay << shift)), tie, rank: 0, id };
                queue.push(event);
                heap.push(Reverse(event));
                if pop {
                    let expected = heap.pop().map(|Reverse(event)| event);
                    prop_assert_eq!(queue.pop(), expected);
                    now = expected.unwrap().time.0;
                }
            }
            while let Some(Reverse(event)) = heap.pop() {
                prop_assert_eq!(queue.pop(), Some(event));
            }
            prop_assert_eq!(queue.pop(), None);
        }
    }
}
