//! What the rounds are made of: one rank's state and the arithmetic of one message, specialised by the
//! network model and by whether there is noise.

use models::network::{Departure, Matched, Message, NetworkModel, Port};
use models::noise::{Advance, Cursor, Noise, Quiet};
use models::platform::{Platform, Traffic};
use models::time::{Span, Time};

/// The arithmetic of a network model on the state of ranks.
pub(super) trait Kernel: Sync {
    /// All that is kept of a rank.
    type State: Clone + Send + Sync;
    /// An instant, or that of several realisations side by side.
    type Time: Copy;
    /// What is known of a message under way.
    type Departure: Copy;

    /// The start of the run.
    const ZERO: Self::Time;
    /// No message.
    const NO_DEPARTURE: Self::Departure;
    /// Nothing about any message depends on when its receive was posted, and a send keeps its rank no longer than it
    /// takes: then neither needs to be known.
    const EAGER: bool;

    /// A rank that enters.
    fn enter(&self, rank: u32, at: Time) -> Self::State;

    /// When its CPU is free.
    fn cpu(state: &Self::State) -> Self::Time;

    /// The later of two.
    fn later(one: Self::Time, other: Self::Time) -> Self::Time;

    /// Keeps a rank until `at`.
    fn hold(state: &mut Self::State, at: Self::Time);

    /// Issues a send.
    fn send(&self, state: &mut Self::State, message: &Message) -> Self::Departure;

    /// When a message is there and when its sender is released, once the receive was posted.
    fn matched(&self, message: &Message, departure: &Self::Departure, posted: Self::Time) -> (Self::Time, Self::Time);

    /// Completes a receive.
    fn receive(&self, state: &mut Self::State, message: &Message, arrival: Self::Time);

    /// Occupies a rank's CPU.
    fn compute(&self, state: &mut Self::State, rank: u32, work: Span);
}

const NO_DEPARTURE: Departure = Departure { ready: Time::ZERO, released: None, arrival: None };

/// A refined platform that needs no global order.
#[derive(Clone, Copy)]
pub(super) struct Refined<'a>(pub &'a Platform);

impl NetworkModel for Refined<'_> {
    fn send(&self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        self.0.send(&mut Traffic::default(), port, message, cpu)
    }

    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched {
        self.0.matched(&mut Traffic::default(), message, departure, posted)
    }

    fn receive(&self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
        self.0.receive(port, message, arrival, cpu);
    }
}

/// CPUs that nothing disturbs.
pub(super) struct Undisturbed<M>(pub M);

impl<M: NetworkModel + Sync> Kernel for Undisturbed<M> {
    type State = Port;
    type Time = Time;
    type Departure = Departure;

    const ZERO: Time = Time::ZERO;
    const NO_DEPARTURE: Departure = NO_DEPARTURE;
    const EAGER: bool = false;

    fn enter(&self, _rank: u32, at: Time) -> Port {
        Port { cpu: at, ..Port::default() }
    }

    #[inline(always)]
    fn cpu(port: &Port) -> Time {
        port.cpu
    }

    #[inline(always)]
    fn later(one: Time, other: Time) -> Time {
        one.max(other)
    }

    #[inline(always)]
    fn hold(port: &mut Port, at: Time) {
        port.cpu = port.cpu.max(at);
    }

    #[inline(always)]
    fn send(&self, port: &mut Port, message: &Message) -> Departure {
        self.0.send(port, message, &mut Quiet)
    }

    #[inline(always)]
    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> (Time, Time) {
        let Matched { arrival, released, .. } = self.0.matched(message, departure, posted);
        (arrival, released)
    }

    #[inline(always)]
    fn receive(&self, port: &mut Port, message: &Message, arrival: Time) {
        self.0.receive(port, message, arrival, &mut Quiet);
    }

    #[inline(always)]
    fn compute(&self, port: &mut Port, _rank: u32, work: Span) {
        port.cpu += work;
    }
}

/// CPUs under noise.
pub(super) struct Disturbed<'a, M> {
    pub model: M,
    pub noise: &'a Noise,
    /// The start of each rank's first detour: of rank r at r·stride.
    pub starts: &'a [Time],
    pub stride: usize,
}

/// A rank's CPU under noise: its cursor is made when the first detour is near.
#[derive(Clone)]
pub(super) struct Disturbance {
    start: Time,
    cursor: Option<Box<Cursor>>,
}

impl<M: NetworkModel + Sync> Kernel for Disturbed<'_, M> {
    type State = (Port, Disturbance);
    type Time = Time;
    type Departure = Departure;

    const ZERO: Time = Time::ZERO;
    const NO_DEPARTURE: Departure = NO_DEPARTURE;
    const EAGER: bool = false;

    fn enter(&self, rank: u32, at: Time) -> (Port, Disturbance) {
        let start = self.starts[rank as usize * self.stride];
        (Port { cpu: at, ..Port::default() }, Disturbance { start, cursor: None })
    }

    #[inline(always)]
    fn cpu(state: &(Port, Disturbance)) -> Time {
        state.0.cpu
    }

    #[inline(always)]
    fn later(one: Time, other: Time) -> Time {
        one.max(other)
    }

    #[inline(always)]
    fn hold(state: &mut (Port, Disturbance), at: Time) {
        state.0.cpu = state.0.cpu.max(at);
    }

    #[inline(always)]
    fn send(&self, (port, cpu): &mut (Port, Disturbance), message: &Message) -> Departure {
        self.model.send(port, message, &mut Cpu { noise: self.noise, rank: message.from, cpu })
    }

    #[inline(always)]
    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> (Time, Time) {
        let Matched { arrival, released, .. } = self.model.matched(message, departure, posted);
        (arrival, released)
    }

    #[inline(always)]
    fn receive(&self, (port, cpu): &mut (Port, Disturbance), message: &Message, arrival: Time) {
        self.model.receive(port, message, arrival, &mut Cpu { noise: self.noise, rank: message.to, cpu });
    }

    #[inline(always)]
    fn compute(&self, (port, cpu): &mut (Port, Disturbance), rank: u32, work: Span) {
        port.cpu = Cpu { noise: self.noise, rank, cpu }.advance(port.cpu, work);
    }
}

/// One rank's CPU under noise, with its state kept elsewhere.
struct Cpu<'a> {
    noise: &'a Noise,
    rank: u32,
    cpu: &'a mut Disturbance,
}

impl Advance for Cpu<'_> {
    #[inline(always)]
    fn advance(&mut self, at: Time, work: Span) -> Time {
        let end = at + work;
        if end <= self.cpu.start { end } else { self.pass(at, work) }
    }
}

impl Cpu<'_> {
    #[cold]
    #[inline(never)]
    fn pass(&mut self, at: Time, work: Span) -> Time {
        let cursor = self.cpu.cursor.get_or_insert_with(|| Box::new(self.noise.cursor(self.rank)));
        let end = self.noise.advance(self.rank, cursor, at, work);
        self.cpu.start = cursor.start();
        end
    }
}
