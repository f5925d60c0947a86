//! Method `loop`: barrier, read clock, k calls, read clock. Its number is the difference / k.
//!
//! Its error (E6 of Kurnosov 2012): ranks enter the next call as soon as they left the last, so they wait for each
//! other inside the timed region, or run ahead of each other.

use super::look::{last_look, look};
use super::{Buffer, MethodSettings};
use crate::observation::{RankRecord, Stamp};
use crate::operation::Operation;
use crate::rank::{Phase, Rank};

/// Runs the method. Each repeat is a block. Other methods run the same loop in a phase of their own.
pub(super) async fn run<R: Rank, O: Operation, B: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    barrier: &B,
    phase: Phase,
    record: &mut RankRecord,
) {
    let pool = settings.factors.buffer == Buffer::Pool;
    record.stamps.reserve(settings.samples as usize);
    for block in 0..settings.samples {
        rank.enter_phase(phase);
        look(rank, operation, record).await;
        operation.rewind();
        barrier.call(rank).await;
        let start = rank.read_clock();
        for _ in 0..settings.calls {
            if pool {
                operation.ready(rank);
            }
            operation.call(rank).await;
        }
        let end = rank.read_clock();
        record.stamps.push(Stamp { block, calls: settings.calls, due: None, start, end, valid: true });
    }
    last_look(rank, record);
}
