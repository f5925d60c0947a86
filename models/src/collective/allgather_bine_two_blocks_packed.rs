//! Allgather among bine partners, the nearest first, one message each (PICO `bine_2_blocks_dtype`): where what a rank
//! has goes around the end of the ring, a derived datatype gathers it from both ends. P a power of two.
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      one block
//! round 1   0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two blocks
//! round 2   0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      four blocks: 0 sends 0 1 6 7, 3 sends 2 3 4 5
//! ```

use super::allgather_bine_two_blocks::has;
use super::fold::exchange;
use super::{
    Algorithm, Collective, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, allgather_bine_permute, bine,
};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "bine-two-blocks-packed",
    openmpi: None,
    mpich: None,
    wins: "short blocks: as bine-two-blocks, never two messages",
    time: "log₂P·α + (P−1)·mβ, P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::ByRank,
    rounds: |shape| shape.log2_floor().into(),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: allgather_bine_permute::cost,
};

fn meeting(shape: &Shape, step: u64, rank: u32) -> Meeting {
    let peer = bine::partner(rank, step as u32, shape.ranks);
    let part = |rank| {
        let (first, count) = has(shape, step as u32, rank);
        Part::around(0, shape.bytes, first, count, shape.ranks)
    };
    exchange(peer, part(rank), part(peer), Then::Store)
}
