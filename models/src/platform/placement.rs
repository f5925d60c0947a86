//! Placement: the socket, node and switch of each rank.
//!
//! - `block:8`, `block:2/8`, `block:2/8/32`: consecutive ranks share a node (8 of them), a socket (2), a switch (32).
//! - `cyclic:4`: rank r is on node r mod 4; `cyclic:ranks/128` ([`on_ranks`]): on as many nodes as ranks need with 128
//!   each.
//! - `list:0/0/1/1`: each rank's node; `node.socket` or `switch.node.socket` where more is known, sockets counted
//!   within their node and nodes within their switch.

use super::Class;
use rustc_hash::FxHashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Place of one rank. Numbers are unique over the whole machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seat {
    /// Number of the rank's socket, where sockets are distinguished.
    pub socket: Option<u32>,
    /// Number of the rank's node.
    pub node: u32,
    /// Number of the node's switch, where switches are distinguished.
    pub switch: Option<u32>,
}

/// Rule from ranks to seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Consecutive ranks share a socket, node or switch. Each number of ranks divides the next.
    Block {
        /// Number of ranks on one socket.
        socket: Option<u32>,
        /// Number of ranks on one node.
        node: u32,
        /// Number of ranks on one switch.
        switch: Option<u32>,
    },
    /// Ranks are distributed over the nodes in turn.
    Cyclic {
        /// Number of nodes in all.
        nodes: u32,
    },
    /// Every rank has its seat in a list.
    List(Arc<[Seat]>),
}

impl Placement {
    /// Seat of a rank. A list must have it ([`super::Platform::check`]).
    pub fn seat(&self, rank: u32) -> Seat {
        match self {
            Placement::Block { socket, node, switch } => Seat {
                socket: socket.map(|ranks| rank / ranks),
                node: rank / node,
                switch: switch.map(|ranks| rank / ranks),
            },
            Placement::Cyclic { nodes } => Seat { socket: None, node: rank % nodes, switch: None },
            Placement::List(seats) => seats[rank as usize],
        }
    }

    /// Distance of two ranks. A rank is on one socket with itself, where there are sockets.
    pub fn class(&self, one: u32, other: u32) -> Class {
        let (one, other) = (self.seat(one), self.seat(other));
        if one.socket.is_some() && one.socket == other.socket {
            Class::Socket
        } else if one.node == other.node {
            Class::Node
        } else if one.switch.is_some() && one.switch == other.switch {
            Class::Switch
        } else {
            Class::Far
        }
    }

    /// Whether the placement knows the switches of nodes.
    pub fn knows_switches(&self) -> bool {
        match self {
            Placement::Block { switch, .. } => switch.is_some(),
            Placement::Cyclic { .. } => false,
            Placement::List(seats) => seats.iter().any(|seat| seat.switch.is_some()),
        }
    }

    /// Whether some pairs of the ranks are on different nodes of one switch, and others on different switches.
    pub fn tells_switches_apart(&self, ranks: u32) -> bool {
        let seats = || (0..ranks).map(|rank| self.seat(rank)).filter(|seat| seat.switch.is_some());
        let mut node_of = FxHashMap::default();
        let near = seats().any(|seat| *node_of.entry(seat.switch).or_insert(seat.node) != seat.node);
        let first = seats().next();
        near && seats().any(|seat| first.is_some_and(|first| first.switch != seat.switch))
    }

    pub(super) fn check(&self, ranks: u32) -> Result<(), String> {
        match self {
            Placement::Block { .. } | Placement::Cyclic { .. } => Ok(()),
            Placement::List(seats) if seats.len() >= ranks as usize => Ok(()),
            Placement::List(seats) => Err(format!("placement lists {} ranks, but there are {ranks}", seats.len())),
        }
    }
}

/// Refinements for this number of ranks: replaces `cyclic:ranks/128` by the number of nodes that the ranks need with
/// 128 each.
pub fn on_ranks(refinements: &str, ranks: u32) -> String {
    const PER_NODE: &str = "cyclic:ranks/";
    let Some((before, rest)) = refinements.split_once(PER_NODE) else { return refinements.to_owned() };
    let (number, behind) = rest.split_at(rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len()));
    match number.parse::<u32>() {
        Ok(per_node) if per_node > 0 => format!("{before}cyclic:{}{behind}", ranks.div_ceil(per_node)),
        _ => refinements.to_owned(),
    }
}

const EXPECTED: &str = "expected block:2/8/32 (ranks per socket, node, switch; or per socket and node; or per node), \
                        cyclic:4 (nodes; cyclic:ranks/128: as many as ranks need, for --platform and sweeps), or list:0/0/1/1 (each rank's node, node.socket or switch.node.socket)";

impl FromStr for Placement {
    type Err = String;

    fn from_str(text: &str) -> Result<Placement, String> {
        let wrong = || format!("{EXPECTED}; found '{text}'");
        let (rule, numbers) = text.split_once(':').ok_or_else(wrong)?;
        match rule {
            "list" => list(numbers).ok_or_else(wrong),
            "cyclic" => match numbers.parse() {
                Ok(nodes) if nodes > 0 => Ok(Placement::Cyclic { nodes }),
                _ => Err(wrong()),
            },
            "block" => {
                let sizes: Vec<u32> =
                    numbers.split('/').map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
                if sizes.contains(&0) || sizes.windows(2).any(|pair| pair[1] % pair[0] != 0) {
                    return Err(format!("{EXPECTED}; each number must divide the next, found '{text}'"));
                }
                match sizes[..] {
                    [node] => Ok(Placement::Block { socket: None, node, switch: None }),
                    [socket, node] => Ok(Placement::Block { socket: Some(socket), node, switch: None }),
                    [socket, node, switch] => Ok(Placement::Block { socket: Some(socket), node, switch: Some(switch) }),
                    _ => Err(wrong()),
                }
            }
            _ => Err(wrong()),
        }
    }
}

/// Reads a list of seats, with nodes and sockets renumbered over the whole machine in the order of their first rank.
fn list(text: &str) -> Option<Placement> {
    let mut nodes = FxHashMap::default();
    let mut sockets = FxHashMap::default();
    let mut seats = Vec::new();
    for entry in text.split('/') {
        let parts: Vec<u32> = entry.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
        let (switch, node, socket) = match parts[..] {
            [node] => (None, node, None),
            [node, socket] => (None, node, Some(socket)),
            [switch, node, socket] => (Some(switch), node, Some(socket)),
            _ => return None,
        };
        let next = nodes.len() as u32;
        let node = *nodes.entry((switch, node)).or_insert(next);
        let socket = socket.map(|socket| {
            let next = sockets.len() as u32;
            *sockets.entry((node, socket)).or_insert(next)
        });
        seats.push(Seat { socket, node, switch });
    }
    Some(Placement::List(seats.into()))
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Placement::Block { socket, node, switch } => {
                let sizes = [*socket, Some(*node), *switch].into_iter().flatten().map(|ranks| ranks.to_string());
                write!(f, "placement block:{}", sizes.collect::<Vec<_>>().join("/"))
            }
            Placement::Cyclic { nodes } => write!(f, "placement cyclic:{nodes}"),
            Placement::List(seats) => write!(f, "placement listed for {} ranks", seats.len()),
        }
    }
}
