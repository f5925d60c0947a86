//! Linear all-to-all (Open MPI `linear`, alltoallv `basic_linear`, `ompi_coll_base_alltoall_intra_basic_linear`): all
//! receives are posted and all sends are started at once.
//!
//! ```text
//! every rank r: 7 receives from r+1, r+2, …, r+7; 7 sends to r−1, r−2, …, r−7; wait for all
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Move, Part, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Alltoall,
    name: "linear",
    openmpi: Some("linear"),
    mpich: None,
    wins: "medium blocks on few ranks: the network sees all messages at once and may overlap them",
    time: "α + mβ",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| 1 + u64::from(shape.ranks > 1),
    round: |shape, index| {
        if index == 0 {
            return keep_own();
        }
        Round {
            index,
            pattern: Pattern::Burst { count: shape.ranks - 1, meeting: |s, _, p, turn| meeting(s, p, turn + 1) },
        }
    },
    cost: |shape| cost(shape, u64::from(shape.ranks > 1)),
};

/// Returns the block in area 0 that `position` has for `to`.
pub(super) fn input(shape: &Shape, position: u32, to: u32) -> Part {
    shape.rotated_blocks(position, to, 1)
}

/// Returns the part of area 1 into which `position` gets its block from `from`.
pub(super) fn output(shape: &Shape, position: u32, from: u32) -> Part {
    shape.rotated_blocks(position, from, 1).moved(shape.total())
}

/// Receive from the position `distance` after, and send to the one as far before.
pub(super) fn meeting(shape: &Shape, position: u32, distance: u32) -> Meeting {
    let (from, to) = (shape.after(position, distance), shape.before(position, distance));
    Meeting {
        send: Some((to, input(shape, position, to))),
        receive: Some((from, output(shape, position, from), Then::Store)),
    }
}

/// Round in which every rank copies the block that it has for itself.
pub(super) fn keep_own() -> Round {
    let moves = |shape: &Shape, _: u64, position: u32| -> [Option<Move>; 2] {
        [Some((input(shape, position, position), output(shape, position, position), Then::Store)), None]
    };
    Round { index: 0, pattern: Pattern::Local { moves } }
}

/// Cost of a message from every rank to every other one.
pub(super) fn cost(shape: &Shape, critical: u64) -> Cost {
    let (ranks, others) = (u64::from(shape.ranks), u64::from(shape.ranks - 1));
    let bytes = match shape.counts {
        None => shape.bytes.saturating_mul(ranks).saturating_mul(others),
        Some(_) => {
            (0..shape.ranks).fold(0u64, |sum, rank| sum.saturating_add(shape.total() - input(shape, rank, rank).bytes))
        }
    };
    Cost::new(ranks * others, bytes, critical)
}
