//! The method's own messages. A rank that sends or receives one does nothing else until that is done, and they cross a
//! network that no two ranks share: it makes no difference when they are carried out, and they take less than steps do.

use super::Engine;
use crate::open::{Data, Letter};
use crate::recorder::RecordedCpu;
use models::clock::{ClockModel, Ticks};
use models::network::{Departure, Message as Envelope, Network, NetworkModel, Port};
use models::time::Time;
use programs::trace::Activity;

impl Engine {
    /// Sends a control message at the CPU's time. Returns whether the rank goes on. If not, it has to suspend, and is
    /// resumed when its receiver lets it go.
    pub(crate) fn send_control(&mut self, rank: u32, to: u32, data: &[u8]) -> bool {
        let envelope = Envelope { from: rank, to, bytes: data.len() as u64 };
        let departure = self.depart(&envelope);
        match self.ranks[to as usize].awaits {
            Some((from, posted)) if from == rank => {
                self.deliver(&envelope, &departure, posted, data);
                self.resume_at_cpu(to);
                true
            }
            _ => {
                let goes_on = departure.released.is_some();
                self.ranks[rank as usize].is_held_by = (!goes_on).then_some(to);
                self.ranks[to as usize].letters += 1;
                let letters = self.letters.entry(ends(rank, to)).or_default();
                letters.push_back(Letter { departure, data: Data::from_slice(data) });
                goes_on
            }
        }
    }

    /// Receives a control message at the CPU's time. Returns whether the rank goes on, with the message in its inbox.
    /// If not, it has to suspend, and is resumed when the message has come.
    pub(crate) fn receive(&mut self, rank: u32, from: u32) -> bool {
        self.wake(rank);
        let state = &mut self.ranks[rank as usize];
        let posted = state.cpu;
        let letters = if state.letters > 0 { self.letters.get_mut(&ends(from, rank)) } else { None };
        let Some(Letter { departure, data }) = letters.and_then(|letters| letters.pop_front()) else {
            state.awaits = Some((from, posted));
            return false;
        };
        state.letters -= 1;
        let is_held = departure.released.is_none();
        let envelope = Envelope { from, to: rank, bytes: data.len() as u64 };
        self.deliver(&envelope, &departure, posted, &data);
        if is_held {
            self.ranks[from as usize].is_held_by = None;
            self.resume_at_cpu(from);
        }
        true
    }

    /// Returns the control message that came last.
    pub(crate) fn inbox(&self, rank: u32) -> &[u8] {
        &self.ranks[rank as usize].inbox
    }

    /// Returns the reading of another rank's clock, if that rank waits for questions of this one and nothing else: both
    /// messages are carried out at once, without either rank suspending. Clock synchronisations ask by the thousand.
    pub(crate) fn ask(&mut self, rank: u32, other: u32, clock: &ClockModel) -> Option<Ticks> {
        let answers = self.rank(other);
        let (_, posted) = answers.awaits.filter(|&(from, _)| from == rank && answers.answers)?;
        if self.recorder.is_recording() {
            return None;
        }
        self.cross(&Envelope { from: rank, to: other, bytes: 8 }, posted);
        let cpu = self.cpu(other);
        *cpu += clock.read_cost;
        let reading = clock.reading(*cpu);
        let posted = *self.cpu(rank);
        self.cross(&Envelope { from: other, to: rank, bytes: 8 }, posted);
        let answers = self.rank(other);
        answers.awaits = Some((rank, answers.cpu));
        Some(reading)
    }

    /// Carries a message from its sender into its receiver, which has posted its receive.
    fn cross(&mut self, envelope: &Envelope, posted: Time) {
        let departure = self.depart(envelope);
        self.deliver(envelope, &departure, posted, &[]);
    }

    /// Issues a send, and lets its sender go where that does not depend on the receiver.
    fn depart(&mut self, envelope: &Envelope) -> Departure {
        let rank = envelope.from;
        self.messages += 1;
        self.wake(rank);
        self.recorder.idled(rank, self.ranks[rank as usize].cpu);
        let departure =
            self.on_control(rank, Activity::Sending, |control, port, cpu| control.send(port, envelope, cpu));
        self.recorder.sent(rank, &departure);
        if let Some(released) = departure.released {
            self.let_go(rank, released);
        }
        departure
    }

    /// Completes a message that has met its receive: the receiver has it, and a sender that was held is let go.
    fn deliver(&mut self, envelope: &Envelope, departure: &Departure, posted: Time, data: &[u8]) {
        let Envelope { from, to, .. } = *envelope;
        let matched = self.control.matched(envelope, departure, posted);
        self.recorder.flew(envelope, &matched);
        self.recorder.turned_to(to, self.ranks[to as usize].cpu, matched.arrival);
        self.on_control(to, Activity::Receiving, |control, port, cpu| {
            control.receive(port, envelope, matched.arrival, cpu);
        });
        let state = &mut self.ranks[to as usize];
        state.awaits = None;
        state.inbox.clear();
        // Questions that are carried out at once have no words.
        if !data.is_empty() {
            state.inbox.extend_from_slice(data);
        }
        self.recorder.received(envelope, state.cpu);
        self.recorder.released(to, state.cpu);
        if departure.released.is_none() {
            self.let_go(from, matched.released);
        }
    }

    /// Uses a rank's interface to the control network, at the CPU's time.
    #[inline(always)]
    fn on_control<T>(
        &mut self,
        rank: u32,
        activity: Activity,
        act: impl FnOnce(&Network, &mut Port, &mut RecordedCpu) -> T,
    ) -> T {
        let state = &mut self.ranks[rank as usize];
        let port = &mut state.ports[1];
        port.cpu = state.cpu;
        let result = act(&self.control, port, &mut self.recorder.cpu(rank, activity, &self.noise, &mut state.cursor));
        state.cpu = port.cpu;
        result
    }
}

/// Packs sender and receiver into one number.
fn ends(from: u32, to: u32) -> u64 {
    u64::from(from) << 32 | u64::from(to)
}

#[cfg(test)]
#[path = "control_tests.rs"]
mod tests;
