//! An emulated network: a message is delivered not before its due time, by Hockney's model with its send rule. Ranks
//! wait by sleeping and yield only at the end, so that many ranks behave on few cores.
//!
//! All ranks read one shared clock (they are on one host). Each message carries the reading at which its send began.

use crate::buffer::Buffer;
use crate::clock::ClockSource;
use crate::rank::Carriage;
use crate::shared_queues::{Member, SharedCalls};
use crate::waiting::Patience;
use models::call::Call;
use models::clock::{Ticks, Timescale};
use models::collective::{Collective, Part, Shape, Step, Then};
use models::network::{Hockney, SendRule};
use models::shared_broadcast::Queued;
use models::time::Span;
use programs::observation::Placement;
use std::cell::{Cell, RefCell};

/// Separate streams of messages between two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Lane for steps of collectives.
    Steps = 0,
    /// Lane for answers of receivers to senders that wait for them.
    Answers = 1,
    /// Lane for the methods' own messages.
    Control = 2,
}

impl Lane {
    /// Number of lanes between two ranks.
    pub const COUNT: usize = 3;
}

/// Carrier of the bytes: as fast as it can, in order per pair and lane.
pub trait Transport {
    /// Hands a message over without waiting for the receiver.
    fn put(&self, to: u32, lane: Lane, stamp: Ticks, data: &[u8]);

    /// Waits for the next message of this pair and lane, fills `data` (of exactly its length) and returns its stamp.
    /// Between two looks it may sleep for `nap`.
    fn take(&self, from: u32, lane: Lane, data: &mut [u8], nap: Span) -> Ticks;

    /// Returns this rank's part in a broadcast through memory that all ranks share. Called by all ranks together.
    ///
    /// # Errors
    ///
    /// Says why there is no such memory.
    fn member(&self, queued: &Queued) -> Result<Member, String> {
        Err(format!("{queued} is no message for an emulated network: expected network native, or world threads"))
    }

    /// Called now and then while a rank waits, for transports that need attention.
    fn progress(&self) {}

    /// Sends a message of the methods' own.
    fn send(&self, to: u32, message: &[u8]) {
        self.put(to, Lane::Control, Ticks(0), message);
    }

    /// Receives a message of the methods' own.
    fn receive(&self, from: u32, message: &mut [u8]) {
        self.take(from, Lane::Control, message, Span::ZERO);
    }
}

/// One rank's interface to the emulated network.
pub struct Emulated<C, T> {
    transport: T,
    model: Hockney,
    scale: Timescale,
    under_way: RefCell<UnderWay>,
    /// Earliest time at which a busy sender's next transfer begins.
    next_send: Cell<Ticks>,
    clock: C,
    shared: SharedCalls<()>,
}

/// Operations that a rank has begun and not yet waited for.
#[derive(Default)]
struct UnderWay {
    posted: Vec<Posted>,
    started: Vec<Started>,
}

struct Posted {
    from: u32,
    part: Part,
    then: Then,
    at: Ticks,
}

struct Started {
    to: u32,
    part: Part,
    begun: Ticks,
}

impl<C: ClockSource, T: Transport> Carriage for Emulated<C, T> {
    const HAS_LIBRARY: bool = false;

    fn step(&self, step: &Step, buffer: &Buffer) {
        let now = self.clock.read();
        match *step {
            Step::Send { to, part } => {
                let started = self.start(to, part, now, buffer);
                self.wait_until(self.released(&started));
            }
            Step::Receive { from, part, then } => {
                self.wait_until(Some(self.take(&Posted { from, part, then, at: now }, buffer)));
            }
            Step::Exchange { to, sent, from, received, then } => {
                let started = self.start(to, sent, now, buffer);
                let arrived = self.take(&Posted { from, part: received, then, at: now }, buffer);
                self.wait_until(self.released(&started).max(Some(arrived)));
            }
            Step::Post { from, part, then } => {
                self.under_way.borrow_mut().posted.push(Posted { from, part, then, at: now });
            }
            Step::Start { to, part } => {
                let started = self.start(to, part, now, buffer);
                self.under_way.borrow_mut().started.push(started);
            }
            Step::WaitAll => self.wait_for_all(buffer),
            Step::Local { from, to, then } => buffer.local(from, to, then),
        }
    }

