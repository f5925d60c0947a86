//! The rules of LogGOPSim (github.com/spcl/LogGOPSim, 76451de; Hoefler, Schneider, Lumsdaine 2010), so that its
//! users can check us against it: the same times, to the nanosecond, for the same schedule and parameters.
//!
//! A message's size is s, with B = s − 1, and t is the time at which an event is handled. Per rank, CPU c and interface
//! n, `cpu[c]`, `gs[n]` and `gr[n]` are the times at which CPU, sending side and receiving side are free.
//!
//! - Calculation: waits for `cpu`; `cpu` = t + length.
//! - Send: waits for max(cpu, gs); `cpu` = t + o + B·O, `gs` = t + g + B·G; the message is there at t + o + L. Done at
//!   once if s ≤ S, otherwise when its receive meets it, which moves the sender's `cpu` and `gs` up to that time.
//! - Receive: costs nothing and waits for nothing. Done when it meets its message.
//! - Message: waits for max(cpu, gr) of the receiver, with the *sender's* c and n; `cpu` = t + o + max(B·O, B·G),
//!   `gr` = t + g + B·G, whether its receive is posted or not.
//! - An operation that becomes executable is queued at max(cpu, gs) (send) or cpu (others) of its own c and n, whenever
//!   its predecessor finished. Events are handled by (time, sequence); the sequence is that of becoming executable.
//!
//! Errors of that program are not repeated: a message of no bytes costs as much as one of one byte (there, times wrap
//! around); more than 16 operations that become executable together keep the order of the file (there, an unstable
//! sort may change it); messages left over and work that never runs are errors (there, the second goes unnoticed);
//! a rendezvous is one by the message's size, also where the receive expects another. Noise: o, and calculations,
//! take CPU time under this project's rule (no progress inside a detour) instead of its own.

mod act;
mod lines;

use super::mail::Mail;
use super::progress::Progress;
use super::queue::{Event, Queue};
use super::record::Record;
use super::{Disturbance, RunError, ScheduleRun, stuck};
use crate::Schedule;
use lines::Lines;
use models::time::{PerByte, Span, Time};
use std::fmt;

/// Parameters of LogGOPSim's model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoggopsimV1 {
    /// L, the latency of a message.
    pub latency: Span,
    /// o, of sends and receives.
    pub overhead: Span,
    /// g, the gap between messages.
    pub gap: Span,
    /// G, the gap per byte.
    pub gap_per_byte: PerByte,
    /// O, the overhead per byte.
    pub overhead_per_byte: PerByte,
    /// S, the eager limit: longer messages wait for their receive.
    pub eager_limit: u64,
}

impl Default for LoggopsimV1 {
    /// Returns that program's defaults: L = 2500 ns, o = 1500 ns, g = 1000 ns, G = 6 ns/B, O = 0, S = 65535 B.
    fn default() -> LoggopsimV1 {
        LoggopsimV1 {
            latency: Span::from_ns(2_500),
            overhead: Span::from_ns(1_500),
            gap: Span::from_ns(1_000),
            gap_per_byte: PerByte::from_ns(6.0),
            overhead_per_byte: PerByte::from_ns(0.0),
            eager_limit: 65_535,
        }
    }
}

impl fmt::Display for LoggopsimV1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoggopsimV1 { latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit } = self;
        let (big_g, big_o) = (gap_per_byte.as_ns(), overhead_per_byte.as_ns());
        write!(
            f,
            "LogGOPSim 1, L = {latency}, o = {overhead}, g = {gap}, G = {big_g:.4} ns/B, O = {big_o:.4} ns/B, S = {eager_limit} B"
        )
    }
}

#[derive(Clone, Copy)]
struct Nic {
    /// Earliest time of the next send.
    send: Time,
    /// Earliest time of the next receive.
    receive: Time,
}

/// Message from its send until its receive.
#[derive(Clone, Copy)]
struct Letter {
    send: u32,
    from: u32,
    departed: Time,
    arrived: Time,
    accepted: Time,
}

