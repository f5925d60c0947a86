//! What was timed.

use super::{Left, TimedTouch};
use crate::observation::Look;
use crate::spread::median;
use crate::time::Span;
use serde::{Deserialize, Serialize};

/// Exchanges of one kind and one length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sample {
    /// Ping-pongs and trains.
    RoundTrips(Prtt),
    /// Messages that were there before their receives.
    LateReceives(LateReceives),
    /// Messages whose receives were posted long before.
    LateSends(LateSends),
    /// What reading the clock takes.
    Readings(Readings),
    /// What a touch of memory takes.
    Touched(TimedTouch),
    /// How all ranks left barriers.
    Left(Left),
    /// How near the caches of ranks 0 and its neighbour were, before, between or after the others.
    Looked(Look),
}

/// Round trips of one kind, PRTT(n, d, s): n messages of s bytes with delay d between them, one answer of s bytes.
/// PRTT(1, 0, s) is a ping-pong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prtt {
    /// n.
    pub messages: u32,
    /// d.
    pub delay: Span,
    /// s.
    pub bytes: u64,
    /// Each sample's whole duration, first send to answer. The reading behind a train's last send does not
    /// add to it: the answer is under way.
    pub round_trips: Vec<Span>,
    /// How long the sends of a train took, from the begin of the first until the last returned; empty for ping-pongs.
    #[serde(default)]
    pub sending: Vec<Span>,
}

/// Messages whose receiver computed for a while before it received them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LateReceives {
    /// For how long it computed, from when it had said that the message may come.
    pub delay: Span,
    /// Message length.
    pub bytes: u64,
    /// How long each send took, on rank 0.
    pub sends: Vec<Span>,
    /// How long each receive took, on rank 1.
    pub receives: Vec<Span>,
}

/// Messages whose sender computed for a while before it sent them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LateSends {
    /// For how long it computed, from when it knew that the receiver would be waiting.
    pub delay: Span,
    /// Message length.
    pub bytes: u64,
    /// How long each send took, on rank 0.
    pub sends: Vec<Span>,
}

/// From one reading of the clock to the next, with nothing between.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Readings {
    /// On rank 0.
    pub first: Vec<Span>,
    /// On rank 1.
    pub second: Vec<Span>,
}

impl Sample {
    /// Round trips, if it is some.
    pub fn round_trips(&self) -> Option<&Prtt> {
        if let Sample::RoundTrips(prtt) = self { Some(prtt) } else { None }
    }

    /// Late receives, if it is some.
    pub fn late_receives(&self) -> Option<&LateReceives> {
        if let Sample::LateReceives(late) = self { Some(late) } else { None }
    }

    /// Readings of clocks, if it is some.
    pub fn readings(&self) -> Option<&Readings> {
        if let Sample::Readings(readings) = self { Some(readings) } else { None }
    }

    /// A touch of memory, if it is one.
    pub fn touched(&self) -> Option<&TimedTouch> {
        if let Sample::Touched(timed) = self { Some(timed) } else { None }
    }

    /// How ranks left barriers, if it is that.
    pub fn left(&self) -> Option<&Left> {
        if let Sample::Left(left) = self { Some(left) } else { None }
    }

    /// A look at the machine's state, if it is one.
    pub fn looked(&self) -> Option<&Look> {
        if let Sample::Looked(look) = self { Some(look) } else { None }
    }

    /// The messages' length; none of readings of a clock and of barriers.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Sample::RoundTrips(of) => Some(of.bytes),
            Sample::LateReceives(of) => Some(of.bytes),
            Sample::LateSends(of) => Some(of.bytes),
            Sample::Touched(timed) => Some(timed.bytes),
            Sample::Readings(_) | Sample::Left(_) | Sample::Looked(_) => None,
        }
    }
}

impl LateReceives {
    /// True if the sender waited for the receiver: its send grows with the receiver's delay. A send that does not wait
    /// is over before its message could have been there, which is a quarter of the delay or less.
    pub fn wait(&self) -> bool {
        median(self.sends.iter().copied()) > Span(self.delay.0 / 2)
    }
}
