//! Linear gather on request (Open MPI `linear_sync`): the root asks one rank at a time, so that blocks do not flood it.
//!
//! ```text
//! round 0   0─▶1 asks, 1─▶0    0─▶2 asks, 2─▶0    …    0─▶7 asks, 7─▶0      the first segment of each block
//! round 1   1─▶0, 2─▶0, …, 7─▶0                                              what is left of each
//! ```
//!
//! Open MPI: `ompi_coll_base_gather_intra_linear_sync`, which posts the receive of what is left before it asks the next
//! rank; its segments are 1 or 32 KiB. Without segments there is one round.

use super::{Algorithm, Collective, Cost, Part, Pattern, Places, Ranks, Round, Shape, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Gather,
    name: "linear-sync",
    openmpi: Some("linear_sync"),
    mpich: None,
    wins: "long blocks from many ranks into one link that drops or stalls when flooded",
    time: "(P−2)·(2α + sβ) + 2α + max(s, m−s)·β, first segments of s ≤ m",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| 1 + u64::from(has_rest(shape)),
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::Flat,
            toward: if index == 0 { Toward::TopOnRequest } else { Toward::Top },
            carry: |shape, round, position| if round == 0 { first(shape, position) } else { rest(shape, position) },
            then: Then::Store,
        },
    },
    cost: |shape| {
        let others = u64::from(shape.ranks - 1);
        let more = if has_rest(shape) { 2 * others } else { others };
        Cost::blocks_from_all_others(shape, 2 * others).then(Cost::new(more, 0, 0))
    },
};

/// Returns true if blocks are longer than a segment, or may be.
fn has_rest(shape: &Shape) -> bool {
    shape.segment_bytes > 0 && (shape.counts.is_some() || shape.bytes > shape.segment_bytes)
}

fn first(shape: &Shape, position: u32) -> Part {
    shape.segment(shape.blocks(position, 1), 0)
}

fn rest(shape: &Shape, position: u32) -> Part {
    let (block, first) = (shape.blocks(position, 1), first(shape, position));
    Part::range(block.offset + first.bytes, block.bytes - first.bytes)
}
