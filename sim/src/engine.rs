//! The event engine: ranks act in the global order of (time, sequence number). It is the simple
//! engine, and the oracle for any faster one.
//!
//! A rank is sequential: it has at most one step under way, whose halves (a send, a receive) are
//! counted in `pending`. It resumes when both are done.

use models::network::{Departure, Message as Envelope, Network, NetworkModel, Port};
use models::noise::Quiet;
use models::time::Time;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Why a simulation has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
    /// Ranks wait for each other, or for nobody, for ever.
    #[error("deadlock at {at_ps} ps: {}", waiting.join("; "))]
    Deadlock {
        /// When the last thing happened, in ps.
        at_ps: u64,
        /// Who waits for whom.
        waiting: Vec<String>,
    },
    /// Times left the range of 213 days.
    #[error("simulated time ran past 213 days on rank {rank}; use smaller parameters or fewer repetitions")]
    Overflow {
        /// The first rank whose time overflowed.
        rank: u32,
    },
    /// The order names something that does not exist.
    #[error("{0}")]
    Order(String),
}

/// Which of a rank's two interfaces a message uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Channel {
    /// The network under study.
    Steps = 0,
    /// The method's own messages.
    Control = 1,
}

/// One half or both halves of a step, as issued.
#[derive(Default)]
pub(crate) struct Issue<'a> {
    pub send_to: Option<u32>,
    pub receive_from: Option<u32>,
    pub bytes: u64,
    pub data: &'a [u8],
}

struct Message {
    envelope: Envelope,
    departure: Departure,
    data: Box<[u8]>,
    /// The sender waits until the message is matched.
    holds_sender: bool,
}

#[derive(Clone, Copy)]
struct Posted {
    from: u32,
    channel: Channel,
    at: Time,
}

#[derive(Default)]
struct RankState {
    cpu: Time,
    ports: [Port; 2],
    pending: u8,
    /// The send half of the step under way ends then.
    release: Time,
    waits_for: Option<Posted>,
    holds_for: Option<u32>,
    inbox: Box<[u8]>,
}

pub(crate) struct Engine {
    networks: [Network; 2],
    ranks: Vec<RankState>,
    queue: BinaryHeap<Reverse<(Time, u64, u32)>>,
    sequence: u64,
    now: Time,
    mail: FxHashMap<(u32, u32, Channel), VecDeque<Message>>,
    messages: u64,
}

impl Engine {
    pub fn new(steps: Network, control: Network, entries: impl Iterator<Item = Time>) -> Engine {
        let ranks = entries.map(|cpu| RankState { cpu, ..RankState::default() }).collect();
        Engine {
            networks: [steps, control],
            ranks,
            queue: BinaryHeap::new(),
            sequence: 0,
            now: Time::ZERO,
            mail: FxHashMap::default(),
            messages: 0,
        }
    }

    /// The next rank to act, in the order of (time, sequence).
    pub fn next(&mut self) -> Option<u32> {
        let Reverse((time, _, rank)) = self.queue.pop()?;
        self.now = time;
        Some(rank)
    }

    pub fn cpu(&mut self, rank: u32) -> &mut Time {
        &mut self.ranks[rank as usize].cpu
    }

    /// True if the rank's own time is ahead of the engine's, so that it must queue before it acts.
    pub fn is_ahead(&self, rank: u32) -> bool {
        self.ranks[rank as usize].cpu > self.now
    }

    pub fn resume_at_cpu(&mut self, rank: u32) {
        let time = self.ranks[rank as usize].cpu;
        self.queue.push(Reverse((time, self.sequence, rank)));
        self.sequence += 1;
    }

