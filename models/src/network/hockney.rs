//! Hockney 1994: T(m) = α + mβ. The model says nothing about the sender, and in a loop of linear
//! broadcasts the answer depends on it by a factor of 30: so the send rule is part of the model.
//!
//! | rule | sender free at | receive completes at |
//! |---|---|---|
//! | `busy` | b + T | max(r, b + T) |
//! | `synchronous` | max(b, r) + T | max(b, r) + T |
//! | `detached` | b | max(b, r) + T |
//! | `eager` | b | max(r, b + T) |
//!
//! b: the send begins; r: the receiver is ready.

use super::{Departure, Matched, Message, NetworkModel, Port};
use crate::noise::Advance;
use crate::time::{PerByte, Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

crate::named! {
    /// Event for which a Hockney sender waits.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SendRule {
        /// The sender waits for its own transfer, as in the figures of Kurnosov 2012.
        Busy => "busy",
        /// The sender waits for the receiver and the transfer.
        Synchronous => "synchronous",
        /// The sender waits for nothing, and the transfer waits for the receiver.
        Detached => "detached",
        /// The sender waits for nothing, and the transfer starts at once.
        Eager => "eager",
    }
    /// Name of the rule in files and output.
    fn name;
}

/// Parameters of Hockney's model with a send rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hockney {
    /// α: time of an empty message.
    pub alpha: Span,
    /// β: further time per byte.
    pub beta: PerByte,
    /// Event for which the sender waits.
    pub send_rule: SendRule,
}

impl Hockney {
    /// Transfer time T(m) = α + mβ of a message.
    pub fn transfer(&self, bytes: u64) -> Span {
        self.alpha + self.beta.for_bytes(bytes)
    }
}

impl NetworkModel for Hockney {
    /// Issues a send. Transfers are flight, which noise does not stretch, but a rank in a detour begins no send.
    fn send(&self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        let begun = cpu.advance(port.cpu.max(port.next_send), Span::ZERO);
        let done = begun + self.transfer(message.bytes);
        let (released, arrival) = match self.send_rule {
            SendRule::Busy => (Some(done), Some(done)),
            SendRule::Synchronous => (None, None),
            SendRule::Detached => (Some(begun), None),
            SendRule::Eager => (Some(begun), Some(done)),
        };
        port.next_send = released.unwrap_or(begun);
        port.cpu = begun;
        Departure { ready: begun, released, arrival }
    }

    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched {
        let (begun, arrival) = match departure.arrival {
            Some(arrival) => (departure.ready, arrival),
            None => {
                let met = departure.ready.max(posted);
                (met, met + self.transfer(message.bytes))
            }
        };
        Matched { released: departure.released.unwrap_or(arrival), arrival, begun }
    }

    /// Completes a receive, where a rank in a detour notices no arrival.
    fn receive(&self, port: &mut Port, _message: &Message, arrival: Time, cpu: &mut impl Advance) {
        port.cpu = cpu.advance(port.cpu.max(arrival), Span::ZERO);
    }
}

impl fmt::Display for Hockney {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Hockney { alpha, beta, send_rule } = self;
        write!(f, "Hockney, send rule {}, α = {alpha}, β = {:.4} ns/B", send_rule.name(), beta.as_ns())
    }
}
