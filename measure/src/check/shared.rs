//! Checks that broadcasts through shared memory bring every byte, one after the other, with roots and lengths that
//! change.

use crate::clock::ClockSource;
use crate::rank::{Carriage, RealRank};
use models::call::{Call, Layout, Unit};
use models::collective::Shape;
use models::shared_broadcast::Queued;
use models::stable::draws;
use programs::rank::{Phase, Rank};
use rand::RngExt;

/// Number of combinations of root and length, which are used in an order that is drawn.
const COMBINATIONS: usize = 64;
/// Length of the longest message in lengths of a queue.
const QUEUES: u64 = 3;
/// Limit on the length of messages in bytes, however long the queue is.
const LONGEST: u64 = 1 << 20;

/// Length of the longest of the messages, in bytes.
fn longest(queued: &Queued) -> u64 {
    queued.queue().bytes().saturating_mul(QUEUES).min(LONGEST)
}

/// Returns the extent in memory of the longest message, in bytes, in the layout that spreads it most.
pub(crate) fn memory_bytes(queued: &Queued) -> u64 {
    Layout::ALL.into_iter().map(|layout| units(layout).memory_bytes(longest(queued))).max().unwrap_or_default()
}

/// Returns the unit in which the bytes of a message lie.
fn units(layout: Layout) -> Unit {
    Call { layout, ..Call::default() }.unit()
}

struct Combination {
    shape: Shape,
    unit: Unit,
    number: usize,
}

/// Makes `broadcasts` broadcasts through a queue and compares every byte of each. Called by all ranks together. Returns
/// the number of broadcasts.
///
/// # Errors
///
/// Says why there is no shared memory, which every rank says alike, or names the first wrong byte on this rank.
pub(crate) async fn check_shared<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    queued: &Queued,
    broadcasts: u32,
    seed: u64,
) -> Result<u32, String> {
    rank.enter_phase(Phase::FirstCall);
    let mut draw = draws(seed, &format!("shared/{queued}"));
    let mut prepared = Vec::new();
    for place in 0..COMBINATIONS as u64 {
        // Nothing, a byte, the edges of fragments and queues, and any other length.
        let queue = queued.queue();
        let bytes = match place {
            0 | 1 => place,
            2..5 => queue.fragment_bytes() + place - 3,
            5..8 => queue.bytes() + place - 6,
            _ => draw.random_range(0..=longest(queued)),
        };
        // Half of the messages lie one byte after the other, the others in units with holes between their bytes.
        let layout =
            if place % 2 == 0 { Layout::Contiguous } else { Layout::ALL[place as usize / 2 % Layout::ALL.len()] };
        let (call, unit) = (Call { layout, ..Call::default() }, units(layout));
        let bytes = bytes.min(longest(queued)) / unit.payload * unit.payload;
        let shape = Shape::new(rank.size, draw.random_range(0..rank.size), bytes);
        prepared.push(Combination { shape, number: rank.prepare_shared(queued, &call, &shape)?, unit });
    }
    let mut wrong = None;
    for call in 0..broadcasts {
        let Combination { shape, unit, number } = &prepared[draw.random_range(0..COMBINATIONS)];
        let sent = |at: u64| (at * 13 + at / 251 + u64::from(call) * 7) as u8;
        // The bytes in holes differ from rank to rank, and stay.
        let mut expected: Vec<u8> =
            (0..unit.memory_bytes(shape.bytes)).map(|at| !sent(at).wrapping_add(rank.id as u8)).collect();
        let mut before = expected.clone();
        for (at, length) in unit.pieces(0, shape.bytes) {
            (at..at + length).for_each(|at| expected[at as usize] = sent(at));
        }
        if rank.id == shape.root {
            before.clone_from(&expected);
        }
        rank.buffer.store(&before);
        rank.call_prepared(*number).await;
        // All ranks call everything, also after a difference: nobody is left waiting.
        let found = rank.buffer.content(expected.len() as u64);
        let differs = found.iter().zip(&expected).position(|(found, expected)| found != expected);
        wrong = wrong.or_else(|| differs.map(|at| (call, *shape, at, found[at], expected[at])));
    }
    rank.forget_calls();
    wrong.map_or(Ok(broadcasts), |(call, Shape { ranks, root, bytes, .. }, at, found, expected)| {
        Err(format!(
            "{queued}, broadcast {call} of {bytes} B on {ranks} ranks (root {root}): on rank {} byte {at} is {found}, \
             expected {expected}",
            rank.id
        ))
    })
}
