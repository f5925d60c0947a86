//! One pass through a schedule, each operation as soon as those that it waits for have been taken.

use super::super::mail::Mail;
use super::super::near::{FAR, NEAR, fetch, fetch_op};
use super::super::{Engine, RunError, ScheduleRun};
use super::Stop;
use super::order::{NONE, Order};
use crate::{Op, OpKind, Schedule};
use models::network::{Departure, Message, Network, NetworkModel, Port};
use models::noise::Advance;
use models::time::{Span, Time};
use std::collections::VecDeque;

/// Clocks of one rank, with the facts by which its order is checked.
struct Clock<C> {
    port: Port,
    noise: C,
    finish: Time,
    order: Order,
    /// Last receive posted, with its time.
    posted: (Time, u32),
}

/// State of an operation that waits for others.
#[derive(Clone)]
struct PassState {
    /// Latest finish of the operations that it required and that have been taken.
    ready: Time,
    /// Last two of those operations.
    required: [u32; 2],
    /// Number of operations that it still waits for.
    pending: u32,
}

/// Message from its send to its receive.
#[derive(Clone, Copy)]
struct Slot {
    departure: Departure,
    send: u32,
    from: u32,
}

/// Operation that may be taken, with the place of its message if it is a receive.
#[derive(Clone, Copy)]
struct Next {
    rank: u32,
    op: u32,
    slot: u32,
}

pub(super) struct Pass<'s, C> {
    schedule: &'s Schedule,
    network: &'s Network,
    /// States of the operations, by number.
    states: Vec<PassState>,
    clocks: Vec<Clock<C>>,
    next: VecDeque<Next>,
    mail: Mail,
    slots: Vec<Slot>,
    free_slots: Vec<u32>,
    /// Receives that one finish made ready.
    receives: Vec<u32>,
    done: u64,
    messages: u64,
}

impl<'s, C: Advance> Pass<'s, C> {
    pub(super) fn new(schedule: &'s Schedule, network: &'s Network, noise: impl Fn(u32) -> C) -> Result<Self, Stop> {
        let mut states = vec![PassState { ready: Time::ZERO, required: [NONE; 2], pending: 0 }; schedule.ops().len()];
        for edge in schedule.edges() {
            if edge.on_start() {
                return Err(Stop::Refused("it has irequires: operations of one rank overlap".to_owned()));
            }
            states[edge.dependent() as usize].pending += 1;
        }
        let clock = |rank: u32| Clock {
            port: Port::default(),
            noise: noise(rank),
            finish: Time::ZERO,
            order: Order::START,
            posted: (Time::ZERO, 0),
        };
        Ok(Pass {
            schedule,
            network,
            states,
            clocks: (0..schedule.ranks()).map(clock).collect(),
            next: VecDeque::new(),
            mail: Mail::new(schedule),
            slots: Vec::new(),
            free_slots: Vec::new(),
            receives: Vec::new(),
            done: 0,
            messages: 0,
        })
    }

    /// Takes all operations.
    ///
    /// # Errors
    ///
    /// Fails if the order depends on times.
    pub(super) fn go(&mut self) -> Result<(), Stop> {
        let mut in_order = true;
        for rank in 0..self.schedule.ranks() {
            for op in self.schedule.ops_of(rank) {
                if self.states[op as usize].pending == 0 {
                    in_order &= self.enable(rank, op);
                }
            }
        }
        while let Some(next) = self.next.pop_front()
            && in_order
        {
            self.look_ahead();
            in_order = match self.schedule.ops()[next.op as usize].kind {
                OpKind::Send => self.send(next),
                OpKind::Receive => self.receive(next),
                OpKind::Calc => self.calculate(next),
            };
        }
        if in_order {
            return Ok(());
        }
        Err(Stop::Refused("a CPU serves its operations in an order that depends on times".to_owned()))
    }

    /// Asks for the memory that the operations next in line will need.
    #[inline(always)]
    fn look_ahead(&self) {
        if let Some(far) = self.next.get(FAR) {
            fetch_op(self.schedule, far.op, |op| fetch(&self.states, op as usize));
        }
        if let Some(near) = self.next.get(NEAR) {
            self.schedule.fetch_dependents(near.op);
            fetch(&self.clocks, near.rank as usize);
            self.mail.fetch(near.rank);
            fetch(&self.slots, near.slot as usize);
        }
    }

    pub(super) fn result(self) -> Result<ScheduleRun, Stop> {
        let events = self.schedule.ops().len() as u64;
        if self.done != events || self.mail.is_waiting() {
            return Err(Stop::Refused("it does not end, or only in an order that depends on times".to_owned()));
        }
        let finish: Vec<Time> = self.clocks.iter().map(|clock| clock.finish).collect();
        if let Some(rank) = finish.iter().position(|&time| time == Time::END) {
            return Err(Stop::Failed(RunError::Overflow { rank: rank as u32 }));
        }
        Ok(ScheduleRun { finish, messages: self.messages, events, engine: Engine::Fast, not_fast: None })
    }

