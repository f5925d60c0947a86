//! Bine-tree broadcast whose distances double (De Sensi et al. 2025; PICO `bine_lat`): the nearest child comes first. A
//! rank starts the sends to all children before it waits for any. P a power of two.
//!
//! ```text
//! starts 0   0 ─▶1, 0 ─▶7, 0 ─▶3; wait for all
//! starts 1   1 ─▶2, 1 ─▶6; wait for both    7 ─▶4; wait
//! starts 2   2 ─▶5; wait
//! ```
//!
//! PICO's code looks for each rank's parent among all ranks that have the data, in P·log₂P steps, which are not
//! simulated.

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "bine-doubling",
    openmpi: None,
    mpich: None,
    wins: "short messages where neighbours should have the data first",
    time: "log₂P·(α + sβ), segments of s ≤ m, P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::BineDoubling,
    rounds: |shape| shape.segments(shape.bytes),
    round: |_, index| Round::segment_over_tree(index, Tree::KNomial { radix: 2 }, Toward::LeavesAtOnce),
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor())),
};
