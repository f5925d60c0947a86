//! Linear scatter (Open MPI `basic_linear`): the root sends each rank its block in turn.
//!
//! ```text
//! 0 ─▶1, 0 ─▶2, 0 ─▶3, 0 ─▶4, 0 ─▶5, 0 ─▶6, 0 ─▶7      one round, sent in this order
//! ```
//!
//! Open MPI: `ompi_coll_base_scatter_intra_basic_linear`; both libraries' scatterv.

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Scatter,
    name: "linear",
    openmpi: Some("basic_linear"),
    mpich: Some("linear (scatterv)"),
    wins: "long blocks; every byte travels once",
    time: "α + mβ, m the largest block (busy senders: (P−1)·(α + mβ))",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |_| 1,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::Flat,
            toward: Toward::Leaves,
            carry: |shape, _, position| shape.blocks(position, 1),
            then: Then::Store,
        },
    },
    cost: |shape| Cost::blocks_from_all_others(shape, u64::from(shape.ranks > 1)),
};
