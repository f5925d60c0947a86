//! Questions and answers of clock synchronisations, by the thousand and always the same: while a rank waits for another one's
//! next question, both their messages are carried out at once, without either suspending. Control messages meet nothing that
//! ranks share, so that it makes no difference when they are carried out; `asked_tests.rs` holds this against messages one by
//! one.

use super::Engine;
use crate::channel::Channel;
use crate::open::Request;
use models::clock::{ClockModel, Ticks};
use models::network::{Message as Envelope, NetworkModel};
use models::time::Time;
use models::trace::Activity;

impl Engine {
    /// What another rank's clock reads, if that rank waits for questions of this one and nothing else.
    pub(crate) fn ask(&mut self, rank: u32, other: u32, clock: &ClockModel) -> Option<Ticks> {
        if self.recorder.is_recording() {
            return None;
        }
        let answers = self.rank(other);
        let &[Request::Receive { from, channel: Channel::Control, posted, arrived: None, .. }] = &answers.requests[..]
        else {
            return None;
        };
        if !answers.answers || answers.waits_from.is_none() || from != rank || !self.rank(rank).requests.is_empty() {
            return None;
        }
        self.cross(&Envelope { from: rank, to: other, bytes: 8 }, posted);
        let cpu = self.cpu(other);
        *cpu += clock.read_cost;
        let reading = clock.reading(*cpu);
        let posted = *self.cpu(rank);
        self.cross(&Envelope { from: other, to: rank, bytes: 8 }, posted);
        let answers = self.rank(other);
        if let [Request::Receive { posted, .. }] = &mut answers.requests[..] {
            *posted = answers.cpu;
        }
        Some(reading)
    }

    /// A control message from its sender into its receiver, which has posted its receive.
    fn cross(&mut self, message: &Envelope, posted: Time) {
        let Envelope { from, to, .. } = *message;
        self.messages += 1;
        self.wake(from);
        let departure = self
            .on_port(from, Channel::Control, Activity::Sending, |carrier, port, cpu| carrier.send(port, message, cpu));
        let matched = self.control.matched(message, &departure, posted);
        let cpu = self.cpu(from);
        *cpu = (*cpu).max(departure.released.unwrap_or(matched.released));
        self.on_port(to, Channel::Control, Activity::Receiving, |carrier, port, cpu| {
            carrier.receive(port, message, matched.arrival, cpu);
        });
    }
}

#[cfg(test)]
#[path = "asked_tests.rs"]
mod tests;
