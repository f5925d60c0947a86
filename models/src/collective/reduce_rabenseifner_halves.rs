//! Rabenseifner's reduction as Open MPI carries it out (`rabenseifner`, `ompi_coll_base_reduce_intra_redscat_gather`):
//! with root 0 and a power of two of ranks it is `rabenseifner`. Places count from rank 0, whatever the root. P not a
//! power of two: the first ranks exchange halves with their neighbours, both combine one, the odd ones hand theirs over
//! and sit out; if the root is one of those, it takes over from rank 0 what that holds after the halving, and its
//! place.
//!
//! ```text
//! P = 6, root 1   0◀▶1  2◀▶3  4  5      half of the buffer each way
//!                 0◀─1  2◀─3            the upper half, which the odd ones have combined
//! halving 0       0◀▶2  4◀▶5            half
//! halving 1       0◀▶4  2◀▶5            a quarter
//! to the root     0─▶1                  a quarter
//! gather 1        4─▶1  5─▶2            a quarter
//! gather 0        2─▶1                  half
//! ```

use super::fold::Fold;
use super::reduce_rabenseifner::{gather, gather_cost, halving, halving_cost, held};
use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "rabenseifner-halves",
    openmpi: Some("rabenseifner"),
    mpich: None,
    wins: "long messages on ranks that are no power of two, where combining is slow: the ranks that are too many share the work",
    time: "2^⌊log₂P⌋ = Q divides m: 2log₂Q·α + 2mβ·(Q−1)/Q, and 2α + mβ more if P is no power of two",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| {
        let fold = Fold::even(shape);
        fold.rounds_of_halves() + 2 * u64::from(shape.log2_floor()) + u64::from(sits_out(shape, fold))
    },
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let fold = Fold::even(shape);
        let before = Cost { critical: late(shape, fold), ..fold.cost_of_halves(shape) };
        // The root takes over while the first messages of the gather are under way to it.
        let moved = if sits_out(shape, fold) { Cost::new(1, share(shape).bytes, 0) } else { Cost::default() };
        before.then(halving_cost(shape)).then(moved).then(gather_cost(shape, top(shape, fold)))
    },
};

/// Whether the root is one of the ranks that sit out.
fn sits_out(shape: &Shape, fold: Fold) -> bool {
    fold.place(shape.root).is_none()
}

/// Returns the place at which the result is gathered.
fn top(shape: &Shape, fold: Fold) -> u32 {
    fold.place(shape.root).unwrap_or(0)
}

/// Returns the number of messages by which those before the halving hold up the result. A chain of messages from place
/// p to the top has one message less for each bit in which they differ: that place travels either in the halving or in
/// the gather. Places below `fold.out` are late.
fn late(shape: &Shape, fold: Fold) -> u64 {
    match top(shape, fold) {
        _ if fold.out == 0 => 0,
        top if top < fold.out => 2,
        top if top - (1 << top.ilog2()) < fold.out => 1,
        _ => 0,
    }
}

/// Returns the part that rank 0 holds after the halving.
fn share(shape: &Shape) -> Part {
    held(shape, 0, shape.log2_floor())
}

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let (fold, doublings) = (Fold::even(shape), u64::from(shape.log2_floor()));
    let Some(round) = index.checked_sub(fold.rounds_of_halves()) else { return fold.halves(index, position, shape) };
    if round < doublings {
        let place = fold.place(position);
        return place.map_or(Meeting::NONE, |place| halving(shape, fold, round as u32, place));
    }
    let (round, takes_over) = (round - doublings, sits_out(shape, fold));
    let Some(round) = round.checked_sub(u64::from(takes_over)) else { return to_the_root(shape, position) };
    let place = match position {
        position if takes_over && position == shape.root => Some(0),
        0 if takes_over => None,
        position => fold.place(position),
    };
    let at = |place| if takes_over && place == 0 { shape.root } else { fold.position(place) };
    place.map_or(Meeting::NONE, |place| gather(shape, round as u32, place, top(shape, fold), at))
}

/// Message by which rank 0 hands over to a root that sat out.
fn to_the_root(shape: &Shape, position: u32) -> Meeting {
    match position {
        0 => Meeting::sends(shape.root, share(shape)),
        position if position == shape.root => Meeting::receives(0, share(shape), Then::Store),
        _ => Meeting::NONE,
    }
}
