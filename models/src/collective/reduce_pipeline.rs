//! Pipeline reduction (Open MPI `pipeline`): segments follow each other up one chain, combined at every rank.
//!
//! ```text
//! round s (segment s)   7 ─▶6 ─▶5 ─▶4 ─▶3 ─▶2 ─▶1 ─▶0
//! ```
//!
//! Open MPI: `ompi_coll_base_reduce_intra_pipeline`; MPICH: `nb` with `IREDUCE_INTRA_ALGORITHM=tsp_ring`.

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "pipeline",
    openmpi: Some("pipeline"),
    mpich: Some("nb (tsp_ring)"),
    wins: "very long messages: time tends to mβ as segments become small against m and many against P",
    time: "(P−1)·(α + sβ), segments of s ≤ m (busy senders, n equal segments: (P+n−2)·(α + sβ))",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::Chains { chains: 1 }, Toward::Top),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.ranks - 1)),
};
