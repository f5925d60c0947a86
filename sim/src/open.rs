//! What is open in the event engine: requests of ranks, and messages and receives that have not met.

use crate::channel::Channel;
use models::collective::{Part, Then};
use models::network::{Departure, Message as Envelope};
use models::platform::Touched;
use models::time::{Span, Time};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Something posted or started that is not complete.
pub(crate) enum Request {
    Receive {
        from: u32,
        channel: Channel,
        posted: Time,
        /// Where it goes; nowhere in particular where that costs nothing. Apart, since ranks by the thousand have requests open.
        into: Option<Box<Destination>>,
        arrived: Option<(Envelope, Time)>,
    },
    Send {
        to: u32,
        released: Option<Time>,
    },
}

/// Where a message goes, and how it gets there.
pub(crate) struct Destination {
    pub part: Part,
    pub then: Then,
    /// How it was read out of its sender's memory.
    pub read: Touched,
}

impl Request {
    /// Where it kept its destination, if it had one.
    pub(crate) fn into_place(self) -> Option<Box<Destination>> {
        match self {
            Request::Receive { into, .. } => into,
            Request::Send { .. } => None,
        }
    }
}

/// Memory of what is apart, used again and again.
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

/// What a message brings with it beside what the network says.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Carried {
    /// How much longer it is under way, and its sender held up.
    pub held: Span,
    /// How much longer it is under way, whatever its sender does; a sender that waits for its receiver waits longer, too.
    pub flight: Span,
    /// How it was read out of its sender's memory.
    pub read: Touched,
}

impl Carried {
    /// None if it is nothing: few messages bring anything.
    pub(crate) fn if_any(self, places: &mut Places<Carried>) -> Option<Box<Carried>> {
        (self != Carried::default()).then(|| places.holding(self))
    }

    pub(crate) fn longer(&self) -> Span {
        self.held + self.flight
    }
}

/// A message that no receive has met yet.
pub(crate) struct Message {
    pub envelope: Envelope,
    pub departure: Departure,
    /// What it brings with it, if anything. Apart, since messages by the thousand are under way.
    pub carried: Option<Box<Carried>>,
    /// The sender's request.
    pub request: u32,
}

/// A control message that its receiver does not wait for yet.
pub(crate) struct Letter {
    pub departure: Departure,
    pub data: Data,
}

/// What a control message says: mostly one reading of a clock.
pub(crate) type Data = SmallVec<[u8; 32]>;

/// By sender and receiver in one number, in the order in which they were sent.
pub(crate) type Letters = FxHashMap<u64, VecDeque<Letter>>;

/// Messages and receives between two ranks that have not met; at most one of the two is not empty.
#[derive(Default)]
pub(crate) struct Lane {
    pub messages: VecDeque<Message>,
    pub receives: VecDeque<u32>,
}

/// The lanes on which anything was ever sent or awaited.
#[derive(Default)]
pub(crate) struct Lanes {
    /// By channel, and by sender and receiver in one number.
    places: [FxHashMap<u64, usize>; 2],
    all: Vec<Lane>,
}

/// The lane into a rank that was used last: who sends and who receives mostly take the same one, one after the other.
#[derive(Clone, Copy, Default)]
pub(crate) struct LastLane(Option<(u32, Channel, usize)>);

impl Lanes {
    /// The lane from one rank into another.
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
