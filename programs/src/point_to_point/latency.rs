//! Latency over message length: ping-pongs between ranks 0 and 1, a barrier before each length (as the OSU benchmarks
//! and seeds/003 do it; half of the mean round trip is what they print).

use super::buffers::Buffers;
use super::exchange::{ExchangePair, Exchanges, Repeats, Way, meet};
use crate::rank::Rank;
use serde::{Deserialize, Serialize};

/// Ping-pongs between ranks 0 and 1 over message length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Message lengths in bytes, in the order in which they are exchanged.
    pub bytes: Vec<u64>,
    /// Numbers of exchanges of each length.
    pub repeats: Repeats,
    /// State in which messages find their buffers.
    pub buffers: Buffers,
}

impl Latency {
    pub(super) async fn run<R: Rank>(&self, rank: &R) -> Vec<Exchanges> {
        let longest = self.bytes.iter().max().copied().unwrap_or(0);
        let mut all = Vec::new();
        for &bytes in &self.bytes {
            meet(rank).await;
            if rank.id() < 2 {
                let pair = ExchangePair {
                    from: 0,
                    to: 1,
                    bytes,
                    longest,
                    repeats: self.repeats.counts(bytes),
                    buffers: self.buffers,
                };
                all.extend(pair.exchange(rank, Way::PingPong).await);
            }
        }
        meet(rank).await;
        all
    }
}
