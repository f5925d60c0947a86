//! The event engine for network models.
//!
//! - An operation is ready when the operations that it `requires` have finished and those that it `irequires` have
//!   started.
//! - A calculation occupies its CPU. A send needs its CPU and the sending side of its interface, and finishes when it
//!   is released. A receive is posted when it is ready, at no cost. Once its message is there too, it needs its CPU,
//!   and finishes when the CPU is done with it.
//! - Messages meet receives of their (source, tag) in the order of sending and of posting. Where wildcards
//!   are involved, a rank sees messages when they arrive (or, if that depends on the receiver, when
//!   the sender is ready), those of one source in the order of sending, and each takes the first posted that fits.
//! - A CPU serves the operation that has waited longest: see [`waiting`].
//!
//! Posting takes no event: where receives of a rank become ready in the order in which they are found to be (nearly
//! always), they are posted as soon as their time is known. Should one come earlier than one before it, or should an
//! operation wait for the posting, the run begins again with an event for each.

mod act;
mod waiting;

use super::mail::Mail;
use super::near::{FAR, NEAR, fetch, fetch_op};
use super::progress::Progress;
use super::queue::{Event, Queue};
use super::record::Record;
use super::{Disturbance, RunError, ScheduleRun, stuck};
use crate::{OpKind, Schedule};
use models::network::{Departure, Network};
use models::time::Time;
use waiting::Waiting;

/// Subject of an event. Events at one time are taken in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum EventSubject {
    /// A waiting operation can be served by a CPU, of which `id` is the number.
    Serve = 0,
    /// A send is ready.
    Send = 1 << 60,
    /// A receive is ready to be posted.
    Post = 2 << 60,
    /// A rank with wildcards sees a message.
    See = 3 << 60,
    /// A message and its receive have met, and the message is there.
    Deliver = 4 << 60,
    /// A calculation is ready.
    Calculate = 5 << 60,
}

impl EventSubject {
    fn from_tie(tie: u64) -> Self {
        [Self::Serve, Self::Send, Self::Post, Self::See, Self::Deliver, Self::Calculate][(tie >> 60) as usize]
    }
}

struct RunningCpu<C> {
    free: Time,
    noise: C,
    waiting: Option<Box<Waiting>>,
}

#[derive(Clone, Copy, Default)]
struct Nic {
    next_send: Time,
    last_receive: Option<Time>,
}

#[derive(Clone, Copy)]
struct Flying {
    departure: Departure,
    arrival: Time,
    send: u32,
    receive: u32,
    from: u32,
    begun: Time,
}

struct Engine<'s, D: Disturbance, R> {
    schedule: &'s Schedule,
    network: &'s Network,
    record: &'s mut R,
    progress: Progress<'s>,
    queue: Queue,
    /// Number of messages to ranks with wildcards, in the order of sending.
    sequence: u64,
    mail: Mail,
    cpus: Vec<RunningCpu<D::Cpu>>,
    nics: Vec<Nic>,
    flying: Vec<Flying>,
    landed: Vec<u32>,
    messages: u64,
    /// Receives that are known to be ready, to be posted before the next event.
    to_post: Vec<(u32, u32)>,
    /// Last receive of each rank that was posted without an event, with its time.
    posted_until: Vec<(Time, u32)>,
    /// Whether every receive is posted by an event of its own.
    exact: bool,
    out_of_order: bool,
    /// Time at which the last message was seen, by (to, from), of ranks with wildcards.
    seen: rustc_hash::FxHashMap<(u32, u32), Time>,
}

pub(super) fn run<D: Disturbance, R: Record>(
    schedule: &Schedule,
    network: &Network,
    noise: &D,
    record: &mut R,
) -> Result<ScheduleRun, RunError> {
    // A record cannot be taken back: then every receive is posted exactly.
    let mut engine = Engine::new(schedule, network, noise, record, !R::IS_SILENT);
    engine.run_events();
    if engine.out_of_order {
        engine = Engine::new(schedule, network, noise, record, true);
        engine.run_events();
    }
    engine.result()
}

impl<'s, D: Disturbance, R: Record> Engine<'s, D, R> {
    fn new(schedule: &'s Schedule, network: &'s Network, noise: &D, record: &'s mut R, exact: bool) -> Self {
        let cpu = |index: u32| RunningCpu {
            free: Time::ZERO,
            noise: noise.for_cpu(index / schedule.cpus(), (index % schedule.cpus()) as u8),
            waiting: None,
        };
        Engine {
            schedule,
            network,
            record,
            progress: Progress::new(schedule),
            queue: Queue::default(),
            sequence: 0,
            mail: Mail::new(schedule),
            cpus: (0..schedule.ranks() * schedule.cpus()).map(cpu).collect(),
            nics: vec![Nic::default(); schedule.ranks() as usize * schedule.nics() as usize],
            flying: Vec::new(),
            landed: Vec::new(),
            messages: 0,
            to_post: Vec::new(),
            posted_until: vec![(Time::ZERO, 0); schedule.ranks() as usize],
            exact,
            out_of_order: false,
            seen: rustc_hash::FxHashMap::default(),
        }
    }

