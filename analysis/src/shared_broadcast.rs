//! Simulated broadcasts through shared memory: the run of their calls.

use models::shared_broadcast::{Calls, NodeCosts, Scheme};
use models::time::Time;
use programs::observation::Case;
use programs::trace::Trace;
use scenario::BadInput;
use sim::SharedNode;

/// Largest number of ranks, as no computer has memory that more of them share.
pub(crate) const MOST_RANKS: u32 = 4096;
/// Largest number of notifications: more take longer than anybody waits, some seconds, and minutes where hundreds of
/// copies share a memory.
pub(crate) const MOST_NOTIFICATIONS: u64 = 10_000_000;

/// Returns the times at which each rank leaves each call, by call and rank, and the activity of the ranks if it is
/// recorded.
///
/// # Errors
/// Fails on times out of range.
pub(crate) fn run(calls: &Calls, scheme: Scheme, record: bool) -> Result<(Vec<Vec<Time>>, Trace), BadInput> {
    let &Calls { ranks, nodes, costs, bytes, .. } = calls;
    let node = SharedNode { ranks, nodes, costs, scheme, record };
    let each: Vec<(u32, u64)> = calls.roots.iter().map(|&root| (root, bytes)).collect();
    let run = node.run(&each).map_err(|error| BadInput(error.to_string()))?;
    Ok((run.left, run.trace.unwrap_or_default()))
}

/// Returns the time in µs that simulated ranks of one NUMA node take for a broadcast, or `None` for an unknown design.
pub(crate) fn simulated_us(case: &Case, bytes: u64, costs: impl Fn(&Scheme) -> Option<NodeCosts>) -> Option<f64> {
    let scheme = programs::played::shared(case.place.world, &case.subject.implementation)?;
    let costs = costs(&scheme)?;
    let node = SharedNode { ranks: case.place.ranks, nodes: 1, costs, scheme, record: false };
    let left = node.run(&[(case.subject.root, bytes)]).ok()?.left;
    left.iter().flatten().max().map(|end| end.since(Time::ZERO).as_us())
}
