//! Binomial-tree broadcast (MPICH `binomial`): the number of ranks that have the data doubles each round.
//!
//! ```text
//! round 0   0 ──────────▶4
//! round 1   0 ────▶2     4 ────▶6
//! round 2   0 ─▶1  2 ─▶3 4 ─▶5  6 ─▶7
//! ```

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "binomial",
    openmpi: None,
    mpich: Some("binomial"),
    wins: "short messages on many ranks: ⌈log₂ P⌉ rounds",
    time: "⌊log₂P⌋·(α + sβ), segments of s ≤ m (busy senders, one segment: ⌈log₂P⌉·(α + mβ))",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::KNomial { radix: 2 }, Toward::Leaves),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
