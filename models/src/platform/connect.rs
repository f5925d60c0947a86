//! Late initialisation (E1 of Kurnosov 2012): two ranks connect when either first sends to the other.
//!
//! The first send of a pair, in either direction, begins to connect when it is issued; `connect` later the
//! connection is up. No send of the pair begins before; its sender waits, without work. A rank needs no
//! connection to itself.

use super::Traffic;
use crate::network::Message;
use crate::time::{Span, Time};
use std::fmt;

/// Cost of connecting two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connect {
    /// Time from the first issue of a message to the connection.
    pub time: Span,
}

impl Connect {
    /// Time at which the pair of a message issued at `issued` is connected.
    pub(super) fn up(&self, traffic: &mut Traffic, message: &Message, issued: Time) -> Time {
        if message.from == message.to {
            return issued;
        }
        let pair = (message.from.min(message.to), message.from.max(message.to));
        *traffic.connected.entry(pair).or_insert(issued + self.time)
    }
}

impl fmt::Display for Connect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connect {}", self.time)
    }
}
