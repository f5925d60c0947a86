//! Chain reduction (Open MPI `chain`): several chains (`fanout`, 4) end at the root, segment after segment.
//!
//! ```text
//! round s (segment s)   2 ─▶1 ─▶0    4 ─▶3 ─▶0    6 ─▶5 ─▶0    7 ─▶0
//! ```
//!
//! Open MPI: `ompi_coll_base_reduce_intra_chain`.

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Shape, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "chain",
    openmpi: Some("chain"),
    mpich: None,
    wins: "long messages on few ranks: each chain is a pipeline, and shorter than a single one",
    time: "⌈(P−1)/c⌉·(α + sβ), c chains, segments of s ≤ m",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |shape, index| Round::segment_over_tree(index, tree(shape), Toward::Top),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), tree(shape).depth(shape.ranks)),
};

fn tree(shape: &Shape) -> Tree {
    Tree::Chains { chains: shape.fanout_or(4) }
}
