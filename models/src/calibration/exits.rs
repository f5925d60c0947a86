//! How far apart ranks leave a barrier (E5): what a method that starts by this barrier starts with.

use crate::collective::{Algorithm, Collective, Shape};
use crate::method::barrier_exits;
use crate::observation::Implementation;
use crate::operation::{Library, Operation, Own};
use crate::rank::Rank;
use crate::sync::Sync;
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Barriers in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leaving {
    /// Whose barrier.
    pub barrier: Implementation,
    /// Barriers whose exits are kept.
    pub barriers: u32,
    /// Barriers before those, not kept.
    pub warmup: u32,
    /// How clocks are synchronised.
    pub sync: Sync,
}

/// One rank's exits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exits {
    /// Its clock was off by at most this when it was synchronised.
    pub bound: Span,
    /// When it left each barrier, on the global clock.
    pub exits: Vec<Time>,
}

impl Leaving {
    /// Carries it out; called by all ranks together. Every rank returns its own exits.
    ///
    /// # Errors
    /// There is no such barrier.
    pub async fn run<R: Rank>(&self, rank: &R) -> Result<Exits, String> {
        let shape = Shape::new(rank.size(), 0, 0);
        match &self.barrier {
            Implementation::Library => Ok(self.exits(rank, &Library(Collective::Barrier, shape)).await),
            Implementation::Own(name) => {
                let algorithm = Algorithm::find(Collective::Barrier, name)?;
                Ok(self.exits(rank, &Own::new(algorithm, &shape, rank.id())).await)
            }
            Implementation::Forced(name) => {
                Err(format!("exits are taken of a barrier as it comes, found the library's algorithm '{name}'"))
            }
        }
    }

    async fn exits<R: Rank, B: Operation>(&self, rank: &R, barrier: &B) -> Exits {
        barrier.prepare(rank);
        let clock = self.sync.synchronise(rank).await;
        let now = |rank: &R| clock.time(rank.read_clock());
        let mut exits = barrier_exits(rank, barrier, self.warmup + self.barriers, now).await;
        exits.drain(..self.warmup as usize);
        Exits { bound: clock.bound, exits }
    }
}
