//! Linear exclusive scan (Open MPI `linear`, `ompi_coll_base_exscan_intra_linear`): each rank keeps what comes from the
//! one before it and passes on that combined with its own. A round is one message, or what its receiver does with it.
//!
//! ```text
//! 0 ─▶1 ─▶2 ─▶3 ─▶4 ─▶5 ─▶6 ─▶7
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Move, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Exscan,
    name: "linear",
    openmpi: Some("linear"),
    mpich: None,
    wins: "few ranks",
    time: "(P−1)·(α + mβ)",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| 2 * u64::from(shape.ranks - 1),
    round: |_, index| Round {
        index: index / 2,
        pattern: if index % 2 == 0 { Pattern::Meet { meeting } } else { Pattern::Local { moves } },
    },
    cost: |shape| Cost::whole_over_tree(shape, 1, u64::from(shape.ranks - 1)),
};

/// Message `edge` goes from position `edge` to the next. Position 0 sends its input, the others the combination that
/// they made in area 0.
fn meeting(shape: &Shape, edge: u64, position: u32) -> Meeting {
    match u64::from(position).checked_sub(edge) {
        Some(0) => Meeting::sends(position + 1, shape.whole()),
        Some(1) => Meeting::receives(position - 1, shape.whole().moved(shape.bytes), Then::Store),
        _ => Meeting::NONE,
    }
}

fn moves(shape: &Shape, edge: u64, position: u32) -> [Option<Move>; 2] {
    let is_receiver = u64::from(position) == edge + 1;
    [is_receiver.then_some((shape.whole().moved(shape.bytes), shape.whole(), Then::Combine)), None]
}
