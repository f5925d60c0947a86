//! Operations that may go, and from when: the part of an engine that knows nothing of networks.

use super::near::fetch;
use crate::{ANY, Schedule};
use models::time::Time;

/// Dependencies of a schedule under way.
pub(super) struct Progress<'s> {
    pub schedule: &'s Schedule,
    /// Number of dependencies that each operation still waits for.
    pending: Vec<u32>,
    /// Latest of the times that each operation had to wait for.
    ready: Vec<Time>,
    /// Time at which each rank's last operation finished.
    pub finish: Vec<Time>,
    /// Number of operations that have finished.
    pub done: u64,
    /// Receives that would have taken other messages, too, each with the send of the message that it took.
    pub chosen: Vec<(u32, u32)>,
}

impl<'s> Progress<'s> {
    /// Progress of an engine that wants to know since when operations have been ready.
    pub(super) fn new(schedule: &'s Schedule) -> Progress<'s> {
        let ready = vec![Time::ZERO; schedule.ops().len()];
        Progress { ready, finish: vec![Time::ZERO; schedule.ranks() as usize], ..Progress::untimed(schedule) }
    }

    /// Progress of an engine that wants to know only whether operations are ready.
    pub(super) fn untimed(schedule: &'s Schedule) -> Progress<'s> {
        let pending = schedule.dependency_counts();
        Progress { schedule, pending, ready: Vec::new(), finish: Vec::new(), done: 0, chosen: Vec::new() }
    }

    /// Notes that one thing that an operation waited for happened at this time. Returns the time at which it is ready,
    /// if it was the last.
    #[inline]
    pub(super) fn satisfy(&mut self, dependent: u32, at: Time) -> Option<Time> {
        let ready = &mut self.ready[dependent as usize];
        let latest = at.max(*ready);
        *ready = latest;
        self.is_last(dependent).then_some(latest)
    }

    /// Notes that one thing that an operation waited for happened. Returns true if it was the last.
    #[inline]
    pub(super) fn is_last(&mut self, dependent: u32) -> bool {
        let pending = &mut self.pending[dependent as usize];
        *pending -= 1;
        *pending == 0
    }

    /// Asks the processor to bring near the state of an operation.
    #[inline(always)]
    pub(super) fn fetch(&self, op: u32) {
        fetch(&self.pending, op as usize);
        fetch(&self.ready, op as usize);
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
        self.pending[op as usize] > 0
    }

    /// Returns the time at which an operation whose dependencies are met was ready.
    #[inline]
    pub(super) fn ready(&self, op: u32) -> Time {
        self.ready[op as usize]
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
