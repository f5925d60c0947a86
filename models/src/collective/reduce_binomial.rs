//! Binomial-tree reduction (MPICH and Open MPI `binomial`): the broadcast's tree, climbed from the leaves.
//!
//! ```text
//! round 0   1 ─▶0  3 ─▶2 5 ─▶4  7 ─▶6
//! round 1   2 ────▶0     6 ────▶4
//! round 2   4 ──────────▶0
//! ```

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "binomial",
    openmpi: Some("binomial"),
    mpich: Some("binomial"),
    wins: "short messages on many ranks: ⌈log₂ P⌉ rounds",
    time: "⌊log₂P⌋·(α + sβ), segments of s ≤ m",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::KNomial { radix: 2 }, Toward::Top),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
