//! Linear barrier (Open MPI `linear`): every rank reports to rank 0, which then releases each in turn.
//!
//! ```text
//! round 0   1 ─▶0, 2 ─▶0, …, 7 ─▶0      received in this order
//! round 1   0 ─▶1, 0 ─▶2, …, 0 ─▶7      released in this order: ranks leave one after another
//! ```

use super::{Algorithm, Collective, Cost, Part, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Barrier,
    name: "linear",
    openmpi: Some("linear"),
    mpich: None,
    wins: "very few ranks; its exit skew grows with P",
    time: "2α (busy senders: P·α)",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |_| 2,
    round: |_, index| Round {
        index,
        pattern: Pattern::Tree {
            tree: Tree::Flat,
            toward: if index == 0 { Toward::Top } else { Toward::Leaves },
            carry: |_, _, _| Part::default(),
            then: Then::Store,
        },
    },
    cost: |shape| Cost::new(2 * u64::from(shape.ranks - 1), 0, 2 * u64::from(shape.ranks > 1)),
};
