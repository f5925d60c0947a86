//! Transfer: the head, rank 0, against every other rank in turn (seeds/002).
//!
//! With T the time of N exchanges of messages of L bytes, R = 2NL/T is the bandwidth, of ping-pongs and both ways at
//! once alike; half of T/N at zero bytes is the latency s; and T(L) = s + L/R is fitted to the ping-pongs.

use super::buffers::Buffers;
use super::exchange::{ExchangePair, Exchanges, Repeats, Way};
use crate::rank::Rank;
use serde::{Deserialize, Serialize};

/// Exchanges of rank 0 with every other rank over message length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// Message lengths in bytes, in the order in which they are exchanged.
    pub bytes: Vec<u64>,
    /// Numbers of exchanges of each length.
    pub repeats: Repeats,
    /// Whether messages also travel both ways at once.
    pub both_ways: bool,
    /// State in which messages find their buffers.
    pub buffers: Buffers,
}

impl Transfer {
    pub(super) async fn run<R: Rank>(&self, rank: &R) -> Vec<Exchanges> {
        let mut all = Vec::new();
        // Ranks whose turn has not come, or has passed, wait for a control message.
        for other in 1..rank.size() {
            if rank.id() == 0 {
                rank.send(other, &[]).await;
            } else if rank.id() == other {
                rank.receive(0, &mut []).await;
            }
            if rank.id() == 0 || rank.id() == other {
                self.with(rank, other, &mut all).await;
            }
        }
        for other in 1..rank.size() {
            if rank.id() == 0 {
                rank.send(other, &[]).await;
            } else if rank.id() == other {
                rank.receive(0, &mut []).await;
            }
        }
        all
    }

    async fn with<R: Rank>(&self, rank: &R, to: u32, all: &mut Vec<Exchanges>) {
        let longest = self.bytes.iter().max().copied().unwrap_or(0);
        let ways: &[Way] = if self.both_ways { &[Way::PingPong, Way::BothWays] } else { &[Way::PingPong] };
        for &way in ways {
            for &bytes in &self.bytes {
                let pair = ExchangePair {
                    from: 0,
                    to,
                    bytes,
                    longest,
                    repeats: self.repeats.counts(bytes),
                    buffers: self.buffers,
                };
                all.extend(pair.exchange(rank, way).await);
            }
        }
    }
}
