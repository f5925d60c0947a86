//! Reduce-scatter as a binomial reduction of all blocks to rank 0 and a linear scatter from it (Open MPI
//! `non-overlapping`, `ompi_coll_base_reduce_scatter_intra_nonoverlapping`; reduce-scatter-block `basic_linear`).
//!
//! ```text
//! 1 ─▶0  3 ─▶2  5 ─▶4  7 ─▶6
//! 2 ────▶0      6 ────▶4
//! 4 ───────────▶0
//! 0 ─▶1, 0 ─▶2, …, 0 ─▶7      a block each
//! ```

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::ReduceScatter,
    name: "non-overlapping",
    openmpi: Some("non-overlapping"),
    mpich: None,
    wins: "operations that do not commute, on few ranks",
    time: "⌊log₂P⌋·(α + sβ) + α + mβ, segments of s of the P·m bytes",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| shape.segments(shape.total()).saturating_add(1),
    round: |shape, index| {
        if index < shape.segments(shape.total()) {
            Round {
                index,
                pattern: Pattern::Tree {
                    tree: Tree::KNomial { radix: 2 },
                    toward: Toward::Top,
                    carry: |shape, segment, _| shape.segment(shape.blocks(0, shape.ranks), segment),
                    then: Then::Combine,
                },
            }
        } else {
            Round {
                index,
                pattern: Pattern::Tree {
                    tree: Tree::Flat,
                    toward: Toward::Leaves,
                    carry: |shape, _, position| shape.blocks(position, 1),
                    then: Then::Store,
                },
            }
        }
    },
    cost: |shape| {
        let (total, others) = (shape.total(), u64::from(shape.ranks - 1));
        let messages = shape.segments(total).saturating_mul(others);
        let reduce = Cost::new(messages, total.saturating_mul(others), shape.log2_floor().into());
        reduce.then(Cost::new(others, total - shape.block_bytes(0), u64::from(shape.ranks > 1)))
    },
};
