//! Record of a run that shows afterwards why its last operation finished when it did.

use super::super::record::Record;
use crate::{OpKind, Schedule};
use models::time::Time;

pub(super) const NONE: u32 = u32::MAX;

/// Times of one operation, with the operations before it.
#[derive(Clone, Copy)]
pub(super) struct Times {
    pub ready: Time,
    /// Begin of a send or calculation. A receive begins to use its CPU when its message is there.
    pub begun: Time,
    /// Time at which its CPU is free.
    pub free: Time,
    pub finish: Time,
    /// Time at which the message of a receive was there.
    pub arrival: Time,
    /// Operation at the other end of the message.
    pub partner: u32,
    /// Operation that its CPU served before it.
    pub before_on_cpu: u32,
    /// Send (or receive) that its interface began before it.
    pub before_on_nic: u32,
}

/// Times of all operations of a run.
pub(super) struct History<'s> {
    schedule: &'s Schedule,
    pub times: Vec<Times>,
    last_on_cpu: Vec<u32>,
    last_sent: Vec<u32>,
    last_received: Vec<u32>,
}

impl<'s> History<'s> {
    pub(super) fn new(schedule: &'s Schedule) -> History<'s> {
        let none = Times {
            ready: Time::ZERO,
            begun: Time::ZERO,
            free: Time::ZERO,
            finish: Time::ZERO,
            arrival: Time::ZERO,
            partner: NONE,
            before_on_cpu: NONE,
            before_on_nic: NONE,
        };
        let (ranks, cpus, nics) = (schedule.ranks() as usize, schedule.cpus() as usize, schedule.nics() as usize);
        History {
            schedule,
            times: vec![none; schedule.ops().len()],
            last_on_cpu: vec![NONE; ranks * cpus],
            last_sent: vec![NONE; ranks * nics],
            last_received: vec![NONE; ranks * nics],
        }
    }
}

impl Record for History<'_> {
    fn served(&mut self, rank: u32, op: u32, ready: Time, begun: Time, free: Time) {
        let what = self.schedule.ops()[op as usize];
        let cpu = rank as usize * self.schedule.cpus() as usize + what.cpu as usize;
        let nic = rank as usize * self.schedule.nics() as usize + what.nic as usize;
        let times = &mut self.times[op as usize];
        (times.ready, times.begun, times.free) = (ready, begun, free);
        times.before_on_cpu = std::mem::replace(&mut self.last_on_cpu[cpu], op);
        times.before_on_nic = match what.kind {
            OpKind::Send => std::mem::replace(&mut self.last_sent[nic], op),
            OpKind::Receive => std::mem::replace(&mut self.last_received[nic], op),
            OpKind::Calc => NONE,
        };
    }

    fn finished(&mut self, op: u32, at: Time) {
        self.times[op as usize].finish = at;
    }

    fn matched(&mut self, send: u32, receive: u32, arrival: Time) {
        self.times[send as usize].partner = receive;
        let times = &mut self.times[receive as usize];
        (times.partner, times.arrival) = (send, arrival);
    }
}
