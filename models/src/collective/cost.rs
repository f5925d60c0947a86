//! Costs of algorithms whatever the network: messages, bytes, and the longest chain of messages that wait for each
//! other.

use super::{Shape, Tree};

/// Cost of one call of an algorithm, whatever the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Number of messages that all ranks together send, empty ones included.
    pub messages: u64,
    /// Number of bytes that all ranks together send.
    pub bytes: u64,
    /// Largest number of messages in a chain in which each waits for the one before: under Hockney with eager sends and
    /// β = 0, a call that all ranks enter together takes this many α.
    pub critical: u64,
}

impl Cost {
    /// Returns a cost from its number of messages, its bytes, and the length of its longest chain of messages.
    pub const fn new(messages: u64, bytes: u64, critical: u64) -> Cost {
        Cost { messages, bytes, critical }
    }

    /// Returns the cost of the whole buffer once along every edge of a tree over all ranks, in `segments` pieces.
    pub(crate) fn whole_over_tree(shape: &Shape, segments: u64, depth: u64) -> Cost {
        let edges = u64::from(shape.ranks - 1);
        Cost::new(segments.saturating_mul(edges), shape.bytes.saturating_mul(edges), depth)
    }

    /// Returns the cost of every block but that of position 0 travelling once.
    pub(crate) fn blocks_from_all_others(shape: &Shape, critical: u64) -> Cost {
        Cost::new(u64::from(shape.ranks - 1), shape.total() - shape.block_bytes(0), critical)
    }

    /// Returns the cost of every position's block over every edge of a binomial tree between it and the top.
    pub(crate) fn blocks_over_binomial_tree(shape: &Shape) -> Cost {
        let bytes = match shape.counts {
            None => shape.bytes.saturating_mul(bits_below(u64::from(shape.ranks))),
            Some(_) => (0..shape.ranks).fold(0, |sum: u64, position| {
                sum.saturating_add(shape.block_bytes(position).saturating_mul(u64::from(position.count_ones())))
            }),
        };
        Cost::new(u64::from(shape.ranks - 1), bytes, u64::from(shape.log2_floor()))
    }

    /// Adds the cost of another part that begins when all of this one is done.
    pub const fn then(self, next: Cost) -> Cost {
        Cost {
            messages: self.messages.saturating_add(next.messages),
            bytes: self.bytes.saturating_add(next.bytes),
            critical: self.critical.saturating_add(next.critical),
        }
    }
}

/// Returns the bytes sent when the buffer, cut into `of` chunks, goes down (or up) a binomial tree whose top has chunk
/// `held`: chunk i crosses an edge for every bit in which i differs from that.
pub(super) fn binomial_chunk_bytes(shape: &Shape, of: u64, held: u64) -> u64 {
    let chunk = shape.bytes.div_ceil(of.max(1)).max(1);
    let (full, rest) = (shape.bytes / chunk, shape.bytes % chunk);
    let crossed_by_rest = u64::from((full ^ held).count_ones());
    chunk.saturating_mul(bits_differing_below(full, held)).saturating_add(rest.saturating_mul(crossed_by_rest))
}

/// Returns the bytes sent when the buffer, cut into P equal shares (the first ones a byte longer), goes down (or up) a
/// binomial tree: share i crosses an edge for every bit of i.
pub(super) fn binomial_share_bytes(shape: &Shape) -> u64 {
    let ranks = u64::from(shape.ranks);
    (shape.bytes / ranks).saturating_mul(bits_below(ranks)).saturating_add(bits_below(shape.bytes % ranks))
}

/// Returns the number of set bits of all numbers below `end` together.
fn bits_below(end: u64) -> u64 {
    bits_differing_below(end, 0)
}

/// Returns the number of bits in which the numbers below `end` together differ from `other`.
fn bits_differing_below(end: u64, other: u64) -> u64 {
    let differing = (0..63).map(|bit| {
        // Bit i is set in the upper 2^i of every 2^(i+1) numbers.
        let set = (end >> bit >> 1 << bit) + (end % (2 << bit)).saturating_sub(1 << bit);
        if other >> bit & 1 == 1 { end - set } else { set }
    });
    differing.fold(0, u64::saturating_add)
}

impl Tree {
    /// Returns the number of edges between the top and the position furthest from it.
    pub(crate) fn depth(self, ranks: u32) -> u64 {
        let last = u64::from(ranks - 1);
        match self {
            Tree::Flat => last.min(1),
            Tree::Chains { chains } => last.div_ceil(u64::from(chains.max(1))),
            // Level l begins at position 1 + f + … + f^(l−1), however its children are dealt out. In a k-nomial tree
            // those are the smallest positions with l digits set.
            Tree::Levels { fanout: base } | Tree::Complete { fanout: base } | Tree::KNomial { radix: base } => {
                all_ones_up_to(last, u64::from(base))
            }
            Tree::Doubling => all_ones_up_to(last, 2),
            Tree::InOrder => u64::from(ranks.ilog2()),
        }
    }
}

/// Returns the number of digits of the largest number 11…1 to the base `base` that is at most `last`.
fn all_ones_up_to(last: u64, base: u64) -> u64 {
    let next = |ones: &u64| Some(ones.saturating_mul(base).saturating_add(1));
    std::iter::successors(Some(1), next).take_while(|ones| *ones <= last).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_counted_without_looking_at_every_number() {
        for other in [0, 1, 6, 1_023, 2_500] {
            let mut sum = 0;
            for end in 0..2_000u64 {
                assert_eq!(bits_differing_below(end, other), sum);
                sum += u64::from((end ^ other).count_ones());
            }
        }
    }

    #[test]
    fn the_depth_of_a_tree_is_that_of_its_furthest_position() {
        let mut trees = vec![Tree::Flat, Tree::InOrder];
        trees.extend((1..8).map(|chains| Tree::Chains { chains }));
        trees.extend((2..8).map(|fanout| Tree::Levels { fanout }));
        trees.extend((2..8).map(|fanout| Tree::Complete { fanout }));
        trees.extend((2..8).map(|radix| Tree::KNomial { radix }));
        for tree in trees {
            for ranks in 1..=130u32 {
                let depth = |mut position: u32| {
                    let mut depth = 0;
                    while let Some(parent) = tree.parent(position, ranks) {
                        (position, depth) = (parent, depth + 1);
                    }
                    depth
                };
                assert_eq!(tree.depth(ranks), (0..ranks).map(depth).max().unwrap(), "{tree:?} on {ranks}");
            }
        }
    }
}
