//! Linear scatter with all sends under way at once (Open MPI `linear_nb`): the root starts them, then waits for all.
//!
//! ```text
//! 0 ─▶1, 0 ─▶2, 0 ─▶3, 0 ─▶4, 0 ─▶5, 0 ─▶6, 0 ─▶7      one round, started in this order
//! ```
//!
//! Open MPI: `ompi_coll_base_scatter_intra_linear_nb`, here without a limit on the sends under way.

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Scatter,
    name: "linear-nonblocking",
    openmpi: Some("linear_nb"),
    mpich: None,
    wins: "long blocks sent by rendezvous: a late receiver delays no other rank",
    time: "α + mβ, m the largest block",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |_| 1,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::Flat,
            toward: Toward::LeavesAtOnce,
            carry: |shape, _, position| shape.blocks(position, 1),
            then: Then::Store,
        },
    },
    cost: |shape| Cost::blocks_from_all_others(shape, u64::from(shape.ranks > 1)),
};
