//! Scan by recursive doubling (Hillis, Steele 1986; Open MPI and MPICH `recursive_doubling`,
//! `ompi_coll_base_scan_intra_recursivedoubling`, `MPIR_Scan_intra_recursive_doubling`): every rank exchanges with rank
//! xor 2^k, where that rank exists, the combination over its group of 2^k; who has the higher number takes it into its
//! result too.
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7
//! round 1   0◀─▶2  1◀─▶3  4◀─▶6  5◀─▶7
//! round 2   0◀─▶4  1◀─▶5  2◀─▶6  3◀─▶7
//! ```

use super::fold::exchange;
use super::{Algorithm, Collective, Cost, Meeting, Move, Part, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Scan,
    name: "recursive-doubling",
    openmpi: Some("recursive_doubling"),
    mpich: Some("recursive_doubling"),
    wins: "many ranks: ⌈log₂P⌉ rounds",
    time: "⌈log₂P⌉·(α + mβ)",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| 1 + 2 * u64::from(shape.log2_ceil()),
    round: |_, index| {
        let pattern = match index {
            0 => Pattern::Local {
                moves: |shape, _, _| [Some((shape.whole(), shape.whole().moved(shape.bytes), Then::Store)), None],
            },
            _ if index % 2 == 1 => Pattern::Meet { meeting },
            _ => Pattern::Local { moves },
        };
        Round { index: index.saturating_sub(1) / 2, pattern }
    },
    cost,
};

/// Exchange of a round: the group's combination is in area 0, the rank's own result in area 1, and data from the
/// partner go to area 2.
pub(super) fn meeting(shape: &Shape, bit: u64, position: u32) -> Meeting {
    match peer(shape, bit, position) {
        Some(peer) => exchange(peer, shape.whole(), arrived(shape), Then::Store),
        None => Meeting::NONE,
    }
}

fn moves(shape: &Shape, bit: u64, position: u32) -> [Option<Move>; 2] {
    let Some(peer) = peer(shape, bit, position) else { return [None, None] };
    let result = shape.whole().moved(shape.bytes);
    [
        Some((arrived(shape), shape.whole(), Then::Combine)),
        (peer < position).then_some((arrived(shape), result, Then::Combine)),
    ]
}

/// Returns the position that a position meets in the round of a bit; `None` where there is no such rank.
pub(super) fn peer(shape: &Shape, bit: u64, position: u32) -> Option<u32> {
    Some(position ^ 1 << bit).filter(|&peer| peer < shape.ranks)
}

pub(super) fn arrived(shape: &Shape) -> Part {
    shape.whole().moved(shape.bytes.saturating_mul(2))
}

/// Cost of the exchanges, in which each rank with bit k set meets the one without it.
pub(super) fn cost(shape: &Shape) -> Cost {
    let met: u64 = (0..shape.log2_ceil()).map(|bit| Part::with_bit(0, 1, shape.ranks, bit).bytes).sum();
    Cost::new(2 * met, shape.bytes.saturating_mul(2 * met), shape.log2_ceil().into())
}
