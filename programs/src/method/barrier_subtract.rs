//! Method `barrier-subtract`: a loop of (barrier, call) minus a loop of barriers, divided by k (SKaMPI 1).
//!
//! Its error: a barrier that ranks enter at different times does not cost the same as one that all enter together, so
//! the difference can even be negative. Both loops are kept, so that a report can show both.

use super::look::{last_look, look};
use super::{Buffer, MethodSettings};
use crate::observation::{RankRecord, Stamp};
use crate::operation::Operation;
use crate::rank::{Phase, Rank};

pub(super) async fn run<R: Rank, O: Operation, B: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    barrier: &B,
    record: &mut RankRecord,
) {
    let (calls, pool) = (settings.calls, settings.factors.buffer == Buffer::Pool);
    record.stamps.reserve(settings.samples as usize);
    record.subtracted.reserve(settings.samples as usize);
    for block in 0..settings.samples {
        rank.enter_phase(Phase::BarrierSubtract);
        look(rank, operation, record).await;
        operation.rewind();
        barrier.call(rank).await;
        let start = rank.read_clock();
        for _ in 0..calls {
            barrier.call(rank).await;
            if pool {
                operation.ready(rank);
            }
            operation.call(rank).await;
        }
        let end = rank.read_clock();
        record.stamps.push(Stamp { block, calls, due: None, start, end, valid: true });
        barrier.call(rank).await;
        let start = rank.read_clock();
        for _ in 0..calls {
            barrier.call(rank).await;
        }
        let end = rank.read_clock();
        record.subtracted.push(Stamp { block, calls, due: None, start, end, valid: true });
    }
    last_look(rank, record);
}
