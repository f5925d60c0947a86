//! Reduce-scatter, then gather (Rabenseifner 1997; Thakur, Rabenseifner, Gropp 2005): long reductions at about 2mβ.
//!
//! ```text
//! halving 0   0◀▶1  2◀▶3  4◀▶5  6◀▶7      half of the buffer each way: even ranks keep the first half
//! halving 1   0◀▶2  1◀▶3  4◀▶6  5◀▶7      a quarter
//! halving 2   0◀▶4  1◀▶5  2◀▶6  3◀▶7      an eighth: every rank now has the result of one
//! gather 2    4─▶0  5─▶1  6─▶2  7─▶3      an eighth
//! gather 1    2─▶0  3─▶1                  a quarter
//! gather 0    1─▶0                        half
//! ```
//!
//! P not a power of two: first (round 0) of the first 2·(P − 2^⌊log₂P⌋) positions each odd one gives its buffer to the
//! one before and is done. Positions count from the root, which is therefore never one of those. MPICH:
//! `MPIR_Reduce_intra_reduce_scatter_gather` (counting from rank 0, as here with root 0). Open MPI's is
//! `rabenseifner-halves`.

use super::fold::{Fold, exchange};
use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, cost};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "rabenseifner",
    openmpi: None,
    mpich: Some("reduce_scatter_gather"),
    wins: "long messages: each rank combines m(P−1)/P bytes instead of m·log₂ P",
    time: "P a power of two that divides m: 2log₂P·α + 2mβ·(P−1)/P",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| 1 + 2 * u64::from(shape.log2_floor()),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let out = u64::from(Fold::even(shape).out);
        let before = Cost::new(out, shape.bytes.saturating_mul(out), u64::from(out > 0));
        before.then(halving_cost(shape)).then(gather_cost(shape, 0))
    },
};

/// Returns the part that a place holds after `halvings`: bit i of its number says which half it kept in halving i.
pub(super) fn held(shape: &Shape, place: u32, halvings: u32) -> Part {
    let all = 1u64 << shape.log2_floor();
    let first = (0..halvings).filter(|i| place >> i & 1 == 1).map(|i| all >> (i + 1)).sum();
    shape.chunks(first, all >> halvings, all)
}

fn meeting(shape: &Shape, round: u64, position: u32) -> Meeting {
    let (fold, doublings) = (Fold::even(shape), shape.log2_floor());
    let Some(round) = round.checked_sub(1) else { return fold.before(position, shape.whole()) };
    let Some(place) = fold.place(position) else { return Meeting::NONE };
    if round < u64::from(doublings) {
        return halving(shape, fold, round as u32, place);
    }
    gather(shape, round as u32 - doublings, place, 0, |place| fold.position(place))
}

/// Halving number `bit`, in which half of the part that a place holds goes each way.
pub(super) fn halving(shape: &Shape, fold: Fold, bit: u32, place: u32) -> Meeting {
    let partner = place ^ (1 << bit);
    let (sent, kept) = (held(shape, partner, bit + 1), held(shape, place, bit + 1));
    exchange(fold.position(partner), sent, kept, Then::Combine)
}

/// Round number `round` of the gather up to the place `top`, on the way back through the halvings.
pub(super) fn gather(shape: &Shape, round: u32, place: u32, top: u32, position: impl Fn(u32) -> u32) -> Meeting {
    let bit = shape.log2_floor() - 1 - round;
    let partner = place ^ (1 << bit);
    match (place ^ top) >> bit {
        0 => Meeting::receives(position(partner), held(shape, partner, bit + 1), Then::Store),
        1 => Meeting::sends(position(partner), held(shape, place, bit + 1)),
        _ => Meeting::NONE,
    }
}

/// Returns the cost of all halvings.
pub(super) fn halving_cost(shape: &Shape) -> Cost {
    let doublings = shape.log2_floor();
    let places = 1u64 << doublings;
    Cost::new(places * u64::from(doublings), shape.bytes.saturating_mul(places - 1), doublings.into())
}

/// Returns the cost of the gather up to the place `top`.
pub(super) fn gather_cost(shape: &Shape, top: u32) -> Cost {
    let doublings = shape.log2_floor();
    let places = 1u64 << doublings;
    // Halving i decides over bit log₂ places − 1 − i of the number of a chunk.
    let held = (0..doublings).map(|i| u64::from(top >> i & 1) << (doublings - 1 - i)).sum();
    Cost::new(places - 1, cost::binomial_chunk_bytes(shape, places, held), doublings.into())
}
