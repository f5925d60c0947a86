//! Messages on a refined network: the effects of refinements on the results of the network model.

use super::{Links, Refinements, Traffic, cost};
use crate::network::{CostTable, Departure, Hockney, Matched, Message, Network, NetworkModel, Port, SendRule};
use crate::noise::Advance;
use crate::time::{Span, Time};
use std::borrow::Cow;

impl Refinements {
    /// Network from one rank to another: of their class or pair, with the latency of a matrix.
    #[inline]
    pub(super) fn network_of<'a>(&'a self, base: &'a Network, from: u32, to: u32) -> Cow<'a, Network> {
        let network = match (&self.placement, &self.classes) {
            (Some(placement), Some(classes)) => classes.network(placement.class(from, to), base),
            _ => self.pairs.as_ref().map_or(base, |pairs| &pairs.between(from, to).network),
        };
        let Some(matrix) = &self.matrix else { return Cow::Borrowed(network) };
        let mut network = *network;
        *latency_of(&mut network) = matrix.between(from, to);
        Cow::Owned(network)
    }

    /// Whether a rank sends the message to itself and that has a cost of its own.
    #[inline]
    pub(super) fn is_to_self(&self, message: &Message) -> bool {
        message.from == message.to && self.to_self != CostTable::ZERO
    }

    /// Host of a rank in a topology: its node if ranks are placed, else one of its own.
    pub(super) fn host(&self, rank: u32) -> u32 {
        self.placement.as_ref().map_or(rank, |placement| placement.seat(rank).node)
    }

    /// Extra latency of a message because its adapter has to fetch it.
    #[inline]
    fn fetch(&self, message: &Message) -> Span {
        let Some(inline) = &self.inline else { return Span::ZERO };
        let is_within = self.placement.is_some() && self.host(message.from) == self.host(message.to);
        if is_within { Span::ZERO } else { inline.fetch(message.bytes) }
    }

    pub(super) fn send(
        &self,
        base: &Network,
        traffic: &mut Traffic,
        port: &mut Port,
        message: &Message,
        cpu: &mut impl Advance,
    ) -> Departure {
        if self.is_to_self(message) {
            port.cpu = cpu.advance(port.cpu, cost(self.to_self, message.bytes));
            return Departure { ready: port.cpu, released: Some(port.cpu), arrival: Some(port.cpu) };
        }
        let network = self.network_of(base, message.from, message.to);
        if let Some(connect) = &self.connect {
            let (free, up) = (port.cpu.max(port.next_send), connect.up(traffic, message, port.cpu));
            if up > free {
                cpu.connecting(free, up);
                port.next_send = up;
            }
        }
        let mut departure = network.send(port, message, cpu);
        departure.arrival = departure.arrival.map(|arrival| arrival + self.fetch(message));
        if let (Some(links), Some(arrival)) = (&self.links, departure.arrival) {
            let held_up = self.pass(links, traffic, message, departure.ready, &network);
            departure.arrival = Some(arrival + held_up);
            if let Network::Hockney(Hockney { send_rule: SendRule::Busy, .. }) = *network {
                departure.released = departure.released.map(|released| released + held_up);
                port.next_send += held_up;
            }
        }
        departure
    }

    pub(super) fn matched(
        &self,
        base: &Network,
        traffic: &mut Traffic,
        message: &Message,
        departure: &Departure,
        posted: Time,
    ) -> Matched {
        if let (true, Some(released), Some(arrival)) = (self.is_to_self(message), departure.released, departure.arrival)
        {
            return Matched { released, arrival, begun: departure.ready };
        }
        let network = self.network_of(base, message.from, message.to);
        let mut matched = network.matched(message, departure, posted);
        if departure.arrival.is_none() {
            matched.arrival += self.fetch(message);
        }
        if let (Some(links), None) = (&self.links, departure.arrival) {
            let held_up = self.pass(links, traffic, message, matched.begun, &network);
            matched.arrival += held_up;
            matched.begun += held_up;
            if departure.released.is_none() {
                matched.released += held_up;
            }
        }
        matched
    }

    pub(super) fn receive(
        &self,
        base: &Network,
        port: &mut Port,
        message: &Message,
        arrival: Time,
        cpu: &mut impl Advance,
    ) {
        if self.is_to_self(message) {
            port.cpu = port.cpu.max(arrival);
            return;
        }
        self.network_of(base, message.from, message.to).receive(port, message, arrival, cpu);
    }

    /// Sends a message through its links from `begun` on. Returns the time for which others hold it up.
    fn pass(&self, links: &Links, traffic: &mut Traffic, message: &Message, begun: Time, network: &Network) -> Span {
        let hosts = [self.host(message.from), self.host(message.to)];
        links.pass(traffic, message, hosts, begun, links.busy(network, message.bytes))
    }
}

/// Returns the parameter that a latency matrix replaces.
pub(super) fn latency_of(network: &mut Network) -> &mut Span {
    match network {
        Network::Hockney(model) => &mut model.alpha,
        Network::Logp(model) => &mut model.latency,
        Network::Loggp(model) => &mut model.latency,
        Network::Loggops(model) => &mut model.latency,
        Network::Plogp(model) => &mut model.latency,
    }
}
