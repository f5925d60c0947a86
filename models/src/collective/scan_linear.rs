//! Linear scan (Open MPI `linear`, `ompi_coll_base_scan_intra_linear`): each rank combines what comes from the one
//! before it and passes the result on.
//!
//! ```text
//! 0 ─▶1 ─▶2 ─▶3 ─▶4 ─▶5 ─▶6 ─▶7
//! ```

use super::{Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Scan,
    name: "linear",
    openmpi: Some("linear"),
    mpich: None,
    wins: "few ranks, or long messages in segments: a pipeline that sends every byte once per rank",
    time: "(P−1)·(α + sβ), segments of s bytes",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| shape.segments(shape.bytes).saturating_add(1),
    round: |_, index| match index.checked_sub(1) {
        None => Round {
            index,
            pattern: Pattern::Local {
                moves: |shape, _, _| [Some((shape.whole(), shape.whole().moved(shape.bytes), Then::Store)), None],
            },
        },
        Some(segment) => Round {
            index: segment,
            pattern: Pattern::Tree {
                tree: Tree::Chains { chains: 1 },
                toward: Toward::Leaves,
                carry: |shape, segment, _| shape.segment(shape.whole().moved(shape.bytes), segment),
                then: Then::Combine,
            },
        },
    },
    cost: |shape| Cost::whole_over_tree(shape, shape.segments(shape.bytes), u64::from(shape.ranks - 1)),
};
