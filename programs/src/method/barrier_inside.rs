//! Method `barrier-inside`: barrier, read clock, k times (call, barrier), read clock, divide by k (mpiBench).
//!
//! Its error (E9): the barrier's own time is reported with the call's. Its merit: no call overlaps with another.

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
    let pool = settings.factors.buffer == Buffer::Pool;
    record.stamps.reserve(settings.samples as usize);
    for block in 0..settings.samples {
        rank.enter_phase(Phase::BarrierInside);
        look(rank, operation, record).await;
        operation.rewind();
        barrier.call(rank).await;
        let start = rank.read_clock();
        for _ in 0..settings.calls {
            if pool {
                operation.ready(rank);
            }
            operation.call(rank).await;
            barrier.call(rank).await;
        }
        let end = rank.read_clock();
        record.stamps.push(Stamp { block, calls: settings.calls, due: None, start, end, valid: true });
    }
    last_look(rank, record);
}
