//! Linear barrier (Open MPI `linear`): every rank reports to rank 0, which then releases each in turn.
//!
//! ```text
//! round 0   1 ─▶0, 2 ─▶0, …, 7 ─▶0      received in this order
//! round 1   0 ─▶1, 0 ─▶2, …, 0 ─▶7      released in this order: ranks leave one after another
//! ```

use super::{Algorithm, Collective, Part, Pattern, Round, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Barrier,
    name: "linear",
    wins: "very few ranks; its exit skew grows with P",
    rounds: |_| 2,
    round: |_, index| Round {
        pattern: if index == 0 { Pattern::FanIn } else { Pattern::FanOut },
        part: Part::default(),
        then: Then::Store,
    },
};
