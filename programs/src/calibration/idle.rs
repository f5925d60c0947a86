//! Extra time of messages after idle time (E8): ranks 0 and 1 wait on their clocks, then exchange a message each way.
//!
//! Rank 1 begins to wait when it has sent its last answer, a message's time before rank 0 has it: so it is awake again
//! before rank 0, and its own cost of waking up is hidden behind that of rank 0.

use super::connect::round_trip;
use super::exchange::{both, settle};
use crate::rank::{Phase, Rank};
use models::time::Span;
use serde::{Deserialize, Serialize};

/// Idle times, each followed by a round trip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Idling {
    /// Idle times in increasing order, with zero among them for comparison.
    pub idle: Vec<Span>,
    /// Number of round trips of each idle time, which take turns.
    pub samples: u32,
    /// Number of round trips without a wait before each of them, not kept.
    pub busy: u32,
}

/// Round trips of one message each way after one idle time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Idled {
    /// Time for which both ranks had waited.
    pub idle: Span,
    /// Duration of each round trip, on rank 0.
    pub round_trips: Vec<Span>,
}

impl Idling {
    /// Returns the usual idle times: zero, then 10 µs to 10 ms in steps of 1, 2, 5.
    pub fn ladder() -> Vec<Span> {
        let decades = [10, 100, 1_000].into_iter();
        let steps = decades.flat_map(|decade| [1, 2, 5].map(|step| Span::from_us(step * decade)));
        [Span::ZERO].into_iter().chain(steps).chain([Span::from_ms(10)]).collect()
    }

    /// Times the round trips. All ranks call it together: rank 0 returns the samples, others an empty list.
    pub async fn run<R: Rank>(&self, rank: &R) -> Vec<Idled> {
        rank.enter_phase(Phase::Calibration);
        let mut all: Vec<Idled> = self
            .idle
            .iter()
            .map(|&idle| Idled { idle, round_trips: Vec::with_capacity(self.samples as usize) })
            .collect();
        if rank.id() < 2 {
            for _ in 0..self.samples {
                rank.enter_phase(Phase::Calibration);
                for one in &mut all {
                    for _ in 0..self.busy {
                        exchange(rank).await;
                    }
                    if one.idle > Span::ZERO {
                        let scale = rank.timescale();
                        let due = scale.reading(scale.time(rank.read_clock()) + one.idle);
                        rank.wait_until(due).await;
                    }
                    one.round_trips.push(exchange(rank).await);
                }
            }
        }
        settle(rank).await;
        if rank.id() == 0 { all } else { Vec::new() }
    }
}

/// Sends one byte to the other rank and back; returns the duration on rank 0 and zero on rank 1.
async fn exchange<R: Rank>(rank: &R) -> Span {
    if rank.id() == 0 {
        return round_trip(rank, &both(1, 1)).await;
    }
    let (send, receive) = both(0, 1);
    rank.step(&receive).await;
    rank.step(&send).await;
    Span::ZERO
}
