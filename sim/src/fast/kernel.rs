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

    /// A rank that enters.
    fn enter(&self, rank: u32, at: Time) -> Self::State;

    /// When its CPU is free.
    fn cpu(state: &Self::State) -> Time;

    /// Keeps a rank until `at`.
    fn hold(state: &mut Self::State, at: Time);

    /// Issues a send.
    fn send(&self, state: &mut Self::State, message: &Message) -> Departure;

    /// What follows once the receive was posted.
    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched;

    /// Completes a receive.
    fn receive(&self, state: &mut Self::State, message: &Message, arrival: Time);

    /// Occupies a rank's CPU.
    fn compute(&self, state: &mut Self::State, rank: u32, work: Span);
}

/// A refined platform that needs no global order.
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

    fn enter(&self, _rank: u32, at: Time) -> Port {
        Port { cpu: at, ..Port::default() }
    }

    #[inline(always)]
    fn cpu(port: &Port) -> Time {
        port.cpu
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
    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched {
        self.0.matched(message, departure, posted)
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
}

impl<M: NetworkModel + Sync> Kernel for Disturbed<'_, M> {
    type State = (Port, Cursor);

    fn enter(&self, rank: u32, at: Time) -> (Port, Cursor) {
        (Port { cpu: at, ..Port::default() }, self.noise.cursor(rank))
    }

    #[inline(always)]
    fn cpu(state: &(Port, Cursor)) -> Time {
        state.0.cpu
    }

    #[inline(always)]
    fn hold(state: &mut (Port, Cursor), at: Time) {
        state.0.cpu = state.0.cpu.max(at);
    }

    #[inline(always)]
    fn send(&self, (port, cursor): &mut (Port, Cursor), message: &Message) -> Departure {
        self.model.send(port, message, &mut Disturbance { noise: self.noise, rank: message.from, cursor })
    }

    #[inline(always)]
    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched {
        self.model.matched(message, departure, posted)
    }

    #[inline(always)]
    fn receive(&self, (port, cursor): &mut (Port, Cursor), message: &Message, arrival: Time) {
        self.model.receive(port, message, arrival, &mut Disturbance { noise: self.noise, rank: message.to, cursor });
    }

    #[inline(always)]
    fn compute(&self, (port, cursor): &mut (Port, Cursor), rank: u32, work: Span) {
        port.cpu = self.noise.advance(rank, cursor, port.cpu, work);
    }
}

/// One rank's CPU under noise, with its cursor kept elsewhere.
struct Disturbance<'a> {
    noise: &'a Noise,
    rank: u32,
    cursor: &'a mut Cursor,
}

impl Advance for Disturbance<'_> {
    #[inline(always)]
    fn advance(&mut self, at: Time, work: Span) -> Time {
        self.noise.advance(self.rank, self.cursor, at, work)
    }
}
