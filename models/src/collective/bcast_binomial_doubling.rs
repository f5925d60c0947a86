//! Binomial-tree broadcast whose distances double (Open MPI `binomial`): the nearest child comes first.
//!
//! ```text
//! round 0   0 ─▶1
//! round 1   0 ────▶2     1 ────▶3
//! round 2   0 ──────────▶4, 1 ─▶5, 2 ─▶6, 3 ─▶7
//! ```

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "binomial-doubling",
    openmpi: Some("binomial"),
    mpich: None,
    wins: "short messages on many ranks, where neighbours should have the data first",
    time: "⌊log₂P⌋·(α + sβ), segments of s ≤ m (busy senders, one segment: ⌈log₂P⌉·(α + mβ))",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::Doubling, Toward::Leaves),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
