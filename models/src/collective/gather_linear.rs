//! Linear gather (Open MPI `basic_linear`): the root receives each rank's block in turn.
//!
//! ```text
//! 1 ─▶0, 2 ─▶0, 3 ─▶0, 4 ─▶0, 5 ─▶0, 6 ─▶0, 7 ─▶0      one round, received in this order
//! ```
//!
//! Open MPI: `ompi_coll_base_gather_intra_basic_linear`; both libraries' gatherv.

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Gather,
    name: "linear",
    openmpi: Some("basic_linear"),
    mpich: Some("linear (gatherv)"),
    wins: "long blocks; every byte travels once",
    time: "α + mβ, m the largest block",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |_| 1,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::Flat,
            toward: Toward::Top,
            carry: |shape, _, position| shape.blocks(position, 1),
            then: Then::Store,
        },
    },
    cost: |shape| Cost::blocks_from_all_others(shape, u64::from(shape.ranks > 1)),
};
