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
use super::near::{FAR, NEAR, fetch, fetch_op};
use super::progress::Progress;
use super::queue::{Event, Queue};
use super::record::Record;
use super::{Disturbance, RunError, ScheduleRun, stuck};
use crate::{Op, OpKind, Schedule};
use lines::Lines;
use models::time::{PerByte, Span, Time};
use rustc_hash::FxHashMap;
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

/// A receive that is posted, or will be.
#[derive(Clone, Copy)]
struct Post {
    op: u32,
    /// Time and tie at which it would be posted, if it was posted early.
    due: Option<(Time, u64)>,
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
    posts: Vec<Post>,
    free_posts: Vec<u32>,
    /// Number of receives of each rank that will be posted by an event.
    queued_receives: Vec<u32>,
    /// Messages of receives that are posted later than their messages were taken in, by the receive.
    met: FxHashMap<u32, u32>,
    /// Begin of each send, and end of the overhead of its receiver, where somebody wants to know.
    times: Vec<[Time; 2]>,
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
        progress: Progress::untimed(schedule),
        queue: Queue::default(),
        sequence: 0,
        lines: Lines::default(),
        mail: Mail::new(schedule),
        cpus: (0..schedule.ranks() * schedule.cpus()).map(cpu).collect(),
        nics: vec![Nic { send: Time::ZERO, receive: Time::ZERO }; nics],
        posts: Vec::new(),
        free_posts: Vec::new(),
        queued_receives: vec![0; schedule.ranks() as usize],
        met: FxHashMap::default(),
        times: if R::IS_SILENT { Vec::new() } else { vec![[Time::ZERO, Time::END]; schedule.ops().len()] },
        enabled: Vec::new(),
        messages: 0,
    };
    engine.run_events();
    engine.result()
}

/// Subject of an event, in the lowest bits of its tie, below the sequence number.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Subject {
    /// An operation of `rank` is executable.
    Operation = 0,
    /// A message that `rank` sent is there: `id` is its send.
    Message = 1,
    /// The receive `id` of `rank` would be posted, was posted early, and its message was taken in before this moment.
    Met = 2,
}

impl Subject {
    const BITS: u32 = 3;
    /// Mark of an event that has waited in a line.
    const WAITED: u64 = 4;

    fn from_tie(tie: u64) -> Subject {
        [Subject::Operation, Subject::Message, Subject::Met][(tie & 3) as usize]
    }
}

impl<D: Disturbance, R: Record> Engine<'_, D, R> {
    fn run_events(&mut self) {
        for rank in 0..self.schedule.ranks() {
            let free = self.schedule.ops_of(rank).filter(|&op| !self.progress.is_pending(op));
            self.enabled.extend(free.map(|op| (rank, op)));
        }
        self.queue_enabled();
        while let Some(event) = self.queue.pop() {
            self.look_ahead();
            self.handle(event);
            self.queue_enabled();
        }
    }

    /// Asks for the memory that the next events of the present will need.
    #[inline(always)]
    fn look_ahead(&self) {
        if let Some(far) = self.queue.after(FAR) {
            fetch_op(self.schedule, far.id, |op| self.progress.fetch(op));
        }
        if let Some(near) = self.queue.after(NEAR) {
            self.schedule.fetch_dependents(near.id);
            let rank = match Subject::from_tie(near.tie) {
                Subject::Message => self.schedule.ops()[near.id as usize].peer,
                Subject::Operation | Subject::Met => near.rank,
            };
            fetch(&self.cpus, self.cpu(rank, 0));
            fetch(&self.nics, self.nic(rank, 0));
            self.mail.fetch(rank);
        }
    }

    /// Queues the operations that have become executable: ranks ascending, sends before receives before calculations.
    #[inline]
    fn queue_enabled(&mut self) {
        let ops = self.schedule.ops();
        if self.enabled.len() > 1 {
            self.enabled.sort_by_key(|&(rank, op)| (rank, ops[op as usize].kind));
        }
        for index in 0..self.enabled.len() {
            let (rank, op) = self.enabled[index];
            let (time, tie) = (self.executable_at(rank, op), self.tie(Subject::Operation));
            if !self.post_early(rank, op, (time, tie)) {
                self.queue.push(Event { time, tie, rank, id: op });
            }
        }
        self.enabled.clear();
    }

    /// Posts a receive before its time, so that it needs no event, where this makes no difference: no message waits for
    /// it, nothing waits for its start, its rank posts receives in the order in which they become executable, and none of
    /// them is still to be posted. Returns whether it did.
    #[inline]
    fn post_early(&mut self, rank: u32, op: u32, due: (Time, u64)) -> bool {
        let Op { kind, peer, tag, .. } = self.schedule.ops()[op as usize];
        if kind != OpKind::Receive {
            return false;
        }
        let in_order = self.schedule.cpus() == 1 && self.queued_receives[rank as usize] == 0;
        let is_waited_for = || self.schedule.dependents(op).first().is_some_and(|edge| edge.on_start());
        if !in_order || self.mail.is_wild(rank) || is_waited_for() || self.mail.has_message(rank, peer, tag) {
            self.queued_receives[rank as usize] += 1;
            return false;
        }
        let slot = self.new_post(Post { op, due: Some(due) });
        let found = self.mail.receive(rank, peer, tag, slot);
        debug_assert!(found.is_none(), "no message waits");
        true
    }

    #[inline]
    fn new_post(&mut self, post: Post) -> u32 {
        match self.free_posts.pop() {
            Some(slot) => {
                self.posts[slot as usize] = post;
                slot
            }
            None => {
                self.posts.push(post);
                self.posts.len() as u32 - 1
            }
        }
    }

    /// Returns the tie of a new event.
    #[inline]
    fn tie(&mut self, subject: Subject) -> u64 {
        let sequence = self.sequence;
        self.sequence += 1;
        sequence << Subject::BITS | subject as u64
    }

    fn result(self) -> Result<ScheduleRun, RunError> {
        let (posts, messages) = self.mail.left();
        if let Some(cpu) = self.cpus.iter().position(|(free, _)| *free == Time::END) {
            return Err(RunError::Overflow { rank: cpu as u32 / self.schedule.cpus() });
        }
        let complete = self.progress.is_complete();
        if !complete || !messages.is_empty() {
            let mut receives: Vec<u32> = posts.iter().map(|&slot| self.posts[slot as usize].op).collect();
            receives.sort_unstable();
            let is_long = |op: &u32| self.schedule.ops()[*op as usize].size > self.rules.eager_limit;
            let sends: Vec<u32> = messages.into_iter().filter(|op| complete || is_long(op)).collect();
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

    #[inline(always)]
    fn cpu(&self, rank: u32, cpu: u8) -> usize {
        rank as usize * self.schedule.cpus() as usize + cpu as usize
    }

    #[inline(always)]
    fn nic(&self, rank: u32, nic: u8) -> usize {
        rank as usize * self.schedule.nics() as usize + nic as usize
    }
}
