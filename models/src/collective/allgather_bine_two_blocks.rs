//! Allgather among bine partners, the nearest first (De Sensi et al. 2025; PICO `bine_2_blocks`): what a rank has is
//! consecutive around the ring, and grows to one side, then to the other. Where it goes around the end it is two
//! messages. P a power of two.
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      one block
//! round 1   0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two blocks: 0 sends 0 1, 7 sends 6 7
//! round 2   0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      four: 0 sends 0 1, then 6 7; 3 sends 2 3 4 5
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, bine};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "bine-two-blocks",
    openmpi: None,
    mpich: None,
    wins: "medium blocks where copies cost: bine partners without putting blocks in order",
    time: "log₂P·α + (P−1)·mβ, P = 2^n",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::ByRank,
    rounds: |shape| shape.log2_floor().into(),
    round: |_, index| Round { index, pattern: Pattern::Burst { count: 2, meeting } },
    cost: |shape| {
        let (ranks, bits) = (u64::from(shape.ranks), u64::from(shape.log2_floor()));
        // In step s ≥ 1 two messages have 2^s − 2 of the ranks.
        let more = if bits == 0 { 0 } else { ranks - 2 * bits };
        Cost::new(bits * ranks + more, (ranks - 1).saturating_mul(shape.total()), bits)
    },
};

/// Returns the blocks that a rank has before a step: the first one, and their number around the ring.
pub(super) fn has(shape: &Shape, step: u32, rank: u32) -> (u32, u32) {
    (bine::first_below(rank, step, shape.ranks), 1 << step)
}

/// Exchange in two messages: in turn 0 the blocks behind the end of the ring, if there are any, in turn 1 the rest.
fn meeting(shape: &Shape, step: u64, rank: u32, turn: u32) -> Meeting {
    let peer = bine::partner(rank, step as u32, shape.ranks);
    let part = |rank| -> Option<Part> {
        let (first, count) = has(shape, step as u32, rank);
        let behind = (first + count).saturating_sub(shape.ranks);
        match turn {
            0 => (behind > 0).then(|| shape.blocks(0, behind)),
            _ => Some(shape.blocks(first, count - behind)),
        }
    };
    Meeting { send: part(rank).map(|part| (peer, part)), receive: part(peer).map(|part| (peer, part, Then::Store)) }
}
