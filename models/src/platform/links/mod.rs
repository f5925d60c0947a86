//! Links that messages share: each carries one message after the other, in the order of their issue.
//!
//! Every rank has a full-duplex link to the network; a topology adds links between hosts and switches, with static
//! routes. A message of B bytes after the first keeps each directed link of its route busy for B·G (β per byte under
//! Hockney; g(m) under PLogP), or for the time of `links-G`. Messages cut through: a message's head passes a link as
//! soon as the link is free, and its body follows. The wait of the head is added to the arrival. Flight time stays L,
//! however long the route. Bandwidth is not divided among messages (no max–min sharing).
//!
//! Order of issue means: a message that a rank has issued but, for its gap, cannot begin to send yet already stands in
//! line, and later ones that could begin earlier queue behind it.

mod fabric;
mod fat_tree;
mod torus;

use super::Traffic;
use crate::network::{Message, Network};
use crate::time::{PerByte, Span, Time};
use fabric::Fabric;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Topology of the network between hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topology {
    /// k-ary fat tree of k³/4 hosts (Al-Fares, Loukissas, Vahdat 2008).
    FatTree {
        /// Ports of every switch, even.
        ports: u32,
    },
    /// Torus with a number of hosts along each dimension.
    Torus {
        /// Number of hosts along each dimension.
        extents: Vec<u32>,
    },
}

/// Shared links of a platform.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// Time for which a byte keeps a link busy, where it is not the network's own G.
    pub per_byte: Option<PerByte>,
    fabric: Option<Arc<Fabric>>,
}

/// Largest number of hosts of a topology: routes are kept for every destination in use.
const MOST_HOSTS: u64 = 16_384;

impl Links {
    /// Links between ranks and network, and the links of a topology if there is one.
    pub fn new(topology: Option<Topology>, per_byte: Option<PerByte>) -> Links {
        Links { per_byte, fabric: topology.map(|topology| Arc::new(Fabric::new(topology))) }
    }

    /// Topology between the ranks' own links.
    pub fn topology(&self) -> Option<&Topology> {
        self.fabric.as_deref().map(Fabric::topology)
    }

    /// Number of links between two hosts, without the ranks' own links.
    pub fn hops(&self, from: u32, to: u32) -> usize {
        self.fabric.as_deref().map_or(0, |fabric| fabric.route(from, to).count())
    }

    /// Time for which a message keeps each link of its route busy.
    pub(super) fn busy(&self, network: &Network, bytes: u64) -> Span {
        if let Some(rate) = self.per_byte {
            return rate.for_bytes(bytes.saturating_sub(1));
        }
        match network {
            Network::Hockney(model) => model.beta.for_bytes(bytes),
            Network::Logp(_) => Span::ZERO,
            Network::Loggp(model) => model.stretch(bytes),
            Network::Loggops(model) => model.stretch(bytes),
            Network::Plogp(model) => model.gap.at(bytes),
        }
    }

    /// Sends a message through its links, whose first its head enters at `begun`. Returns the time for which it was
    /// held up.
    pub(super) fn pass(
        &self,
        traffic: &mut Traffic,
        message: &Message,
        [from, to]: [u32; 2],
        begun: Time,
        busy: Span,
    ) -> Span {
        if message.from == message.to {
            return Span::ZERO;
        }
        let (out, into) = (message.from as usize * 2, message.to as usize * 2 + 1);
        let Traffic { injection, inner, .. } = traffic;
        if injection.len() <= out.max(into) {
            injection.resize(out.max(into) + 1, Time::ZERO);
        }
        let mut head = begun;
        cross(&mut injection[out], &mut head, busy);
        if let Some(fabric) = &self.fabric {
            inner.resize(fabric.links(), Time::ZERO);
            for link in fabric.route(from, to) {
                cross(&mut inner[link], &mut head, busy);
            }
        }
        cross(&mut injection[into], &mut head, busy);
        head.since(begun)
    }

    pub(super) fn check(&self, hosts: u64) -> Result<(), String> {
        let Some(topology) = self.topology() else { return Ok(()) };
        if hosts <= topology.hosts() {
            return Ok(());
        }
        Err(format!("links: {topology} has {} hosts, but the ranks need {hosts}", topology.hosts()))
    }
}

/// Waits for a link, then occupies it for `busy`. A message that needs no time leaves the link unchanged.
fn cross(free: &mut Time, head: &mut Time, busy: Span) {
    *head = (*head).max(*free);
    if busy > Span::ZERO {
        *free = *head + busy;
    }
}

impl Topology {
    /// Number of hosts that the topology connects.
    pub fn hosts(&self) -> u64 {
        match self {
            Topology::FatTree { ports } => fat_tree::hosts(*ports),
            Topology::Torus { extents } => torus::hosts(extents),
        }
    }
}

const EXPECTED: &str = "expected injection, fat-tree:4 (ports per switch, even) or torus:4x4x4 (hosts along each \
                        dimension), of at most 16384 hosts";

impl FromStr for Topology {
    type Err = String;

    fn from_str(text: &str) -> Result<Topology, String> {
        let topology = match text.split_once(':') {
            Some(("fat-tree", ports)) => match ports.parse() {
                Ok(ports) if ports >= 2 && ports % 2 == 0 => Some(Topology::FatTree { ports }),
                _ => None,
            },
            Some(("torus", extents)) => {
                let extents: Option<Vec<u32>> = extents.split('x').map(|extent| extent.parse().ok()).collect();
                extents.filter(|extents| !extents.contains(&0)).map(|extents| Topology::Torus { extents })
            }
            _ => None,
        };
        topology.filter(|topology| topology.hosts() <= MOST_HOSTS).ok_or_else(|| format!("{EXPECTED}; found '{text}'"))
    }
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Topology::FatTree { ports } => write!(f, "fat-tree:{ports}"),
            Topology::Torus { extents } => {
                let extents: Vec<String> = extents.iter().map(u32::to_string).collect();
                write!(f, "torus:{}", extents.join("x"))
            }
        }
    }
}

impl fmt::Display for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.topology() {
            Some(topology) => write!(f, "links {topology}")?,
            None => write!(f, "links injection")?,
        }
        self.per_byte.map_or(Ok(()), |rate| write!(f, " of {:.4} ns/B", rate.as_ns()))
    }
}
