//! Reduce-scatter among bine partners, the nearest first, block by block (De Sensi et al. 2025; PICO
//! `bine_block_by_block_any_even` and, for powers of two, `bine_block_by_block`, whose messages come in another order):
//! every block is a message of its own, so that none is moved. P even.
//!
//! ```text
//! burst 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four messages
//! burst 1   0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two messages
//! burst 2   0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      one message
//! ```
//!
//! PICO combines each block as it comes; here a rank combines once all of a burst are there.

use super::{
    Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, allgather_bine_blocks,
};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::ReduceScatter,
    name: "bine-blocks",
    openmpi: None,
    mpich: None,
    wins: "long blocks where copies cost; any even P",
    time: "⌈log₂P⌉·(α + mβ)",
    uneven: false,
    ranks: Ranks::Even,
    places: Places::ByRank,
    rounds: |shape| shape.log2_ceil().into(),
    round: |shape, index| Round {
        index,
        pattern: Pattern::Burst {
            count: 1 << (shape.log2_ceil() - 1 - index as u32),
            meeting: |shape, step, rank, turn| meeting(shape, step as u32, rank, turn, |block| shape.blocks(block, 1)),
        },
    },
    cost: |shape| {
        let others = u64::from(shape.ranks - 1);
        let messages = others * u64::from(shape.ranks);
        Cost::new(messages, others.saturating_mul(shape.total()), shape.log2_ceil().into())
    },
};

/// Message number `turn` of step `step`: the message in the opposite direction between the same partners in the
/// allgather's step with as many messages, combined.
pub(super) fn meeting(shape: &Shape, step: u32, rank: u32, turn: u32, part: impl Fn(u32) -> Part) -> Meeting {
    let mirrored = allgather_bine_blocks::meeting(shape, shape.log2_ceil() - 1 - step, rank, turn, part);
    Meeting {
        send: mirrored.receive.map(|(peer, part, _)| (peer, part)),
        receive: mirrored.send.map(|(peer, part)| (peer, part, Then::Combine)),
    }
}
