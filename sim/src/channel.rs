//! What messages travel on: the network under study, the one of the method's own messages, and what costs nothing.

use models::network::{Hockney, Network, SendRule};
use models::platform::{Platform, Traffic};
use models::time::{PerByte, Span};

/// Which of a rank's interfaces a message uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Channel {
    /// The network under study.
    Steps = 0,
    /// The method's own messages.
    Control = 1,
    /// What tells ranks that they may leave a barrier: costs nobody anything.
    Release = 2,
}

/// What [`Channel::Release`] travels on.
pub(crate) const FREE: Network =
    Network::Hockney(Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Eager });

/// What a channel's messages travel on.
pub(crate) enum Carrier<'a> {
    Steps(&'a Platform, &'a mut Traffic),
    Control(&'a Network),
}
