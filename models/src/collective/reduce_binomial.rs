//! Binomial-tree reduction (MPICH and Open MPI `binomial`): the broadcast's tree, climbed from the leaves.
//!
//! ```text
//! round 0   1 ─▶0  3 ─▶2 5 ─▶4  7 ─▶6
//! round 1   2 ────▶0     6 ────▶4
//! round 2   4 ──────────▶0
//! ```

use super::{Algorithm, Collective, Pattern, Round, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "binomial",
    wins: "short messages on many ranks: ⌈log₂ P⌉ rounds",
    rounds: |shape| u64::from(shape.log2_ceil()),
    round: |shape, index| Round {
        pattern: Pattern::TreeUp { mask: 1 << index },
        part: shape.whole(),
        then: Then::Combine,
    },
};
