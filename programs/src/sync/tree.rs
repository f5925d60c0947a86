//! Tree synchronisation: ranks that know the global time double in every round (Hoefler, Schneider, Lumsdaine 2008;
//! Netgauge).
//!
//! In round d = 1, 2, 4, … rank r < d answers rank r + d, which takes the offset of the least round trip. For 6 ranks:
//! 0→1, then 0→2 1→3, then 0→4 1→5. The bounds of a path add up.

use super::exchange::{Effort, Learner, serve};
use super::group::SyncGroup;
use super::knowledge::Knowledge;
use crate::rank::Rank;

const EFFORT: Effort = Effort { patience: 50, most: 1_000 };

pub(super) async fn synchronise<R: Rank>(rank: &R, group: &SyncGroup) -> Knowledge {
    let position = group.position(rank.id()).expect("only ranks of the group are asked");
    let mut knowledge = Knowledge::reference(rank.timescale());
    // The round in which this rank learns is that of its highest bit.
    let mut distance = 1;
    if let Some(bit) = position.checked_ilog2() {
        let mut learner = Learner::connect(rank, group.at(position - (1 << bit))).await;
        let best = learner.least_round_trip(EFFORT).await;
        knowledge = learner.settle_on(best.offset_ps).await;
        distance = 1 << (bit + 1);
    }
    while position + distance < group.size() {
        serve(rank, &knowledge, group.at(position + distance)).await;
        distance *= 2;
    }
    knowledge
}
