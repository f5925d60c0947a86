//! All-to-all among bine partners (De Sensi et al. 2025; PICO `bine`): in every step a rank hands on, packed, the half
//! of its blocks that is for ranks on its partner's side, and moves the others together. P a power of two.
//!
//! ```text
//! position   0 1 2 3 4 5 6 7   of rank 0 3 7 4 1 6 2 5
//! round 0    0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four blocks: those for positions 4 to 7 one way, for 0 to 3 the other
//! round 1    0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      four blocks, from two ranks
//! round 2    0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      four blocks, from four ranks
//! ```

use super::fold::exchange;
use super::{
    Algorithm, Collective, Cost, Meeting, Move, Part, Pattern, Places, Ranks, Round, Scattered, Shape, Then, bine,
};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Alltoall,
    name: "bine",
    openmpi: None,
    mpich: None,
    wins: "short blocks where distance costs: log₂P rounds as Bruck's, half of them with near partners",
    time: "log₂P·(α + P/2·mβ), P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::ByRank,
    rounds: |shape| 2 + 2 * u64::from(shape.log2_floor()),
    round: |shape, index| {
        let last = 1 + 2 * u64::from(shape.log2_floor());
        let pattern = match index {
            0 => Pattern::Local { moves: put_by_position },
            _ if index == last => Pattern::Local { moves: put_in_order },
            _ if index % 2 == 1 => Pattern::Local { moves: pack },
            _ => Pattern::Meet { meeting },
        };
        Round { index: index.saturating_sub(1) / 2, pattern }
    },
    cost: |shape| {
        let (ranks, bits) = (u64::from(shape.ranks), u64::from(shape.log2_floor()));
        let bytes = shape.total().saturating_mul(ranks / 2).saturating_mul(bits);
        Cost::new(bits * ranks, bytes, bits)
    },
};

/// Returns area 2, in which all blocks of a rank lie: for each rank from which it has any, those for the positions on
/// its side.
fn held(shape: &Shape) -> Part {
    shape.blocks(0, shape.ranks).moved(shape.total().saturating_mul(2))
}

/// Returns the first or the second half of an area.
fn half(shape: &Shape, area: u64, second: bool) -> Part {
    let count = shape.ranks / 2;
    shape.blocks(if second { count } else { 0 }, count).moved(shape.total().saturating_mul(area))
}

fn put_by_position(shape: &Shape, _: u64, _: u32) -> [Option<Move>; 2] {
    let input = shape.blocks(0, shape.ranks);
    let scattered = Some(Scattered::ByBinePosition { block_bytes: shape.bytes });
    [Some((Part { scattered, ..input }, held(shape), Then::Store)), None]
}

/// Packs the blocks that leave into area 1, and moves those that stay to the front.
fn pack(shape: &Shape, step: u64, rank: u32) -> [Option<Move>; 2] {
    let bit = shape.log2_floor() - 1 - step as u32;
    let offset = held(shape).offset;
    // Blocks without the bit are those with it of an area that begins 2^bit blocks before.
    let with = Part::with_bit(offset, shape.bytes, shape.ranks, bit);
    let without = Part::with_bit(offset - shape.blocks(0, 1 << bit).bytes, shape.bytes, shape.ranks, bit);
    let has_bit = bine::doubling_position(rank, shape.ranks) >> bit & 1 == 1;
    let (goes, stays) = if has_bit { (without, with) } else { (with, without) };
    [Some((goes, half(shape, 1, false), Then::Store)), Some((stays, half(shape, 2, false), Then::Store))]
}

fn meeting(shape: &Shape, index: u64, rank: u32) -> Meeting {
    let peer = bine::partner(rank, index as u32, shape.ranks);
    exchange(peer, half(shape, 1, false), half(shape, 2, true), Then::Store)
}

fn put_in_order(shape: &Shape, _: u64, rank: u32) -> [Option<Move>; 2] {
    let output = shape.blocks(0, shape.ranks).moved(shape.total());
    let scattered = Some(Scattered::ByBineMeeting { of: rank, block_bytes: shape.bytes });
    [Some((Part { scattered, ..held(shape) }, output, Then::Store)), None]
}
