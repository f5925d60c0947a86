//! Times of reduce-scatters until the last rank is back, all ranks entering together; m: bytes of a block.
//!
//! `message` returns the time of one message of a number of bytes between idle ranks: `Hockney::transfer` under any
//! send rule, or `LogGp::one_message` where g ≤ L + 2o. Forms that depend on the send rule take the model.

use super::allgather;
use crate::collective::Shape;
use crate::network::{Hockney, SendRule};
use crate::time::Span;

/// Reduction and scatter of even blocks, under Hockney. Eager: ⌊log₂P⌋·τ(longest segment of all blocks) + τ(m). Busy
/// and in one segment: ⌊log₂P⌋·τ(P·m) + (P − 1)·τ(m).
pub fn non_overlapping(model: &Hockney, shape: &Shape) -> Option<Span> {
    let (all, up) = (shape.blocks(0, shape.ranks), u64::from(shape.log2_floor()));
    let (segment, messages) = match model.send_rule {
        SendRule::Eager => (shape.segment(all, 0).bytes, u64::from(shape.ranks > 1)),
        SendRule::Busy if shape.segments(all.bytes) == 1 => (all.bytes, u64::from(shape.ranks - 1)),
        SendRule::Busy | SendRule::Synchronous | SendRule::Detached => return None,
    };
    Some(model.transfer(segment) * up + model.transfer(shape.bytes) * messages)
}

/// Ring: P − 1 messages of the longest block, which is always under way.
pub fn ring(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    allgather::ring(message, shape)
}

/// Pairwise, even blocks: (P − 1)·τ(m).
pub fn pairwise(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    message(shape.bytes) * u64::from(shape.ranks - 1)
}

/// Recursive halving of even blocks, P = 2^h: Σ τ(2^k·m), k = 0 … h − 1.
pub fn recursive_halving(message: impl Fn(u64) -> Span, shape: &Shape) -> Option<Span> {
    let halving = (0..shape.log2_floor()).map(|bit| message(shape.bytes.saturating_mul(1 << bit))).sum();
    shape.ranks.is_power_of_two().then_some(halving)
}

/// Butterfly of even blocks, P = 2^h: recursive halving, and from 4 ranks on τ(m) more to put blocks in order.
pub fn butterfly(message: impl Fn(u64) -> Span, shape: &Shape) -> Option<Span> {
    let halving = recursive_halving(&message, shape)?;
    Some(halving + message(shape.bytes) * u64::from(shape.ranks > 2))
}
