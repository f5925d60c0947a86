//! Simulation of one point of a sweep whose ranks broadcast through shared memory.

use crate::shared_broadcast::{MOST_NOTIFICATIONS, MOST_RANKS, run};
use models::collective::decision::Called;
use models::medium::Medium;
use models::shared_broadcast::{Calls, Scheme};
use models::spread::Spread;
use models::time::Time;
use reports::sweep::{Found, Over};
use scenario::sweep::SweepPoint;

/// Name of the engine in the rows of such points.
const ENGINE: &str = "shared memory";

/// The calls of a point, with their design and queue.
pub(super) struct Broadcasts {
    calls: Calls,
    scheme: Scheme,
}

impl Broadcasts {
    /// Returns the broadcasts of a point, or `None` where ranks exchange messages.
    ///
    /// # Errors
    /// Fails on parameters that exclude each other.
    pub(super) fn from_point(point: &SweepPoint<'_>) -> Result<Option<Broadcasts>, String> {
        let Called::Shared(queued) = point.called else { return Ok(None) };
        let (shape, repeat) = (point.shape, point.repeat as usize);
        let costs = match point.medium()? {
            Medium::Memory(costs) => costs,
            Medium::Network(_) => return Err(queued.no_messages()),
        };
        let calls = Calls { ranks: shape.ranks, nodes: 1, costs, bytes: shape.bytes, roots: vec![shape.root; repeat] };
        Ok(Some(Broadcasts { calls, scheme: queued.scheme() }))
    }

    /// Returns the number of notifications of fragments to readers.
    pub(super) fn notifications(&self) -> u64 {
        self.calls.notifications(&self.scheme)
    }

    /// Describes the costs of copies and waits, for readers.
    pub(super) fn costs(&self) -> String {
        format!("shared memory of one NUMA node, {}", self.calls.costs)
    }

    /// Returns the times at which each rank leaves the last call.
    ///
    /// # Errors
    /// Fails on more than can be simulated.
    pub(super) fn finish(&self) -> Result<Vec<Time>, String> {
        let ranks = self.calls.ranks;
        if ranks > MOST_RANKS {
            return Err(format!(
                "expected up to {MOST_RANKS} ranks that share the memory of one computer, found {ranks}"
            ));
        }
        let notifications = self.notifications();
        if notifications > MOST_NOTIFICATIONS {
            return Err(format!("expected up to {MOST_NOTIFICATIONS} notifications, found {notifications}"));
        }
        let (mut left, _) = run(&self.calls, self.scheme, false).map_err(|error| error.0)?;
        Ok(left.pop().unwrap_or_default())
    }

    /// Returns the content of a row.
    ///
    /// # Errors
    /// Fails where [`Broadcasts::finish`] does.
    pub(super) fn found(&self) -> Result<Found, String> {
        let mut finish = self.finish()?;
        let finish = Spread::from_times(&mut finish);
        Ok(Found {
            engine: ENGINE.to_owned(),
            messages: self.notifications(),
            over: Over::Ranks,
            exit_skew: finish.max.since(finish.min),
            finish,
            printed: None,
        })
    }
}
