//! Linear allreduce (Open MPI `basic_linear`, `ompi_coll_base_allreduce_intra_basic_linear`): all send to rank 0, which
//! combines and sends the result to each in turn.
//!
//! ```text
//! 1 ─▶0, 2 ─▶0, …, 7 ─▶0      combined in this order
//! 0 ─▶1, 0 ─▶2, …, 0 ─▶7
//! ```

use super::{Algorithm, Collective, Cost, Places, Ranks, Round, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "linear",
    openmpi: Some("basic_linear"),
    mpich: None,
    wins: "two or three ranks; a baseline for larger numbers",
    time: "2·(α + sβ), segments of s bytes",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| shape.segments(shape.bytes).saturating_mul(2),
    round: |shape, index| Round::segment_up_and_down(shape, index, Tree::Flat),
    cost: |shape| {
        let once = Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.ranks > 1));
        once.then(once)
    },
};
