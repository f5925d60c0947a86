//! Classes of pairs: one set of network parameters for each distance.

use crate::network::Network;
use std::fmt;

crate::named! {
    /// Distance of two ranks in the hierarchy of the machine.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Class {
        /// Ranks on the same socket.
        Socket => "socket",
        /// Ranks on different sockets of one node.
        Node => "node",
        /// Ranks on different nodes of one switch.
        Switch => "switch",
        /// Ranks on different switches, or at an unknown distance.
        Far => "far",
    }
    /// Name of the class in files and output.
    fn name;
}

impl Class {
    /// Classes with parameters of their own, from far to near. [`Class::Far`] has the platform's network.
    pub const REFINED: [Class; 3] = [Class::Switch, Class::Node, Class::Socket];
}

/// Network of each class. A class that sets nothing has the parameters of the next larger one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classes {
    /// Network between ranks of one socket.
    pub socket: Network,
    /// Network between sockets of one node.
    pub node: Network,
    /// Network between nodes of one switch.
    pub switch: Network,
}

impl Classes {
    /// Classes that all have the same network.
    pub fn alike(network: Network) -> Classes {
        Classes { socket: network, node: network, switch: network }
    }

    /// Network of a class; `far` is the platform's network.
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
