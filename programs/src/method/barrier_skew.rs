//! Exit skew of a barrier (E5): the time between the first and the last rank's exit, with which a method that starts by
//! a barrier starts.

use crate::operation::Operation;
use crate::rank::{Phase, Rank};
use models::time::{Span, Time};

/// Times at which this rank left each of `samples` barriers in a row, as `now` returns them: the true time of a
/// simulated rank, the global clock of a real one. Called by all ranks together.
pub async fn barrier_exits<R: Rank, B: Operation>(
    rank: &R,
    barrier: &B,
    samples: u32,
    now: impl Fn(&R) -> Time,
) -> Vec<Time> {
    let mut exits = Vec::with_capacity(samples as usize);
    rank.enter_phase(Phase::BarrierSkew);
    for _ in 0..samples {
        barrier.call(rank).await;
        exits.push(now(rank));
    }
    exits
}

/// Last exit − first exit of every sample, of the exits of all ranks.
pub fn exit_skews(exits: &[Vec<Time>]) -> Vec<Span> {
    let samples = exits.iter().map(Vec::len).min().unwrap_or(0);
    let skew = |index: usize| {
        let of_ranks = || exits.iter().map(|exits| exits[index]);
        of_ranks().max().unwrap_or_default().since(of_ranks().min().unwrap_or_default())
    };
    (0..samples).map(skew).collect()
}
