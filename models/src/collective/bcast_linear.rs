//! Linear broadcast (Open MPI `basic_linear`): the root sends the whole buffer to each rank in turn.
//!
//! ```text
//! 0 ─▶1, 0 ─▶2, 0 ─▶3, 0 ─▶4, 0 ─▶5, 0 ─▶6, 0 ─▶7      one round, seven messages in order
//! ```

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "linear",
    openmpi: Some("basic_linear"),
    mpich: None,
    wins: "two or three ranks, or when only the first receivers' latency matters",
    time: "α + mβ (busy senders: (P−1)·(α + mβ))",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |_| 1,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::Flat,
            toward: Toward::Leaves,
            carry: |shape, _, _| shape.whole(),
            then: Then::Store,
        },
    },
    cost: |shape| Cost::whole_over_tree(shape, 1, u64::from(shape.ranks > 1)),
};
