//! Which operations may go, and from when: the part of an engine that knows nothing of networks.

use models::goal::Schedule;
use models::time::Time;

/// Dependencies of a schedule under way.
pub(super) struct Progress<'s> {
    pub schedule: &'s Schedule,
    /// Dependencies that each operation still waits for.
    pub pending: Vec<u32>,
    /// The latest of those times that an operation had to wait for.
    pub ready: Vec<Time>,
    /// When each rank's last operation finished.
    pub finish: Vec<Time>,
    /// Operations that have finished.
    pub done: u64,
}

impl<'s> Progress<'s> {
    pub fn new(schedule: &'s Schedule) -> Progress<'s> {
        Progress {
            schedule,
            pending: schedule.dependency_counts(),
            ready: vec![Time::ZERO; schedule.ops().len()],
            finish: vec![Time::ZERO; schedule.ranks() as usize],
            done: 0,
        }
    }

    /// One thing that an operation waited for happened at this time; if it was the last, it is ready then.
    #[inline]
    pub fn satisfy(&mut self, dependent: u32, at: Time) -> Option<Time> {
        let ready = &mut self.ready[dependent as usize];
        *ready = at.max(*ready);
        let pending = &mut self.pending[dependent as usize];
        *pending -= 1;
        (*pending == 0).then_some(*ready)
    }

    /// True once every operation has finished.
    pub fn is_complete(&self) -> bool {
        self.done == self.schedule.ops().len() as u64
    }

    /// The first rank whose time ran out of range.
    pub fn overflown(&self) -> Option<u32> {
        self.finish.iter().position(|&finish| finish == Time::END).map(|rank| rank as u32)
    }
}
