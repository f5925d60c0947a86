//! Binary-tree reduction (Open MPI `binary`): every rank combines what its two children send, segment after segment.
//!
//! ```text
//! round s (segment s)   7 ─▶3    3 ─▶1, 5 ─▶1    4 ─▶2, 6 ─▶2    1 ─▶0, 2 ─▶0
//! ```
//!
//! Open MPI: `ompi_coll_base_reduce_intra_binary`.

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "binary",
    openmpi: Some("binary"),
    mpich: Some("nb (tsp_tree, kary, KVAL 2)"),
    wins: "medium messages on many ranks: a pipeline of logarithmic depth",
    time: "⌊log₂P⌋·(α + sβ), segments of s ≤ m",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::Levels { fanout: 2 }, Toward::Top),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
