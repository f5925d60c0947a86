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
//! P not a power of two: first (round 0) of the first 2·(P − 2^⌊log₂P⌋) positions each odd one gives its buffer to the one
//! before and is done. Positions count from the root, which is therefore never one of those.
//! MPICH: `MPIR_Reduce_intra_reduce_scatter_gather` (counting from rank 0, as here with root 0); Open MPI:
//! `ompi_coll_base_reduce_intra_redscat_gather`.

use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, cost};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Reduce,
    name: "rabenseifner",
    openmpi: Some("rabenseifner"),
    mpich: Some("reduce_scatter_gather"),
    wins: "long messages: each rank combines m(P−1)/P bytes instead of m·log₂ P",
    time: "P a power of two that divides m: 2log₂P·α + 2mβ·(P−1)/P",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| 1 + 2 * u64::from(shape.log2_floor()),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let (doublings, left) = (u64::from(shape.log2_floor()), u64::from(left_out(shape)));
        let members = 1u64 << doublings;
        let before = Cost::of(left, shape.bytes.saturating_mul(left), u64::from(left > 0));
        let halving = Cost::of(members * doublings, shape.bytes.saturating_mul(members - 1), doublings);
        let gather = Cost::of(members - 1, cost::binomial_chunk_bytes(shape, members), doublings);
        before.then(halving).then(gather)
    },
};

/// How many positions are left out after the first round.
fn left_out(shape: &Shape) -> u32 {
    shape.ranks - (1 << shape.log2_floor())
}

/// The position of a member of the power of two, and the reverse.
fn position_of(shape: &Shape, member: u32) -> u32 {
    if member < left_out(shape) { 2 * member } else { member + left_out(shape) }
}

fn member_at(shape: &Shape, position: u32) -> Option<u32> {
    let left_out = left_out(shape);
    if position >= 2 * left_out {
        Some(position - left_out)
    } else {
        position.is_multiple_of(2).then_some(position / 2)
    }
}

/// What a member holds after `halvings`: bit i of its number says which half it kept in halving i.
fn held(shape: &Shape, member: u32, halvings: u32) -> Part {
    let all = 1u64 << shape.log2_floor();
    let first = (0..halvings).filter(|i| member >> i & 1 == 1).map(|i| all >> (i + 1)).sum();
    shape.chunks(first, all >> halvings, all)
}

fn meeting(shape: &Shape, round: u64, position: u32) -> Meeting {
    if round == 0 {
        return match position {
            _ if position >= 2 * left_out(shape) => Meeting::NONE,
            _ if position % 2 == 1 => Meeting::sends(position - 1, shape.whole()),
            _ => Meeting::receives(position + 1, shape.whole(), Then::Combine),
        };
    }
    let Some(member) = member_at(shape, position) else { return Meeting::NONE };
    let (doublings, round) = (shape.log2_floor(), round as u32 - 1);
    if round < doublings {
        let partner = member ^ (1 << round);
        let peer = position_of(shape, partner);
        let (sent, kept) = (held(shape, partner, round + 1), held(shape, member, round + 1));
        return Meeting { send: Some((peer, sent)), receive: Some((peer, kept, Then::Combine)) };
    }
    let bit = 2 * doublings - 1 - round;
    let peer = position_of(shape, member ^ (1 << bit));
    match member >> bit {
        0 => Meeting::receives(peer, held(shape, member | 1 << bit, bit + 1), Then::Store),
        1 => Meeting::sends(peer, held(shape, member, bit + 1)),
        _ => Meeting::NONE,
    }
}
