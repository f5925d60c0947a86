//! Operations that wait for one CPU, in the order in which it will serve them.
//!
//! A free CPU takes, among those that could begin at once, the one that has waited longest. At ties it takes sends
//! before receives before calculations, then in the order of the file. A send waits for its interface too, so sends of
//! different interfaces wait in different lines. Only the time at which one can next be served is in the global queue.

use super::super::queue::Event;
use models::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of a line: receives and calculations, or the sends of one interface.
pub(super) const ANY_WORK: usize = 0;

pub(super) const fn sends_of(nic: u8) -> usize {
    1 + nic as usize
}

#[derive(Default)]
pub(super) struct Waiting {
    lines: Vec<BinaryHeap<Reverse<Event>>>,
    /// Time at which the global queue will next look here, `END` if it will not.
    pub called_at: Option<Time>,
}

impl Waiting {
    pub(super) fn join(&mut self, line: usize, event: Event) {
        if self.lines.len() <= line {
            self.lines.resize_with(line + 1, BinaryHeap::new);
        }
        self.lines[line].push(Reverse(event));
    }

    /// Returns the time at which the first can be served, given when each line may be.
    pub(super) fn next_time(&self, free: impl Fn(usize) -> Time) -> Option<Time> {
        let occupied = self.lines.iter().enumerate().filter(|(_, line)| !line.is_empty());
        occupied.map(|(index, _)| free(index)).min()
    }

    /// Takes out the one that is served at `now`.
    pub(super) fn serve(&mut self, now: Time, free: impl Fn(usize) -> Time) -> Option<Event> {
        let heads = self.lines.iter().enumerate().filter(|(index, _)| free(*index) <= now);
        let heads = heads.filter_map(|(index, line)| line.peek().map(|head| (head.0, index)));
        let (_, line) = heads.min()?;
        self.lines[line].pop().map(|Reverse(event)| event)
    }
}
