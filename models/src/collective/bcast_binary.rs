//! Binary-tree broadcast (Open MPI `binary_tree`): every rank has two children, level by level, segment after segment.
//!
//! ```text
//! round s (segment s)   0 ─▶1, 0 ─▶2    1 ─▶3, 1 ─▶5    2 ─▶4, 2 ─▶6    3 ─▶7
//! ```
//!
//! Open MPI: `ompi_coll_base_bcast_intra_bintree` on `ompi_coll_base_topo_build_tree`.

use super::{Algorithm, Collective, Cost, Pattern, Places, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "binary",
    openmpi: Some("binary_tree"),
    mpich: Some("nb (tsp_tree, kary, KVAL 2)"),
    wins: "middling messages on many ranks: a pipeline of logarithmic depth",
    time: "⌊log₂P⌋·(α + sβ), segments of s ≤ m",
    uneven: false,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::Levels { fanout: 2 },
            toward: Toward::Leaves,
            carry: |shape, segment, _| shape.segment(shape.whole(), segment),
            then: Then::Store,
        },
    },
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
