//! Chain broadcast (Open MPI `chain`): the root feeds several chains (`fanout`, 4), segment after segment.
//!
//! ```text
//! round s (segment s)   0 ─▶1 ─▶2    0 ─▶3 ─▶4    0 ─▶5 ─▶6    0 ─▶7
//! ```
//!
//! Open MPI: `ompi_coll_base_bcast_intra_chain` on `ompi_coll_base_topo_build_chain`. It posts the receive of the next
//! segment while it forwards one; here a rank forwards first.

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Shape, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "chain",
    openmpi: Some("chain"),
    mpich: None,
    wins: "long messages on few ranks: each chain is a pipeline, and shorter than a single one",
    time: "⌈(P−1)/c⌉·(α + sβ), c chains, segments of s ≤ m",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |shape, index| Round::segment_over_tree(index, tree(shape), Toward::Leaves),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), tree(shape).depth(shape.ranks)),
};

fn tree(shape: &Shape) -> Tree {
    Tree::Chains { chains: shape.fanout_or(4) }
}
