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
        _ => None,
    }
}

/// Every rank sends each segment once. Eager, segments do not hold each other up: depth·T. Busy, they follow each other up the
/// deepest branch as jobs through depth machines: all of them through the first, the longest through the others.
fn up(call: &Call, tree: Tree) -> Span {
    let depth = tree.depth(call.shape.ranks);
    let (longest, all) = call.segments();
    if call.busy { all + longest * (depth - 1) } else { longest * depth }
}
