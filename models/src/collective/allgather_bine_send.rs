//! Allgather among bine partners, the furthest first, of blocks that changed places before: every rank begins with the
//! block whose number is its position in the doubling tree, so that all end in order (De Sensi et al. 2025; PICO
//! `bine_send_remap`). P a power of two.
//!
//! ```text
//! round 0    rank r sends its block to the rank at position r      1─▶3 2─▶7 3─▶4 4─▶1 5─▶6 6─▶2 7─▶5
//! round 1    0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      one block
//! round 2    0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two blocks
//! round 3    0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four blocks
//! ```

use super::allgather_bine_permute::meeting_by;
use super::{
    Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then, allgather_bine_permute, bine,
};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "bine-send",
    openmpi: None,
    mpich: None,
    wins: "medium blocks where distance costs and copies, too: one message more instead of putting blocks in order",
    time: "P = 2^n ≥ 4: (log₂P + 1)·α + P·mβ",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::ByRank,
    rounds: |shape| u64::from(shape.log2_floor()) + 1,
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| cost(shape, bine::doubling_position),
};

/// Cost of the messages by which blocks change places, and of the allgather.
pub(super) fn cost(shape: &Shape, position_of: fn(u32, u32) -> u32) -> Cost {
    let moved = u64::from(bine::moved(shape.ranks, position_of));
    let before = Cost::new(moved, shape.bytes.saturating_mul(moved), u64::from(moved > 0));
    before.then(allgather_bine_permute::cost(shape))
}

fn meeting(shape: &Shape, index: u64, rank: u32) -> Meeting {
    let Some(bit) = index.checked_sub(1) else {
        return change_places(shape, rank, bine::doubling_position, bine::doubling_rank);
    };
    meeting_by(shape, bit as u32, rank, bine::doubling_position)
}

/// Message of a rank's block to the rank at the position of that number.
pub(super) fn change_places(
    shape: &Shape,
    rank: u32,
    position_of: fn(u32, u32) -> u32,
    rank_at: fn(u32, u32) -> u32,
) -> Meeting {
    let (from, to) = (position_of(rank, shape.ranks), rank_at(rank, shape.ranks));
    if to == rank {
        return Meeting::NONE;
    }
    Meeting { send: Some((to, shape.blocks(rank, 1))), receive: Some((from, shape.blocks(from, 1), Then::Store)) }
}
