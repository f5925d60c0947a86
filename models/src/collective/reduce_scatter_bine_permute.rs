//! Reduce-scatter among bine partners, the nearest first, of blocks that every rank puts in the order of positions of
//! the doubling tree before (De Sensi et al. 2025; PICO `bine_permute_remap`). P a power of two.
//!
//! ```text
//! position   0 1 2 3 4 5 6 7   of rank 0 3 7 4 1 6 2 5
//! round 0    0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four blocks
//! round 1    0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two blocks
//! round 2    0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      one block
//! ```

use super::reduce_scatter_bine_send::{halving, halving_cost};
use super::{Algorithm, Collective, Move, Part, Pattern, Places, Ranks, Round, Scattered, Shape, Then, bine};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::ReduceScatter,
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
            0 => Pattern::Local { moves: put_by_position },
            _ if index <= u64::from(shape.log2_floor()) => {
                Pattern::Meet { meeting: |shape, step, rank| halving(shape, step as u32, rank) }
            }
            _ => Pattern::Local { moves: keep_own },
        };
        Round { index: index.saturating_sub(1), pattern }
    },
    cost: halving_cost,
};

fn put_by_position(shape: &Shape, _: u64, _: u32) -> [Option<Move>; 2] {
    let all = shape.blocks(0, shape.ranks);
    let scattered = Some(Scattered::ByBinePosition { block_bytes: shape.bytes });
    [Some((Part { scattered, ..all }, all, Then::Store)), None]
}

/// Moves the rank's own block from its position to its place.
fn keep_own(shape: &Shape, _: u64, rank: u32) -> [Option<Move>; 2] {
    let from = shape.blocks(bine::doubling_position(rank, shape.ranks), 1);
    [(from.offset != shape.blocks(rank, 1).offset).then(|| (from, shape.blocks(rank, 1), Then::Store)), None]
}
