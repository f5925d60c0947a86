//! Allgather among bine partners, the furthest first, into the order of positions of the doubling tree; every rank puts
//! all blocks in order at the end (De Sensi et al. 2025; PICO `bine_permute_remap`; `bine_permute_static`, whose order
//! is that of a table). P a power of two.
//!
//! ```text
//! position   0 1 2 3 4 5 6 7   of rank 0 3 7 4 1 6 2 5
//! round 0    0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      one block
//! round 1    0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two blocks
//! round 2    0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four blocks
//! ```

use super::fold::exchange;
use super::{
    Algorithm, Collective, Cost, Meeting, Move, Part, Pattern, Places, Ranks, Round, Scattered, Shape, Then, bine,
};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "bine-permute",
    openmpi: None,
    mpich: None,
    wins: "short blocks where distance costs: most bytes go to a neighbour",
    time: "log₂P·α + (P−1)·mβ, P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::ByRank,
    rounds: |shape| u64::from(shape.log2_floor()) + 2,
    round: |shape, index| {
        let pattern = match index {
            0 => Pattern::Local { moves: begin },
            _ if index <= u64::from(shape.log2_floor()) => Pattern::Meet { meeting },
            _ => Pattern::Local { moves: put_in_order },
        };
        Round { index: index.saturating_sub(1), pattern }
    },
    cost,
};

pub(super) fn cost(shape: &Shape) -> Cost {
    let (ranks, bits) = (u64::from(shape.ranks), u64::from(shape.log2_floor()));
    Cost::new(bits * ranks, (ranks - 1).saturating_mul(shape.total()), bits)
}

/// Moves the rank's own block to its position.
fn begin(shape: &Shape, _: u64, rank: u32) -> [Option<Move>; 2] {
    let to = shape.blocks(bine::doubling_position(rank, shape.ranks), 1);
    [(to.offset != shape.blocks(rank, 1).offset).then(|| (shape.blocks(rank, 1), to, Then::Store)), None]
}

/// Exchange of 2^bit blocks in the order of positions of the doubling tree.
fn meeting(shape: &Shape, bit: u64, rank: u32) -> Meeting {
    meeting_by(shape, bit as u32, rank, bine::doubling_position)
}

/// Exchange of 2^bit blocks in the order of the positions of a tree or a table.
pub(super) fn meeting_by(shape: &Shape, bit: u32, rank: u32, position_of: fn(u32, u32) -> u32) -> Meeting {
    let ranks = shape.ranks;
    let peer = bine::partner(rank, shape.log2_floor() - 1 - bit, ranks);
    let group = |rank| shape.blocks(bine::group(position_of(rank, ranks), bit), 1 << bit);
    exchange(peer, group(rank), group(peer), Then::Store)
}

fn put_in_order(shape: &Shape, _: u64, _: u32) -> [Option<Move>; 2] {
    let all = shape.blocks(0, shape.ranks);
    let scattered = Some(Scattered::ByBinePosition { block_bytes: shape.bytes });
    [Some((all, Part { scattered, ..all }, Then::Store)), None]
}