struct Engine<'s, D: Disturbance, R> {
    schedule: &'s Schedule,
    rules: LoggopsimV1,
    record: &'s mut R,
    progress: Progress<'s>,
    queue: Queue,
    sequence: u64,
    lines: Lines,
    mail: Mail,
    cpus: Vec<(Time, D::Cpu)>,
    nics: Vec<Nic>,
    letters: Vec<Letter>,
    done_with: Vec<u32>,
    /// Ranks and operations, as they become executable during one event.
    enabled: Vec<(u32, u32)>,
    messages: u64,
}

pub(super) fn run<D: Disturbance, R: Record>(
    schedule: &Schedule,
    rules: LoggopsimV1,
    noise: &D,
    record: &mut R,
) -> Result<ScheduleRun, RunError> {
    let cpu = |index: u32| (Time::ZERO, noise.for_cpu(index / schedule.cpus(), (index % schedule.cpus()) as u8));
    let nics = schedule.ranks() as usize * schedule.nics() as usize;
    let mut engine: Engine<'_, D, R> = Engine {
        schedule,
        rules,
        record,
        progress: Progress::new(schedule),
        queue: Queue::default(),
        sequence: 0,
        lines: Lines::default(),
        mail: Mail::new(schedule),
        cpus: (0..schedule.ranks() * schedule.cpus()).map(cpu).collect(),
        nics: vec![Nic { send: Time::ZERO, receive: Time::ZERO }; nics],
        letters: Vec::new(),
        done_with: Vec::new(),
        enabled: Vec::new(),
        messages: 0,
    };
    engine.run_events();
    engine.result()
}

/// Mark in an event's `id` of a message's number, not an operation's.
const MESSAGE: u32 = 1 << 31;

impl<D: Disturbance, R: Record> Engine<'_, D, R> {
    fn run_events(&mut self) {
        for rank in 0..self.schedule.ranks() {
            let free = self.schedule.ops_of(rank).filter(|&op| !self.progress.is_pending(op));
            self.enabled.extend(free.map(|op| (rank, op)));
        }
        self.queue_enabled();
        while let Some(event) = self.queue.pop() {
            self.handle(event);
            self.queue_enabled();
        }
    }

    /// Queues the operations that have become executable: ranks ascending, sends before receives before calculations.
    fn queue_enabled(&mut self) {
        let ops = self.schedule.ops();
        self.enabled.sort_by_key(|&(rank, op)| (rank, ops[op as usize].kind));
        for index in 0..self.enabled.len() {
            let (rank, op) = self.enabled[index];
            let event = Event { time: self.executable_at(rank, op), tie: self.sequence, rank, id: op };
            self.sequence += 1;
            self.queue.push(event);
        }
        self.enabled.clear();
    }

    fn result(self) -> Result<ScheduleRun, RunError> {
        let (receives, letters) = self.mail.left();
        if let Some(cpu) = self.cpus.iter().position(|(free, _)| *free == Time::END) {
            return Err(RunError::Overflow { rank: cpu as u32 / self.schedule.cpus() });
        }
        if !self.progress.is_complete() || !letters.is_empty() {
            let unreceived = letters.iter().map(|&letter| self.letters[letter as usize].send);
            let is_long = |op: &u32| self.schedule.ops()[*op as usize].size > self.rules.eager_limit;
            let complete = self.progress.is_complete();
            let mut sends: Vec<u32> = unreceived.filter(|op| complete || is_long(op)).collect();
            sends.sort_unstable();
            return Err(stuck::explain(&self.progress, &receives, &sends));
        }
        let finish = self.cpus.chunks(self.schedule.cpus() as usize);
        let finish = finish.map(|cpus| cpus.iter().map(|(free, _)| *free).max().unwrap_or(Time::ZERO)).collect();
        Ok(ScheduleRun {
            finish,
            messages: self.messages,
            events: self.queue.events(),
            engine: super::Engine::Event,
            not_fast: None,
        })
    }

    fn cpu(&self, rank: u32, cpu: u8) -> usize {
        rank as usize * self.schedule.cpus() as usize + cpu as usize
    }

    fn nic(&self, rank: u32, nic: u8) -> usize {
        rank as usize * self.schedule.nics() as usize + nic as usize
    }
}
