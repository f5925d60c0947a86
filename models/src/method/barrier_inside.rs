//! Method `barrier-inside`: barrier, read clock, k times (call, barrier), read clock, divide by k (mpiBench).
//!
//! Its error (E9): the barrier's own time is reported with the call's. Its merit: no call overlaps with another.

use super::MethodSettings;
use crate::observation::Stamp;
use crate::operation::Operation;
use crate::rank::{Phase, Rank};

pub(super) async fn run<R: Rank, O: Operation, B: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    barrier: &B,
    stamps: &mut Vec<Stamp>,
) {
    stamps.reserve(settings.blocks as usize);
    for block in 0..settings.blocks {
        rank.enter_phase(Phase::BarrierInside);
        operation.rewind();
        barrier.call(rank).await;
        let start = rank.read_clock();
        for _ in 0..settings.repetitions {
            operation.call(rank).await;
            barrier.call(rank).await;
        }
        let end = rank.read_clock();
        stamps.push(Stamp { block, calls: settings.repetitions, due: None, start, end, valid: true });
    }
}
