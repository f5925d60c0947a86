//! Bine-tree reduction (De Sensi et al. 2025; PICO `bine_lat`): the broadcast's tree, climbed from the leaves. P a
//! power of two.
//!
//! ```text
//! round 0   1 ─▶0   2 ─▶3   5 ─▶4   6 ─▶7
//! round 1   7 ──────────────────▶0    4 ─▶3
//! round 2   3 ───────▶0
//! ```

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "bine",
    openmpi: None,
    mpich: None,
    wins: "short messages where distance costs: as many rounds as binomial, fewer messages between far groups of ranks",
    time: "log₂P·(α + sβ), segments of s ≤ m, P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::BineHalving,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::KNomial { radix: 2 }, Toward::Top),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
