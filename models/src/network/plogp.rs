//! PLogP (Kielmann, Bal, Verstoep 2000): overheads and gap are functions of the message's length m, which is
//! counted from its first byte.
//!
//! - A send begins at b = max(cpu, last send + g(m_previous)); the CPU is busy for o_s(m).
//! - The message arrives at b + L + g(m): g(m) covers o_s(m), and noise that stretches the overhead delays the
//!   arrival by as much.
//! - A receive completes at max(arrival, cpu ⊕ o_r(m)): the overhead overlaps the wait. There is no gap
//!   between receives.
//! - Beyond Kielmann et al.: a send of more than S bytes returns when its receiver has the message and has confirmed it
//!   (Open MPI's fragments, or a copy that the receiver makes out of the sender's memory): at
//!   max(b + o_s(m), posted + o_r(m) + L), so o_s(m) is its duration where the receiver waits. The CPU is busy for
//!   o_s(S) of it. Without an S no send waits.

use super::{CostTable, Departure, LogGops, Matched, Message, NetworkModel, Port, table, table_words};
use crate::noise::Advance;
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Parameters of the PLogP model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plogp {
    /// L: flight time of the first byte, without the part that g(m) already contains.
    pub latency: Span,
    /// o_s(m): CPU time of a send; beyond S, the time of a send whose receiver waits.
    pub overhead_send: CostTable,
    /// o_r(m): CPU time of a receive.
    pub overhead_receive: CostTable,
    /// g(m): least time between the begins of two sends of one rank.
    pub gap: CostTable,
    /// S: longest message, in bytes, whose sender does not wait for its receiver; `u64::MAX` where none waits.
    pub eager_limit: u64,
}

/// Length at which the default's g(m) has its second point; any length would do.
const FAR_POINT: u64 = 1 << 20;

impl Plogp {
    /// PLogP that gives a single message between idle ranks the time that LogGP gives it: constant o_s and o_r, g(m) =
    /// max(g, o_s) + B·G, and L without the part that g already contains.
    ///
    /// Trains of long messages differ: their interval is max(g, o_s) + B·G under PLogP and max(g + B·G, o_s) under
    /// LogGP.
    ///
    /// # Errors
    /// Fails if L + o_s + o_r < max(g, o_s): PLogP's g(m) is never longer than the time of a message.
    pub fn from_loggp(model: impl Into<LogGops>) -> Result<Plogp, String> {
        let model = model.into();
        let shortest = model.gap.max(model.overhead_send);
        let message = model.overhead_send + model.latency + model.overhead_receive;
        if message < shortest {
            return Err(format!("a gap of {shortest} is longer than the whole message of {message}"));
        }
        let far = table::TablePoint { at: FAR_POINT, cost: shortest + model.stretch(FAR_POINT) };
        let constant = |cost| CostTable::new(&[table::TablePoint { at: 0, cost }]);
        Ok(Plogp {
            latency: message - shortest,
            overhead_send: constant(model.overhead_send)?,
            overhead_receive: constant(model.overhead_receive)?,
            gap: CostTable::new(&[table::TablePoint { at: 1, cost: shortest }, far])?,
            eager_limit: u64::MAX,
        })
    }
}

impl NetworkModel for Plogp {
    fn send(&self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        let begun = port.cpu.max(port.next_send);
        let overhead = self.overhead_send.at(message.bytes.min(self.eager_limit));
        let gap = self.gap.at(message.bytes);
        let free = cpu.advance(begun, overhead);
        let undisturbed = Time(free.0.saturating_sub(overhead.0));
        port.cpu = free;
        port.next_send = begun + gap;
        let released = (message.bytes <= self.eager_limit).then_some(free);
        Departure { ready: undisturbed, released, arrival: Some(undisturbed + gap + self.latency) }
    }

    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched {
        let answered = (departure.ready + self.overhead_send.at(message.bytes))
            .max(posted + self.overhead_receive.at(message.bytes) + self.latency);
        Matched {
            released: departure.released.unwrap_or(answered),
            arrival: departure.arrival.unwrap_or(departure.ready),
            begun: departure.ready,
        }
    }

    /// Completes a receive, where a rank in a detour notices no arrival.
    fn receive(&self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
        let prepared = cpu.advance(port.cpu, self.overhead_receive.at(message.bytes));
        port.cpu = if arrival > prepared { cpu.advance(arrival, Span::ZERO) } else { prepared };
    }
}

impl fmt::Display for Plogp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plogp { latency, overhead_send, overhead_receive, gap, eager_limit } = self;
        write!(
            f,
            "PLogP, L = {latency}, o_s = {}, o_r = {}",
            table_words(overhead_send),
            table_words(overhead_receive)
        )?;
        write!(f, ", g = {}", table_words(gap))?;
        if *eager_limit < u64::MAX { write!(f, ", S = {eager_limit} B") } else { Ok(()) }
    }
}
