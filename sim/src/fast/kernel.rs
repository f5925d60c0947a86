//! Parts of which rounds are made: one rank's state and the arithmetic of one message, specialised by the network model
//! and by whether there is noise.

use models::network::{Departure, Matched, Message, NetworkModel, Port};
use models::noise::{Advance, Cursor, Noise, Quiet};
use models::platform::{Platform, Traffic};
use models::time::{Span, Time};

/// Arithmetic of a network model on the state of ranks.
pub(super) trait Kernel: Sync {
    /// State that is kept of a rank.
    type State: Clone + Send + Sync;
    /// Instant, or the instants of several realisations side by side.
    type Time: Copy;
    /// Times of a message under way.
    type Departure: Copy;

    /// Start of the run.
    const ZERO: Self::Time;
    /// Departure where there is no message.
    const NO_DEPARTURE: Self::Departure;
    /// Whether nothing about any message depends on when its receive was posted, and a send keeps its rank no longer
    /// than it takes: then neither needs to be known.
    const EAGER: bool;

    /// Returns the state of a rank that enters.
    fn enter(&self, rank: u32, at: Time) -> Self::State;

    /// Returns the time at which the rank's CPU is free.
    fn cpu(state: &Self::State) -> Self::Time;

    /// Returns the later of two times.
    fn later(one: Self::Time, other: Self::Time) -> Self::Time;

    /// Keeps a rank until `at`.
    fn hold(state: &mut Self::State, at: Self::Time);

    /// Issues a send from a rank.
    fn send(&self, state: &mut Self::State, message: &Message) -> Self::Departure;

    /// Returns the times at which a message is there and its sender is released, once the receive was posted.
    fn matched(&self, message: &Message, departure: &Self::Departure, posted: Self::Time) -> (Self::Time, Self::Time);

    /// Completes a receive on a rank.
    fn receive(&self, state: &mut Self::State, message: &Message, arrival: Self::Time);

    /// Occupies a rank's CPU.
    fn compute(&self, state: &mut Self::State, rank: u32, work: Span);

    /// Returns the port of a rank of which nothing else is kept, so that its times shift with those of all others.
    /// `None` under noise, which depends on the hour.
    fn port(_state: &mut Self::State) -> Option<&mut Port> {
        None
    }
}

/// Platform with refinements that needs no global order.
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

/// Source of the ranks' CPU time.
pub(super) trait Cpus: Sync {
    /// State that is kept of a rank's CPU.
    type Cpu: Clone + Send + Sync;

    /// Whether nothing is kept of a CPU, because nothing disturbs it.
    const QUIET: bool = false;

    /// Returns a rank's CPU before anything has happened.
    fn cpu(&self, rank: u32) -> Self::Cpu;

    /// Returns a rank's CPU at work.
    fn on<'a>(&'a self, rank: u32, cpu: &'a mut Self::Cpu) -> impl Advance + 'a;
}

/// CPUs that nothing disturbs.
pub(super) struct Undisturbed;

impl Cpus for Undisturbed {
    type Cpu = ();

    const QUIET: bool = true;

    fn cpu(&self, _rank: u32) {}

    #[inline(always)]
    fn on<'a>(&'a self, _rank: u32, _cpu: &'a mut ()) -> impl Advance + 'a {
        Quiet
    }
}

/// CPUs that noise disturbs.
pub(super) struct Disturbed<'a> {
    pub noise: &'a Noise,
    /// Start of each rank's first detour: that of rank r is at r·stride.
    pub starts: &'a [Time],
    pub stride: usize,
}

/// A rank's CPU under noise: its cursor is made when the first detour is near.
#[derive(Clone)]
pub(super) struct Disturbance {
    start: Time,
    cursor: Option<Box<Cursor>>,
}

impl Cpus for Disturbed<'_> {
    type Cpu = Disturbance;

    fn cpu(&self, rank: u32) -> Disturbance {
        Disturbance { start: self.starts[rank as usize * self.stride], cursor: None }
    }

    #[inline(always)]
    fn on<'a>(&'a self, rank: u32, cpu: &'a mut Disturbance) -> impl Advance + 'a {
        AtWork { noise: self.noise, rank, cpu }
    }
}

/// One rank's CPU under noise, with its state kept elsewhere.
struct AtWork<'a> {
    noise: &'a Noise,
    rank: u32,
    cpu: &'a mut Disturbance,
}

impl Advance for AtWork<'_> {
    #[inline(always)]
    fn advance(&mut self, at: Time, work: Span) -> Time {
        let end = at + work;
        if end <= self.cpu.start { end } else { self.pass(at, work) }
    }
}

impl AtWork<'_> {
    #[cold]
    #[inline(never)]
    fn pass(&mut self, at: Time, work: Span) -> Time {
        let cursor = self.cpu.cursor.get_or_insert_with(|| Box::new(self.noise.cursor(self.rank)));
        let end = self.noise.advance(self.rank, cursor, at, work);
        self.cpu.start = cursor.start();
        end
    }
}

/// A network model on some CPUs.
pub(super) struct Modelled<M, C> {
    pub model: M,
    pub cpus: C,
}

impl<M: NetworkModel + Sync, C: Cpus> Kernel for Modelled<M, C> {
    type State = (Port, C::Cpu);
    type Time = Time;
    type Departure = Departure;

    const ZERO: Time = Time::ZERO;
    const NO_DEPARTURE: Departure = Departure { ready: Time::ZERO, released: None, arrival: None };
    const EAGER: bool = false;

    fn enter(&self, rank: u32, at: Time) -> Self::State {
        (Port { cpu: at, ..Port::default() }, self.cpus.cpu(rank))
    }

    #[inline(always)]
    fn cpu(state: &Self::State) -> Time {
        state.0.cpu
    }

    #[inline(always)]
    fn later(one: Time, other: Time) -> Time {
        one.max(other)
    }

    #[inline(always)]
    fn hold((port, _): &mut Self::State, at: Time) {
        port.cpu = port.cpu.max(at);
    }

    #[inline(always)]
    fn send(&self, (port, cpu): &mut Self::State, message: &Message) -> Departure {
        self.model.send(port, message, &mut self.cpus.on(message.from, cpu))
    }

    #[inline(always)]
    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> (Time, Time) {
        let Matched { arrival, released, .. } = self.model.matched(message, departure, posted);
        (arrival, released)
    }

    #[inline(always)]
    fn receive(&self, (port, cpu): &mut Self::State, message: &Message, arrival: Time) {
        self.model.receive(port, message, arrival, &mut self.cpus.on(message.to, cpu));
    }

    #[inline(always)]
    fn compute(&self, (port, cpu): &mut Self::State, rank: u32, work: Span) {
        port.cpu = self.cpus.on(rank, cpu).advance(port.cpu, work);
    }

    #[inline(always)]
    fn port((port, _): &mut Self::State) -> Option<&mut Port> {
        C::QUIET.then_some(port)
    }
}
