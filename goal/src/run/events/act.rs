//! Handling of each event.

use super::super::record::{Record, work};
use super::super::{Disturbance, queue::Event};
use super::waiting::{ANY_WORK, Waiting};
use super::{Engine, EventSubject, Flying};
use crate::Op;
use models::network::{Message, NetworkModel, Port};
use models::noise::{Advance, Quiet};
use models::time::{Span, Time};
use programs::trace::{Activity, Flight, Interval};

impl<D: Disturbance, R: Record> Engine<'_, D, R> {
    /// Returns the operation whose CPU an event is about.
    #[inline]
    fn op_of(&self, event: &Event) -> u32 {
        if EventSubject::from_tie(event.tie) == EventSubject::Deliver {
            self.flying[event.id as usize].receive
        } else {
            event.id
        }
    }

    /// Returns the time at which a line of a CPU may be served.
    #[inline]
    fn line_free(&self, rank: u32, cpu: usize, line: usize) -> Time {
        let free = self.cpus[cpu].free;
        if line == ANY_WORK { free } else { free.max(self.nics[self.nic_index(rank, (line - 1) as u8)].next_send) }
    }

    #[inline]
    pub(super) fn begin_or_wait(&mut self, event: Event, line: usize) {
        let op = self.op_of(&event);
        let cpu = self.cpu_index(event.rank, self.schedule.ops()[op as usize].cpu);
        if self.line_free(event.rank, cpu, line) <= event.time {
            self.begin(event, op, event.time);
        } else {
            self.cpus[cpu].waiting.get_or_insert_with(Box::default).join(line, event);
        }
        self.call(event.rank, cpu);
    }

    /// Serves one that waits for this CPU, which may be served by then.
    pub(super) fn serve(&mut self, event: Event) {
        let (rank, cpu) = (event.rank, event.id as usize);
        let Some(mut waiting) = self.cpus[cpu].waiting.take() else { return };
        if waiting.called_at == Some(event.time) {
            waiting.called_at = None;
            let served = waiting.serve(event.time, |line| self.line_free(rank, cpu, line));
            self.cpus[cpu].waiting = Some(waiting);
            if let Some(first) = served {
                let op = self.op_of(&first);
                self.begin(first, op, event.time);
            }
            self.call(rank, cpu);
        } else {
            self.cpus[cpu].waiting = Some(waiting);
        }
    }

    /// Makes the global queue look at those who wait for a CPU in time.
    #[inline]
    fn call(&mut self, rank: u32, cpu: usize) {
        let Some(waiting) = &self.cpus[cpu].waiting else { return };
        let Some(next) = waiting.next_time(|line| self.line_free(rank, cpu, line)) else { return };
        if waiting.called_at.is_some_and(|at| at <= next) {
            return;
        }
        self.set_called(cpu, next);
        self.queue.push(Event { time: next, tie: EventSubject::Serve as u64, rank, id: cpu as u32 });
    }

    fn set_called(&mut self, cpu: usize, at: Time) {
        let waiting: &mut Option<Box<Waiting>> = &mut self.cpus[cpu].waiting;
        waiting.as_mut().expect("somebody waits").called_at = Some(at);
    }

    #[inline]
    fn begin(&mut self, event: Event, op: u32, now: Time) {
        match EventSubject::from_tie(event.tie) {
            EventSubject::Send => self.send(event.rank, op, now),
            EventSubject::Deliver => self.deliver(event.rank, event.id, now),
            EventSubject::Calculate => self.calculate(event.rank, op, now),
            EventSubject::Serve | EventSubject::Post | EventSubject::See => unreachable!("these need no CPU"),
        }
    }

    fn calculate(&mut self, rank: u32, op: u32, now: Time) {
        let Op { size, cpu, .. } = self.schedule.ops()[op as usize];
        let index = self.cpu_index(rank, cpu);
        let length = Span(size.saturating_mul(1000));
        let end = self.cpus[index].noise.advance(now, length);
        self.cpus[index].free = end;
        if !R::IS_SILENT {
            work(self.record, (rank, cpu), Activity::Computing, [now, now + length, end]);
            self.record.served(rank, op, self.progress.ready(op), now, end);
        }
        self.started(rank, op, now);
        self.finished(rank, op, end);
    }

    fn send(&mut self, rank: u32, op: u32, now: Time) {
        let Op { size, peer, tag, cpu, nic, .. } = self.schedule.ops()[op as usize];
        let (cpu_index, nic_index) = (self.cpu_index(rank, cpu), self.nic_index(rank, nic));
        let state = self.nics[nic_index];
        let mut port = Port { cpu: now, next_send: state.next_send, last_receive: state.last_receive };
        let message = Message { from: rank, to: peer, bytes: size };
        let mut quiet = port;
        let departure = self.network.send(&mut port, &message, &mut self.cpus[cpu_index].noise);
        if !R::IS_SILENT {
            self.network.send(&mut quiet, &message, &mut Quiet);
            let ready = self.progress.ready(op);
            let idle_from = self.cpus[cpu_index].free.max(ready);
            let gap = Interval { rank, cpu: cpu.into(), activity: Activity::Gap, start: idle_from, end: now };
            self.record.interval(gap);
            work(self.record, (rank, cpu), Activity::Sending, [now, quiet.cpu, port.cpu]);
            self.record.served(rank, op, ready, now, port.cpu);
        }
        self.cpus[cpu_index].free = port.cpu;
        self.nics[nic_index].next_send = port.next_send;
        self.messages += 1;
        let flying = Flying { departure, arrival: Time::END, send: op, receive: u32::MAX, from: rank, begun: now };
        let slot = self.fly(flying);
        if self.mail.is_wild(peer) {
            let visible = departure.arrival.unwrap_or(departure.ready);
            let last = self.seen.entry((peer, rank)).or_insert(visible);
            *last = visible.max(*last);
            let tie = EventSubject::See as u64 | self.sequence;
            self.queue.push(Event { time: *last, tie, rank: peer, id: slot });
            self.sequence += 1;
        } else if let Some(receive) = self.mail.message(peer, rank, tag, slot) {
            self.meet(peer, slot, receive, Time::ZERO);
        }
        self.started(rank, op, now);
        if let Some(released) = departure.released {
            self.finished(rank, op, released);
        }
    }

    fn fly(&mut self, flying: Flying) -> u32 {
        match self.landed.pop() {
            Some(slot) => {
                self.flying[slot as usize] = flying;
                slot
            }
            None => {
                self.flying.push(flying);
                self.flying.len() as u32 - 1
            }
        }
    }

    /// Posts a receive, at the time it was ready.
    pub(super) fn post(&mut self, rank: u32, op: u32) {
        let Op { peer, tag, .. } = self.schedule.ops()[op as usize];
        let posted = self.progress.ready(op);
        if let Some(slot) = self.mail.receive(rank, peer, tag, op) {
            self.meet(rank, slot, op, posted);
        }
        self.started(rank, op, posted);
    }

    /// Lets a rank with wildcards see a message.
    pub(super) fn see(&mut self, rank: u32, slot: u32, now: Time) {
        let Flying { from, send, .. } = self.flying[slot as usize];
        let tag = self.schedule.ops()[send as usize].tag;
        if let Some(receive) = self.mail.message(rank, from, tag, slot) {
            self.meet(rank, slot, receive, now);
        }
    }

    /// Matches a message and its receive. The receiver could answer from `seen` on.
    fn meet(&mut self, to: u32, slot: u32, receive: u32, seen: Time) {
        let Flying { departure, send, from, .. } = self.flying[slot as usize];
        let ready = self.progress.ready(receive);
        let message = Message { from, to, bytes: self.schedule.ops()[send as usize].size };
        let answered = if departure.arrival.is_none() { ready.max(seen) } else { ready };
        let matched = self.network.matched(&message, &departure, answered);
        let flying = &mut self.flying[slot as usize];
        (flying.arrival, flying.receive) = (matched.arrival, receive);
        self.record.matched(send, receive, matched.arrival);
        self.progress.matched(receive, send);
        let tie = EventSubject::Deliver as u64 | u64::from(receive);
        self.queue.push(Event { time: matched.arrival.max(answered), tie, rank: to, id: slot });
        if departure.released.is_none() {
            self.finished(from, send, matched.released);
        }
    }

    /// Delivers a message that is there, whose receive is posted, on a free CPU.
    fn deliver(&mut self, rank: u32, slot: u32, now: Time) {
        let Flying { arrival, send, receive, from, begun, .. } = self.flying[slot as usize];
        let Op { cpu, nic, .. } = self.schedule.ops()[receive as usize];
        let (cpu_index, nic_index) = (self.cpu_index(rank, cpu), self.nic_index(rank, nic));
        let bytes = self.schedule.ops()[send as usize].size;
        let message = Message { from, to: rank, bytes };
        let posted = self.progress.ready(receive);
        let state = self.nics[nic_index];
        // Overheads may overlap with the flight: the model gets the time since when the CPU has been free.
        let idle_from = self.cpus[cpu_index].free.max(posted);
        let mut port = Port { cpu: idle_from, next_send: state.next_send, last_receive: state.last_receive };
        let mut quiet = port;
        self.network.receive(&mut port, &message, arrival, &mut self.cpus[cpu_index].noise);
        if !R::IS_SILENT {
            self.network.receive(&mut quiet, &message, arrival, &mut Quiet);
            let begin = quiet.last_receive.filter(|_| quiet.last_receive != state.last_receive).unwrap_or(now).max(now);
            let interval = |activity, start, end| Interval { rank, cpu: cpu.into(), activity, start, end };
            self.record.interval(interval(Activity::Waiting, idle_from, now));
            self.record.interval(interval(Activity::Gap, now, begin.min(port.cpu)));
            work(self.record, (rank, cpu), Activity::Receiving, [begin, quiet.cpu, port.cpu]);
            self.record.served(rank, receive, posted, begin.min(port.cpu), port.cpu);
            self.record.flight(Flight { from, to: rank, bytes, departed: begun, arrived: arrival, received: port.cpu });
        }
        self.cpus[cpu_index].free = port.cpu;
        self.nics[nic_index].last_receive = port.last_receive;
        self.landed.push(slot);
        self.finished(rank, receive, port.cpu);
    }

    #[inline]
    fn started(&mut self, rank: u32, op: u32, at: Time) {
        self.pass(rank, op, true, at);
    }

    #[inline]
    fn finished(&mut self, rank: u32, op: u32, at: Time) {
        self.record.finished(op, at);
        let finish = &mut self.progress.finish[rank as usize];
        *finish = at.max(*finish);
        self.progress.done += 1;
        self.pass(rank, op, false, at);
    }

    /// Notes that those that waited for an operation's start or finish wait for one thing less.
    #[inline]
    fn pass(&mut self, rank: u32, op: u32, on_start: bool, at: Time) {
        let schedule = self.schedule;
        for edge in schedule.dependents(op) {
            if edge.on_start() == on_start
                && let Some(ready) = self.progress.satisfy(edge.dependent(), at)
            {
                self.enable(rank, edge.dependent(), ready);
            }
        }
    }
}
