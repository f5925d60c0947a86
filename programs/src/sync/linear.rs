//! Linear synchronisation: each rank in turn exchanges clock readings with rank 0 until the least
//! round trip has not improved for d = 100 rounds (Kurnosov 2012, section 5; MPIPerf).
//!
//! The offset is the one at which rank 0's reading lies in the middle of the least round trip.

use super::exchange::{Effort, Learner, serve};
use super::group::SyncGroup;
use super::knowledge::Knowledge;
use crate::rank::Rank;

/// Effort with MPIPerf's d as its patience.
const EFFORT: Effort = Effort { patience: 100, most: 2_000 };

pub(super) async fn synchronise<R: Rank>(rank: &R, group: &SyncGroup) -> Knowledge {
    if group.at(0) == rank.id() {
        let reference = Knowledge::reference(rank.timescale());
        for position in 1..group.size() {
            serve(rank, &reference, group.at(position)).await;
        }
        return reference;
    }
    let mut learner = Learner::connect(rank, group.at(0)).await;
    let best = learner.least_round_trip(EFFORT).await;
    learner.settle_on(best.offset_ps).await
}
