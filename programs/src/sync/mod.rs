//! Clock synchronisation: ordinary code over rank handles, the same in every world.
//!
//! **Promise.** When `synchronise` returns on a rank, the true offset of its clock to rank 0's lies within the bound.
//! That is proven, not hoped for: each exchange limits the offset from both sides by the order of events alone,
//! whatever time either direction took and whichever rank was preempted (`exchange`); along a path limits add up. The
//! assumptions are that no clock jumps meanwhile, and that the rates of two clocks differ by no more than
//! [`LARGEST_RATE_DIFFERENCE_PPM`], by which limits grow old (`interval`). Where readings show an assumption to be
//! wrong, the clock's [`Basis`](models::clock::Basis) says so. Algorithms differ in their pairs of ranks, in the number
//! of exchanges, and in their choice among the possible offsets.
//!
//! Ranks that share a clock are not synchronised, only checked (`group`).
//!
//! To add one: a file here with one async function, and a variant of [`Sync`].

mod exchange;
mod fit;
mod group;
mod halving;
mod hca3;
mod hca3o;
mod interval;
mod jk;
mod knowledge;
mod linear;
mod ring;
mod skampi;
mod tree;
mod trial;

pub use interval::LARGEST_RATE_DIFFERENCE_PPM;
pub use trial::{Trial, TrialRank, TrialSettings};

use crate::rank::{Phase, Rank};
use group::SyncGroup;
use knowledge::Knowledge;
use models::clock::GlobalClock;
use serde::{Deserialize, Serialize};

models::named! {
    /// A clock synchronisation algorithm.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Sync {
        /// Rank i against rank 0, one after another, by the least round trip (Kurnosov 2012, MPIPerf).
        #[default]
        Linear => "linear",
        /// Rank i against rank i − 1 in parallel, and prefix sums (Kurnosov 2012).
        Ring => "ring",
        /// Along a binomial tree, by the least round trip (Hoefler et al. 2008, Netgauge).
        Tree => "tree",
        /// Rank i against rank 0, one after another, by limits from alternating readings (Worsch et al. 2002, SKaMPI).
        Skampi => "skampi",
        /// Rank i against rank 0, one after another, with a fitted drift (Jones, Koenig 2012).
        Jk => "jk",
        /// Along a tree, with a fitted drift (Hunold, Carpen-Amarie 2018, ReproMPI).
        Hca3 => "hca3",
        /// Along the tree of HCA3, offsets only (ReproMPI).
        Hca3o => "hca3o",
    }
    /// The name used in files, flags and output.
    fn name;
    find("clock synchronisation"); Display(name);
}

/// Treatment of ranks that share a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// Ranks that share a clock are found, and only checked.
    #[default]
    Detect,
    /// Ranks that share a clock are synchronised as if each had a clock of its own: for comparing algorithms.
    Ignore,
}

impl Sync {
    /// Makes this rank's clock global; all ranks call it together. Ranks that share a clock are found and only checked.
    pub async fn synchronise<R: Rank>(self, rank: &R) -> GlobalClock {
        self.synchronise_with(rank, Sharing::Detect).await
    }

    /// Makes this rank's clock global, with a given treatment of ranks that share a clock; all ranks call it together.
    pub(crate) async fn synchronise_with<R: Rank>(self, rank: &R, sharing: Sharing) -> GlobalClock {
        rank.enter_phase(Phase::ClockSynchronisation);
        if let Some(known) = rank.global_clock() {
            return known;
        }
        let knowledge = match rank.clock_domain().filter(|_| sharing == Sharing::Detect) {
            None => self.among(rank, &SyncGroup::all(rank.size())).await,
            Some(domain) => {
                let leaders = group::leaders(rank, domain).await;
                let leader = leaders[rank.id() as usize];
                if leader == rank.id() {
                    let knowledge = self.among(rank, &group::of_leaders(&leaders)).await;
                    group::lead(rank, &leaders, &knowledge).await;
                    knowledge
                } else {
                    group::follow(rank, leader).await
                }
            }
        };
        if rank.id() == 0 {
            return knowledge.clock;
        }
        knowledge.at(rank.timescale().time(rank.read_clock())).clock
    }

    async fn among<R: Rank>(self, rank: &R, group: &SyncGroup) -> Knowledge {
        match self {
            Sync::Linear => linear::synchronise(rank, group).await,
            Sync::Ring => ring::synchronise(rank, group).await,
            Sync::Tree => tree::synchronise(rank, group).await,
            Sync::Skampi => skampi::synchronise(rank, group).await,
            Sync::Jk => jk::synchronise(rank, group).await,
            Sync::Hca3 => hca3::synchronise(rank, group).await,
            Sync::Hca3o => hca3o::synchronise(rank, group).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_algorithm_is_found_by_the_name_it_has_in_files() {
        for sync in Sync::ALL {
            assert_eq!(Sync::find(sync.name()), Ok(sync));
            assert_eq!(serde_json::to_string(&sync).unwrap(), format!("\"{sync}\""));
        }
        insta::assert_snapshot!(Sync::find("ntp").unwrap_err());
    }
}
