//! Looks at the machine's state around samples of timed calls.

use crate::observation::{Looked, RankRecord};
use crate::operation::Operation;
use crate::rank::Rank;

/// Calls after a look that are not timed: the look has put other lines into the caches.
const SETTLING_CALLS: u32 = 2;

/// Looks around, where this world has something to look at, and notes what was seen before the stamps that come next.
/// Called by all ranks together.
pub(super) async fn look<R: Rank, O: Operation>(rank: &R, operation: &O, record: &mut RankRecord) {
    let Some(look) = rank.look_around() else { return };
    record.looks.push(Looked { before_stamp: record.stamps.len() as u32, look });
    for _ in 0..SETTLING_CALLS {
        operation.ready(rank);
        operation.call(rank).await;
    }
}

/// Looks around once more, behind the last stamp.
pub(super) fn last_look<R: Rank>(rank: &R, record: &mut RankRecord) {
    if let Some(look) = rank.look_around() {
        record.looks.push(Looked { before_stamp: record.stamps.len() as u32, look });
    }
}
