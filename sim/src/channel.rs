//! What steps travel on: the network under study, and what costs nothing. (The method's own messages: `engine/control.rs`.)

use models::network::{Departure, Hockney, Message, Network, NetworkModel, Port, SendRule};
use models::noise::Advance;
use models::platform::{Platform, Traffic};
use models::time::{PerByte, Span, Time};

/// Which of a rank's interfaces a message uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Channel {
    /// The network under study.
    Steps = 0,
    /// What tells ranks that they may leave a barrier: costs nobody anything.
    Release = 1,
}

/// What [`Channel::Release`] travels on.
pub(crate) const FREE: Network =
    Network::Hockney(Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Eager });

/// What a channel's messages travel on.
pub(crate) enum Carrier<'a> {
    Steps(&'a Platform, &'a mut Traffic),
    Free,
}

impl Carrier<'_> {
    /// Issues a send.
    #[inline]
    pub(crate) fn send(self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        match self {
            Carrier::Steps(platform, traffic) => platform.send(traffic, port, message, cpu),
            Carrier::Free => FREE.send(port, message, cpu),
        }
    }

    /// Completes a receive.
    #[inline]
    pub(crate) fn receive(self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
        match self {
            Carrier::Steps(platform, _) => platform.receive(port, message, arrival, cpu),
            Carrier::Free => FREE.receive(port, message, arrival, cpu),
        }
    }
}
