//! Trials of synchronisations on real ranks: their duration, their bounds, and their errors where those are known.

use super::{Sharing, Sync};
use crate::rank::Rank;
use models::clock::GlobalClock;
use models::time::Span;
use serde::{Deserialize, Serialize};

/// Synchronisations that are tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialSettings {
    /// Algorithms that are tried, in turn.
    pub syncs: Vec<Sync>,
    /// Number of tries of each algorithm.
    pub tries: u32,
    /// Treatment of ranks that share a clock.
    pub sharing: Sharing,
}

/// Results of one synchronisation on all ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Algorithm of the synchronisation.
    pub sync: Sync,
    /// Result on each rank, in rank order.
    pub ranks: Vec<TrialRank>,
}

/// Result of a trial on one rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialRank {
    /// Global clock that the rank obtained.
    pub clock: GlobalClock,
    /// Duration of the synchronisation on this rank.
    pub took: Span,
    /// Error of the global clock when the synchronisation returned: its time less rank 0's clock, in ps; `None` where
    /// the truth is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_ps: Option<i64>,
}

impl TrialRank {
    /// Returns whether the bound contains the truth, where that is known.
    pub fn is_contained(&self) -> Option<bool> {
        self.error_ps.map(|error| error.unsigned_abs() <= self.clock.bound.0)
    }
}

impl TrialSettings {
    /// Synchronises again and again; all ranks call it together. Returns the results on this rank, algorithms
    /// innermost.
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

    /// Joins the results of all ranks into trials.
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

/// Waits until all ranks are there.
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
