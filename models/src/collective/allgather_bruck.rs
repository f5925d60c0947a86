//! Bruck's allgather (Bruck, Ho, Kipnis, Upfal, Weathersby 1997; Open MPI `bruck`, MPICH `brucks`,
//! `ompi_coll_base_allgather_intra_bruck`, `MPIR_Allgather_intra_brucks`): what each rank has doubles every round, for
//! any P. Blocks lie rotated, one's own first, and are put in order at the end.
//!
//! ```text
//! round 0   every rank r: ─▶ r−1, 1 block        1─▶0 2─▶1 3─▶2 4─▶3 5─▶4 6─▶5 7─▶6 0─▶7
//! round 1   every rank r: ─▶ r−2, 2 blocks       2─▶0 3─▶1 4─▶2 5─▶3 6─▶4 7─▶5 0─▶6 1─▶7
//! round 2   every rank r: ─▶ r−4, 4 blocks       4─▶0 5─▶1 6─▶2 7─▶3 0─▶4 1─▶5 2─▶6 3─▶7
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Move, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "bruck",
    openmpi: Some("bruck"),
    mpich: Some("brucks"),
    wins: "short blocks, above all where P is no power of two: ⌈log₂P⌉ rounds",
    time: "⌈log₂P⌉·α + (P−1)·mβ",
    uneven: true,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds,
    round,
    cost,
};

pub(super) fn rounds(shape: &Shape) -> u64 {
    u64::from(shape.log2_ceil()) + 2
}

pub(super) fn round(shape: &Shape, index: u64) -> Round {
    let bits = u64::from(shape.log2_ceil());
    let pattern = match index {
        0 => Pattern::Local { moves: begin },
        _ if index <= bits => Pattern::Meet { meeting },
        _ => Pattern::Local { moves: put_in_order },
    };
    Round { index: index.saturating_sub(1), pattern }
}

pub(super) fn cost(shape: &Shape) -> Cost {
    let (ranks, bits) = (u64::from(shape.ranks), u64::from(shape.log2_ceil()));
    Cost::new(bits * ranks, (ranks - 1).saturating_mul(shape.total()), bits)
}

/// Copies the rank's own block to the beginning of area 1.
fn begin(shape: &Shape, _: u64, position: u32) -> [Option<Move>; 2] {
    let first = shape.rotated_blocks(position, 0, 1).moved(shape.total());
    [Some((shape.blocks(position, 1), first, Then::Store)), None]
}

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let distance = 1 << index;
    let count = distance.min(shape.ranks - distance);
    let in_area_1 = |first| shape.rotated_blocks(position, first, count).moved(shape.total());
    Meeting {
        send: Some((shape.before(position, distance), in_area_1(0))),
        receive: Some((shape.after(position, distance), in_area_1(distance), Then::Store)),
    }
}

/// Copies all blocks to area 0: area 1 begins with the rank's own block, area 0 with that of rank 0.
fn put_in_order(shape: &Shape, _: u64, position: u32) -> [Option<Move>; 2] {
    let to_the_end = shape.ranks - position;
    let from = |first, count| shape.rotated_blocks(position, first, count).moved(shape.total());
    [
        Some((from(0, to_the_end), shape.blocks(position, to_the_end), Then::Store)),
        Some((from(to_the_end, position), shape.blocks(0, position), Then::Store)),
    ]
}