    pub fn take_inbox(&mut self, rank: u32) -> Box<[u8]> {
        std::mem::take(&mut self.ranks[rank as usize].inbox)
    }

    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// Issues a step of `rank` at its CPU's time; the rank is resumed when all halves are done.
    pub fn issue(&mut self, rank: u32, channel: Channel, issue: &Issue) {
        let state = &mut self.ranks[rank as usize];
        let posted = state.cpu;
        state.release = state.cpu;
        state.pending = u8::from(issue.send_to.is_some()) + u8::from(issue.receive_from.is_some());
        if state.pending == 0 {
            self.resume_at_cpu(rank);
            return;
        }
        if let Some(from) = issue.receive_from {
            state.waits_for = Some(Posted { from, channel, at: posted });
        }
        if let Some(to) = issue.send_to {
            self.send(rank, to, channel, issue);
        }
        // The receive half completes after the send half has used the CPU (o comes before o).
        if let Some(from) = issue.receive_from
            && let Some(message) = self.mail.get_mut(&(from, rank, channel)).and_then(VecDeque::pop_front)
        {
            self.complete(from, rank, &message);
        }
    }

    fn send(&mut self, rank: u32, to: u32, channel: Channel, issue: &Issue) {
        self.messages += 1;
        let envelope = Envelope { from: rank, to, bytes: issue.bytes };
        let departure = self.on_port(rank, channel, |model, port| model.send(port, &envelope, &mut Quiet));
        let state = &mut self.ranks[rank as usize];
        let message =
            Message { envelope, departure, data: issue.data.into(), holds_sender: departure.released.is_none() };
        match departure.released {
            Some(released) => {
                state.release = released;
                self.finish_half(rank);
            }
            None => state.holds_for = Some(to),
        }
        let queue = self.mail.entry((rank, to, channel)).or_default();
        let receiver = self.ranks[to as usize].waits_for;
        let is_awaited = receiver.is_some_and(|posted| (posted.from, posted.channel) == (rank, channel));
        if is_awaited && queue.is_empty() && to != rank {
            self.complete(rank, to, &message);
        } else {
            queue.push_back(message);
        }
    }

    /// A message has met its receive: finishes the receiver's half, and the sender's if it waited.
    fn complete(&mut self, from: u32, to: u32, message: &Message) {
        let Some(posted) = self.ranks[to as usize].waits_for.take() else {
            unreachable!("a message is completed only against a posted receive");
        };
        let matched = self.networks[posted.channel as usize].matched(&message.envelope, &message.departure, posted.at);
        self.on_port(to, posted.channel, |model, port| {
            model.receive(port, &message.envelope, matched.arrival, &mut Quiet);
        });
        self.ranks[to as usize].inbox = message.data.clone();
        self.finish_half(to);
        if message.holds_sender {
            let sender = &mut self.ranks[from as usize];
            sender.holds_for = None;
            sender.release = matched.released;
            self.finish_half(from);
        }
    }

    fn on_port<T>(&mut self, rank: u32, channel: Channel, act: impl FnOnce(&Network, &mut Port) -> T) -> T {
        let state = &mut self.ranks[rank as usize];
        let port = &mut state.ports[channel as usize];
        port.cpu = state.cpu;
        let result = act(&self.networks[channel as usize], port);
        state.cpu = port.cpu;
        result
    }

    fn finish_half(&mut self, rank: u32) {
        let state = &mut self.ranks[rank as usize];
        state.pending -= 1;
        if state.pending == 0 {
            state.cpu = state.cpu.max(state.release);
            self.resume_at_cpu(rank);
        }
    }

    /// What is wrong once nothing can happen any more and `unfinished` ranks are left.
    pub fn deadlock(&self, unfinished: impl Iterator<Item = u32>) -> SimError {
        let waiting = unfinished.map(|rank| {
            let state = &self.ranks[rank as usize];
            match (state.waits_for, state.holds_for) {
                (Some(posted), _) => format!("rank {rank} waits for a message from rank {}", posted.from),
                (None, Some(to)) => format!("rank {rank} waits for rank {to} to receive"),
                (None, None) => format!("rank {rank} never went on"),
            }
        });
        SimError::Deadlock { at_ps: self.now.0, waiting: waiting.collect() }
    }

    /// The first rank whose time ran out of range, as an error.
    pub fn overflow(&self) -> Result<(), SimError> {
        match self.ranks.iter().position(|state| state.cpu == Time::END) {
            Some(rank) => Err(SimError::Overflow { rank: rank as u32 }),
            None => Ok(()),
        }
    }
}
