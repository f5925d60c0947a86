//! An emulated network: a message is delivered not before its due time, by Hockney's model with
//! its send rule. Ranks wait by sleeping and yield only at the end, so that many ranks behave on few cores.
//!
//! All ranks read one shared clock (they are on one host); each message carries the reading at
//! which its send began.

use crate::clock::ClockSource;
use crate::waiting::Patience;
use models::clock::{Ticks, Timescale};
use models::collective::{Part, Step, Then};
use models::network::{Hockney, SendRule};
use models::time::Span;
use std::marker::PhantomData;

use crate::buffer::Buffer;

/// The separate streams of messages between two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Steps of collectives.
    Steps = 0,
    /// Answers of receivers to senders that wait for them.
    Answers = 1,
    /// The methods' own messages.
    Control = 2,
}

impl Lane {
    /// How many lanes there are.
    pub const COUNT: usize = 3;
}

/// What really carries the bytes: as fast as it can, in order per pair and lane.
pub trait Transport {
    /// Hands a message over without waiting for the receiver.
    fn put(&self, to: u32, lane: Lane, stamp: Ticks, data: &[u8]);

    /// Waits for the next message of this pair and lane, fills `data` (of exactly its length) and
    /// returns its stamp. `nap` is how long it may sleep between two looks.
    fn take(&self, from: u32, lane: Lane, data: &mut [u8], nap: Span) -> Ticks;

    /// Called now and then while a rank waits, for transports that need attention.
    fn progress(&self) {}
}

/// One rank's interface to the emulated network.
pub struct Emulated<C, T> {
    /// What carries the bytes.
    pub transport: T,
    /// The model that is played.
    pub model: Hockney,
    /// The shared clock.
    pub scale: Timescale,
    clock: PhantomData<C>,
}

impl<C: ClockSource, T: Transport> Emulated<C, T> {
    /// Joins the network.
    pub fn new(transport: T, model: Hockney, scale: Timescale) -> Emulated<C, T> {
        Emulated { transport, model, scale, clock: PhantomData }
    }

    /// One step of a collective, on the rank's buffer.
    pub fn step(&self, step: &Step, buffer: &Buffer) {
        let ready = C::read();
        if let Some((to, part)) = step.sent() {
            buffer.read(part, |data| self.transport.put(to, Lane::Steps, ready, data));
        }
        let arrived = step.received().map(|(from, part)| self.take(from, part, then(step), ready, buffer));
        let released = step.sent().and_then(|(to, part)| self.released(to, part, ready));
        if let Some(due) = arrived.max(released) {
            self.wait_until(due);
        }
    }

    /// Takes a message into the buffer; returns when it would have arrived.
    fn take(&self, from: u32, part: Part, then: Then, posted: Ticks, buffer: &Buffer) -> Ticks {
        let nap = Span(self.model.alpha.0 / 4);
        let begun = buffer.write(part, then, |room| self.transport.take(from, Lane::Steps, room, nap));
        match self.model.send_rule {
            SendRule::Busy | SendRule::Eager => self.after_transfer(begun, part),
            SendRule::Detached => self.after_transfer(begun.max(posted), part),
            SendRule::Synchronous => {
                let due = self.after_transfer(begun.max(posted), part);
                self.transport.put(from, Lane::Answers, due, &[]);
                due
            }
        }
    }

    /// When a send that began at `begun` lets its sender go; `None` if at once.
    fn released(&self, to: u32, part: Part, begun: Ticks) -> Option<Ticks> {
        match self.model.send_rule {
            SendRule::Busy => Some(self.after_transfer(begun, part)),
            SendRule::Eager | SendRule::Detached => None,
            SendRule::Synchronous => {
                let nap = Span(self.model.alpha.0 / 4);
                Some(self.transport.take(to, Lane::Answers, &mut [], nap))
            }
        }
    }

    fn after_transfer(&self, from: Ticks, part: Part) -> Ticks {
        self.scale.reading(self.scale.time(from) + self.model.transfer(part.bytes))
    }

    fn wait_until(&self, due: Ticks) {
        Patience::SleepThenYield.wait_until::<C>(&self.scale, due, || self.transport.progress());
    }
}

fn then(step: &Step) -> Then {
    match *step {
        Step::Receive { then, .. } | Step::Exchange { then, .. } => then,
        Step::Send { .. } => Then::Store,
    }
}
