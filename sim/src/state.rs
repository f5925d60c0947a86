//! One rank in the event engine.

use crate::open::Request;
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
    pub inbox: Box<[u8]>,
}

impl RankState {
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
            inbox: Box::default(),
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
