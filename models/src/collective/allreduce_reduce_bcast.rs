//! Allreduce as a binomial reduction to rank 0 and a binomial broadcast from it (Open MPI `nonoverlapping`,
//! `ompi_coll_base_allreduce_intra_nonoverlapping`, which lets the library choose both halves anew; here both are
//! binomial).
//!
//! ```text
//! 1 ─▶0  3 ─▶2  5 ─▶4  7 ─▶6        0 ──────────▶4
//! 2 ────▶0      6 ────▶4            0 ────▶2     4 ────▶6
//! 4 ───────────▶0                   0 ─▶1  2 ─▶3 4 ─▶5  6 ─▶7
//! ```

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "reduce-bcast",
    openmpi: Some("nonoverlapping"),
    mpich: None,
    wins: "operations that do not commute, or where sends and receives do not overlap; else recursive doubling takes half the rounds",
    time: "2·⌊log₂P⌋·(α + sβ), segments of s bytes",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| shape.segments(shape.bytes).saturating_mul(2),
    round: |shape, index| Round::segment_up_and_down(shape, index, Tree::KNomial { radix: 2 }),
    cost: |shape| {
        let once = Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.log2_floor()));
        once.then(once)
    },
};
