//! In-order binary reduction (Open MPI `in-order_binary`): a binary tree that combines ranks in their order, for
//! operations that do not commute. Its top is rank P−1, which hands the result to any other root.
//!
//! ```text
//! round s (segment s)   0 ─▶1    1 ─▶3, 2 ─▶3    4 ─▶6, 5 ─▶6    3 ─▶7, 6 ─▶7      parents come after their children
//! last round            7 ─▶ root
//! ```
//!
//! Open MPI: `ompi_coll_base_reduce_intra_in_order_binary` on `ompi_coll_base_topo_build_in_order_bintree`.

use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "in-order-binary",
    openmpi: Some("in-order_binary"),
    mpich: None,
    wins: "operations that do not commute",
    time: "⌊log₂P⌋·(α + sβ), segments of s ≤ m; root not P−1: α + mβ more",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| segments(shape) + u64::from(hands_over(shape)),
    round: |shape, index| {
        if index < segments(shape) {
            Round::segment_over_tree(index, Tree::InOrder, Toward::Top)
        } else {
            Round { index, pattern: Pattern::Meet { meeting } }
        }
    },
    cost: |shape| {
        let more = u64::from(hands_over(shape));
        Cost::whole_over_tree(shape, segments(shape), u64::from(shape.log2_floor())).then(Cost::new(
            more,
            more * shape.bytes,
            more,
        ))
    },
};

fn segments(shape: &Shape) -> u64 {
    shape.segments(shape.bytes)
}

fn hands_over(shape: &Shape) -> bool {
    shape.root + 1 != shape.ranks
}

fn meeting(shape: &Shape, _round: u64, position: u32) -> Meeting {
    let top = Tree::InOrder.top(shape.ranks);
    match position {
        _ if position == top => Meeting::sends(shape.root, shape.whole()),
        _ if position == shape.root => Meeting::receives(top, shape.whole(), Then::Store),
        _ => Meeting::NONE,
    }
}
