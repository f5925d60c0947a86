//! Overlap of a call with computation: the time of the call alone, and a computation that lasts as long, in pieces.

use crate::observation::OverlapRecord;
use crate::operation::{Operation, Overlapped, Prepared};
use crate::rank::Rank;
use models::call::Progress;
use models::time::Span;

/// Number of calls before the timed ones.
const WARMUP: u32 = 2;
/// Number of timed calls, each after a barrier.
const CALLS: u32 = 20;
/// Number of slices of the computation where the library is given time for progress between them.
const SLICES: u32 = 10;

/// Times the call by itself and returns the work between its issue and its wait. Called by all ranks together.
pub(super) async fn overlap<R: Rank, B: Operation>(
    rank: &R,
    number: usize,
    progress: Progress,
    barrier: &B,
) -> (Overlapped, OverlapRecord) {
    let (call, scale) = (Prepared(number), rank.timescale());
    for _ in 0..WARMUP {
        call.call(rank).await;
    }
    let mut sum = Span::ZERO;
    for _ in 0..CALLS {
        barrier.call(rank).await;
        let start = rank.read_clock();
        call.call(rank).await;
        let end = rank.read_clock();
        sum = Span(sum.0.saturating_add(scale.span(start, end).0));
    }
    let pure = Span(sum.0 / u64::from(CALLS));
    let slices = if progress == Progress::Progressed { SLICES } else { 1 };
    let slice = Span(pure.0 / u64::from(slices));
    let compute = Span(slice.0 * u64::from(slices));
    (Overlapped { number, slice, slices }, OverlapRecord { pure, compute, tests: slices - 1 })
}
