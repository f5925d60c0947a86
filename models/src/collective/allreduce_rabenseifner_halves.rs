//! Rabenseifner's allreduce as Open MPI carries it out (`rabenseifner`,
//! `ompi_coll_base_allreduce_intra_redscat_allgather`; PICO's `allreduce_rabenseifner` is the same): of a power of two
//! of ranks it is `rabenseifner`. Otherwise the first ranks exchange halves with their neighbours, both combine one,
//! and the odd ones hand theirs over: two messages of half the length in place of one, and half as much to combine.
//!
//! ```text
//! P = 6, round 0   0◀─▶1  2◀─▶3  4  5      half of the buffer each
//! round 1          0◀─ 1  2◀─ 3            the upper half, which the odd ones have combined
//! rounds 2 … 5     0, 2, 4, 5 as four ranks do by `rabenseifner`
//! round 6          0 ─▶1  2 ─▶3            the result
//! ```

use super::allreduce_rabenseifner::among;
use super::fold::Fold;
use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "rabenseifner-halves",
    openmpi: Some("rabenseifner"),
    mpich: None,
    wins: "long messages on many ranks that are no power of two, where combining is slow: the ranks that are too many share the work",
    time: "2·log₂P·α + 2·(P−1)/P·mβ, P = 2^n; else as for 2^⌊log₂P⌋ ranks and 3α + 2mβ more",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| {
        let fold = Fold::even(shape);
        fold.rounds_of_halves() + 2 * u64::from(shape.log2_floor()) + u64::from(fold.out > 0)
    },
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let (fold, bits) = (Fold::even(shape), u64::from(shape.log2_floor()));
        let (places, out) = (u64::from(fold.places), u64::from(fold.out));
        let among = Cost::new(2 * bits * places, shape.bytes.saturating_mul(2 * (places - 1)), 2 * bits);
        let after = Cost::new(out, shape.bytes.saturating_mul(out), u64::from(out > 0));
        fold.cost_of_halves(shape).then(among).then(after)
    },
};

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let fold = Fold::even(shape);
    match index.checked_sub(fold.rounds_of_halves()) {
        None => fold.halves(index, position, shape),
        Some(round) if round < 2 * u64::from(shape.log2_floor()) => among(shape, fold, round as u32, position),
        Some(_) => fold.after(position, |_| shape.whole()),
    }
}
