//! Jones and Koenig's synchronisation: each rank in turn fits a line through its offsets to rank 0 (Jones, Koenig
//! 2012).
//!
//! A rank takes 20 ms, since a line through a shorter time is worth less than none; the slope is kept only where its
//! standard error pays.

use super::exchange::{Learner, serve};
use super::fit;
use super::group::SyncGroup;
use super::knowledge::Knowledge;
use crate::rank::Rank;

pub(super) async fn synchronise<R: Rank>(rank: &R, group: &SyncGroup) -> Knowledge {
    if group.at(0) == rank.id() {
        let reference = Knowledge::reference(rank.timescale());
        for position in 1..group.size() {
            serve(rank, &reference, group.at(position)).await;
        }
        return reference;
    }
    let mut learner = Learner::connect(rank, group.at(0)).await;
    let fit = fit::learn(rank, &mut learner).await;
    learner.settle_on_fit(fit).await
}
