//! Bine-tree broadcast (De Sensi et al. 2025; PICO `bine_lat_new`): a binomial tree whose children lie on both sides of
//! their parent, the furthest first. P a power of two.
//!
//! ```text
//! round 0   0 ───────▶3
//! round 1   0 ──────────────────▶7    3 ─▶4
//! round 2   0 ─▶1   3 ─▶2   4 ─▶5   7 ─▶6
//! ```

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "bine",
    openmpi: None,
    mpich: None,
    wins: "short messages where distance costs: as many rounds as binomial, fewer messages between far groups of ranks",
    time: "log₂P·(α + sβ), segments of s ≤ m (busy senders, one segment: log₂P·(α + mβ)), P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::BineHalving,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::KNomial { radix: 2 }, Toward::Leaves),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
