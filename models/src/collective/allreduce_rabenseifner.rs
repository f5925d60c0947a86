//! Rabenseifner's allreduce (Rabenseifner 1997, 2004; MPICH `reduce_scatter_allgather`): the buffer is halved with
//! every exchange until each rank has combined one share, then the shares are gathered on the same way back. Of other
//! numbers of ranks than powers of two those that are too many hand over the whole buffer; in Open MPI they combine
//! half of it first (`rabenseifner-halves`).
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      half of the buffer each
//! round 1   0◀─▶2  1◀─▶3  4◀─▶6  5◀─▶7      a quarter
//! round 2   0◀─▶4  1◀─▶5  2◀─▶6  3◀─▶7      an eighth
//! round 3   as round 2, round 4 as 1, round 5 as 0: the result comes back
//! ```

use super::fold::{Fold, Stage, exchange};
use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "rabenseifner",
    openmpi: None,
    mpich: Some("reduce_scatter_allgather"),
    wins: "long messages on many ranks: 2m bytes per rank in 2·log₂P rounds",
    time: "2·log₂P·α + 2·(P−1)/P·mβ, P = 2^n; else as for 2^⌊log₂P⌋ ranks and 2·(α + mβ) more",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| Fold::odd(shape).rounds(2 * shape.log2_floor()),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let (fold, bits) = (Fold::odd(shape), u64::from(shape.log2_floor()));
        let messages = 2 * bits * u64::from(fold.places) + 2 * u64::from(fold.out);
        let bytes = shape.bytes.saturating_mul(2 * u64::from(shape.ranks - 1));
        Cost::new(messages, bytes, 2 * bits + 2 * u64::from(fold.out > 0))
    },
};

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let fold = Fold::odd(shape);
    match fold.stage(index, 2 * shape.log2_floor()) {
        Stage::Before => fold.before(position, shape.whole()),
        Stage::Among(round) => among(shape, fold, round, position),
        Stage::After(_) => fold.after(position, |_| shape.whole()),
    }
}

/// Meeting of round number `round` of the 2·log₂ places rounds among the places: first the way to the shares, then the
/// way back.
pub(super) fn among(shape: &Shape, fold: Fold, round: u32, position: u32) -> Meeting {
    let Some(place) = fold.place(position) else { return Meeting::NONE };
    let bits = shape.log2_floor();
    let halving = round < bits;
    let bit = if halving { round } else { 2 * bits - 1 - round };
    // After this round of halving, each of the two has `count` shares; the one whose bit is set has the upper ones.
    let count = fold.places >> (bit + 1);
    let peer = place ^ 1 << bit;
    let window = |place: u32| shape.shares(first_share(place, bit + 1, bits), count, fold.places);
    let (mine, theirs) = (window(place), window(peer));
    if halving {
        exchange(fold.position(peer), theirs, mine, Then::Combine)
    } else {
        exchange(fold.position(peer), mine, theirs, Then::Store)
    }
}

/// Returns the first share that a place has after `rounds` of `bits` rounds of halving: bit k of the place picks a half
/// in round k.
pub(super) fn first_share(place: u32, rounds: u32, bits: u32) -> u32 {
    (0..rounds).map(|round| (place >> round & 1) << (bits - 1 - round)).sum()
}
