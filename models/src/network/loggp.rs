//! LogGP (Alexandrov, Ionescu, Schauser, Scheiman 1995), in the reading that counts a message's
//! bytes after the first: B = max(bytes − 1, 0).
//!
//! - A send begins at b = max(cpu, last send + g + B_previous·G); the CPU is free at b + o; the last byte
//!   leaves at b + o + B·G and is there L later.
//! - A receive begins at r = max(cpu, arrival, last receive + g + B·G); the CPU is free at r + o.
//! - One message between idle ranks: o + B·G + L + o.

use super::{Departure, Matched, Message, NetworkModel, Port};
use crate::noise::Advance;
use crate::time::{PerByte, Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The parameters of LogGP; G = 0 is LogP (Culler et al. 1993).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogGp {
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
}

impl LogGp {
    /// B·G, the time from the first byte to the last.
    pub fn stretch(&self, bytes: u64) -> Span {
        self.gap_per_byte.of(bytes.saturating_sub(1))
    }

    /// o + B·G + L + o: one message between idle ranks.
    pub fn one_message(&self, bytes: u64) -> Span {
        self.overhead_send + self.stretch(bytes) + self.latency + self.overhead_receive
    }
}

impl NetworkModel for LogGp {
    fn send(&self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        let begun = port.cpu.max(port.next_send);
        let stretch = self.stretch(message.bytes);
        let free = cpu.advance(begun, self.overhead_send);
        port.cpu = free;
        port.next_send = begun + self.gap + stretch;
        Departure { ready: free, released: Some(free), arrival: Some(free + stretch + self.latency) }
    }

    fn matched(&self, _message: &Message, departure: &Departure, _posted: Time) -> Matched {
        // Both are known at the send: nothing here depends on the receiver.
        Matched {
            released: departure.released.unwrap_or(departure.ready),
            arrival: departure.arrival.unwrap_or(departure.ready),
        }
    }

    fn receive(&self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
        let ready = port.cpu.max(arrival);
        let begun = match port.last_receive {
            Some(last) => ready.max(last + self.gap + self.stretch(message.bytes)),
            None => ready,
        };
        port.last_receive = Some(begun);
        port.cpu = cpu.advance(begun, self.overhead_receive);
    }
}

impl fmt::Display for LogGp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte } = self;
        let overhead = if overhead_send == overhead_receive {
            format!("o = {overhead_send}")
        } else {
            format!("o = {overhead_send} (send), {overhead_receive} (receive)")
        };
        write!(f, "LogGP, L = {latency}, {overhead}, g = {gap}, G = {:.4} ns/B", gap_per_byte.as_ns())
    }
}