    /// Enables an operation whose required operations have finished: it may be taken, a receive once its message has
    /// been sent. Returns false if receives were not posted in this order.
    #[inline]
    fn enable(&mut self, rank: u32, op: u32) -> bool {
        let Op { kind, peer, tag, .. } = self.schedule.ops()[op as usize];
        if kind != OpKind::Receive {
            self.next.push_back(Next { rank, op, slot: NONE });
            return true;
        }
        let posting = (self.states[op as usize].ready, op);
        let posted = std::mem::replace(&mut self.clocks[rank as usize].posted, posting);
        if let Some(slot) = self.mail.receive(rank, peer, tag, op) {
            self.next.push_back(Next { rank, op, slot });
        }
        posting >= posted
    }

    #[inline]
    fn send(&mut self, next: Next) -> bool {
        let Next { rank, op, .. } = next;
        let Op { size, peer, tag, .. } = self.schedule.ops()[op as usize];
        let PassState { ready, required, .. } = self.states[op as usize];
        let clock = &mut self.clocks[rank as usize];
        let possible = ready.max(clock.port.next_send);
        if !clock.order.serve((ready, OpKind::Send as u8, op), possible, clock.port.cpu, required) {
            return false;
        }
        clock.port.cpu = possible.max(clock.port.cpu);
        let message = Message { from: rank, to: peer, bytes: size };
        let departure = self.network.send(&mut clock.port, &message, &mut clock.noise);
        let slot = self.keep(Slot { departure, send: op, from: rank });
        self.messages += 1;
        if let Some(receive) = self.mail.message(peer, rank, tag, slot) {
            self.next.push_back(Next { rank: peer, op: receive, slot });
        }
        departure.released.is_none_or(|released| self.finish(rank, op, released))
    }

    #[inline]
    fn keep(&mut self, message: Slot) -> u32 {
        match self.free_slots.pop() {
            Some(slot) => {
                self.slots[slot as usize] = message;
                slot
            }
            None => {
                self.slots.push(message);
                self.slots.len() as u32 - 1
            }
        }
    }

    #[inline]
    fn receive(&mut self, next: Next) -> bool {
        let Next { rank, op, slot } = next;
        let PassState { ready, required, .. } = self.states[op as usize];
        let Slot { departure, send, from } = self.slots[slot as usize];
        self.free_slots.push(slot);
        let bytes = self.schedule.ops()[send as usize].size;
        let message = Message { from, to: rank, bytes };
        let matched = self.network.matched(&message, &departure, ready);
        let clock = &mut self.clocks[rank as usize];
        let there = matched.arrival.max(ready);
        if !clock.order.serve((there, OpKind::Receive as u8, op), there, clock.port.cpu, required) {
            return false;
        }
        clock.port.cpu = clock.port.cpu.max(ready);
        self.network.receive(&mut clock.port, &message, matched.arrival, &mut clock.noise);
        let received = clock.port.cpu;
        self.finish(rank, op, received) && (departure.released.is_some() || self.finish(from, send, matched.released))
    }

    #[inline]
    fn calculate(&mut self, next: Next) -> bool {
        let Next { rank, op, .. } = next;
        let length = Span(self.schedule.ops()[op as usize].size.saturating_mul(1000));
        let PassState { ready, required, .. } = self.states[op as usize];
        let clock = &mut self.clocks[rank as usize];
        let begun = ready.max(clock.port.cpu);
        if !clock.order.serve((ready, OpKind::Calc as u8, op), ready, clock.port.cpu, required) {
            return false;
        }
        let end = clock.noise.advance(begun, length);
        clock.port.cpu = end;
        self.finish(rank, op, end)
    }

    /// Finishes an operation: those that required nothing else may be taken, sends and calculations before receives, as
    /// only they can help others.
    #[inline]
    fn finish(&mut self, rank: u32, op: u32, at: Time) -> bool {
        let schedule = self.schedule;
        self.done += 1;
        let clock = &mut self.clocks[rank as usize];
        clock.finish = clock.finish.max(at);
        let mut in_order = true;
        for edge in schedule.dependents(op) {
            let dependent = edge.dependent();
            let state = &mut self.states[dependent as usize];
            state.ready = state.ready.max(at);
            state.required = [op, state.required[0]];
            state.pending -= 1;
            if state.pending > 0 {
                continue;
            }
            if schedule.ops()[dependent as usize].kind == OpKind::Receive {
                self.receives.push(dependent);
            } else {
                in_order &= self.enable(rank, dependent);
            }
        }
        for index in 0..self.receives.len() {
            in_order &= self.enable(rank, self.receives[index]);
        }
        self.receives.clear();
        in_order
    }
}