    fn prepare(&self, _collective: Collective, _shape: &Shape) {}

    fn library(&self, collective: Collective, _shape: &Shape, _buffer: &Buffer) {
        panic!("the library's own {collective} cannot run on an emulated network; name an algorithm");
    }

    fn prepare_call(
        &self,
        collective: Collective,
        call: &Call,
        _shape: &Shape,
        forced: Option<&str>,
    ) -> Result<usize, String> {
        let what = forced.map_or_else(|| call.name(collective), |name| format!("the library's algorithm '{name}'"));
        Err(format!("{what} cannot run on an emulated network: expected world openmpi or mpich, network native"))
    }

    fn prepare_shared(&self, queued: &Queued, call: &Call, shape: &Shape) -> Result<usize, String> {
        self.shared.add(queued, call, shape, || Ok((self.transport.member(queued)?, ())))
    }

    fn call_prepared(&self, call: usize, buffer: &Buffer) {
        self.shared.call(call, buffer);
    }

    fn begin_prepared(&self, call: usize, _buffer: &Buffer) {
        unreachable!("call {call} was not prepared");
    }

    fn test_prepared(&self) {}

    fn finish_prepared(&self) {}

    fn proof(&self, _call: usize) -> Option<String> {
        None
    }

    fn placement(&self, call: usize) -> Option<Placement> {
        self.shared.placement(call)
    }

    fn forget_calls(&self) {
        self.shared.forget();
    }

    fn send(&self, to: u32, message: &[u8]) {
        self.transport.send(to, message);
    }

    fn receive(&self, from: u32, message: &mut [u8]) {
        self.transport.receive(from, message);
    }

    fn progress(&self) {
        self.transport.progress();
    }
}

impl<C: ClockSource, T: Transport> Emulated<C, T> {
    /// Joins the network that plays a model, on ranks that share a clock.
    pub fn new(transport: T, model: Hockney, clock: C, scale: Timescale) -> Emulated<C, T> {
        let (under_way, next_send) = (RefCell::default(), Cell::new(Ticks(0)));
        Emulated { transport, model, scale, under_way, next_send, clock, shared: SharedCalls::default() }
    }

    /// Waits for all operations under way. Both ends of a message lie in the same round, so each has been started
    /// without waiting: taking them in the order of posting keeps no rank from going on.
    fn wait_for_all(&self, buffer: &Buffer) {
        let mut under_way = self.under_way.borrow_mut();
        let mut last = None;
        for posted in under_way.posted.drain(..) {
            last = last.max(Some(self.take(&posted, buffer)));
        }
        for started in under_way.started.drain(..) {
            last = last.max(self.released(&started));
        }
        self.wait_until(last);
    }

    /// Hands a message over, with the time at which its transfer begins.
    fn start(&self, to: u32, part: Part, now: Ticks, buffer: &Buffer) -> Started {
        let begun = match self.model.send_rule {
            SendRule::Busy => {
                let begun = now.max(self.next_send.get());
                self.next_send.set(self.after_transfer(begun, part));
                begun
            }
            SendRule::Eager | SendRule::Detached | SendRule::Synchronous => now,
        };
        // SAFETY: it is lent for this call, in which nobody else uses the buffer.
        buffer.read(part, |data| self.transport.put(to, Lane::Steps, begun, unsafe { &*data }));
        Started { to, part, begun }
    }

    /// Takes a message into the buffer. Returns the time at which it would have arrived.
    fn take(&self, posted: &Posted, buffer: &Buffer) -> Ticks {
        let &Posted { from, part, then, at } = posted;
        // SAFETY: it is lent for this call, in which nobody else uses the buffer.
        let take = |room: *mut [u8]| self.transport.take(from, Lane::Steps, unsafe { &mut *room }, self.nap());
        let begun = buffer.write(part, then, take);
        match self.model.send_rule {
            SendRule::Busy | SendRule::Eager => self.after_transfer(begun, part),
            SendRule::Detached => self.after_transfer(begun.max(at), part),
            SendRule::Synchronous => {
                let due = self.after_transfer(begun.max(at), part);
                self.transport.put(from, Lane::Answers, due, &[]);
                due
            }
        }
    }

