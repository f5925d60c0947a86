//! Scatter down a bine tree, all of a rank's sends at once, then allgather (PICO `bine_bdw_static`, whose shares lie in
//! the order of a table). P a power of two.
//!
//! ```text
//! scatter       0 ─▶1 (4 5 6 7), 0 ─▶7 (2 3), 0 ─▶3 (1); wait    1 ─▶2 (6 7), 1 ─▶6 (5); wait    7 ─▶4 (3)    2 ─▶5 (7)
//! allgather 0   0 ─▶3 (0)   7 ─▶4 (2)   1 ─▶6 (4)   2 ─▶5 (6)
//! allgather 1   0 ─▶7, 1 ─▶2; 3◀─▶4, 5◀─▶6      two shares
//! allgather 2   0 ─▶1; 2◀─▶3, 4◀─▶5, 6◀─▶7      four shares
//! ```

use super::{Algorithm, Collective, Places, Ranks, Toward, bcast_bine_scatter_allgather};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "bine-scatter-at-once",
    openmpi: None,
    mpich: None,
    wins: "as bine-scatter-allgather, where sends wait for their receivers",
    time: "P a power of two that divides m: (2log₂P−1)·α + (2m − 3m/P)·β",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::BineDoubling,
    rounds: bcast_bine_scatter_allgather::rounds,
    round: |_, index| bcast_bine_scatter_allgather::round(index, Toward::LeavesAtOnce),
    cost: bcast_bine_scatter_allgather::cost,
};
