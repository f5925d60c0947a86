//! Double-ring barrier (Open MPI `double_ring`): a token goes round twice; back at rank 0 the first time, all have
//! entered.
//!
//! ```text
//! round 0   0 ─▶ 1 ─▶ 2 ─▶ 3 ─▶ 4 ─▶ 5 ─▶ 6 ─▶ 7 ─▶ 0
//! round 1   0 ─▶ 1 ─▶ 2 ─▶ 3 ─▶ 4 ─▶ 5 ─▶ 6 ─▶ 7 ─▶ 0      each leaves as the token passes
//! ```
//!
//! Open MPI: `ompi_coll_base_barrier_intra_doublering`.

use super::{Algorithm, Collective, Cost, Part, Pattern, Places, Ranks, Round};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Barrier,
    name: "double-ring",
    openmpi: Some("double_ring"),
    mpich: None,
    wins: "never; it has at most one message in flight",
    time: "2P·α",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |_| 2,
    round: |_, index| Round { index, pattern: Pattern::Lap { part: Part::default() } },
    cost: |shape| {
        let messages = if shape.ranks > 1 { 2 * u64::from(shape.ranks) } else { 0 };
        Cost::new(messages, 0, messages)
    },
};
