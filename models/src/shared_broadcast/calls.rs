//! Calls through shared memory, back to back, and the times that they took by some scheme.

use super::{NodeCosts, Scheme, exact};
use crate::time::{Span, Time};

/// Calls of one length, back to back.
#[derive(Clone, Debug, PartialEq)]
pub struct Calls {
    /// Number of ranks that call.
    pub ranks: u32,
    /// Number of NUMA nodes that the ranks are on.
    pub nodes: u32,
    /// Costs of the steps of a call.
    pub costs: NodeCosts,
    /// Length of the message, in bytes.
    pub bytes: u64,
    /// The root of each call.
    pub roots: Vec<u32>,
}

/// Times that calls took by a scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// Scheme by which the calls were made.
    pub scheme: Scheme,
    /// Time at which each rank left each call, by call and rank, from the begin of the first one.
    pub left: Vec<Vec<Time>>,
}

impl Calls {
    /// Returns the number of fragments that readers are notified of, all together.
    pub fn notifications(&self, scheme: &Scheme) -> u64 {
        let readers = u64::from(self.ranks.saturating_sub(1));
        scheme.queue.fragments(self.bytes).saturating_mul(readers).saturating_mul(self.roots.len() as u64)
    }
}

impl Taken {
    /// Returns the times at which the root, the first reader and the last one left the last call; a rank alone is all
    /// three.
    pub fn last_call(&self, calls: &Calls) -> [Span; 3] {
        let (Some(&root), Some(left)) = (calls.roots.last(), self.left.last()) else { return [Span::ZERO; 3] };
        let readers = || left.iter().enumerate().filter(|(rank, _)| *rank != root as usize).map(|(_, time)| *time);
        let root = left[root as usize];
        [root, readers().min().unwrap_or(root), readers().max().unwrap_or(root)].map(|time| time.since(Time::ZERO))
    }

    /// Returns the time at which the last rank left the last call, over the number of calls, in µs.
    pub fn per_call_us(&self, calls: &Calls) -> f64 {
        let end = self.left.iter().flatten().max().copied().unwrap_or_default().since(Time::ZERO);
        end.as_us() / calls.roots.len().max(1) as f64
    }

    /// Returns the time of one call of [`Design::Numa`](super::Design::Numa) with one reader through this queue, in µs:
    /// [`exact`].
    pub fn one_reader_us(&self, calls: &Calls) -> f64 {
        exact(&calls.costs.one, &self.scheme.queue, calls.bytes).total().as_us()
    }

    /// Returns [`Taken::per_call_us`] over [`Taken::one_reader_us`]; `None` where there is no reader, or a call takes
    /// no time.
    pub fn over_one_reader(&self, calls: &Calls) -> Option<f64> {
        let one = self.one_reader_us(calls);
        (one > 0.0 && calls.ranks > 1).then(|| self.per_call_us(calls) / one)
    }

    /// Returns the number of notifications until the last rank knows of a fragment.
    pub fn depth(&self, calls: &Calls) -> u32 {
        (0..calls.ranks).map(|rank| self.scheme.tree.depth(rank, 0, calls.ranks)).max().unwrap_or(0)
    }
}
