//! Pipeline broadcast (Open MPI `pipeline`): segments follow each other down one chain.
//!
//! ```text
//! round s (segment s)   0 ─▶1 ─▶2 ─▶3 ─▶4 ─▶5 ─▶6 ─▶7      segment s+1 follows on the heels of s
//! ```
//!
//! Open MPI: `ompi_coll_base_bcast_intra_pipeline`; MPICH: `nb` with `IBCAST_INTRA_ALGORITHM=tsp_ring`.

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "pipeline",
    openmpi: Some("pipeline"),
    mpich: Some("nb (tsp_ring)"),
    wins: "very long messages: time tends to mβ as segments become small against m and many against P",
    time: "(P−1)·(α + sβ), segments of s ≤ m (busy senders, n equal segments: (P+n−2)·(α + sβ))",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::Chains { chains: 1 }, Toward::Leaves),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.ranks - 1)),
};
