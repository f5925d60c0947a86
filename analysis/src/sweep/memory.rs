//! One point of a sweep whose ranks broadcast through shared memory, simulated.

use crate::shm::{MOST_NOTIFICATIONS, MOST_RANKS, run};
use models::collective::decision::Called;
use models::medium::Medium;
use models::shared_broadcast::{Calls, Scheme};
use models::spread::Spread;
use models::time::Time;
use reports::sweep::{Found, Over};
use scenario::sweep::Point;

/// What is said of how such a point was simulated.
const ENGINE: &str = "shared memory";

/// The calls of a point, and by which design with which queue.
pub(super) struct Broadcasts {
    calls: Calls,
    scheme: Scheme,
}

impl Broadcasts {
    /// Those of a point; none where ranks exchange messages.
    ///
    /// # Errors
    /// Parameters that do not go together.
    pub(super) fn of(point: &Point<'_>) -> Result<Option<Broadcasts>, String> {
        let Called::Shared(queued) = point.called else { return Ok(None) };
        let (shape, repeat) = (point.shape, point.repeat as usize);
        let costs = match point.medium()? {
            Medium::Memory(costs) => costs,
            Medium::Network(_) => return Err(queued.no_messages()),
        };
        let calls = Calls { ranks: shape.ranks, nodes: 1, costs, bytes: shape.bytes, roots: vec![shape.root; repeat] };
        Ok(Some(Broadcasts { calls, scheme: queued.scheme() }))
    }

    /// How many fragments readers are notified of.
    pub(super) fn notifications(&self) -> u64 {
        self.calls.notifications(&self.scheme)
    }

    /// What copies and waits cost, for people.
    pub(super) fn costs(&self) -> String {
        format!("shared memory of one NUMA node, {}", self.calls.costs)
    }

    /// When each rank leaves the last call.
    ///
    /// # Errors
    /// More than can be simulated.
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

    /// What a row says of them.
    ///
    /// # Errors
    /// As [`Broadcasts::finish`].
    pub(super) fn found(&self) -> Result<Found, String> {
        let mut finish = self.finish()?;
        let finish = Spread::of(&mut finish);
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