    fn run_events(&mut self) {
        for rank in 0..self.schedule.ranks() {
            for op in self.schedule.ops_of(rank) {
                if !self.progress.is_pending(op) {
                    self.enable(rank, op, Time::ZERO);
                }
            }
        }
        self.post_all();
        while let Some(event) = self.queue.pop() {
            self.look_ahead();
            match EventSubject::from_tie(event.tie) {
                EventSubject::Serve => self.serve(event),
                EventSubject::Send => {
                    self.begin_or_wait(event, waiting::sends_of(self.schedule.ops()[event.id as usize].nic))
                }
                EventSubject::Deliver | EventSubject::Calculate => self.begin_or_wait(event, waiting::ANY_WORK),
                EventSubject::Post => self.post(event.rank, event.id),
                EventSubject::See => self.see(event.rank, event.id, event.time),
            }
            self.post_all();
            if self.out_of_order {
                return;
            }
        }
    }

    /// Asks for the memory that the next events of the present will need.
    #[inline(always)]
    fn look_ahead(&self) {
        if let Some(far) = self.queue.after(FAR) {
            fetch_op(self.schedule, far.tie as u32, |op| self.progress.fetch(op));
        }
        if let Some(near) = self.queue.after(NEAR) {
            self.schedule.fetch_dependents(near.tie as u32);
            fetch(&self.cpus, self.cpu_index(near.rank, 0));
            fetch(&self.nics, self.nic_index(near.rank, 0));
            self.mail.fetch(near.rank);
            if EventSubject::from_tie(near.tie) == EventSubject::Deliver {
                fetch(&self.flying, near.id as usize);
            }
        }
    }

    fn result(self) -> Result<ScheduleRun, RunError> {
        let (receives, messages) = self.mail.left();
        if let Some(rank) = self.progress.overflown() {
            return Err(RunError::Overflow { rank });
        }
        if !self.progress.is_complete() || !messages.is_empty() {
            let mut sends: Vec<u32> = messages.iter().map(|&slot| self.flying[slot as usize].send).collect();
            // No rank waits for eager sends that were not received: they are named only if nothing else is wrong.
            if !self.progress.is_complete() {
                sends.retain(|_| false);
                let held = messages.iter().map(|&slot| self.flying[slot as usize]);
                sends.extend(held.filter(|message| message.departure.released.is_none()).map(|message| message.send));
            }
            sends.sort_unstable();
            return Err(stuck::explain(&self.progress, &receives, &sends));
        }
        Ok(ScheduleRun {
            finish: self.progress.finish,
            messages: self.messages,
            events: self.queue.events(),
            engine: super::Engine::Event,
            not_fast: None,
        })
    }

    /// Queues an event. Ties are resolved by its subject, then by the operation's place in the file.
    #[inline]
    fn push(&mut self, time: Time, what: EventSubject, rank: u32, op: u32) {
        self.queue.push(Event { time, tie: what as u64 | u64::from(op), rank, id: op });
    }

    /// Queues an operation whose dependencies have been met, at the time at which it is ready.
    #[inline]
    fn enable(&mut self, rank: u32, op: u32, ready: Time) {
        match self.schedule.ops()[op as usize].kind {
            OpKind::Send => self.push(ready, EventSubject::Send, rank, op),
            OpKind::Calc => self.push(ready, EventSubject::Calculate, rank, op),
            OpKind::Receive if self.exact || self.mail.is_wild(rank) => self.push(ready, EventSubject::Post, rank, op),
            OpKind::Receive => {
                let until = &mut self.posted_until[rank as usize];
                let waited_for = self.schedule.dependents(op).first().is_some_and(|edge| edge.on_start());
                self.out_of_order |= (ready, op) < *until || waited_for;
                *until = (ready, op);
                self.to_post.push((rank, op));
            }
        }
    }

    fn post_all(&mut self) {
        let mut next = 0;
        while next < self.to_post.len() {
            let (rank, op) = self.to_post[next];
            next += 1;
            self.post(rank, op);
        }
        self.to_post.clear();
    }

    fn cpu_index(&self, rank: u32, cpu: u8) -> usize {
        rank as usize * self.schedule.cpus() as usize + cpu as usize
    }

    fn nic_index(&self, rank: u32, nic: u8) -> usize {
        rank as usize * self.schedule.nics() as usize + nic as usize
    }
}
