//! Raw material for network parameters: ping-pongs and trains of messages between ranks 0 and 1,
//! run over rank handles in any world.
//!
//! PRTT(n, d, s) (Hoefler, Lichei, Rehm 2007): n messages of s bytes with delay d between them, one
//! answer of s bytes. PRTT(1, 0, s) is a ping-pong.
//!
//! What network models leave out is explored beside it, one file per question: [`Exploration`].

mod connect;
mod copy;
mod exits;
mod explore;
mod idle;
mod noise;

pub use connect::{Connecting, Meeting};
pub use copy::{Copied, Copies};
pub use exits::{Exits, Leaving};
pub use explore::{Exploration, Finding};
pub use idle::{Idled, Idling};
pub use noise::{Detour, Watched, Watching};

use crate::clock::Ticks;
use crate::collective::{Part, Step, Then};
use crate::rank::{Phase, Rank};
use crate::time::Span;
use serde::{Deserialize, Serialize};

/// What to exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationSettings {
    /// Message lengths, in bytes.
    pub bytes: Vec<u64>,
    /// Round trips per length and kind that are kept.
    pub samples: u32,
    /// Round trips before those, not kept.
    pub warmup: u32,
    /// Messages per train, n; 1 leaves the trains out.
    pub train: u32,
}

/// Round trips of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prtt {
    /// n.
    pub messages: u32,
    /// d.
    pub delay: Span,
    /// s.
    pub bytes: u64,
    /// Each sample's whole duration, first send to answer.
    pub round_trips: Vec<Span>,
}

impl CalibrationSettings {
    /// Runs all exchanges; called by all ranks together. Rank 0 returns the samples, others an empty list.
    pub async fn run<R: Rank>(&self, rank: &R) -> Vec<Prtt> {
        let mut all = Vec::new();
        rank.enter_phase(Phase::Calibration);
        if rank.id() < 2 {
            for &bytes in &self.bytes {
                all.push(self.prtt(rank, 1, Span::ZERO, bytes).await);
            }
            for &bytes in self.bytes.iter().filter(|_| self.train > 1) {
                all.push(self.prtt(rank, self.train, Span::ZERO, bytes).await);
            }
            if self.train > 1 {
                // o + d must exceed g + BG: four round trips of the shortest length do, except for long messages,
                // whose trains the fit sets aside; and they are short enough to be left in peace.
                let round_trip = median(&all[0].round_trips);
                let delay = agree(rank, round_trip * 4).await;
                for &bytes in &self.bytes {
                    all.push(self.prtt(rank, self.train, delay, bytes).await);
                }
            }
        }
        settle(rank).await;
        if rank.id() == 0 { all } else { Vec::new() }
    }

    async fn prtt<R: Rank>(&self, rank: &R, messages: u32, delay: Span, bytes: u64) -> Prtt {
        let mut round_trips = Vec::with_capacity(self.samples as usize);
        for sample in 0..self.warmup + self.samples {
            rank.enter_phase(Phase::Calibration);
            let span = if rank.id() == 0 {
                let (start, end) = ask(rank, messages, delay, bytes).await;
                rank.timescale().span(start, end)
            } else {
                answer(rank, messages, bytes).await;
                Span::ZERO
            };
            if sample >= self.warmup {
                round_trips.push(span);
            }
        }
        Prtt { messages, delay, bytes, round_trips }
    }
}

fn median(spans: &[Span]) -> Span {
    let mut sorted = spans.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

async fn ask<R: Rank>(rank: &R, messages: u32, delay: Span, bytes: u64) -> (Ticks, Ticks) {
    let (send, receive) = both(1, bytes);
    let start = rank.read_clock();
    rank.step(&send).await;
    for _ in 1..messages {
        if delay > Span::ZERO {
            rank.compute(delay).await;
        }
        rank.step(&send).await;
    }
    rank.step(&receive).await;
    (start, rank.read_clock())
}

async fn answer<R: Rank>(rank: &R, messages: u32, bytes: u64) {
    let (send, receive) = both(0, bytes);
    for _ in 0..messages {
        rank.step(&receive).await;
    }
    rank.step(&send).await;
}

fn both(peer: u32, bytes: u64) -> (Step, Step) {
    let part = Part::range(0, bytes);
    (Step::Send { to: peer, part }, Step::Receive { from: peer, part, then: Then::Store })
}

/// Rank 0's value on ranks 0 and 1.
async fn agree<R: Rank>(rank: &R, value: Span) -> Span {
    let mut message = value.0.to_le_bytes();
    if rank.id() == 0 {
        rank.send(1, &message).await;
    } else {
        rank.receive(0, &mut message).await;
    }
    Span(u64::from_le_bytes(message))
}

/// Keeps the idle ranks until the pair is done.
async fn settle<R: Rank>(rank: &R) {
    for other in 1..rank.size() {
        if rank.id() == 0 {
            rank.send(other, &[]).await;
        } else if rank.id() == other {
            rank.receive(0, &mut []).await;
        }
    }
}
