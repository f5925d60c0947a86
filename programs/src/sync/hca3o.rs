//! HCA3 with offsets only: along the same tree, each rank keeps limits from a few alternating readings and takes their
//! middle.

use super::exchange::{Effort, Learner};
use super::group::SyncGroup;
use super::halving;
use super::knowledge::Knowledge;
use crate::rank::Rank;

/// Effort of few exchanges: the bounds of a path add up anyway.
const EFFORT: Effort = Effort { patience: 25, most: 500 };

pub(super) async fn synchronise<R: Rank>(rank: &R, group: &SyncGroup) -> Knowledge {
    let learn = async |other| {
        let mut learner = Learner::connect(rank, other).await;
        learner.alternate(EFFORT).await;
        learner.settle_in_the_middle().await
    };
    halving::go(rank, group, learn).await
}
