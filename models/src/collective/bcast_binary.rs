//! Binary-tree broadcast (Open MPI `binary_tree`): every rank has two children, level by level, segment after segment.
//!
//! ```text
//! round s (segment s)   0 ─▶1, 0 ─▶2    1 ─▶3, 1 ─▶5    2 ─▶4, 2 ─▶6    3 ─▶7
//! ```
//!
//! Open MPI: `ompi_coll_base_bcast_intra_bintree` on `ompi_coll_base_topo_build_tree`.

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "binary",
    openmpi: Some("binary_tree"),
    mpich: Some("nb (tsp_tree, kary, KVAL 2)"),
    wins: "medium messages on many ranks: a pipeline of logarithmic depth",
    time: "⌊log₂P⌋·(α + sβ), segments of s ≤ m",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::Levels { fanout: 2 }, Toward::Leaves),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
