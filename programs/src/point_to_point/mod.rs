//! Tests of messages between two ranks, run over rank handles in any world.
//!
//! | test | who | what |
//! |---|---|---|
//! | [`Latency`] | ranks 0 and 1 | ping-pongs of doubling lengths |
//! | [`Transfer`] | rank 0 and every other rank in turn | ping-pongs, and exchanges both ways at once |
//! | [`LatencyMatrix`] | every pair, one at a time or disjoint pairs at once | ping-pongs of one length |
//!
//! Messages are blocking sends and receives (`MPI_Send`, `MPI_Recv`), both ways at once non-blocking ones (`MPI_Irecv`,
//! `MPI_Isend`, `MPI_Waitall`). Every rank sends from one half of its buffer and receives into the other,
//! as `osu_latency` and IMB PingPong do; [`Buffers`] are other ways.

mod buffers;
mod exchange;
mod latency;
mod matrix;
mod tournament;
mod transfer;

pub use buffers::Buffers;
pub(crate) use exchange::gather_and_go;
pub use exchange::{Exchanges, Repeats, Way, doubling};
pub use latency::Latency;
pub use matrix::{LatencyMatrix, Order};
pub use tournament::rounds;
pub use transfer::Transfer;

use crate::rank::{Phase, Rank};
use models::collective::Part;
use models::time::Span;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A test of messages between two ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// Ping-pongs of ranks 0 and 1.
    Latency(Latency),
    /// Exchanges of rank 0 with every other rank.
    Transfer(Transfer),
    /// Ping-pongs of every pair of ranks.
    LatencyMatrix(LatencyMatrix),
}

/// Exchanges that one rank recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Cost of one reading of this rank's clock; each time recorded here contains one.
    pub clock_read: Span,
    /// Exchanges that this rank began.
    pub exchanges: Vec<Exchanges>,
}

impl Test {
    /// Carries out this rank's part; all ranks call it together.
    ///
    /// # Errors
    /// Fails where ranks cannot bring their memory into the state that is asked for.
    pub async fn run<R: Rank>(&self, rank: &R) -> Result<Record, String> {
        rank.enter_phase(Phase::PointToPoint);
        let buffer = self.buffers().buffer();
        if !rank.use_buffers(buffer) {
            let name = buffer.name();
            return Err(format!("this world cannot give messages buffers that are {name}; expected --buffers same"));
        }
        let clock_read = clock_read(rank);
        let exchanges = match self {
            Test::Latency(test) => test.run(rank).await,
            Test::Transfer(test) => test.run(rank).await,
            Test::LatencyMatrix(test) => test.run(rank).await,
        };
        Ok(Record { clock_read, exchanges })
    }

    /// Joins the records of all ranks into one, in the order of pairs.
    pub fn gathered(&self, records: Vec<Record>) -> Record {
        let clock_read = records.iter().map(|record| record.clock_read).max().unwrap_or_default();
        let mut exchanges: Vec<Exchanges> = records.into_iter().flat_map(|record| record.exchanges).collect();
        // Stable: the lengths of a pair stay in the order in which they were exchanged.
        exchanges.sort_by_key(|exchange| (exchange.from, exchange.to));
        Record { clock_read, exchanges }
    }

    /// Returns the number of exchanges that `ranks` ranks keep, all together.
    pub fn exchanges(&self, ranks: u32) -> u64 {
        let peers = u64::from(ranks.saturating_sub(1));
        let of = |bytes: &[u64], repeats: &Repeats| -> u64 {
            bytes.iter().map(|&bytes| u64::from(repeats.counts(bytes).1)).fold(0, u64::saturating_add)
        };
        match self {
            Test::Latency(test) => of(&test.bytes, &test.repeats),
            Test::Transfer(Transfer { bytes, repeats, both_ways, .. }) => {
                of(bytes, repeats).saturating_mul(peers).saturating_mul(1 + u64::from(*both_ways))
            }
            Test::LatencyMatrix(test) => {
                (peers.saturating_mul(u64::from(ranks)) / 2).saturating_mul(test.repeats.1.into())
            }
        }
    }

    /// Returns the number of message lengths.
    pub fn lengths(&self) -> usize {
        match self {
            Test::Latency(test) => test.bytes.len(),
            Test::Transfer(test) => test.bytes.len(),
            Test::LatencyMatrix(_) => 1,
        }
    }

    /// Returns the state in which messages find their buffers.
    pub fn buffers(&self) -> Buffers {
        match self {
            Test::Latency(test) => test.buffers,
            Test::Transfer(test) => test.buffers,
            Test::LatencyMatrix(test) => test.buffers,
        }
    }

    /// Returns the length of the buffer that each rank needs, in bytes.
    pub fn buffer_bytes(&self) -> u64 {
        let longest = match self {
            Test::Latency(test) => test.bytes.iter().max().copied().unwrap_or(0),
            Test::Transfer(test) => test.bytes.iter().max().copied().unwrap_or(0),
            Test::LatencyMatrix(test) => test.bytes,
        };
        Part::room_behind(longest)
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Test::Latency(_) => "latency",
            Test::Transfer(_) => "transfer",
            Test::LatencyMatrix(_) => "latency-matrix",
        })
    }
}

/// Returns the mean cost of a reading over many in a row; zero where a reading takes no time.
fn clock_read<R: Rank>(rank: &R) -> Span {
    const READINGS: u64 = 1_000;
    let first = rank.read_clock();
    let mut last = first;
    for _ in 0..READINGS {
        last = rank.read_clock();
    }
    Span(rank.timescale().span(first, last).0 / READINGS)
}
