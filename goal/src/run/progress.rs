//! Which operations may go, and from when: the part of an engine that knows nothing of networks.

use crate::{ANY, Schedule};
use models::time::Time;

/// What an operation waits for.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// The latest of those times that it had to wait for.
    pub ready: Time,
    /// Dependencies that it still waits for.
    pub pending: u32,
}

/// Dependencies of a schedule under way.
pub(super) struct Progress<'s> {
    pub schedule: &'s Schedule,
    /// One for each operation.
    pub states: Vec<State>,
    /// When each rank's last operation finished.
    pub finish: Vec<Time>,
    /// Operations that have finished.
    pub done: u64,
    /// Receives that would have taken other messages, too, each with the send of the message that it took.
    pub chosen: Vec<(u32, u32)>,
}

impl<'s> Progress<'s> {
    pub(super) fn new(schedule: &'s Schedule) -> Progress<'s> {
        let mut states = vec![State { ready: Time::ZERO, pending: 0 }; schedule.ops().len()];
        for edge in schedule.edges() {
            states[edge.dependent() as usize].pending += 1;
        }
        Progress { schedule, states, finish: vec![Time::ZERO; schedule.ranks() as usize], done: 0, chosen: Vec::new() }
    }

    /// One thing that an operation waited for happened at this time; if it was the last, it is ready then.
    #[inline]
    pub(super) fn satisfy(&mut self, dependent: u32, at: Time) -> Option<Time> {
        let state = &mut self.states[dependent as usize];
        state.ready = at.max(state.ready);
        state.pending -= 1;
        (state.pending == 0).then_some(state.ready)
    }

    /// A receive takes the message of a send.
    #[inline]
    pub(super) fn matched(&mut self, receive: u32, send: u32) {
        let (wanted, sent) = (self.schedule.ops()[receive as usize], self.schedule.ops()[send as usize]);
        if wanted.peer == ANY || wanted.tag == ANY || sent.tag == ANY {
            self.chosen.push((receive, send));
        }
    }

    /// True if an operation waits for others.
    #[inline]
    pub(super) fn is_pending(&self, op: u32) -> bool {
        self.states[op as usize].pending > 0
    }

    /// When an operation whose dependencies are met was ready.
    #[inline]
    pub(super) fn ready(&self, op: u32) -> Time {
        self.states[op as usize].ready
    }

    /// True once every operation has finished.
    pub(super) fn is_complete(&self) -> bool {
        self.done == self.schedule.ops().len() as u64
    }

    /// The first rank whose time ran out of range.
    pub(super) fn overflown(&self) -> Option<u32> {
        self.finish.iter().position(|&finish| finish == Time::END).map(|rank| rank as u32)
    }
}
