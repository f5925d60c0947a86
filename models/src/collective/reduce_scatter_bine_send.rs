//! Reduce-scatter among bine partners, the nearest first; blocks change places at the end (De Sensi et al. 2025; PICO
//! `bine_send_remap`): every rank ends with the block whose number is its position in the doubling tree, and sends it
//! to its rank. P a power of two.
//!
//! ```text
//! position   0 1 2 3 4 5 6 7   of rank 0 3 7 4 1 6 2 5
//! round 0    0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four blocks
//! round 1    0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two blocks
//! round 2    0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      one block
//! round 3    1─▶4 2─▶6 3─▶1 4─▶3 5─▶7 6─▶5 7─▶2
//! ```

use super::fold::exchange;
use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then, bine};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::ReduceScatter,
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
    cost: |shape| {
        let moved = u64::from(bine::moved(shape.ranks, bine::doubling_position));
        halving_cost(shape).then(Cost::new(moved, shape.bytes.saturating_mul(moved), u64::from(moved > 0)))
    },
};

pub(super) fn halving_cost(shape: &Shape) -> Cost {
    let (ranks, bits) = (u64::from(shape.ranks), u64::from(shape.log2_floor()));
    Cost::new(bits * ranks, (ranks - 1).saturating_mul(shape.total()), bits)
}

/// Exchange of half of the blocks that both partners have, in the order of positions.
pub(super) fn halving(shape: &Shape, step: u32, rank: u32) -> Meeting {
    let (ranks, bit) = (shape.ranks, shape.log2_floor() - 1 - step);
    let peer = bine::partner(rank, step, ranks);
    let group = |rank| shape.blocks(bine::group(bine::doubling_position(rank, ranks), bit), 1 << bit);
    exchange(peer, group(peer), group(rank), Then::Combine)
}

fn meeting(shape: &Shape, index: u64, rank: u32) -> Meeting {
    if index < shape.log2_floor().into() {
        return halving(shape, index as u32, rank);
    }
    let (to, from) = (bine::doubling_position(rank, shape.ranks), bine::doubling_rank(rank, shape.ranks));
    if to == rank {
        return Meeting::NONE;
    }
    Meeting { send: Some((to, shape.blocks(to, 1))), receive: Some((from, shape.blocks(rank, 1), Then::Store)) }
}
