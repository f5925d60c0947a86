//! Times of allgathers until the last rank is back, all ranks entering together; m: bytes of a block.
//!
//! `message` returns the time of one message of a number of bytes between idle ranks: `Hockney::transfer` under any
//! send rule, or `LogGp::one_message` where g ≤ L + 2o. Forms that depend on the send rule take the model.

use super::sum_over_segments;
use crate::collective::Shape;
use crate::network::{Hockney, SendRule};
use crate::time::Span;

/// Linear, under Hockney: all blocks reach rank 0 at τ(longest of the others' blocks). Then eager: one message of the
/// longest segment of all blocks; busy: Σ τ(segment) for each of P − 1 ranks.
pub fn linear(model: &Hockney, shape: &Shape) -> Option<Span> {
    let Some(longest) = (1..shape.ranks).map(|rank| shape.block_bytes(rank)).max() else { return Some(Span::ZERO) };
    let all = shape.blocks(0, shape.ranks);
    let down = match model.send_rule {
        SendRule::Eager => model.transfer(shape.segment(all, 0).bytes),
        SendRule::Busy => sum_over_segments(|m| model.transfer(m), shape, all) * u64::from(shape.ranks - 1),
        SendRule::Synchronous | SendRule::Detached => return None,
    };
    Some(model.transfer(longest) + down)
}

/// Ring: P − 1 messages of the longest block, which is always under way.
pub fn ring(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    let longest = match shape.counts {
        None => shape.bytes,
        Some(counts) => counts.lengths().max().unwrap_or(0),
    };
    message(longest) * u64::from(shape.ranks - 1)
}

/// Neighbour exchange of even blocks, P even: τ(m) + (P/2 − 1)·τ(2m); P odd: the ring.
pub fn neighbour(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    if shape.ranks % 2 == 1 {
        return ring(message, shape);
    }
    message(shape.bytes) + message(shape.bytes.saturating_mul(2)) * u64::from(shape.ranks / 2 - 1)
}

/// Bruck, and recursive doubling, of even blocks: Σ τ(min(2^k, P − 2^k)·m), k = 0 … ⌈log₂P⌉ − 1.
pub fn bruck(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    let ranks = u64::from(shape.ranks);
    (0..shape.log2_ceil()).map(|bit| message((1 << bit).min(ranks - (1 << bit)).saturating_mul(shape.bytes))).sum()
}

/// Bine partners, P = 2^h: Bruck's messages; `moves_before`: τ(m) more from 4 ranks on, for blocks that change places.
pub fn bine(message: impl Fn(u64) -> Span, shape: &Shape, moves_before: bool) -> Option<Span> {
    let more = message(shape.bytes) * u64::from(moves_before && shape.ranks > 2);
    shape.ranks.is_power_of_two().then(|| bruck(message, shape) + more)
}

/// Bine partners block by block, and sparbit, under Hockney with eager senders: ⌈log₂P⌉·τ(m), for the messages of a
/// burst are under way at once.
pub fn in_bursts(model: &Hockney, shape: &Shape) -> Option<Span> {
    match model.send_rule {
        SendRule::Eager => Some(model.transfer(shape.bytes) * u64::from(shape.log2_ceil())),
        SendRule::Busy | SendRule::Synchronous | SendRule::Detached => None,
    }
}

/// Bine partners in two blocks, under Hockney with eager senders, P = 2^h: as in one block, for those of some rank
/// never go around the end.
pub fn bine_two_blocks(model: &Hockney, shape: &Shape) -> Option<Span> {
    match model.send_rule {
        SendRule::Eager => bine(|m| model.transfer(m), shape, false),
        SendRule::Busy | SendRule::Synchronous | SendRule::Detached => None,
    }
}
