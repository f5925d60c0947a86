//! Allgather among bine partners, the furthest first, block by block (De Sensi et al. 2025; PICO
//! `bine_block_by_block_any_even` and, for powers of two, `bine_block_by_block`, whose messages come in another order):
//! every block is a message of its own, so that none is moved. P even.
//!
//! ```text
//! burst 0   0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      one message
//! burst 1   0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two messages
//! burst 2   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four messages
//! ```

use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, bine};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "bine-blocks",
    openmpi: None,
    mpich: None,
    wins: "long blocks where copies cost; any even P",
    time: "⌈log₂P⌉·(α + mβ)",
    uneven: false,
    ranks: Ranks::Even,
    places: Places::ByRank,
    rounds: |shape| shape.log2_ceil().into(),
    round: |_, index| Round {
        index,
        pattern: Pattern::Burst {
            count: 1 << index,
            meeting: |shape, step, rank, turn| meeting(shape, step as u32, rank, turn, |block| shape.blocks(block, 1)),
        },
    },
    cost: |shape| {
        let others = u64::from(shape.ranks - 1);
        let messages = others * u64::from(shape.ranks);
        Cost::new(messages, others.saturating_mul(shape.total()), shape.log2_ceil().into())
    },
};

/// Message number `turn` of step `step`, in which the partner gets a block that it lacks.
pub(super) fn meeting(shape: &Shape, step: u32, rank: u32, turn: u32, part: impl Fn(u32) -> Part) -> Meeting {
    let ranks = shape.ranks;
    let Some(distance) = bine::numbered((1 << step) + turn, ranks) else { return Meeting::NONE };
    let peer = bine::partner(rank, shape.log2_ceil() - 1 - step, ranks);
    let gets = |rank: u32| {
        if rank.is_multiple_of(2) { shape.after(rank, distance) } else { shape.before(rank, distance) }
    };
    Meeting { send: Some((peer, part(gets(peer)))), receive: Some((peer, part(gets(rank)), Then::Store)) }
}
