//! Times of all-to-alls of even blocks until the last rank is back, all ranks entering together; m: bytes of a block.
//!
//! `message` returns the time of one message of a number of bytes between idle ranks: `Hockney::transfer` under any
//! send rule, or `LogGp::one_message` where g ≤ L + 2o. Forms that depend on the send rule take the model.

use crate::collective::Shape;
use crate::network::{Hockney, LogGp, SendRule};
use crate::time::Span;

/// Linear, under Hockney: one τ(m), for all messages are under way at once; with busy senders P − 1 of them.
pub fn linear(model: &Hockney, shape: &Shape) -> Span {
    linear_sync(model, shape, shape.ranks)
}

/// At most `limit` messages under way, under Hockney: ⌈(P − 1)/limit⌉·τ(m); with busy senders (P − 1)·τ(m).
pub fn linear_sync(model: &Hockney, shape: &Shape, limit: u32) -> Span {
    let bursts = match model.send_rule {
        SendRule::Busy => shape.ranks - 1,
        SendRule::Synchronous | SendRule::Detached | SendRule::Eager => (shape.ranks - 1).div_ceil(limit),
    };
    model.transfer(shape.bytes) * u64::from(bursts)
}

/// Linear, under LogGP: with n = P − 1, B·G the stretch of a message, sends S = max(o_s, g + B·G) and receives R =
/// max(o_r, g + B·G) apart, the last of n receives ends o_r after the latest of: the first arrival and n − 1 receives;
/// the last send and n − 1 receives; the last arrival.
pub fn linear_under_loggp(model: &LogGp, shape: &Shape) -> Span {
    let Some(more) = u64::from(shape.ranks).checked_sub(2) else { return Span::ZERO };
    let apart = model.gap + model.stretch(shape.bytes);
    let (sends, receives) = (apart.max(model.overhead_send) * more, apart.max(model.overhead_receive) * more);
    let flight = model.overhead_send + model.stretch(shape.bytes) + model.latency;
    let first_first = flight + receives;
    let sends_first = sends + model.overhead_send + receives;
    first_first.max(sends_first).max(sends + flight) + model.overhead_receive
}

/// Pairwise: (P − 1)·τ(m).
pub fn pairwise(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    message(shape.bytes) * u64::from(shape.ranks - 1)
}

/// Bruck: Σ τ(b_k·m), b_k the number of block numbers below P with bit k set, k = 0 … ⌈log₂P⌉ − 1.
pub fn bruck(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    let blocks = |bit: u32| (0..shape.ranks).filter(|block| block >> bit & 1 == 1).count() as u64;
    (0..shape.log2_ceil()).map(|bit| message(blocks(bit).saturating_mul(shape.bytes))).sum()
}

/// Bine partners, P = 2^h: h·τ(P/2·m).
pub fn bine(message: impl Fn(u64) -> Span, shape: &Shape) -> Option<Span> {
    let half = shape.bytes.saturating_mul(u64::from(shape.ranks / 2));
    shape.ranks.is_power_of_two().then(|| message(half) * u64::from(shape.log2_floor()))
}
