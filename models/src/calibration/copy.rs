//! What buffers that no cache holds cost (E4 of Kurnosov 2012): ping-pongs of ranks 0 and 1 from one buffer, or from all
//! places of a pool in turn.
//!
//! A pool is worth its name only if all of it is used: a message shorter than a buffer visits one place of the buffer
//! after the other before it goes on to the next buffer. Each of the four ends of a ping-pong has a place of its own, as a
//! message that was just received is in cache.

use super::exchange::settle;
use crate::collective::{Part, Step, Then};
use crate::platform::Buffer;
use crate::rank::{Phase, Rank};
use crate::time::Span;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// Ping-pongs from buffers in cache, or out of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Copies {
    /// Message lengths, in bytes.
    pub bytes: Vec<u64>,
    /// Round trips of each length that are kept.
    pub samples: u32,
    /// Round trips before those, not kept.
    pub warmup: u32,
    /// Where messages lie.
    pub buffer: Buffer,
}

/// Round trips of one length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Copied {
    /// Where messages lay.
    pub buffer: Buffer,
    /// Their length.
    pub bytes: u64,
    /// Each round trip.
    pub round_trips: Vec<Span>,
}

impl Copies {
    /// Carries it out; called by all ranks together. Rank 0 returns the samples, others an empty list.
    pub async fn run<R: Rank>(&self, rank: &R) -> Vec<Copied> {
        rank.enter_phase(Phase::Calibration);
        rank.use_buffers(self.buffer);
        let mut all = Vec::new();
        for &bytes in self.bytes.iter().filter(|_| rank.id() < 2) {
            rank.enter_phase(Phase::Calibration);
            let places = Places { bytes, count: self.places(bytes), next: Cell::new(0) };
            let mut round_trips = Vec::with_capacity(self.samples as usize);
            for sample in 0..self.warmup + self.samples {
                let span = exchange(rank, &places).await;
                if sample >= self.warmup {
                    round_trips.push(span);
                }
            }
            all.push(Copied { buffer: self.buffer, bytes, round_trips });
        }
        settle(rank).await;
        if rank.id() == 0 { all } else { Vec::new() }
    }

    /// The length of the buffer that each rank needs.
    pub fn buffer_bytes(&self) -> u64 {
        match self.buffer {
            Buffer::Pool => self.longest(),
            Buffer::Same | Buffer::Touched | Buffer::Cold | Buffer::Misaligned => Part::room_behind(self.longest()),
        }
    }

    fn longest(&self) -> u64 {
        self.bytes.iter().copied().max().unwrap_or(0)
    }

    /// How many messages lie side by side in one buffer of a pool; 0 where what is sent and what is received have one place
    /// each.
    fn places(&self, bytes: u64) -> u64 {
        match self.buffer {
            Buffer::Pool => (self.longest() / bytes.max(1)).max(1),
            Buffer::Same | Buffer::Touched | Buffer::Cold | Buffer::Misaligned => 0,
        }
    }
}

/// Where messages of one length lie.
struct Places {
    bytes: u64,
    count: u64,
    next: Cell<u64>,
}

impl Places {
    /// The next one for what is sent.
    fn sent<R: Rank>(&self, rank: &R) -> Part {
        if self.count == 0 { Part::range(0, self.bytes) } else { self.next(rank) }
    }

    /// The next one for what is received.
    fn received<R: Rank>(&self, rank: &R) -> Part {
        if self.count == 0 { Part::behind(self.bytes, self.bytes) } else { self.next(rank) }
    }

    fn next<R: Rank>(&self, rank: &R) -> Part {
        let at = self.next.get();
        self.next.set((at + 1) % self.count);
        if at == 0 {
            rank.ready_buffers();
        }
        Part::range(at * self.bytes, self.bytes)
    }
}

async fn exchange<R: Rank>(rank: &R, places: &Places) -> Span {
    let receive = |from: u32| Step::Receive { from, part: places.received(rank), then: Then::Store };
    if rank.id() > 0 {
        rank.step(&receive(0)).await;
        rank.step(&Step::Send { to: 0, part: places.sent(rank) }).await;
        return Span::ZERO;
    }
    let start = rank.read_clock();
    rank.step(&Step::Send { to: 1, part: places.sent(rank) }).await;
    rank.step(&receive(1)).await;
    rank.timescale().span(start, rank.read_clock())
}
