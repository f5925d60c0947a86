//! Method `root-rotation`: the method `loop` or `barrier-loop`, where the root of call l is rank l mod P (IMB,
//! mpptest).
//!
//! Its error (E3 of Kurnosov 2012): each root exercises other links, and the root of one call starts it while others
//! still finish the one before. The operation of every root is prepared before anything is timed.

use super::{MethodSettings, Rotation, barrier_loop, unsynchronised_loop};
use crate::observation::RankRecord;
use crate::operation::Operation;
use crate::rank::{Phase, Rank};

/// Runs the method, where `operation` takes the next root with every call.
pub(super) async fn run<R: Rank, O: Operation, B: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    barrier: &B,
    record: &mut RankRecord,
) {
    match settings.factors.rotation {
        Rotation::Loop => {
            unsynchronised_loop::run(rank, settings, operation, barrier, Phase::RootRotation, record).await;
        }
        Rotation::BarrierLoop => {
            barrier_loop::run(rank, settings, operation, barrier, Phase::RootRotation, record).await;
        }
    }
}
