//! Carriers of steps: the network under study, and one that costs nothing. (The method's own messages are in
//! `engine/control.rs`.)

use models::network::{Departure, Hockney, Message, Network, NetworkModel, Port, SendRule};
use models::noise::Advance;
use models::platform::{Platform, Traffic};
use models::time::{PerByte, Span, Time};

/// Interface of a rank that a message uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Channel {
    /// The network under study.
    Steps = 0,
    /// Signals that ranks may leave a barrier, which cost nobody anything.
    Release = 1,
}

/// Network of [`Channel::Release`], on which everything is free.
pub(crate) const FREE: Network =
    Network::Hockney(Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Eager });

/// Carrier of a channel's messages.
pub(crate) enum Carrier<'a> {
    Steps(&'a Platform, &'a mut Traffic),
    Free,
}

impl Carrier<'_> {
    #[inline]
    pub(crate) fn send(self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        match self {
            Carrier::Steps(platform, traffic) => platform.send(traffic, port, message, cpu),
            Carrier::Free => FREE.send(port, message, cpu),
        }
    }

    #[inline]
    pub(crate) fn receive(self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
        match self {
            Carrier::Steps(platform, _) => platform.receive(port, message, arrival, cpu),
            Carrier::Free => FREE.receive(port, message, arrival, cpu),
        }
    }
}
