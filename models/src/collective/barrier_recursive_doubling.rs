//! Recursive-doubling barrier: pairs exchange, then pairs of pairs (Open MPI `recursive_doubling`).
//!
//! ```text
//! round 1   0◀▶1  2◀▶3  4◀▶5  6◀▶7
//! round 2   0◀▶2  1◀▶3  4◀▶6  5◀▶7
//! round 3   0◀▶4  1◀▶5  2◀▶6  3◀▶7
//! ```
//!
//! Ranks beyond the largest power of two p report to rank − p before (round 0) and are released by it after (the last
//! round). Open MPI: `ompi_coll_base_barrier_intra_recursivedoubling`.

use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Barrier,
    name: "recursive-doubling",
    openmpi: Some("recursive_doubling"),
    mpich: None,
    wins: "P a power of two: log₂ P rounds between fixed pairs",
    time: "log₂P·α; P not a power of two p: (log₂p + 1)·α for P ≤ 3p/2, (log₂p + 2)·α above",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| u64::from(shape.log2_floor()) + 2,
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let (rounds, pairs, beyond) = (u64::from(shape.log2_floor()), 1 << shape.log2_floor(), beyond(shape));
        // Longest are the chains from a report to a rank that is not released by another, or between two ranks that
        // report.
        let critical = match beyond {
            0 => rounds,
            _ if 2 * u64::from(beyond) <= pairs => rounds + 1,
            _ => rounds + 2,
        };
        Cost::new(pairs * rounds + 2 * u64::from(beyond), 0, critical)
    },
};

/// Returns the number of ranks beyond the largest power of two.
fn beyond(shape: &Shape) -> u32 {
    shape.ranks - (1 << shape.log2_floor())
}

fn meeting(shape: &Shape, round: u64, position: u32) -> Meeting {
    let (pairs, last, part) = (1u32 << shape.log2_floor(), u64::from(shape.log2_floor()) + 1, Part::default());
    if round == 0 || round == last {
        let reports = round == 0;
        return match position {
            _ if position >= pairs && reports => Meeting::sends(position - pairs, part),
            _ if position >= pairs => Meeting::receives(position - pairs, part, Then::Store),
            _ if position >= beyond(shape) => Meeting::NONE,
            _ if reports => Meeting::receives(position + pairs, part, Then::Store),
            _ => Meeting::sends(position + pairs, part),
        };
    }
    let partner = position ^ (1 << (round - 1));
    if position >= pairs {
        return Meeting::NONE;
    }
    Meeting { send: Some((partner, part)), receive: Some((partner, part, Then::Store)) }
}
