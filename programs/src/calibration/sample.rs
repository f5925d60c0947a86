//! Samples of a calibration, by kind of exchange.

use super::{Left, TimedTouch};
use crate::observation::MachineLook;
use models::spread::median;
use models::time::Span;
use serde::{Deserialize, Serialize};

/// Timed exchanges of one kind and one length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sample {
    /// Round trips of ping-pongs or trains.
    RoundTrips(Prtt),
    /// Messages that were there before their receives were posted.
    LateReceives(LateReceives),
    /// Messages whose receives were posted long before.
    LateSends(LateSends),
    /// Pairs of readings of the clock in a row.
    Readings(Readings),
    /// Times of a touch of memory.
    Touched(TimedTouch),
    /// Exits of all ranks from barriers.
    Left(Left),
    /// Distance between the caches of rank 0 and its neighbour, before, between or after the others.
    Looked(MachineLook),
}

/// Round trips of one kind, PRTT(n, d, s): n messages of s bytes with delay d between them, one answer of s bytes.
/// PRTT(1, 0, s) is a ping-pong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prtt {
    /// Number n of messages in each round trip.
    pub messages: u32,
    /// Delay d between the messages of a train.
    pub delay: Span,
    /// Length s of each message, in bytes.
    pub bytes: u64,
    /// Duration of each round trip, from the first send to the answer. The reading behind a train's last send does not
    /// add to it: the answer is under way.
    pub round_trips: Vec<Span>,
    /// Duration of the sends of each train, from the begin of the first until the last returned; empty for ping-pongs.
    #[serde(default)]
    pub sending: Vec<Span>,
}

/// Messages whose receiver computed for a while before it received them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LateReceives {
    /// Time for which the receiver computed after it had said that the message may come.
    pub delay: Span,
    /// Length of the messages, in bytes.
    pub bytes: u64,
    /// Duration of each send, on rank 0.
    pub sends: Vec<Span>,
    /// Duration of each receive, on rank 1.
    pub receives: Vec<Span>,
}

/// Messages whose sender computed for a while before it sent them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LateSends {
    /// Time for which the sender computed after it knew that the receiver would be waiting.
    pub delay: Span,
    /// Length of the messages, in bytes.
    pub bytes: u64,
    /// Duration of each send, on rank 0.
    pub sends: Vec<Span>,
}

/// Spans from one reading of the clock to the next, with nothing between.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Readings {
    /// Spans of rank 0's clock.
    pub first: Vec<Span>,
    /// Spans of rank 1's clock.
    pub second: Vec<Span>,
}

impl Sample {
    /// Returns the round trips, if the sample consists of them.
    pub fn round_trips(&self) -> Option<&Prtt> {
        if let Sample::RoundTrips(prtt) = self { Some(prtt) } else { None }
    }

    /// Returns the late receives, if the sample consists of them.
    pub fn late_receives(&self) -> Option<&LateReceives> {
        if let Sample::LateReceives(late) = self { Some(late) } else { None }
    }

    /// Returns the readings of clocks, if the sample consists of them.
    pub fn readings(&self) -> Option<&Readings> {
        if let Sample::Readings(readings) = self { Some(readings) } else { None }
    }

    /// Returns the touch of memory, if the sample is one.
    pub fn touched(&self) -> Option<&TimedTouch> {
        if let Sample::Touched(timed) = self { Some(timed) } else { None }
    }

    /// Returns the exits from barriers, if the sample consists of them.
    pub fn left(&self) -> Option<&Left> {
        if let Sample::Left(left) = self { Some(left) } else { None }
    }

    /// Returns the look at the machine's state, if the sample is one.
    pub fn looked(&self) -> Option<&MachineLook> {
        if let Sample::Looked(look) = self { Some(look) } else { None }
    }

    /// Returns the messages' length in bytes; `None` for readings of a clock, exits from barriers and looks.
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
    /// Returns true if the sender waited for the receiver: its send grows with the receiver's delay. A send that does
    /// not wait is over before its message could have been there, which is a quarter of the delay or less.
    pub fn wait(&self) -> bool {
        median(self.sends.iter().copied()) > Span(self.delay.0 / 2)
    }
}
