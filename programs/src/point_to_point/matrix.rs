//! Latencies of all pairs: ping-pongs of one length, by the lower rank of each pair.
//!
//! Pairs may share links, so by default one plays at a time while all other ranks wait (seeds/003); disjoint pairs at
//! once are n/2 times as fast, and tell how much pairs disturb each other. Half of a round trip is the mean of both
//! directions, whoever begins: the matrix is symmetric by its making.

use super::buffers::Buffers;
use super::exchange::{ExchangePair, Exchanges, Way, meet};
use super::tournament::rounds;
use crate::rank::{Phase, Rank};
use serde::{Deserialize, Serialize};

/// Order in which pairs play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Pairs play one after the other.
    OneByOne,
    /// Disjoint pairs play at the same time.
    AtOnce,
}

/// Ping-pongs of one length between all pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyMatrix {
    /// Length of each message, in bytes.
    pub bytes: u64,
    /// Number of ping-pongs of a pair that are not kept, and number of those that are.
    pub repeats: (u32, u32),
    /// Order in which pairs play.
    pub order: Order,
    /// State in which messages find their buffers.
    pub buffers: Buffers,
}

impl LatencyMatrix {
    pub(super) async fn run<R: Rank>(&self, rank: &R) -> Vec<Exchanges> {
        let mut all = Vec::new();
        match self.order {
            Order::OneByOne => {
                for from in 0..rank.size() {
                    for to in from + 1..rank.size() {
                        all.extend(self.in_turn(rank, from, to).await);
                    }
                }
            }
            Order::AtOnce => {
                for round in rounds(rank.size()) {
                    meet(rank).await;
                    let own = round.into_iter().find(|&(from, to)| rank.id() == from || rank.id() == to);
                    if let Some((from, to)) = own {
                        all.extend(self.play(rank, from, to).await);
                    }
                }
            }
        }
        meet(rank).await;
        all
    }

    /// Lets a pair play while all others wait: rank 0 tells it to begin and hears from it when it has done, so that no
    /// other message is under way.
    async fn in_turn<R: Rank>(&self, rank: &R, from: u32, to: u32) -> Option<Exchanges> {
        let mut result = None;
        if rank.id() == 0 {
            rank.enter_phase(Phase::PointToPoint);
            for player in [from, to] {
                if player != 0 {
                    rank.send(player, &[]).await;
                }
            }
        } else if rank.id() == from || rank.id() == to {
            rank.receive(0, &mut []).await;
        }
        if rank.id() == from || rank.id() == to {
            result = self.play(rank, from, to).await;
        }
        if from != 0 {
            if rank.id() == from {
                rank.send(0, &[]).await;
            } else if rank.id() == 0 {
                rank.receive(from, &mut []).await;
            }
        }
        result
    }

    async fn play<R: Rank>(&self, rank: &R, from: u32, to: u32) -> Option<Exchanges> {
        let pair = ExchangePair {
            from,
            to,
            bytes: self.bytes,
            longest: self.bytes,
            repeats: self.repeats,
            buffers: self.buffers,
        };
        pair.exchange(rank, Way::PingPong).await
    }
}
