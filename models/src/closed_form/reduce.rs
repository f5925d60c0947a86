//! Completion of reductions under Hockney.

use super::completion::Call;
use crate::collective::Tree;
use crate::time::Span;

pub(super) fn completion(algorithm: &str, call: &Call) -> Option<Span> {
    let shape = call.shape;
    match algorithm {
        "linear" => Some(call.transfer(shape.bytes)),
        "chain" => Some(up(call, Tree::Chains { chains: shape.fanout_or(4) })),
        "pipeline" => Some(up(call, Tree::Chains { chains: 1 })),
        "binary" => Some(up(call, Tree::Levels { fanout: 2 })),
        "binomial" | "bine" => Some(up(call, Tree::KNomial { radix: 2 })),
        "in-order-binary" => {
            let hands_over = shape.root + 1 != shape.ranks;
            let more = if hands_over { call.transfer(shape.bytes) } else { Span::ZERO };
            Some(up(call, Tree::InOrder) + more)
        }
        // Halving, then the same distances back.
        "rabenseifner" | "bine-scatter-gather" => Some(call.doubling(call.equal_chunk()?)? * 2),
        "rabenseifner-halves" => halves(call),
        _ => None,
    }
}

/// Halving among 2^h = 2^⌊log₂P⌋ ranks, 2^h | m, and the same distances back; where P is no power of two, 2T(m/2) more
/// before. Eager, this is so for roots among those that exchange halves, for an eager sender does not wait for its own
/// messages.
fn halves(call: &Call) -> Option<Span> {
    let (shape, bits) = (call.shape, call.shape.log2_floor());
    let out = shape.ranks - (1 << bits);
    if !call.busy && out > 0 && shape.root >= 2 * out {
        return None;
    }
    let share = shape.bytes.is_multiple_of(1 << bits).then_some(shape.bytes >> bits)?;
    let halving: Span = (0..bits).map(|bit| call.transfer(share << bit)).sum();
    let before = if out == 0 { Span::ZERO } else { call.transfer(shape.bytes / 2) * 2 };
    Some(before + halving * 2)
}

/// Every rank sends each segment once. Eager, segments do not hold each other up: depth·T. Busy, they follow each other
/// up the deepest branch as jobs through depth machines: all of them through the first, the longest through the others.
fn up(call: &Call, tree: Tree) -> Span {
    let depth = tree.depth(call.shape.ranks);
    let (longest, all) = call.segments();
    if call.busy { all + longest * (depth - 1) } else { longest * depth }
}
