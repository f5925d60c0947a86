//! Exclusive scan by recursive doubling (Open MPI and MPICH `recursive_doubling`,
//! `ompi_coll_base_exscan_intra_recursivedoubling`, `MPIR_Exscan_intra_recursive_doubling`): as the scan, but a rank's
//! own part never enters its result.
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7
//! round 1   0◀─▶2  1◀─▶3  4◀─▶6  5◀─▶7
//! round 2   0◀─▶4  1◀─▶5  2◀─▶6  3◀─▶7
//! ```

use super::scan_recursive_doubling::{arrived, cost, meeting, peer};
use super::{Algorithm, Collective, Move, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Exscan,
    name: "recursive-doubling",
    openmpi: Some("recursive_doubling"),
    mpich: Some("recursive_doubling"),
    wins: "many ranks: ⌈log₂P⌉ rounds",
    time: "⌈log₂P⌉·(α + mβ)",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| 2 * u64::from(shape.log2_ceil()),
    round: |_, index| Round {
        index: index / 2,
        pattern: if index % 2 == 0 { Pattern::Meet { meeting } } else { Pattern::Local { moves } },
    },
    cost,
};

fn moves(shape: &Shape, bit: u64, position: u32) -> [Option<Move>; 2] {
    let Some(peer) = peer(shape, bit, position) else { return [None, None] };
    // The first part from below is all there is yet: it comes in the round of the lowest bit set.
    let then = if position.trailing_zeros() == bit as u32 { Then::Store } else { Then::Combine };
    let result = shape.whole().moved(shape.bytes);
    [Some((arrived(shape), shape.whole(), Then::Combine)), (peer < position).then_some((arrived(shape), result, then))]
}
