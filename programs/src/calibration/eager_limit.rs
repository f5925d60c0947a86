//! Search by halving for S, the longest message that does not wait for its receiver.

use super::exchange::agree;
use super::run::{KnownLength, delay};
use super::{CalibrationSettings, Sample};
use crate::rank::Rank;
use models::time::Span;

/// Number of exchanges by which one length is judged.
const TRIALS: u32 = 5;

/// Tries lengths between the last one that does not wait and the next one, which does, until they are `doubt_bytes`
/// apart. Does nothing where all lengths wait, or none does.
pub(super) async fn bisect<R: Rank>(
    settings: &CalibrationSettings,
    rank: &R,
    shortest: Span,
    waits: &[(KnownLength, bool)],
    all: &mut Vec<Sample>,
) {
    let Some(at) = waits.iter().position(|&(_, wait)| wait).filter(|&at| at > 0) else { return };
    let (mut last, mut next) = (waits[at - 1].0.bytes, waits[at].0.bytes);
    let busy = waits[at - 1].0.busy.max(waits[at].0.busy);
    let delay = Span(agree(rank, delay(shortest, busy).0).await);
    let few = CalibrationSettings {
        samples: TRIALS.min(settings.samples),
        warmup: 1,
        limit: Span(u64::MAX),
        ..settings.clone()
    };
    while next.saturating_sub(last) > settings.doubt_bytes.max(1) {
        let bytes = last + (next - last) / 2;
        let late = few.late_receives(rank, delay, bytes).await;
        let wait = agree(rank, u64::from(late.wait())).await == 1;
        all.push(Sample::LateReceives(late));
        *(if wait { &mut next } else { &mut last }) = bytes;
    }
}
