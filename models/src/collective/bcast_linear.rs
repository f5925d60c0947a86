//! Linear broadcast (Open MPI `basic_linear`): the root sends the whole buffer to each rank in turn.
//!
//! ```text
//! 0 ─▶1, 0 ─▶2, 0 ─▶3, 0 ─▶4, 0 ─▶5, 0 ─▶6, 0 ─▶7      one round, seven messages in order
//! ```

use super::{Algorithm, Collective, Pattern, Round, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "linear",
    wins: "two or three ranks, or when only the first receivers' latency matters",
    rounds: |_| 1,
    round: |shape, _| Round { pattern: Pattern::FanOut, part: shape.whole(), then: Then::Store },
};
