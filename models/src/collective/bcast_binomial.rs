//! Binomial-tree broadcast (MPICH `binomial`): the number of ranks that have the data doubles each round.
//!
//! ```text
//! round 0   0 ──────────▶4
//! round 1   0 ────▶2     4 ────▶6
//! round 2   0 ─▶1  2 ─▶3 4 ─▶5  6 ─▶7
//! ```

use super::{Algorithm, Collective, Pattern, Round, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "binomial",
    wins: "short messages on many ranks: ⌈log₂ P⌉ rounds",
    rounds: |shape| u64::from(shape.log2_ceil()),
    round: |shape, index| Round {
        pattern: Pattern::TreeDown { mask: 1 << (u64::from(shape.log2_ceil()) - 1 - index) },
        part: shape.whole(),
        then: Then::Store,
    },
};
