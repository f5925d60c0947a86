//! Handling of each event.

use super::super::record::{Record, work};
use super::super::{Disturbance, queue::Event};
use super::lines::AwaitedResource;
use super::{Engine, Post, Subject};
use crate::{Op, OpKind};
use models::noise::Advance;
use models::time::{Span, Time};
use programs::trace::{Activity, Flight};

impl<D: Disturbance, R: Record> Engine<'_, D, R> {
    #[inline]
    pub(super) fn executable_at(&self, rank: u32, op: u32) -> Time {
        let Op { kind, cpu, nic, .. } = self.schedule.ops()[op as usize];
        let free = self.cpus[self.cpu(rank, cpu)].0;
        match kind {
            OpKind::Send => free.max(self.nics[self.nic(rank, nic)].send),
            OpKind::Receive | OpKind::Calc => free,
        }
    }

    /// Returns the line in which an event waits, and the time at which it may be served.
    #[inline]
    fn needs(&self, event: &Event) -> (AwaitedResource, Time) {
        let Op { kind, cpu, nic, peer, .. } = self.schedule.ops()[event.id as usize];
        let free = |rank: u32| self.cpus[self.cpu(rank, cpu)].0;
        match (Subject::from_tie(event.tie), kind) {
            (Subject::Message, _) => ((peer, 3, cpu, nic), free(peer).max(self.nics[self.nic(peer, nic)].receive)),
            (Subject::Operation, OpKind::Send) => {
                ((event.rank, 0, cpu, nic), free(event.rank).max(self.nics[self.nic(event.rank, nic)].send))
            }
            (Subject::Operation, OpKind::Calc) => ((event.rank, 2, cpu, 0), free(event.rank)),
            (Subject::Operation, OpKind::Receive) | (Subject::Met, _) => ((event.rank, 1, cpu, 0), Time::ZERO),
        }
    }

    #[inline]
    pub(super) fn handle(&mut self, event: Event) {
        let (what, free) = self.needs(&event);
        if free > event.time {
            let event = Event { tie: event.tie | Subject::WAITED, ..event };
            if self.lines.join(what, &event) {
                self.queue.push(Event { time: free, ..event });
            }
            return;
        }
        let (rank, op) = (event.rank, event.id);
        match (Subject::from_tie(event.tie), self.schedule.ops()[op as usize].kind) {
            (Subject::Message, _) => self.accept(rank, op, (event.time, event.tie)),
            (Subject::Met, _) => self.meet_late(rank, op, event.time),
            (Subject::Operation, OpKind::Send) => self.send(rank, op, event.time),
            (Subject::Operation, OpKind::Receive) => self.receive(rank, op, event.time),
            (Subject::Operation, OpKind::Calc) => self.calculate(rank, op, event.time),
        }
        if event.tie & Subject::WAITED != 0
            && let Some(next) = self.lines.leave(what, &event)
        {
            let time = self.needs(&next).1.max(event.time);
            self.queue.push(Event { time, ..next });
        }
    }

    #[inline]
    fn calculate(&mut self, rank: u32, op: u32, now: Time) {
        let Op { size, cpu, .. } = self.schedule.ops()[op as usize];
        let length = Span(size.saturating_mul(1000));
        let index = self.cpu(rank, cpu);
        let end = self.cpus[index].1.advance(now, length);
        self.cpus[index].0 = end;
        if !R::IS_SILENT {
            work(self.record, (rank, cpu), Activity::Computing, [now, now + length, end]);
        }
        self.started(rank, op);
        self.finished(rank, op, end);
    }

    #[inline]
    fn send(&mut self, rank: u32, op: u32, now: Time) {
        let Op { size, cpu, nic, .. } = self.schedule.ops()[op as usize];
        let (cpu_index, nic_index) = (self.cpu(rank, cpu), self.nic(rank, nic));
        let after_first = size.saturating_sub(1);
        let copying = self.rules.overhead_per_byte.for_bytes(after_first);
        let end = self.cpus[cpu_index].1.advance(now, self.rules.overhead) + copying;
        self.cpus[cpu_index].0 = end;
        self.nics[nic_index].send = now + self.rules.gap + self.rules.gap_per_byte.for_bytes(after_first);
        self.messages += 1;
        if !R::IS_SILENT {
            self.times[op as usize][0] = now;
            work(self.record, (rank, cpu), Activity::Sending, [now, now + self.rules.overhead + copying, end]);
        }
        let tie = self.tie(Subject::Message);
        self.queue.push(Event { time: self.arrival(now), tie, rank, id: op });
        self.started(rank, op);
        if size <= self.rules.eager_limit {
            self.finished(rank, op, end);
        }
    }

    /// Time at which a message is there whose send began at this time.
    fn arrival(&self, departed: Time) -> Time {
        departed + self.rules.overhead + self.rules.latency
    }

    fn receive(&mut self, rank: u32, op: u32, now: Time) {
        let Op { peer, tag, cpu, nic, .. } = self.schedule.ops()[op as usize];
        self.queued_receives[rank as usize] -= 1;
        self.started(rank, op);
        let slot = self.new_post(Post { op, due: None });
        if let Some(send) = self.mail.receive(rank, peer, tag, slot) {
            self.free_posts.push(slot);
            self.meet(rank, send, op, (cpu, nic), now);
        }
    }

    /// Takes a message in at its receiver, whether its receive is posted or not.
    #[inline]
    fn accept(&mut self, from: u32, send: u32, (now, tie): (Time, u64)) {
        let Op { size, tag, cpu, nic, peer: rank, .. } = self.schedule.ops()[send as usize];
        let (cpu_index, nic_index) = (self.cpu(rank, cpu), self.nic(rank, nic));
        let after_first = size.saturating_sub(1);
        let stretch = self.rules.gap_per_byte.for_bytes(after_first);
        let copying = self.rules.overhead_per_byte.for_bytes(after_first).max(stretch);
        let end = self.cpus[cpu_index].1.advance(now, self.rules.overhead) + copying;
        self.cpus[cpu_index].0 = end;
        self.nics[nic_index].receive = now + self.rules.gap + stretch;
        if !R::IS_SILENT {
            self.times[send as usize][1] = end;
            work(self.record, (rank, cpu), Activity::Receiving, [now, now + self.rules.overhead + copying, end]);
        }
        let Some(slot) = self.mail.message(rank, from, tag, send) else { return };
        self.free_posts.push(slot);
        let Post { op: receive, due } = self.posts[slot as usize];
        match due {
            // It was posted early, for a moment after this one.
            Some((time, due)) if (time, due) > (now, tie) => {
                self.met.insert(receive, send);
                self.queue.push(Event { time, tie: due | Subject::Met as u64, rank, id: receive });
            }
            _ => self.meet(rank, send, receive, (cpu, nic), now),
        }
    }

    /// Matches a receive that was posted early and the message that was there before its time.
    #[cold]
    fn meet_late(&mut self, rank: u32, receive: u32, now: Time) {
        let Op { cpu, nic, .. } = self.schedule.ops()[receive as usize];
        if let Some(send) = self.met.remove(&receive) {
            self.meet(rank, send, receive, (cpu, nic), now);
        }
    }

    /// Matches a message and its receive. A sender that waited goes on, its CPU and interface (of these labels) not
    /// before now. It is done before the receive: on one rank, the order shows.
    #[inline]
    fn meet(&mut self, rank: u32, send: u32, receive: u32, (cpu, nic): (u8, u8), now: Time) {
        let bytes = self.schedule.ops()[send as usize].size;
        let waits = bytes > self.rules.eager_limit;
        let mut end = now;
        if self.mail.is_wild(rank) {
            self.progress.matched(receive, send);
        }
        if !R::IS_SILENT {
            let [departed, accepted] = self.times[send as usize];
            let arrived = self.arrival(departed);
            end = now.max(accepted);
            self.record.matched(send, receive, arrived);
            let from = self.schedule.rank_of(send);
            self.record.flight(Flight { from, to: rank, bytes, departed, arrived, received: end });
        }
        if waits {
            let from = self.schedule.rank_of(send);
            let (cpu, nic) = (self.cpu(from, cpu), self.nic(from, nic));
            let (free, next) = (&mut self.cpus[cpu].0, &mut self.nics[nic].send);
            (*free, *next) = (now.max(*free), now.max(*next));
            let at = *free;
            self.finished(from, send, at);
        }
        self.finished(rank, receive, end);
    }

    #[inline]
    fn started(&mut self, rank: u32, op: u32) {
        self.pass(rank, op, true);
    }

    #[inline]
    fn finished(&mut self, rank: u32, op: u32, at: Time) {
        self.progress.done += 1;
        self.record.finished(op, at);
        self.pass(rank, op, false);
    }

    #[inline]
    fn pass(&mut self, rank: u32, op: u32, on_start: bool) {
        let schedule = self.schedule;
        for edge in schedule.dependents(op) {
            if edge.on_start() == on_start && self.progress.is_last(edge.dependent()) {
                self.enabled.push((rank, edge.dependent()));
            }
        }
    }
}
