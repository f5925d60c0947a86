//! One rank in the event engine.

use crate::open::{LastLane, Request};
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
    /// Sleeps until a control message of this rank comes, whose receive was posted then.
    pub awaits: Option<(u32, Time)>,
    /// Sleeps until this rank receives its control message.
    pub is_held_by: Option<u32>,
    /// Control messages to it that it does not wait for yet.
    pub letters: u32,
    /// The last control message.
    pub inbox: Vec<u8>,
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
            awaits: None,
            is_held_by: None,
            letters: 0,
            inbox: Vec::new(),
            last_lane: LastLane::default(),
            answers: false,
        }
    }

    /// Whom this rank, of that number, waits for where nothing can happen any more.
    pub(crate) fn waits_for(&self, rank: u32) -> String {
        let message = |from| format!("rank {rank} waits for a message from rank {from}");
        let receiver = |to| format!("rank {rank} waits for rank {to} to receive");
        let control = self.awaits.map(|(from, _)| message(from)).or_else(|| self.is_held_by.map(receiver));
        let open = control.or_else(|| {
            self.requests.iter().find_map(|request| match *request {
                Request::Receive { from, arrived: None, .. } => Some(message(from)),
                Request::Send { to, released: None, .. } => Some(receiver(to)),
                Request::Receive { .. } | Request::Send { .. } => None,
            })
        });
        open.unwrap_or_else(|| format!("rank {rank} never continued"))
    }
}
