//! k-nomial broadcast (Open MPI `knomial`): the ranks that have the data grow by the factor k (`fanout`, 4) each round.
//!
//! ```text
//! k = 4, round s (segment s)   0 ─▶4, 0 ─▶1, 0 ─▶2, 0 ─▶3    4 ─▶5, 4 ─▶6, 4 ─▶7
//! ```
//!
//! Open MPI: `ompi_coll_base_bcast_intra_knomial` on `ompi_coll_base_topo_build_kmtree`.

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Shape, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "k-nomial",
    openmpi: Some("knomial"),
    mpich: Some("nb (tsp_tree, knomial_1)"),
    wins: "short messages where a rank may have several sends in flight",
    time: "d·(α + sβ), segments of s ≤ m; d: the most ones with 11…1 (base k) < P",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |shape, index| Round::segment_over_tree(index, tree(shape), Toward::Leaves),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), tree(shape).depth(shape.ranks)),
};

fn tree(shape: &Shape) -> Tree {
    Tree::KNomial { radix: shape.fanout_or(4).max(2) }
}