    /// Returns the time at which a send lets its sender go, `None` if at once.
    fn released(&self, started: &Started) -> Option<Ticks> {
        match self.model.send_rule {
            SendRule::Busy => Some(self.after_transfer(started.begun, started.part)),
            SendRule::Eager | SendRule::Detached => None,
            SendRule::Synchronous => Some(self.transport.take(started.to, Lane::Answers, &mut [], self.nap())),
        }
    }

    /// Returns the longest sleep of a rank between two looks for a message.
    fn nap(&self) -> Span {
        Span(self.model.alpha.0 / 4)
    }

    fn after_transfer(&self, from: Ticks, part: Part) -> Ticks {
        self.scale.reading(self.scale.time(from) + self.model.transfer(part.bytes))
    }

    fn wait_until(&self, due: Option<Ticks>) {
        if let Some(due) = due {
            Patience::SleepThenYield.wait_until(self.clock, &self.scale, due, || self.transport.progress());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{ClockMonotonicRaw, RealClock};
    use models::time::PerByte;
    use std::collections::VecDeque;

    /// A rank that talks to itself: what is put comes back.
    #[derive(Default)]
    struct Loopback(RefCell<[Queue; Lane::COUNT]>);

    type Queue = VecDeque<(Ticks, Vec<u8>)>;

    impl Transport for Loopback {
        fn put(&self, _to: u32, lane: Lane, stamp: Ticks, data: &[u8]) {
            self.0.borrow_mut()[lane as usize].push_back((stamp, data.to_vec()));
        }

        fn take(&self, _from: u32, lane: Lane, data: &mut [u8], _nap: Span) -> Ticks {
            let (stamp, message) = self.0.borrow_mut()[lane as usize].pop_front().expect("put before");
            data.copy_from_slice(&message);
            stamp
        }
    }

    #[test]
    fn what_was_begun_is_waited_for_as_the_send_rule_says() {
        let tau = Span::from_us(300);
        let scale = Timescale { ticks_per_second: 1e9, origin: Ticks(0), granularity_ticks: 1 };
        for send_rule in SendRule::ALL {
            let model = Hockney { alpha: tau, beta: PerByte(0.0), send_rule };
            let clock: &dyn RealClock = &ClockMonotonicRaw;
            let network = Emulated::new(Loopback::default(), model, clock, scale);
            let buffer = Buffer::new(8, 0);
            buffer.store(&[1, 2, 3]);
            let began = clock.read();
            for byte in 0..3 {
                network.step(&Step::Start { to: 0, part: Part::range(byte, 1) }, &buffer);
            }
            let stamps: Vec<Ticks> =
                network.transport.0.borrow()[Lane::Steps as usize].iter().map(|message| message.0).collect();
            let apart = stamps.windows(2).all(|pair| scale.span(pair[0], pair[1]) >= tau);
            assert!(send_rule != SendRule::Busy || apart, "a busy sender's transfers follow each other: {stamps:?}");
            let posting = clock.read();
            // Two arrive in the same place: what is combined is not lost.
            for (at, then) in [(5, Then::Combine), (5, Then::Combine), (7, Then::Store)] {
                network.step(&Step::Post { from: 0, part: Part::range(at, 1), then }, &buffer);
            }
            network.step(&Step::WaitAll, &buffer);
            let done = clock.read();
            assert_eq!(buffer.content(8), [1, 2, 3, 0, 0, 3, 0, 3], "{send_rule:?}");
            let (since, transfers) = match send_rule {
                SendRule::Busy => (began, 3),
                SendRule::Eager => (began, 1),
                SendRule::Detached | SendRule::Synchronous => (posting, 1),
            };
            assert!(scale.span(since, done) >= tau * transfers, "{send_rule:?}: done too early");
            assert!(network.transport.0.borrow().iter().all(VecDeque::is_empty), "{send_rule:?}: nothing is left over");
        }
    }
}
