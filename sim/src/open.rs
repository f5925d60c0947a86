//! Open operations of the event engine: requests of ranks, and messages and receives that have not met.

use crate::channel::Channel;
use models::collective::{Part, Then};
use models::network::{Departure, Message as Envelope};
use models::platform::Touched;
use models::time::{Span, Time};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Receive that was posted, or send that was started, and is not complete.
pub(crate) enum Request {
    Receive {
        from: u32,
        channel: Channel,
        posted: Time,
        /// Destination of the message, `None` where it costs nothing. It is boxed, since ranks by the thousand have
        /// requests open.
        into: Option<Box<Destination>>,
        arrived: Option<(Envelope, Time)>,
    },
    Send {
        to: u32,
        released: Option<Time>,
    },
}

/// Destination of a message in its receiver's memory.
pub(crate) struct Destination {
    pub part: Part,
    pub then: Then,
    /// Lines that were touched when it was read out of its sender's memory.
    pub read: Touched,
}

impl Request {
    /// Returns the box of its destination, if it had one.
    pub(crate) fn into_place(self) -> Option<Box<Destination>> {
        match self {
            Request::Receive { into, .. } => into,
            Request::Send { .. } => None,
        }
    }
}

/// Boxes that are used again and again.
#[allow(clippy::vec_box)] // the boxes are what is kept
pub(crate) struct Places<T>(Vec<Box<T>>);

impl<T> Default for Places<T> {
    fn default() -> Places<T> {
        Places(Vec::new())
    }
}

impl<T> Places<T> {
    pub(crate) fn holding(&mut self, what: T) -> Box<T> {
        match self.0.pop() {
            Some(mut place) => {
                *place = what;
                place
            }
            None => Box::new(what),
        }
    }

    pub(crate) fn take_back(&mut self, place: Option<Box<T>>) {
        self.0.extend(place);
    }
}

/// Properties that a message brings with it beside those of the network.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Carried {
    /// Time by which it is longer under way, and its sender held up.
    pub held: Span,
    /// Time by which it is longer under way, whatever its sender does. A sender that waits for its receiver waits
    /// longer, too.
    pub flight: Span,
    /// Lines that were touched when it was read out of its sender's memory.
    pub read: Touched,
}

impl Carried {
    /// Returns `None` if it is nothing: few messages bring anything.
    pub(crate) fn if_any(self, places: &mut Places<Carried>) -> Option<Box<Carried>> {
        (self != Carried::default()).then(|| places.holding(self))
    }

    pub(crate) fn longer(&self) -> Span {
        self.held + self.flight
    }
}

/// Message that no receive has met yet.
pub(crate) struct UnmetMessage {
    pub envelope: Envelope,
    pub departure: Departure,
    /// Properties that it brings with it, if any. They are boxed, since messages by the thousand are under way.
    pub carried: Option<Box<Carried>>,
    /// Number of the sender's request.
    pub request: u32,
}

/// Control message that its receiver does not wait for yet.
pub(crate) struct Letter {
    pub departure: Departure,
    pub data: Data,
}

/// Content of a control message: mostly one reading of a clock.
pub(crate) type Data = SmallVec<[u8; 32]>;

/// Control messages by sender and receiver in one number, in the order in which they were sent.
pub(crate) type Letters = FxHashMap<u64, VecDeque<Letter>>;

/// Messages and receives between two ranks that have not met. At most one of the two is not empty.
#[derive(Default)]
pub(crate) struct Lane {
    pub messages: VecDeque<UnmetMessage>,
    pub receives: VecDeque<u32>,
}

/// Lanes on which anything was ever sent or awaited.
#[derive(Default)]
pub(crate) struct Lanes {
    /// Indices into `all`, by channel, and by sender and receiver in one number.
    places: [FxHashMap<u64, usize>; 2],
    all: Vec<Lane>,
}

/// Lane into a rank that was used last: sender and receiver mostly take the same one, one after the other.
#[derive(Clone, Copy, Default)]
pub(crate) struct LastLane(Option<(u32, Channel, usize)>);

impl Lanes {
    /// Returns the lane from one rank into another.
    pub(crate) fn between(&mut self, from: u32, to: u32, channel: Channel, last: &mut LastLane) -> &mut Lane {
        let place = match last.0 {
            Some((sender, on, place)) if (sender, on) == (from, channel) => place,
            _ => {
                let ends = u64::from(from) << 32 | u64::from(to);
                let place = *self.places[channel as usize].entry(ends).or_insert(self.all.len());
                if place == self.all.len() {
                    self.all.push(Lane::default());
                }
                last.0 = Some((from, channel, place));
                place
            }
        };
        &mut self.all[place]
    }
}
