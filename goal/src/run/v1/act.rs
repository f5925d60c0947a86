//! Handling of each event.

use super::super::record::{Record, work};
use super::super::{Disturbance, queue::Event};
use super::lines::AwaitedResource;
use super::{Engine, Letter, MESSAGE};
use crate::{Op, OpKind};
use models::noise::Advance;
use models::time::{Span, Time};
use programs::trace::{Activity, Flight};

impl<D: Disturbance, R: Record> Engine<'_, D, R> {
    pub(super) fn executable_at(&self, rank: u32, op: u32) -> Time {
        let Op { kind, cpu, nic, .. } = self.schedule.ops()[op as usize];
        let free = self.cpus[self.cpu(rank, cpu)].0;
        match kind {
            OpKind::Send => free.max(self.nics[self.nic(rank, nic)].send),
            OpKind::Receive | OpKind::Calc => free,
        }
    }

    /// Returns the line in which an event waits, and the time at which it may be served.
    fn needs(&self, event: &Event) -> (AwaitedResource, Time) {
        let (op, is_message) = self.op_of(event);
        let Op { kind, cpu, nic, .. } = self.schedule.ops()[op as usize];
        let free = self.cpus[self.cpu(event.rank, cpu)].0;
        let nics = self.nics[self.nic(event.rank, nic)];
        match (is_message, kind) {
            (true, _) => ((event.rank, 3, cpu, nic), free.max(nics.receive)),
            (false, OpKind::Send) => ((event.rank, 0, cpu, nic), free.max(nics.send)),
            (false, OpKind::Calc) => ((event.rank, 2, cpu, 0), free),
            (false, OpKind::Receive) => ((event.rank, 1, cpu, 0), Time::ZERO),
        }
    }

    /// Returns the operation of an event (of a message: its send), and whether it is a message.
    fn op_of(&self, event: &Event) -> (u32, bool) {
        if event.id & MESSAGE == 0 {
            (event.id, false)
        } else {
            (self.letters[(event.id & !MESSAGE) as usize].send, true)
        }
    }

    pub(super) fn handle(&mut self, event: Event) {
        let (what, free) = self.needs(&event);
        if free > event.time {
            if self.lines.join(what, &event) {
                self.queue.push(Event { time: free, ..event });
            }
            return;
        }
        let (op, is_message) = self.op_of(&event);
        match (is_message, self.schedule.ops()[op as usize].kind) {
            (true, _) => self.accept(event.rank, event.id & !MESSAGE, event.time),
            (false, OpKind::Send) => self.send(event.rank, op, event.time),
            (false, OpKind::Receive) => self.receive(event.rank, op, event.time),
            (false, OpKind::Calc) => self.calculate(event.rank, op, event.time),
        }
        if let Some((tie, id)) = self.lines.leave(what, &event) {
            let next = Event { time: event.time, tie, rank: event.rank, id };
            let time = self.needs(&next).1.max(event.time);
            self.queue.push(Event { time, ..next });
        }
    }

    fn calculate(&mut self, rank: u32, op: u32, now: Time) {
        let Op { size, cpu, .. } = self.schedule.ops()[op as usize];
        let length = Span(size.saturating_mul(1000));
        let index = self.cpu(rank, cpu);
        let end = self.cpus[index].1.advance(now, length);
        self.cpus[index].0 = end;
        if !R::IS_SILENT {
            work(self.record, (rank, cpu), Activity::Computing, [now, now + length, end]);
        }
        self.started(rank, op, now);
        self.finished(rank, op, end);
    }

    fn send(&mut self, rank: u32, op: u32, now: Time) {
        let Op { size, peer, cpu, nic, .. } = self.schedule.ops()[op as usize];
        let (cpu_index, nic_index) = (self.cpu(rank, cpu), self.nic(rank, nic));
        let after_first = size.saturating_sub(1);
        let copying = self.rules.overhead_per_byte.for_bytes(after_first);
        let end = self.cpus[cpu_index].1.advance(now, self.rules.overhead) + copying;
        self.cpus[cpu_index].0 = end;
        self.nics[nic_index].send = now + self.rules.gap + self.rules.gap_per_byte.for_bytes(after_first);
        self.messages += 1;
        if !R::IS_SILENT {
            work(self.record, (rank, cpu), Activity::Sending, [now, now + self.rules.overhead + copying, end]);
        }
        let arrived = now + self.rules.overhead + self.rules.latency;
        let letter = Letter { send: op, from: rank, departed: now, arrived, accepted: Time::END };
        let slot = match self.done_with.pop() {
            Some(slot) => {
                self.letters[slot as usize] = letter;
                slot
            }
            None => {
                self.letters.push(letter);
                self.letters.len() as u32 - 1
            }
        };
        self.queue.push(Event { time: arrived, tie: self.sequence, rank: peer, id: slot | MESSAGE });
        self.sequence += 1;
        self.started(rank, op, now);
        if size <= self.rules.eager_limit {
            self.finished(rank, op, end);
        }
    }

    fn receive(&mut self, rank: u32, op: u32, now: Time) {
        let Op { peer, tag, cpu, nic, .. } = self.schedule.ops()[op as usize];
        self.started(rank, op, now);
        if let Some(slot) = self.mail.receive(rank, peer, tag, op) {
            self.meet(rank, slot, op, (cpu, nic), now);
        }
    }

    /// Takes a message in at its receiver, whether its receive is posted or not.
    fn accept(&mut self, rank: u32, slot: u32, now: Time) {
        let Letter { send, from, .. } = self.letters[slot as usize];
        let Op { size, tag, cpu, nic, .. } = self.schedule.ops()[send as usize];
        let (cpu_index, nic_index) = (self.cpu(rank, cpu), self.nic(rank, nic));
        let after_first = size.saturating_sub(1);
        let stretch = self.rules.gap_per_byte.for_bytes(after_first);
        let copying = self.rules.overhead_per_byte.for_bytes(after_first).max(stretch);
        let end = self.cpus[cpu_index].1.advance(now, self.rules.overhead) + copying;
        self.cpus[cpu_index].0 = end;
        self.nics[nic_index].receive = now + self.rules.gap + stretch;
        self.letters[slot as usize].accepted = end;
        if !R::IS_SILENT {
            work(self.record, (rank, cpu), Activity::Receiving, [now, now + self.rules.overhead + copying, end]);
        }
        if let Some(receive) = self.mail.message(rank, from, tag, slot) {
            self.meet(rank, slot, receive, (cpu, nic), now);
        }
    }

    /// Matches a message and its receive. A sender that waited goes on, its CPU and interface (of these labels) not
    /// before now. It is done before the receive: on one rank, the order shows.
    fn meet(&mut self, rank: u32, slot: u32, receive: u32, (cpu, nic): (u8, u8), now: Time) {
        let Letter { send, from, departed, arrived, accepted } = self.letters[slot as usize];
        let bytes = self.schedule.ops()[send as usize].size;
        self.record.matched(send, receive, arrived);
        self.progress.matched(receive, send);
        self.record.flight(Flight { from, to: rank, bytes, departed, arrived, received: now.max(accepted) });
        if bytes > self.rules.eager_limit {
            let (cpu, nic) = (self.cpu(from, cpu), self.nic(from, nic));
            let (free, next) = (&mut self.cpus[cpu].0, &mut self.nics[nic].send);
            (*free, *next) = (now.max(*free), now.max(*next));
            let at = *free;
            self.finished(from, send, at);
        }
        self.finished(rank, receive, now.max(accepted));
        self.done_with.push(slot);
    }

    fn started(&mut self, rank: u32, op: u32, at: Time) {
        self.pass(rank, op, true, at);
    }

    fn finished(&mut self, rank: u32, op: u32, at: Time) {
        self.progress.done += 1;
        self.record.finished(op, at);
        self.pass(rank, op, false, at);
    }

    fn pass(&mut self, rank: u32, op: u32, on_start: bool, at: Time) {
        let schedule = self.schedule;
        for edge in schedule.dependents(op) {
            if edge.on_start() == on_start && self.progress.satisfy(edge.dependent(), at).is_some() {
                self.enabled.push((rank, edge.dependent()));
            }
        }
    }
}
