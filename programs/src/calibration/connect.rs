//! Extra time of the first message of a pair (E1 of Kurnosov 2012): rank 0 with every other rank in turn, in a fresh
//! world. Ranks that have exchanged anything before find their pair connected.

use super::exchange::both;
use crate::rank::{Phase, Rank};
use models::collective::Step;
use models::time::Span;
use serde::{Deserialize, Serialize};

/// First messages, to be exchanged before anything else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Connecting {
    /// Number of round trips of each pair after its first one.
    pub later: u32,
    /// Time for which rank 0 computes before it begins, so that all others wait for it.
    pub head_start: Span,
}

/// The first round trip of rank 0 with another rank, and later ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meeting {
    /// Number of the other rank, 1 or more.
    pub peer: u32,
    /// Duration of the first round trip.
    pub first: Span,
    /// Durations of the later round trips, in the order in which they were made.
    pub later: Vec<Span>,
}

impl Connecting {
    /// Exchanges messages with every other rank in turn. All ranks call it together: rank 0 returns what it timed,
    /// others an empty list.
    pub async fn run<R: Rank>(&self, rank: &R) -> Vec<Meeting> {
        rank.enter_phase(Phase::Calibration);
        if rank.id() > 0 {
            let (send, receive) = both(0, 1);
            for _ in 0..=self.later {
                rank.step(&receive).await;
                rank.step(&send).await;
            }
            return Vec::new();
        }
        // Busy, not idle: idle time has a cost of its own.
        rank.compute(self.head_start).await;
        let mut meetings = Vec::new();
        for peer in 1..rank.size() {
            let steps = both(peer, 1);
            let first = round_trip(rank, &steps).await;
            let mut later = Vec::with_capacity(self.later as usize);
            for _ in 0..self.later {
                later.push(round_trip(rank, &steps).await);
            }
            meetings.push(Meeting { peer, first, later });
        }
        meetings
    }
}

/// Times one message to the peer and one back.
pub(super) async fn round_trip<R: Rank>(rank: &R, (send, receive): &(Step, Step)) -> Span {
    let start = rank.read_clock();
    rank.step(send).await;
    rank.step(receive).await;
    rank.timescale().span(start, rank.read_clock())
}
