//! Method `barrier-loop`: a barrier before every call, each call timed on its own.
//!
//! Its error (E5 of Kurnosov 2012): ranks leave the barrier at different times, and the barrier's
//! exit skew is part of what the early ones measure. A barrier that does not forget when ranks entered carries one
//! delay on from call to call (E10).

use super::look::{last_look, look};
use super::{FirstCall, MethodSettings};
use crate::observation::{RankRecord, Stamp};
use crate::operation::Operation;
use crate::rank::{Phase, Rank};

/// Number of barriers and calls after a delay that are not timed: by then all calls are alike, or take turns. Where the
/// first call counts, none may come before it, and the median of many calls forgets the first ones.
const SETTLING: u32 = 8;

/// Runs the method. Each repeat is a block. Other methods run the same loop in a phase of their own.
pub(super) async fn run<R: Rank, O: Operation, B: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    barrier: &B,
    phase: Phase,
    record: &mut RankRecord,
) {
    record.stamps.reserve(settings.samples as usize * settings.calls as usize);
    if settings.factors.delay.is_some() && settings.factors.first_call == FirstCall::Apart {
        for _ in 0..SETTLING {
            operation.ready(rank);
            barrier.call(rank).await;
            operation.call(rank).await;
        }
    }
    for block in 0..settings.samples {
        rank.enter_phase(phase);
        look(rank, operation, record).await;
        operation.rewind();
        for _ in 0..settings.calls {
            operation.ready(rank);
            barrier.call(rank).await;
            let start = rank.read_clock();
            operation.call(rank).await;
            let end = rank.read_clock();
            record.stamps.push(Stamp { block, calls: 1, due: None, start, end, valid: true });
        }
    }
    last_look(rank, record);
}
