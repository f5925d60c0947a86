//! Operations that may go, and from when: the part of an engine that knows nothing of networks.

use crate::{ANY, Schedule};
use models::time::Time;

/// State of an operation that waits for others.
#[derive(Clone, Copy)]
pub(super) struct OperationState {
    /// Latest of the times that it had to wait for.
    pub ready: Time,
    /// Number of dependencies that it still waits for.
    pub pending: u32,
}

/// Dependencies of a schedule under way.
pub(super) struct Progress<'s> {
    pub schedule: &'s Schedule,
    /// States of the operations, by number.
    pub states: Vec<OperationState>,
    /// Time at which each rank's last operation finished.
    pub finish: Vec<Time>,
    /// Number of operations that have finished.
    pub done: u64,
    /// Receives that would have taken other messages, too, each with the send of the message that it took.
    pub chosen: Vec<(u32, u32)>,
}

impl<'s> Progress<'s> {
    pub(super) fn new(schedule: &'s Schedule) -> Progress<'s> {
        let mut states = vec![OperationState { ready: Time::ZERO, pending: 0 }; schedule.ops().len()];
        for edge in schedule.edges() {
            states[edge.dependent() as usize].pending += 1;
        }
        Progress { schedule, states, finish: vec![Time::ZERO; schedule.ranks() as usize], done: 0, chosen: Vec::new() }
    }

    /// Notes that one thing that an operation waited for happened at this time. Returns the time at which it is ready,
    /// if it was the last.
    #[inline]
    pub(super) fn satisfy(&mut self, dependent: u32, at: Time) -> Option<Time> {
        let state = &mut self.states[dependent as usize];
        state.ready = at.max(state.ready);
        state.pending -= 1;
        (state.pending == 0).then_some(state.ready)
    }

    /// Notes that a receive takes the message of a send.
    #[inline]
    pub(super) fn matched(&mut self, receive: u32, send: u32) {
        let (wanted, sent) = (self.schedule.ops()[receive as usize], self.schedule.ops()[send as usize]);
        if wanted.peer == ANY || wanted.tag == ANY || sent.tag == ANY {
            self.chosen.push((receive, send));
        }
    }

    /// Returns true if an operation waits for others.
    #[inline]
    pub(super) fn is_pending(&self, op: u32) -> bool {
        self.states[op as usize].pending > 0
    }

    /// Returns the time at which an operation whose dependencies are met was ready.
    #[inline]
    pub(super) fn ready(&self, op: u32) -> Time {
        self.states[op as usize].ready
    }

    /// Returns true once every operation has finished.
    pub(super) fn is_complete(&self) -> bool {
        self.done == self.schedule.ops().len() as u64
    }

    /// Returns the first rank whose time ran out of range.
    pub(super) fn overflown(&self) -> Option<u32> {
        self.finish.iter().position(|&finish| finish == Time::END).map(|rank| rank as u32)
    }
}
