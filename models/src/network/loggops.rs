//! LogGOPS (Hoefler, Schneider, Lumsdaine 2010), the one implementation of the LogP family.
//!
//! B = max(bytes − 1, 0): the first byte is paid for by o and g. ⊕ adds CPU time, which noise stretches.
//!
//! - A send begins at b = max(cpu, last send + g + B_previous·G); o_s ends at e = b ⊕ o_s; the CPU is free at
//!   c = e ⊕ B·O; the last byte leaves at max(c, e + B·G) and arrives L later.
//! - A receive begins at r = max(cpu, arrival, last receive + g + B·G); the CPU is free at r ⊕ (o_r + B·O).
//! - Messages longer than S wait for the receiver (rendezvous). The data start to leave at m, which [`Rendezvous`]
//!   names; the last byte leaves, and the sender is released, at m + B·max(G, O).
//! - One message between idle ranks: o_s + B·max(G, O) + L + o_r + B·O.

use super::{Departure, Matched, Message, NetworkModel, Port};
use crate::noise::Advance;
use crate::time::{PerByte, Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

crate::named! {
    /// Event for which a message longer than S waits before its data leave at m. At e the overhead o of its send has
    /// passed.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Rendezvous {
        /// Waits for the receive, which the sender knows of at once: m = max(e, posted).
        #[default]
        Match => "match",
        /// Waits for a request and its answer, L each: m = max(e + L, posted) + L.
        RoundTrip => "round-trip",
    }
    /// Name of the rendezvous in files and output.
    fn name;
}

/// Parameters of the LogGOPS model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogGops {
    /// L: flight time of the last byte.
    pub latency: Span,
    /// o of a send: CPU time.
    pub overhead_send: Span,
    /// o of a receive: CPU time.
    pub overhead_receive: Span,
    /// g: least time between two sends, or two receives, of one rank.
    pub gap: Span,
    /// G: time per byte of a long message.
    pub gap_per_byte: PerByte,
    /// O: CPU time per byte of a long message, on both sides.
    pub overhead_per_byte: PerByte,
    /// S: longest message, in bytes, that does not wait for its receiver; `u64::MAX` where none waits.
    pub eager_limit: u64,
    /// Event for which messages longer than S wait.
    pub rendezvous: Rendezvous,
}

/// B·rate; a rate of zero costs nothing to evaluate.
#[inline]
fn after_first_byte(rate: PerByte, bytes: u64) -> Span {
    if rate.0 == 0.0 || bytes <= 1 { Span::ZERO } else { rate.for_bytes(bytes - 1) }
}

impl LogGops {
    /// B·G, the network's time from the first byte to the last.
    #[inline]
    pub fn stretch(&self, bytes: u64) -> Span {
        after_first_byte(self.gap_per_byte, bytes)
    }

    /// B·O, the CPU's time for the bytes after the first.
    #[inline]
    pub fn handling(&self, bytes: u64) -> Span {
        after_first_byte(self.overhead_per_byte, bytes)
    }

    /// Whether a message of this length waits for its receiver.
    #[inline]
    pub fn is_rendezvous(&self, bytes: u64) -> bool {
        bytes > self.eager_limit
    }

    /// CPU time of a receive: o_r + B·O.
    pub fn receiving(&self, bytes: u64) -> Span {
        self.overhead_receive + self.handling(bytes)
    }

    /// Duration of a blocking send of an idle rank whose receiver waits already: o_s + B·O; for a rendezvous o_s +
    /// B·max(G, O), and 2L more for request and answer.
    pub fn sending(&self, bytes: u64) -> Span {
        if self.is_rendezvous(bytes) { self.leaving(bytes) } else { self.overhead_send + self.handling(bytes) }
    }

    /// Time from the begin of a send to the last byte's departure, where the receiver waits already.
    pub fn leaving(&self, bytes: u64) -> Span {
        let agreed = match self.rendezvous {
            Rendezvous::RoundTrip if self.is_rendezvous(bytes) => self.latency * 2,
            Rendezvous::Match | Rendezvous::RoundTrip => Span::ZERO,
        };
        self.overhead_send + agreed + self.stretch(bytes).max(self.handling(bytes))
    }

    /// Duration of one message between idle ranks, the receiver waiting: o_s + B·max(G, O) + L + o_r + B·O, and 2L more
    /// for request and answer of a round-trip rendezvous.
    pub fn one_message(&self, bytes: u64) -> Span {
        self.leaving(bytes) + self.latency + self.receiving(bytes)
    }
}

impl NetworkModel for LogGops {
    #[inline]
    fn send(&self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        let begun = port.cpu.max(port.next_send);
        let stretch = self.stretch(message.bytes);
        let ready = cpu.advance(begun, self.overhead_send);
        port.next_send = begun + self.gap + stretch;
        port.cpu = ready;
        if self.is_rendezvous(message.bytes) {
            return Departure { ready, released: None, arrival: None };
        }
        let handling = self.handling(message.bytes);
        if handling > Span::ZERO {
            port.cpu = cpu.advance(ready, handling);
        }
        let left = port.cpu.max(ready + stretch);
        Departure { ready, released: Some(port.cpu), arrival: Some(left + self.latency) }
    }

    #[inline]
    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched {
        if let (Some(released), Some(arrival)) = (departure.released, departure.arrival) {
            // An eager message: nothing here depends on the receiver.
            return Matched { released, arrival, begun: departure.ready };
        }
        let begun = match self.rendezvous {
            Rendezvous::Match => departure.ready.max(posted),
            Rendezvous::RoundTrip => (departure.ready + self.latency).max(posted) + self.latency,
        };
        let left = begun + self.stretch(message.bytes).max(self.handling(message.bytes));
        Matched { released: left, arrival: left + self.latency, begun }
    }

    #[inline]
    fn receive(&self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
        let ready = port.cpu.max(arrival);
        let begun = match port.last_receive {
            Some(last) => ready.max(last + self.gap + self.stretch(message.bytes)),
            None => ready,
        };
        port.last_receive = Some(begun);
        port.cpu = cpu.advance(begun, self.receiving(message.bytes));
    }
}

/// Writes `o = …`, or both values where they differ.
pub(super) fn overhead(send: Span, receive: Span) -> String {
    if send == receive { format!("o = {send}") } else { format!("o = {send} (send), {receive} (receive)") }
}

/// Writes S for readers.
pub(super) fn eager_limit(bytes: u64) -> String {
    if bytes == u64::MAX { "none".to_owned() } else { format!("{bytes} B") }
}

impl fmt::Display for LogGops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let overhead = overhead(self.overhead_send, self.overhead_receive);
        write!(f, "LogGOPS, L = {}, {overhead}, g = {}", self.latency, self.gap)?;
        write!(f, ", G = {:.4} ns/B, O = {:.4} ns/B", self.gap_per_byte.as_ns(), self.overhead_per_byte.as_ns())?;
        write!(f, ", S = {}, rendezvous {}", eager_limit(self.eager_limit), self.rendezvous.name())
    }
}
