//! Trying synchronisations on real ranks: how long they take, what they claim, and how wrong they are where that is known.

use super::{Sharing, Sync};
use crate::clock::GlobalClock;
use crate::rank::Rank;
use crate::time::Span;
use serde::{Deserialize, Serialize};

/// What to try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialSettings {
    /// Which algorithms, in turn.
    pub syncs: Vec<Sync>,
    /// How often each.
    pub tries: u32,
    /// What to do about ranks that share a clock.
    pub sharing: Sharing,
}

/// One synchronisation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// By which algorithm.
    pub sync: Sync,
    /// What came of it on each rank.
    pub ranks: Vec<TrialRank>,
}

/// One rank's part of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialRank {
    /// Its global clock.
    pub clock: GlobalClock,
    /// How long it took this rank.
    pub took: Span,
    /// The global clock less rank 0's clock when the synchronisation returned, in ps; nothing where the truth is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_ps: Option<i64>,
}

impl TrialRank {
    /// Whether the bound contains the truth, where that is known.
    pub fn is_contained(&self) -> Option<bool> {
        self.error_ps.map(|error| error.unsigned_abs() <= self.clock.bound.0)
    }
}

impl TrialSettings {
    /// Synchronises again and again; called by all ranks together. What came of it on this rank, algorithms innermost.
    pub async fn run<R: Rank>(&self, rank: &R) -> Vec<TrialRank> {
        let shared = all_share_a_clock(rank).await;
        let mut all = Vec::new();
        for _ in 0..self.tries {
            for &sync in &self.syncs {
                meet(rank).await;
                let began = rank.read_clock();
                let clock = sync.synchronise_with(rank, self.sharing).await;
                let took = rank.timescale().span(began, rank.read_clock());
                // On one clock the true offset is zero.
                all.push(TrialRank { clock, took, error_ps: shared.then_some(clock.offset_ps) });
            }
        }
        all
    }

    /// Puts together what all ranks returned.
    pub fn trials(&self, by_rank: &[Vec<TrialRank>]) -> Vec<Trial> {
        let syncs = (0..self.tries).flat_map(|_| &self.syncs);
        let at = |index: usize| by_rank.iter().filter_map(|rank| rank.get(index).copied()).collect();
        syncs.enumerate().map(|(index, &sync)| Trial { sync, ranks: at(index) }).collect()
    }
}

/// Whether all ranks read one clock by one scale.
async fn all_share_a_clock<R: Rank>(rank: &R) -> bool {
    match rank.clock_domain() {
        None => rank.size() == 1,
        Some(domain) => super::group::leaders(rank, domain).await.iter().all(|&leader| leader == 0),
    }
}

/// Nobody goes on before all are there.
async fn meet<R: Rank>(rank: &R) {
    if rank.id() == 0 {
        for other in 1..rank.size() {
            rank.receive(other, &mut []).await;
        }
        for other in 1..rank.size() {
            rank.send(other, &[]).await;
        }
    } else {
        rank.send(0, &[]).await;
        rank.receive(0, &mut []).await;
    }
}
