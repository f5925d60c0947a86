//! Observation of the machine's state around samples of timed calls.

use crate::observation::{Looked, RankRecord};
use crate::operation::Operation;
use crate::rank::Rank;

/// Number of calls after an observation that are not timed: it has put other lines into the caches.
const SETTLING_CALLS: u32 = 2;

/// Observes the machine's state, where the world allows it, and records it before the stamps that follow. Called by all
/// ranks together.
pub(super) async fn look<R: Rank, O: Operation>(rank: &R, operation: &O, record: &mut RankRecord) {
    let Some(look) = rank.look_around() else { return };
    record.looks.push(Looked { before_stamp: record.stamps.len() as u32, look });
    for _ in 0..SETTLING_CALLS {
        operation.ready(rank);
        operation.call(rank).await;
    }
}

/// Observes the machine's state once more, after the last stamp.
pub(super) fn last_look<R: Rank>(rank: &R, record: &mut RankRecord) {
    if let Some(look) = rank.look_around() {
        record.looks.push(Looked { before_stamp: record.stamps.len() as u32, look });
    }
}
