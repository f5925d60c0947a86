//! Dissemination barrier (Hensgen, Finkel, Manber 1988; Open MPI `bruck`, MPICH `dissemination`).
//!
//! ```text
//! round 0   every rank r: ─▶ r+1      0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! round 1   every rank r: ─▶ r+2      0─▶2 1─▶3 2─▶4 3─▶5 4─▶6 5─▶7 6─▶0 7─▶1
//! round 2   every rank r: ─▶ r+4      0─▶4 1─▶5 2─▶6 3─▶7 4─▶0 5─▶1 6─▶2 7─▶3
//! ```

use super::{Algorithm, Collective, Cost, Part, Pattern, Places, Ranks, Round, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Barrier,
    name: "dissemination",
    openmpi: Some("bruck"),
    mpich: Some("dissemination"),
    wins: "any P where full-duplex links are free: ⌈log₂ P⌉ rounds, no skew between ranks that enter together",
    time: "⌈log₂P⌉·α",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| u64::from(shape.log2_ceil()),
    round: |_, index| Round {
        index,
        pattern: Pattern::Shift {
            distance: 1 << index,
            sent: Part::default(),
            received: Part::default(),
            then: Then::Store,
        },
    },
    cost: |shape| Cost::new(u64::from(shape.log2_ceil()) * u64::from(shape.ranks), 0, u64::from(shape.log2_ceil())),
};
