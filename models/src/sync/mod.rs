//! Clock synchronisation: ordinary code over rank handles, the same in every world.
//!
//! To add one: a file here with one async function, and a variant of [`Sync`].

mod linear;

use crate::clock::GlobalClock;
use crate::rank::Rank;
use serde::{Deserialize, Serialize};

/// A clock synchronisation algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sync {
    /// Rank i against rank 0, one after another (Kurnosov 2012, MPIPerf).
    #[default]
    Linear,
}

impl Sync {
    /// The name used in files, flags and output.
    pub fn name(self) -> &'static str {
        match self {
            Sync::Linear => "linear",
        }
    }

    /// Makes this rank's clock global; called by all ranks together.
    pub async fn synchronise<R: Rank>(self, rank: &R) -> GlobalClock {
        match self {
            Sync::Linear => linear::synchronise(rank).await,
        }
    }
}
