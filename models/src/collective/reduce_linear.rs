//! Linear reduction (Open MPI `linear`): the root receives from each rank and combines.
//!
//! ```text
//! 1 ─▶0, 2 ─▶0, 3 ─▶0, 4 ─▶0, 5 ─▶0, 6 ─▶0, 7 ─▶0      one round, combined in this order
//! ```
//!
//! Open MPI (`ompi_coll_base_reduce_intra_basic_linear`) combines from the last rank to the first.

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "linear",
    openmpi: Some("linear"),
    mpich: None,
    wins: "two or three ranks; the root combines P−1 times",
    time: "α + mβ",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |_| 1,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::Flat,
            toward: Toward::Top,
            carry: |shape, _, _| shape.whole(),
            then: Then::Combine,
        },
    },
    cost: |shape| Cost::whole_over_tree(shape, 1, u64::from(shape.ranks > 1)),
};
