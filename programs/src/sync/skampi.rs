//! SKaMPI's synchronisation: each rank in turn exchanges strictly alternating readings with rank 0, and keeps a lower
//! and an upper limit of its offset; the offset is their middle, the bound half their distance (Worsch, Reussner,
//! Augustin 2002).
//!
//! The quickest question and the quickest answer need not be of one round trip, so the bound is narrower than half the
//! least round trip.

use super::exchange::{Effort, Learner, serve};
use super::group::SyncGroup;
use super::knowledge::Knowledge;
use crate::rank::Rank;

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
    learner.alternate(EFFORT).await;
    learner.settle_in_the_middle().await
}
