//! Events that wait for the same CPU and interface.
//!
//! The definition puts an event that cannot begin back into the queue, at the time at which its CPU and interface will
//! be free, again and again: k messages for one receiver would be put back k²/2 times. But all that wait for one thing
//! are put back at the same time and taken in the order of their sequence numbers: so only the first of a line needs to
//! be in the queue.

use super::super::queue::Event;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Thing that a line waits for: (rank, kind of event as a number, CPU, interface).
pub(super) type AwaitedResource = (u32, u8, u8, u8);

#[derive(Default)]
struct WaitingLine {
    /// Tie of the event that stands in the queue for all.
    first: Option<u64>,
    /// The others by their ties, each with rank and number of the event.
    others: BinaryHeap<Reverse<(u64, u32, u32)>>,
}

#[derive(Default)]
pub(super) struct Lines {
    lines: FxHashMap<AwaitedResource, WaitingLine>,
}

impl Lines {
    /// Adds an event that cannot begin to its line. Returns true if it has to go back into the queue.
    pub(super) fn join(&mut self, what: AwaitedResource, event: &Event) -> bool {
        let line = self.lines.entry(what).or_default();
        if line.first.is_some_and(|first| first < event.tie) {
            line.others.push(Reverse((event.tie, event.rank, event.id)));
            return false;
        }
        line.first = Some(event.tie);
        true
    }

    /// Removes an event that has begun. Returns the next one of its line, which goes into the queue, if this was the first.
    pub(super) fn leave(&mut self, what: AwaitedResource, event: &Event) -> Option<Event> {
        let line = self.lines.get_mut(&what)?;
        if line.first != Some(event.tie) {
            return None;
        }
        match line.others.pop() {
            Some(Reverse((tie, rank, id))) => {
                line.first = Some(tie);
                Some(Event { time: event.time, tie, rank, id })
            }
            None => {
                self.lines.remove(&what);
                None
            }
        }
    }
}
