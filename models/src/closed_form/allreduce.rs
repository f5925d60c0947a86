//! Times of allreduces until the last rank is back, all ranks entering together.
//!
//! `message` returns the time of one message of a number of bytes between idle ranks: `Hockney::transfer` under any
//! send rule, or `LogGp::one_message` where g ≤ L + 2o. Forms that depend on the send rule take the model.

use super::sum_over_segments;
use crate::collective::Shape;
use crate::network::{Hockney, SendRule};
use crate::time::Span;

/// Linear, under Hockney with eager senders: 2τ(s), s the longest segment; with busy ones P·Σ τ(segment): all send up
/// at the same time, then rank 0 sends every segment to each of P − 1 ranks.
pub fn linear(model: &Hockney, shape: &Shape) -> Option<Span> {
    if shape.ranks == 1 {
        return Some(Span::ZERO);
    }
    match model.send_rule {
        SendRule::Eager => Some(model.transfer(shape.segment(shape.whole(), 0).bytes) * 2),
        SendRule::Busy => Some(sum_over_segments(|m| model.transfer(m), shape, shape.whole()) * u64::from(shape.ranks)),
        SendRule::Synchronous | SendRule::Detached => None,
    }
}

/// Binomial reduction and broadcast, under Hockney. Eager: each half takes the depth of the tree, ⌊log₂P⌋·τ(s). Busy
/// and in one segment: ⌊log₂P⌋ + ⌈log₂P⌉ times τ(m), for on the way down a rank sends to one child after the other.
pub fn reduce_bcast(model: &Hockney, shape: &Shape) -> Option<Span> {
    let (down, up) = (u64::from(shape.log2_ceil()), u64::from(shape.log2_floor()));
    match model.send_rule {
        SendRule::Eager => Some(model.transfer(shape.segment(shape.whole(), 0).bytes) * (2 * up)),
        SendRule::Busy if shape.segments(shape.bytes) == 1 => Some(model.transfer(shape.bytes) * (up + down)),
        SendRule::Busy | SendRule::Synchronous | SendRule::Detached => None,
    }
}

/// Recursive doubling under Hockney: ⌊log₂P⌋·τ(m) for powers of two. Otherwise R = P − 2^⌊log₂P⌋ ranks hand over before
/// and get the result after, 2τ(m) more. An eager sender does not wait for its own messages: a rank that was held up at
/// first is not held up at last unless 2R > 2^⌊log₂P⌋, and only one τ(m) is added.
pub fn recursive_doubling(model: &Hockney, shape: &Shape) -> Span {
    let (bits, places) = (u64::from(shape.log2_floor()), 1 << shape.log2_floor());
    let out = shape.ranks - places;
    let more = match (out, model.send_rule) {
        (0, _) => 0,
        (_, SendRule::Eager) if 2 * out <= places => 1,
        _ => 2,
    };
    model.transfer(shape.bytes) * (bits + more)
}

/// Ring: 2(P − 1) messages of the longest share, which is always under way.
pub fn ring(message: impl Fn(u64) -> Span, shape: &Shape) -> Span {
    message(shape.bytes.div_ceil(u64::from(shape.ranks))) * (2 * u64::from(shape.ranks - 1))
}

/// Segmented ring, P | m: (P − 1)·(Σ τ(segment of a share) + τ(share)).
pub fn segmented_ring(message: impl Fn(u64) -> Span, shape: &Shape) -> Option<Span> {
    let share = shape.shares(0, 1, shape.ranks);
    let once = sum_over_segments(&message, shape, share) + message(share.bytes);
    shape.bytes.is_multiple_of(u64::from(shape.ranks)).then(|| once * u64::from(shape.ranks - 1))
}

/// Rabenseifner: with 2^h = 2^⌊log₂P⌋ shares, twice Σ τ(first 2^k shares), k = 0 … h − 1; where P is no power of two,
/// and 2^h | m, 2τ(m) more.
pub fn rabenseifner(message: impl Fn(u64) -> Span, shape: &Shape) -> Option<Span> {
    let places = 1 << shape.log2_floor();
    let halving: Span = (0..shape.log2_floor()).map(|bit| message(shape.shares(0, 1 << bit, places).bytes)).sum();
    if places == shape.ranks {
        return Some(halving * 2);
    }
    shape.bytes.is_multiple_of(u64::from(places)).then(|| halving * 2 + message(shape.bytes) * 2)
}

/// Rabenseifner where the ranks beyond a power of two and their neighbours combine halves: τ(⌈m/2⌉) twice before and
/// τ(m) after in place of 2τ(m).
pub fn rabenseifner_halves(message: impl Fn(u64) -> Span, shape: &Shape) -> Option<Span> {
    let whole = rabenseifner(&message, shape)?;
    let (half, all) = (message(shape.bytes.div_ceil(2)), message(shape.bytes));
    Some(if shape.ranks.is_power_of_two() { whole } else { whole + half * 2 - all })
}

/// Bine partners that exchange the whole, P = 2^h: h·τ(m).
pub fn bine(message: impl Fn(u64) -> Span, shape: &Shape) -> Option<Span> {
    shape.ranks.is_power_of_two().then(|| message(shape.bytes) * u64::from(shape.log2_floor()))
}

/// Bine partners that exchange halves: Rabenseifner's messages. With segments, P = 2^h that divides m: Σ τ(segment of
/// 2^k shares) in place of τ(2^k shares) on the way to the shares.
pub fn bine_scatter_allgather(message: impl Fn(u64) -> Span, shape: &Shape) -> Option<Span> {
    if shape.segment_bytes == 0 {
        return rabenseifner(message, shape);
    }
    let ranks = shape.ranks;
    let windows = (0..shape.log2_floor()).map(|bit| shape.shares(0, 1 << bit, ranks));
    let time = windows.map(|window| sum_over_segments(&message, shape, window) + message(window.bytes)).sum();
    (ranks.is_power_of_two() && shape.bytes.is_multiple_of(ranks.into())).then_some(time)
}

/// Bine partners share by share, under Hockney with eager senders: 2·⌈log₂P⌉·τ(share), P even and a divisor of m.
pub fn bine_blocks(model: &Hockney, shape: &Shape) -> Option<Span> {
    let (ranks, rounds) = (u64::from(shape.ranks), 2 * u64::from(shape.log2_ceil()));
    let holds = model.send_rule == SendRule::Eager && shape.bytes.is_multiple_of(ranks);
    holds.then(|| model.transfer(shape.bytes / ranks) * rounds)
}
