//! A topology as a graph, and static shortest routes through it.
//!
//! Hosts are the first nodes of the graph. Among neighbours that are equally near to the destination a topology's
//! [`Tie`] decides, so that every pair has one route, the same in every run.

use super::{Topology, fat_tree, torus};
use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use std::iter;
use std::sync::OnceLock;

/// Rule that chooses among several shortest routes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tie {
    /// Chooses the link that was added first.
    First,
    /// Spreads routes by destination: at the i-th choice among n links, digit i of the destination's number in base n.
    Destination,
}

/// Graph of a topology with its routes.
#[derive(Debug)]
pub(super) struct Fabric {
    topology: Topology,
    graph: UnGraph<(), ()>,
    tie: Tie,
    /// Distances from every node to each destination, computed at the first use.
    distances: Vec<OnceLock<Box<[u32]>>>,
}

impl PartialEq for Fabric {
    fn eq(&self, other: &Fabric) -> bool {
        self.topology == other.topology
    }
}

impl Fabric {
    pub(super) fn new(topology: Topology) -> Fabric {
        let (graph, tie) = match &topology {
            Topology::FatTree { ports } => (fat_tree::graph(*ports), Tie::Destination),
            Topology::Torus { extents } => (torus::graph(extents), Tie::First),
        };
        let distances = (0..topology.hosts()).map(|_| OnceLock::new()).collect();
        Fabric { topology, graph, tie, distances }
    }

    pub(super) fn topology(&self) -> &Topology {
        &self.topology
    }

    /// Number of directed links.
    pub(super) fn links(&self) -> usize {
        self.graph.edge_count() * 2
    }

    /// Directed links from one host to another, in order.
    pub(super) fn route(&self, from: u32, to: u32) -> impl Iterator<Item = usize> {
        let distances = self.distances[to as usize].get_or_init(|| self.distances_to(to));
        let mut here = NodeIndex::new(from as usize);
        let mut digits = to as usize;
        iter::from_fn(move || {
            if distances[here.index()] == 0 {
                return None;
            }
            let mut ways: Vec<(usize, NodeIndex)> = self
                .graph
                .edges(here)
                .filter(|edge| distances[edge.target().index()] < distances[here.index()])
                .map(|edge| (edge.id().index(), edge.target()))
                .collect();
            ways.sort_unstable();
            let choice = match self.tie {
                Tie::First => 0,
                Tie::Destination => {
                    let digit = digits % ways.len();
                    digits /= ways.len();
                    digit
                }
            };
            let (edge, next) = ways[choice];
            let link = edge * 2 + usize::from(next < here);
            here = next;
            Some(link)
        })
    }

    fn distances_to(&self, to: u32) -> Box<[u32]> {
        let found = dijkstra(&self.graph, NodeIndex::new(to as usize), None, |_| 1u32);
        self.graph.node_indices().map(|node| found.get(&node).copied().unwrap_or(u32::MAX)).collect()
    }
}
