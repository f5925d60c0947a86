//! Linear synchronisation: each rank in turn exchanges clock readings with rank 0 until the least
//! round trip has not improved for [`PATIENCE`] rounds (Kurnosov 2012, section 5; MPIPerf).
//!
//! One exchange: rank i reads t₁, asks, rank 0 answers with its reading s, rank i reads t₂. Rank 0
//! read its clock between t₁ and t₂, so offset = s − (t₁ + rtt/2) is wrong by at most rtt/2,
//! however unequal the two directions are: that is the bound, not a hope.

use crate::clock::{GlobalClock, Timescale};
use crate::rank::{Phase, Rank};
use crate::time::{Span, Time};

/// Rounds without improvement after which the least round trip is taken (MPIPerf's d).
const PATIENCE: u32 = 100;
/// Most rounds spent on one rank, so that a noisy machine cannot keep improving for ever.
const MOST_ROUNDS: u32 = 2_000;

/// Questions are as long as answers, so that both directions take equally long on an even network.
const ASK: [u8; 8] = [1; 8];
const DONE: [u8; 8] = [0; 8];

pub(super) async fn synchronise<R: Rank>(rank: &R) -> GlobalClock {
    rank.enter_phase(Phase::ClockSynchronisation);
    let scale = rank.timescale();
    if rank.id() == 0 {
        for other in 1..rank.size() {
            answer(rank, other).await;
        }
        return GlobalClock::reference(scale);
    }
    // Rank 0 serves one rank at a time: wait for the turn, so that no question lies in a queue.
    let mut turn = [0; 8];
    rank.receive(0, &mut turn).await;
    ask(rank, scale).await
}

async fn answer<R: Rank>(rank: &R, other: u32) {
    let scale = rank.timescale();
    rank.send(other, &ASK).await;
    let mut question = [0; 8];
    loop {
        rank.receive(other, &mut question).await;
        if question == DONE {
            return;
        }
        let now = scale.time(rank.read_clock());
        rank.send(other, &now.0.to_le_bytes()).await;
    }
}

async fn ask<R: Rank>(rank: &R, scale: Timescale) -> GlobalClock {
    let mut best = GlobalClock { scale, offset_ps: 0, bound: Span(u64::MAX) };
    let mut since_improved = 0;
    for _ in 0..MOST_ROUNDS {
        let asked = rank.read_clock();
        rank.send(0, &ASK).await;
        let mut reading = [0; 8];
        rank.receive(0, &mut reading).await;
        let answered = rank.read_clock();
        let estimate = midpoint(scale, scale.time(asked), scale.time(answered), Time(u64::from_le_bytes(reading)));
        since_improved += 1;
        if estimate.bound < best.bound {
            best = estimate;
            since_improved = 0;
        }
        if since_improved >= PATIENCE {
            break;
        }
    }
    rank.send(0, &DONE).await;
    best
}

/// The offset that puts the remote reading in the middle of the round trip, and its bound: half
/// the round trip, plus one step of either clock, rounded up.
fn midpoint(scale: Timescale, asked: Time, answered: Time, remote: Time) -> GlobalClock {
    let round_trip = answered.since(asked);
    GlobalClock {
        scale,
        offset_ps: remote.0 as i64 - (asked.0 + round_trip.0 / 2) as i64,
        bound: Span(round_trip.0.div_ceil(2)) + scale.granularity() * 2,
    }
}
