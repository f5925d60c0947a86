//! Linear allgather (Open MPI `linear`, `ompi_coll_base_allgather_intra_basic_linear`, which lets the library choose
//! both halves anew; Open MPI's allgatherv `default` does the same): all send their block to rank 0, which sends all
//! blocks to each in turn.
//!
//! ```text
//! 1 ─▶0, 2 ─▶0, …, 7 ─▶0      a block each
//! 0 ─▶1, 0 ─▶2, …, 0 ─▶7      all blocks
//! ```

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "linear",
    openmpi: Some("linear"),
    mpich: None,
    wins: "two or three ranks; a baseline for larger numbers",
    time: "2α + (m + s)β, segments of s of the P·m bytes",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| shape.segments(shape.total()).saturating_add(1),
    round: |_, index| match index.checked_sub(1) {
        None => Round {
            index,
            pattern: Pattern::Tree {
                tree: Tree::Flat,
                toward: Toward::Top,
                carry: |shape, _, position| shape.blocks(position, 1),
                then: Then::Store,
            },
        },
        Some(segment) => Round {
            index: segment,
            pattern: Pattern::Tree {
                tree: Tree::Flat,
                toward: Toward::Leaves,
                carry: |shape, segment, _| shape.segment(shape.blocks(0, shape.ranks), segment),
                then: Then::Store,
            },
        },
    },
    cost: |shape| {
        let (total, others, is_needed) = (shape.total(), u64::from(shape.ranks - 1), u64::from(shape.ranks > 1));
        let gather = Cost::new(others, total - shape.block_bytes(0), is_needed);
        let segments = shape.segments(total);
        gather.then(Cost::new(segments.saturating_mul(others), total.saturating_mul(others), is_needed))
    },
};
