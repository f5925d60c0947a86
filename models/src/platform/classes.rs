//! Classes of pairs: one set of network parameters for each distance.

use crate::network::Network;
use std::fmt;

crate::named! {
    /// How far apart two ranks are.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Class {
        /// On one socket.
        Socket => "socket",
        /// On one node.
        Node => "node",
        /// On one switch.
        Switch => "switch",
        /// Anything further.
        Far => "far",
    }
    /// The name used in files and output.
    fn name;
}

impl Class {
    /// Those with parameters of their own, from far to near; the platform's network is [`Class::Far`].
    pub const REFINED: [Class; 3] = [Class::Switch, Class::Node, Class::Socket];
}

/// Each class's network. A class that sets nothing has the parameters of the next larger one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classes {
    /// Between ranks of one socket.
    pub socket: Network,
    /// Between sockets of one node.
    pub node: Network,
    /// Between nodes of one switch.
    pub switch: Network,
}

impl Classes {
    /// All classes alike.
    pub fn alike(network: Network) -> Classes {
        Classes { socket: network, node: network, switch: network }
    }

    /// The network of a class; `far` is the platform's.
    pub fn network<'a>(&'a self, class: Class, far: &'a Network) -> &'a Network {
        match class {
            Class::Socket => &self.socket,
            Class::Node => &self.node,
            Class::Switch => &self.switch,
            Class::Far => far,
        }
    }
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "same socket: {}; same node: {}; same switch: {}", self.socket, self.node, self.switch)
    }
}
