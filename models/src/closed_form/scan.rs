//! Times of scans and exclusive scans until the last rank is back, all ranks entering together.
//!
//! `message` returns the time of one message of a number of bytes between idle ranks: `Hockney::transfer` under any
//! send rule, or `LogGp::one_message` where g ≤ L + 2o. Forms that depend on the send rule take the model.

use crate::collective::Shape;
use crate::network::{Hockney, SendRule};
use crate::time::Span;

/// Linear scan, under Hockney, in q segments of s bytes, the last one of s' ≤ s. Eager: (P − 1)·τ(s). Busy, a pipeline:
/// (P + q − 3)·τ(s) + τ(s').
pub fn linear(model: &Hockney, shape: &Shape) -> Option<Span> {
    let Some(hops) = u64::from(shape.ranks).checked_sub(2) else { return Some(Span::ZERO) };
    let segments = shape.segments(shape.bytes);
    let segment = |index| model.transfer(shape.segment(shape.whole(), index).bytes);
    match model.send_rule {
        SendRule::Eager => Some(segment(0) * (hops + 1)),
        SendRule::Busy => Some(segment(0) * (hops + segments - 1) + segment(segments - 1)),
        SendRule::Synchronous | SendRule::Detached => None,
    }
}

/// Linear exclusive scan: (P − 1)·τ(m).
pub fn exclusive_linear(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    message(shape.bytes) * u64::from(shape.ranks - 1)
}

/// Recursive doubling, exclusive or not: ⌈log₂P⌉·τ(m).
pub fn recursive_doubling(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    message(shape.bytes) * u64::from(shape.log2_ceil())
}
