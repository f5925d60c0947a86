//! HCA3: along a tree, each rank fits a line through its offsets to the global clock of a rank that knows it already
//! (Hunold, Carpen-Amarie 2018). The bounds of a path add up.
//!
//! A round takes 20 ms, since a line through a shorter time is worth less than none; the slope is kept only where its
//! standard error pays.

use super::exchange::Learner;
use super::fit;
use super::group::SyncGroup;
use super::halving;
use super::knowledge::Knowledge;
use crate::rank::Rank;

pub(super) async fn synchronise<R: Rank>(rank: &R, group: &SyncGroup) -> Knowledge {
    let learn = async |other| {
        let mut learner = Learner::connect(rank, other).await;
        let fit = fit::learn(rank, &mut learner).await;
        learner.settle_on_fit(fit).await
    };
    halving::go(rank, group, learn).await
}
