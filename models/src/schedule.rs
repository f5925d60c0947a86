//! A collective as a graph: nodes are the steps of the ranks, edges are program order and messages.
//!
//! It serves the checks that need no time: on which ranks' entries each exit depends, the numbers of messages and
//! bytes, and whether every message has both ends.

use crate::collective::{Algorithm, Shape, Step};
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::{BTreeMap, VecDeque};

/// Half of a step: a sendrecv is two nodes, ordered only by the steps around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Send by a rank.
    Send {
        /// Number of the sending rank.
        rank: u32,
        /// Length of the message, in bytes.
        bytes: u64,
    },
    /// Receive by a rank.
    Receive {
        /// Number of the receiving rank.
        rank: u32,
        /// Length of the message, in bytes.
        bytes: u64,
    },
}

impl Node {
    /// Rank whose step this is.
    pub fn rank(&self) -> u32 {
        match *self {
            Node::Send { rank, .. } | Node::Receive { rank, .. } => rank,
        }
    }
}

/// Reason for which one node comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Both are steps of the same rank.
    ProgramOrder,
    /// The first sends what the second receives.
    Message,
}

/// Graph of one call of an algorithm.
pub struct Schedule {
    /// Nodes of the steps and edges of their order.
    pub graph: DiGraph<Node, Before>,
    ranks: u32,
}

impl Schedule {
    /// Builds the graph of an algorithm for a shape.
    ///
    /// # Errors
    /// Names the message that lacks its receive (or the reverse), or whose two ends disagree about its length, or the
    /// rank whose steps wait for each other in a circle.
    pub fn new(algorithm: &Algorithm, shape: &Shape) -> Result<Schedule, String> {
        let mut graph = DiGraph::new();
        let mut open: BTreeMap<(u32, u32), PairQueues> = BTreeMap::new();
        for rank in 0..shape.ranks {
            let (mut before, mut under_way): (Vec<NodeIndex>, Vec<NodeIndex>) = (Vec::new(), Vec::new());
            for step in algorithm.steps(shape, rank) {
                let nodes = add_step(&mut graph, &mut open, rank, &step);
                for (&from, &to) in before.iter().flat_map(|from| nodes.iter().map(move |to| (from, to))) {
                    graph.add_edge(from, to, Before::ProgramOrder);
                }
                match step {
                    Step::Send { .. } | Step::Receive { .. } | Step::Exchange { .. } => before = nodes,
                    Step::Post { .. } | Step::Start { .. } => under_way.extend(nodes),
                    Step::WaitAll => before.append(&mut under_way),
                    Step::Local { .. } => {}
                }
            }
        }
        for ((from, to), pair) in open {
            join(&mut graph, from, to, pair)?;
        }
        toposort(&graph, None)
            .map_err(|cycle| format!("rank {}'s step waits for itself", graph[cycle.node_id()].rank()))?;
        Ok(Schedule { graph, ranks: shape.ranks })
    }

    /// Number of messages in the call.
    pub fn messages(&self) -> u64 {
        self.graph.node_weights().filter(|node| matches!(node, Node::Send { .. })).count() as u64
    }

    /// Number of bytes that all ranks send together.
    pub fn bytes(&self) -> u64 {
        let sent = |node: &Node| if let Node::Send { bytes, .. } = node { *bytes } else { 0 };
        self.graph.node_weights().map(sent).sum()
    }

    /// Largest number of messages in a chain in which each waits for the one before.
    pub fn critical(&self) -> u64 {
        let mut before = vec![0u64; self.graph.node_count()];
        for node in toposort(&self.graph, None).expect("checked when the graph was drawn") {
            for edge in self.graph.edges_directed(node, petgraph::Incoming) {
                let message = u64::from(*edge.weight() == Before::Message);
                before[node.index()] = before[node.index()].max(before[edge.source().index()] + message);
            }
        }
        before.into_iter().max().unwrap_or(0)
    }

    /// For each rank, the set of ranks on whose entry its exit depends (itself included), as sorted lists.
    pub fn depends_on(&self) -> Vec<Vec<u32>> {
        let words = self.ranks.div_ceil(64) as usize;
        let mut known = vec![vec![0u64; words]; self.graph.node_count()];
        let mut at_exit: Vec<Vec<u64>> = (0..self.ranks).map(|rank| own_bit(rank, words)).collect();
        let order = toposort(&self.graph, None).expect("checked when the graph was drawn");
        for node in order {
            let rank = self.graph[node].rank();
            let mut set = own_bit(rank, words);
            for earlier in self.graph.neighbors_directed(node, petgraph::Incoming) {
                merge(&mut set, &known[earlier.index()]);
            }
            merge(&mut at_exit[rank as usize], &set);
            known[node.index()] = set;
        }
        let members = |set: &Vec<u64>| (0..self.ranks).filter(|&r| set[r as usize / 64] >> (r % 64) & 1 == 1).collect();
        at_exit.iter().map(members).collect()
    }
}

#[derive(Default)]
struct PairQueues {
    sends: VecDeque<NodeIndex>,
    receives: VecDeque<NodeIndex>,
}

fn add_step(
    graph: &mut DiGraph<Node, Before>,
    open: &mut BTreeMap<(u32, u32), PairQueues>,
    rank: u32,
    step: &Step,
) -> Vec<NodeIndex> {
    let mut nodes = Vec::with_capacity(2);
    if let Some((to, part)) = step.sent() {
        let node = graph.add_node(Node::Send { rank, bytes: part.bytes });
        open.entry((rank, to)).or_default().sends.push_back(node);
        nodes.push(node);
    }
    if let Some((from, part, _)) = step.received() {
        let node = graph.add_node(Node::Receive { rank, bytes: part.bytes });
        open.entry((from, rank)).or_default().receives.push_back(node);
        nodes.push(node);
    }
    nodes
}

/// Connects sends and receives: messages between two ranks match in order.
fn join(graph: &mut DiGraph<Node, Before>, from: u32, to: u32, pair: PairQueues) -> Result<(), String> {
    if pair.sends.len() != pair.receives.len() {
        let (sends, receives) = (pair.sends.len(), pair.receives.len());
        return Err(format!("rank {from} sends {sends} messages to rank {to}, which receives {receives}"));
    }
    for (send, receive) in pair.sends.into_iter().zip(pair.receives) {
        if let (Node::Send { bytes: sent, .. }, Node::Receive { bytes: expected, .. }) = (graph[send], graph[receive])
            && sent != expected
        {
            return Err(format!("rank {from} sends {sent} B to rank {to}, which expects {expected} B"));
        }
        graph.add_edge(send, receive, Before::Message);
    }
    Ok(())
}

fn own_bit(rank: u32, words: usize) -> Vec<u64> {
    let mut set = vec![0; words];
    set[rank as usize / 64] |= 1 << (rank % 64);
    set
}

fn merge(into: &mut [u64], from: &[u64]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a |= b;
    }
}
