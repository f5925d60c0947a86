//! Completion of broadcasts under Hockney. Eager, segments do not hold each other up: the deepest rank has each after
//! depth·T.

use super::completion::Call;
use crate::collective::Tree;
use crate::time::Span;

pub(super) fn completion(algorithm: &str, call: &Call) -> Option<Span> {
    let shape = call.shape;
    let chains = |chains: u32| if call.busy { busy_chains(call, chains) } else { eager(call, Tree::Chains { chains }) };
    match algorithm {
        "linear" => Some(call.transfer(shape.bytes) * if call.busy { call.others() } else { 1 }),
        "chain" => Some(chains(shape.fanout_or(4))),
        "pipeline" => Some(chains(1)),
        "binary" if !call.busy => Some(eager(call, Tree::Levels { fanout: 2 })),
        "binomial" | "binomial-doubling" | "bine" | "bine-nonblocking" | "bine-doubling" if !call.busy => {
            Some(eager(call, Tree::KNomial { radix: 2 }))
        }
        "k-nomial" if !call.busy => Some(eager(call, Tree::KNomial { radix: shape.fanout_or(4).max(2) })),
        // Each round doubles the ranks that have the data.
        "binomial" | "binomial-doubling" | "bine" if shape.segments(shape.bytes) == 1 => {
            Some(call.transfer(shape.bytes) * u64::from(shape.log2_ceil()))
        }
        "split-binary" if !call.busy => Some(split_binary(call)),
        // Down the tree and, in the allgather, up the distances, or around the ring.
        "scatter-allgather" => Some(call.doubling(call.equal_chunk()?)? * 2),
        // The rank that ends last has its share by then; only half of the ranks begin with an exchange of shares.
        "bine-scatter-allgather" | "bine-scatter-at-once" if !call.busy => {
            let chunk = call.equal_chunk()?;
            Some(call.doubling(chunk)? * 2 - call.transfer(chunk))
        }
        "scatter-allgather-ring" => {
            let chunk = call.equal_chunk()?;
            Some(call.doubling(chunk)? + call.transfer(chunk) * call.others())
        }
        _ => None,
    }
}

fn eager(call: &Call, tree: Tree) -> Span {
    call.segments().0 * tree.depth(call.shape.ranks)
}

/// Busy senders: the root serves c chains in turn. A chain of l ranks, the j-th to be served, has n−1 segments of T
/// after ((n−2)·c + j + l−1)·T; the last one, no longer than the others, either goes through unhindered or follows on
/// their heels.
fn busy_chains(call: &Call, chains: u32) -> Span {
    let shape = call.shape;
    let (segment, all) = call.segments();
    let (before, ranks) = (shape.segments(shape.bytes) - 1, call.others());
    let last = all - segment * before;
    let chains = u64::from(chains).clamp(1, ranks);
    let end_of = |chain: u64| {
        let hops = ranks / chains + u64::from(chain < ranks % chains) - 1;
        let unhindered = segment * (before * chains) + last * (chain + 1 + hops);
        let behind = match before {
            0 => Span::ZERO,
            _ => segment * ((before - 1) * chains + chain + 1 + hops) + if hops > 0 { last } else { Span::ZERO },
        };
        unhindered.max(behind)
    };
    // Of the longer and of the shorter chains the one served last ends last.
    let last_of_longer = (ranks % chains).checked_sub(1).map(end_of);
    end_of(chains - 1).max(last_of_longer.unwrap_or(Span::ZERO))
}

/// Partners are on one level: the deepest pair exchanges last. A last rank without a partner gets its half from the
/// root.
fn split_binary(call: &Call) -> Span {
    let shape = call.shape;
    let (half, other) = (shape.shares(0, 1, 2), shape.shares(1, 1, 2));
    let hop = call.transfer(shape.segment(half, 0).bytes);
    if shape.ranks == 2 {
        return hop.max(call.transfer(other.bytes));
    }
    hop * u64::from((shape.ranks - 1).ilog2()) + call.transfer(half.bytes)
}
