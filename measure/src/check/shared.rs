//! Whether broadcasts through shared memory bring every byte, one after the other, with roots and lengths that change.

use crate::clock::ClockSource;
use crate::rank::{Carriage, RealRank};
use models::collective::Shape;
use models::rank::{Phase, Rank};
use models::shared_broadcast::Queued;
use models::stable::draws;
use rand::RngExt;

/// As many combinations of root and length, in an order that is drawn.
const COMBINATIONS: usize = 64;
/// The longest message fills a queue three times.
const QUEUES: u64 = 3;
/// No message has more bytes, however long the queue is.
const LONGEST: u64 = 1 << 20;

/// The longest of the messages.
pub(crate) fn longest(queued: &Queued) -> u64 {
    queued.queue().bytes().saturating_mul(QUEUES).min(LONGEST)
}

/// So many broadcasts through a queue; every byte of each is compared. Called by all ranks together; returns how many.
///
/// # Errors
/// Why there is no shared memory, which every rank says alike; or the first wrong byte on this rank.
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
        let shape = Shape::new(rank.size, draw.random_range(0..rank.size), bytes.min(longest(queued)));
        prepared.push((shape, rank.prepare_shared(queued, &shape)?));
    }
    let mut wrong = None;
    for call in 0..broadcasts {
        let (shape, number) = &prepared[draw.random_range(0..COMBINATIONS)];
        let sent = |at: u64| (at * 13 + at / 251 + u64::from(call) * 7) as u8;
        let own = |at: u64| if rank.id == shape.root { sent(at) } else { !sent(at) };
        rank.buffer.store(&(0..shape.bytes).map(own).collect::<Vec<u8>>());
        rank.call_prepared(*number).await;
        // All ranks call everything, also after a difference: nobody is left waiting.
        let found = rank.buffer.content(shape.bytes);
        let differs = |at: &u64| found[*at as usize] != sent(*at);
        wrong =
            wrong.or_else(|| (0..shape.bytes).find(differs).map(|at| (call, *shape, at, found[at as usize], sent(at))));
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
