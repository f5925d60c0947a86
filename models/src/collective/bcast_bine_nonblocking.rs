//! Bine-tree broadcast that starts the sends to all children before it waits for any (PICO `bine_lat_i_new` and, from
//! root 0, `bine_lat_reversed`). P a power of two.
//!
//! ```text
//! starts 0   0 ─▶3, 0 ─▶7, 0 ─▶1; wait for all
//! starts 1   3 ─▶4, 3 ─▶2; wait for both    7 ─▶6; wait
//! starts 2   4 ─▶5; wait
//! ```

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "bine-nonblocking",
    openmpi: None,
    mpich: None,
    wins: "as bine, where sends wait for their receivers",
    time: "log₂P·(α + sβ), segments of s ≤ m, P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::BineHalving,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::KNomial { radix: 2 }, Toward::LeavesAtOnce),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
