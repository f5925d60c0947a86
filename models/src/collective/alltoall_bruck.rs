//! Bruck's all-to-all (Bruck, Ho, Kipnis, Upfal, Weathersby 1997; Open MPI `modified_bruck`, MPICH `brucks`,
//! `ompi_coll_base_alltoall_intra_bruck`, `MPIR_Alltoall_intra_brucks`): block i still has to travel i ranks on; in
//! round k those with bit k of i set go 2^k ranks. Blocks are rotated before, and rotated and turned round after.
//!
//! ```text
//! round 0   every rank r: ─▶ r+1, blocks 1 3 5 7      0─▶1 1─▶2 2─▶3 3─▶4 4─▶5 5─▶6 6─▶7 7─▶0
//! round 1   every rank r: ─▶ r+2, blocks 2 3 6 7      0─▶2 1─▶3 2─▶4 3─▶5 4─▶6 5─▶7 6─▶0 7─▶1
//! round 2   every rank r: ─▶ r+4, blocks 4 5 6 7      0─▶4 1─▶5 2─▶6 3─▶7 4─▶0 5─▶1 6─▶2 7─▶3
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Move, Part, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Alltoall,
    name: "bruck",
    openmpi: Some("modified_bruck"),
    mpich: Some("brucks"),
    wins: "short blocks on many ranks: ⌈log₂P⌉ rounds, each with about half of all blocks",
    time: "⌈log₂P⌉·α + Σ_k b_k·mβ; b_k: how many numbers below P have bit k",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| 2 + 2 * u64::from(shape.log2_ceil()),
    round: |shape, index| {
        let last = 1 + 2 * u64::from(shape.log2_ceil());
        let pattern = match index {
            0 => Pattern::Local { moves: rotate },
            _ if index == last => Pattern::Local { moves: put_in_order },
            _ if index % 2 == 1 => Pattern::Meet { meeting },
            _ => Pattern::Local { moves: unpack },
        };
        Round { index: index.saturating_sub(1) / 2, pattern }
    },
    cost: |shape| {
        let (ranks, bits) = (u64::from(shape.ranks), shape.log2_ceil());
        let bytes: u64 = (0..bits).map(|bit| travelling(shape, bit).bytes).fold(0, u64::saturating_add);
        Cost::new(u64::from(bits) * ranks, bytes.saturating_mul(ranks), bits.into())
    },
};

/// Returns the blocks in area 2 that travel in the round of a bit.
fn travelling(shape: &Shape, bit: u32) -> Part {
    Part::with_bit(shape.total().saturating_mul(2), shape.bytes, shape.ranks, bit)
}

/// Returns the part at the start of area 1 in which arriving blocks lie packed first: they must not replace blocks that
/// are being sent.
fn packed(shape: &Shape, bit: u32) -> Part {
    Part::range(shape.total(), travelling(shape, bit).bytes)
}

/// Moves the block for the rank i after to place i of area 2.
fn rotate(shape: &Shape, _: u64, position: u32) -> [Option<Move>; 2] {
    let to_the_end = shape.ranks - position;
    let to = |first, count| shape.blocks(first, count).moved(shape.total().saturating_mul(2));
    [
        Some((shape.blocks(position, to_the_end), to(0, to_the_end), Then::Store)),
        Some((shape.blocks(0, position), to(to_the_end, position), Then::Store)),
    ]
}

fn meeting(shape: &Shape, bit: u64, position: u32) -> Meeting {
    let (bit, distance) = (bit as u32, 1 << bit);
    Meeting {
        send: Some((shape.after(position, distance), travelling(shape, bit))),
        receive: Some((shape.before(position, distance), packed(shape, bit), Then::Store)),
    }
}

fn unpack(shape: &Shape, bit: u64, _: u32) -> [Option<Move>; 2] {
    [Some((packed(shape, bit as u32), travelling(shape, bit as u32), Then::Store)), None]
}

/// Moves block i of area 2, which came from the rank i before, to its place in area 1.
fn put_in_order(shape: &Shape, _: u64, position: u32) -> [Option<Move>; 2] {
    let area = shape.total();
    let up_to_own = position + 1;
    let beyond = shape.ranks - up_to_own;
    let from = |first, count| shape.blocks(first, count).moved(area.saturating_mul(2));
    let backwards = |first, count| Part::backwards(shape.blocks(first, count).moved(area).offset, shape.bytes, count);
    [
        Some((from(0, up_to_own), backwards(0, up_to_own), Then::Store)),
        Some((from(up_to_own, beyond), backwards(up_to_own, beyond), Then::Store)),
    ]
}
