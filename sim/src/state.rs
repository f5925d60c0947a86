//! One rank in the event engine.

use crate::open::{LastLane, Request};
use models::network::Port;
use models::noise::Cursor;
use models::time::{Span, Time};

/// State of a rank, with its open requests.
pub(crate) struct RankState {
    pub cpu: Time,
    pub cursor: Cursor,
    /// CPU time that the next operation costs beyond its usual, because the rank has been idle.
    pub waking: Span,
    /// Whether the rank has sent no message since it was idle.
    pub rested: bool,
    pub ports: [Port; 2],
    pub requests: Vec<Request>,
    /// Number of requests whose times are not known yet, of those from `waits_from` on.
    pub missing: u32,
    /// First request for which the rank sleeps: it waits until all from this one on are complete.
    pub waits_from: Option<u32>,
    /// Rank for whose control message it sleeps, with the time at which the receive was posted.
    pub awaits: Option<(u32, Time)>,
    /// Rank for which it sleeps until that rank receives its control message.
    pub is_held_by: Option<u32>,
    /// Number of control messages to it that it does not wait for yet.
    pub letters: u32,
    /// Control message that came last.
    pub inbox: Vec<u8>,
    pub last_lane: LastLane,
    /// Whether its next messages are another rank's questions, or that there are no more.
    pub answers: bool,
}

/// State of a rank with nothing open.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    cpu: Time,
    cursor: Cursor,
    waking: Span,
    rested: bool,
    ports: [Port; 2],
}

impl RankState {
    /// Returns the state of the rank, which has nothing open.
    pub(crate) fn standing(&self) -> Standing {
        let RankState { cpu, cursor, waking, rested, ports, .. } = self;
        Standing { cpu: *cpu, cursor: *cursor, waking: *waking, rested: *rested, ports: *ports }
    }

    /// Goes on from a state.
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

    /// Returns the sentence that says for which rank this one, of number `rank`, waits where nothing can happen any
    /// more.
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
