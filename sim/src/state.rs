//! One rank in the event engine.

use crate::open::{Data, LastLane, Request};
use models::network::Port;
use models::noise::Cursor;
use models::time::{Span, Time};

/// Where a rank is, and what it has open.
pub(crate) struct RankState {
    pub cpu: Time,
    pub cursor: Cursor,
    /// CPU time that the next operation costs beyond its usual: the rank has been idle.
    pub waking: Span,
    /// The rank has sent no message since it was idle.
    pub rested: bool,
    pub ports: [Port; 2],
    pub requests: Vec<Request>,
    /// Requests whose times are not known yet, of those from `waits_from` on.
    pub missing: u32,
    /// The rank sleeps until all requests from this one on are complete.
    pub waits_from: Option<u32>,
    pub inbox: Data,
    pub last_lane: LastLane,
    /// Its next messages are another rank's questions, or that there are no more.
    pub answers: bool,
}

/// Where a rank with nothing open is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    cpu: Time,
    cursor: Cursor,
    waking: Span,
    rested: bool,
    ports: [Port; 2],
}

impl RankState {
    /// Where the rank is, which has nothing open.
    pub(crate) fn standing(&self) -> Standing {
        let RankState { cpu, cursor, waking, rested, ports, .. } = self;
        Standing { cpu: *cpu, cursor: *cursor, waking: *waking, rested: *rested, ports: *ports }
    }

    /// Goes on from there.
    pub(crate) fn stand(&mut self, at: &Standing) {
        let Standing { cpu, cursor, waking, rested, ports } = at.clone();
        (self.cpu, self.cursor, self.waking, self.rested, self.ports) = (cpu, cursor, waking, rested, ports);
    }

    pub(crate) fn new(cpu: Time, cursor: Cursor) -> RankState {
        RankState {
            cpu,
            cursor,
            waking: Span::ZERO,
            rested: false,
            ports: Default::default(),
            requests: Vec::new(),
            missing: 0,
            waits_from: None,
            inbox: Data::default(),
            last_lane: LastLane::default(),
            answers: false,
        }
    }

    /// Whom this rank, of that number, waits for where nothing can happen any more.
    pub(crate) fn waits_for(&self, rank: u32) -> String {
        let open = self.requests.iter().find_map(|request| match request {
            Request::Receive { from, arrived: None, .. } => {
                Some(format!("rank {rank} waits for a message from rank {from}"))
            }
            Request::Send { to, released: None, .. } => Some(format!("rank {rank} waits for rank {to} to receive")),
            Request::Receive { .. } | Request::Send { .. } => None,
        });
        open.unwrap_or_else(|| format!("rank {rank} never continued"))
    }
}
