//! Reduce-scatter and allgather among bine partners, share by share (De Sensi et al. 2025; PICO
//! `bine_block_by_block_any_even`): every share is a message of its own. P even.
//!
//! ```text
//! burst 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four messages
//! burst 1   0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two messages
//! burst 2   0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      one message
//! burst 3   as burst 2, burst 4 as 1, burst 5 as 0: the result comes back
//! ```
//!
//! PICO combines each share as it comes; here a rank combines once all of a burst are there.

use super::{
    Algorithm, Collective, Cost, Pattern, Places, Ranks, Round, allgather_bine_blocks, reduce_scatter_bine_blocks,
};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "bine-blocks",
    openmpi: None,
    mpich: None,
    wins: "long messages where copies cost; any even P",
    time: "2·⌈log₂P⌉·(α + ⌈m/P⌉β)",
    uneven: false,
    ranks: Ranks::Even,
    places: Places::ByRank,
    rounds: |shape| 2 * u64::from(shape.log2_ceil()),
    round: |shape, index| {
        let bits = shape.log2_ceil();
        match (index as u32).checked_sub(bits) {
            None => Round {
                index,
                pattern: Pattern::Burst {
                    count: 1 << (bits - 1 - index as u32),
                    meeting: |shape, step, rank, turn| {
                        let share = |block| shape.shares(block, 1, shape.ranks);
                        reduce_scatter_bine_blocks::meeting(shape, step as u32, rank, turn, share)
                    },
                },
            },
            Some(step) => Round {
                index: step.into(),
                pattern: Pattern::Burst {
                    count: 1 << step,
                    meeting: |shape, step, rank, turn| {
                        let share = |block| shape.shares(block, 1, shape.ranks);
                        allgather_bine_blocks::meeting(shape, step as u32, rank, turn, share)
                    },
                },
            },
        }
    },
    cost: |shape| {
        let others = u64::from(shape.ranks - 1);
        let messages = 2 * others * u64::from(shape.ranks);
        Cost::new(messages, shape.bytes.saturating_mul(2 * others), 2 * u64::from(shape.log2_ceil()))
    },
};
