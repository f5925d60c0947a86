//! A platform: a network model with refinements for the effects that it leaves out. Every refinement is optional and
//! off by default. With all of them off a platform is exactly its network.
//!
//! | refinement | effect | state that it needs |
//! |---|---|---|
//! | γ ([`Refinements::gamma`]) | CPU time per byte that is combined | none |
//! | [`Connect`] | set-up time of a pair's first message (E1) | the pair's, from both sides: global order |
//! | [`IdleCost`] | CPU time of the first operation after idle time (E8) | the rank's own |
//! | [`Refinements::after_wait`] | extra latency of the first message after any wait on the clock | none; event engine alone |
//! | [`Refinements::start`] | CPU time of the first operation after any wait on the clock | the rank's own; event engine alone |
//! | [`BarrierTimes`] | each rank's exit from a library's barrier, by all entries (E5) | none; event engine alone |
//! | [`Refinements::cells`] | a library's own calls through shared memory of a node, by a cache line's latency | the memory's: global order |
//! | [`Refinements::call`] | CPU time of a collective call before its first step | none; event engine alone |
//! | [`Refinements::page_faults`] | CPU time of a call's pages that the system gives anew | none; event engine alone |
//! | [`Inline`] | flight time of messages between nodes that are too long to travel within their request | none |
//! | [`Placement`], [`Classes`] | other parameters for ranks that share a socket, a node or a switch | none |
//! | [`Near`] | a shorter latency within a switch, where a placement distinguishes switches | none |
//! | [`LatencyMatrix`] | L, or α, of every pair | none |
//! | [`Pairs`] | networks and memory of their own for pairs of ranks whose cores are near or far | as the memory |
//! | [`Refinements::duplex`] | extra time of sending and receiving at once | none; event engine alone |
//! | [`Lines`] | costs of touching memory by who holds its cache lines (E4) | the memory's: global order |
//! | [`Links`] | links that carry one message after the other | the network's: global order |
//!
//! Refinements that need global order act in the order in which messages are issued (links: rendezvous when they
//! match). Only engines that act in the order of time run them ([`Platform::needs_order`]); any engine runs the rest.
//!
//! To add one: a file here, a field of [`Refinements`], its key in `settings.rs`.

mod barrier;
mod buffer;
mod classes;
mod connect;
mod idle;
mod inline;
mod lines;
mod links;
mod matrix;
mod near;
mod pairs;
mod placement;
mod refined;
mod settings;
#[cfg(test)]
mod tests;

pub use barrier::BarrierTimes;
pub use buffer::Buffer;
pub use classes::{Class, Classes};
pub use connect::Connect;
pub use idle::IdleCost;
pub use inline::Inline;
pub use lines::{Held, Lines, Reading, Received, Touched};
pub use links::{Links, Topology};
pub use matrix::LatencyMatrix;
pub use near::Near;
pub use pairs::{Between, Pairs};
pub use placement::{Placement, Seat, on_ranks};
pub use settings::KNOWN;

use crate::collective::{Part, Then};
use crate::network::{CostTable, Departure, Matched, Message, Network, NetworkModel, Port};
use crate::noise::Advance;
use crate::time::{Span, Time};
use lines::Touches;
use rustc_hash::FxHashMap;

/// Effects that a platform adds to its network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refinements {
    /// γ: CPU time of combining by bytes (Thakur, Rabenseifner, Gropp 2005). It is spent after the message that brought
    /// them has been received and whatever the rank sent in the meantime has been released.
    pub gamma: CostTable,
    /// Set-up of each pair's first message.
    pub connect: Option<Connect>,
    /// Extra latency of messages that network adapters have to fetch.
    pub inline: Option<Inline>,
    /// CPU time of copying within a rank's own memory, where it holds both places, by bytes.
    pub memcpy: CostTable,
    /// CPU time of a message of a rank to itself, by bytes, in place of the network's; zero stands for the network's.
    pub to_self: CostTable,
    /// Extra time of sending and receiving at once, beyond the longer of the two, by the bytes received.
    pub duplex: CostTable,
    /// Costs of touching memory by who holds its cache lines.
    pub lines: Option<Lines>,
    /// Extra CPU time of the first operation after idle time.
    pub idle: Option<IdleCost>,
    /// CPU time of the first operation after a wait on the clock, however short; a lower limit of the idle cost.
    pub start: Span,
    /// Extra latency of the first message that a rank sends after such a wait, by its bytes.
    pub after_wait: CostTable,
    /// CPU time of a collective call before its first step.
    pub call: Span,
    /// CPU time of a page that the operating system gives a rank anew when it is written to, and takes back later.
    pub page_fault: Span,
    /// By rank, the number of pages with which each collective call begins that the system gives anew. A library
    /// allocates such memory in the call, and its freeing gives it back to the system. Ranks beyond the list have none.
    pub page_faults: Vec<u32>,
    /// Times of a library's barrier, in place of messages.
    pub barrier: Option<BarrierTimes>,
    /// Latency of a cache line from one rank to another, where a library's own calls pass through cells that the ranks
    /// of a node share, in place of messages ([`ThroughCells`](crate::collective::decision::ThroughCells)). No start
    /// precedes them.
    pub cells: Option<Span>,
    /// Placement of ranks on sockets, nodes and switches.
    pub placement: Option<Placement>,
    /// Networks by the distance of ranks; they need a placement.
    pub classes: Option<Classes>,
    /// Latency within a switch, without effect until a placement knows switches.
    pub near: Option<Near>,
    /// Latencies of all pairs.
    pub matrix: Option<LatencyMatrix>,
    /// Parameters of pairs of ranks that differ, in place of network, lines, duplex and after-wait.
    pub pairs: Option<Pairs>,
    /// Links that messages share.
    pub links: Option<Links>,
}

/// Name of [`Refinements::cells`] in a platform's description.
pub const CELLS: &str = "a library's own calls through cells";

/// Network model with its refinements.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// Network of pairs to which no refinement gives another.
    pub network: Network,
    refinements: Option<Box<Refinements>>,
}

/// State that messages leave behind on a platform during one simulation.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// Time at which each pair's connection is up, with the lower rank first.
    connected: FxHashMap<(u32, u32), Time>,
    /// Time at which each rank's links to and from the network are free.
    injection: Vec<Time>,
    /// Time at which each link inside the network is free.
    inner: Vec<Time>,
    /// Holders of each rank's memory.
    held: Held,
}

impl Traffic {
    /// Holders of each rank's memory, for work on it between calls.
    pub fn held(&mut self) -> &mut Held {
        &mut self.held
    }
}

impl Platform {
    /// A platform of the network alone.
    pub fn plain(network: Network) -> Platform {
        Platform { network, refinements: None }
    }

    /// A platform of the network with refinements.
    pub fn new(network: Network, refinements: Refinements) -> Platform {
        let is_plain = refinements == Refinements::default();
        Platform { network, refinements: (!is_plain).then(|| Box::new(refinements)) }
    }

    /// Whether the platform is its network alone.
    pub fn is_plain(&self) -> bool {
        self.refinements.is_none()
    }

    /// Refinements of the network, if there are any.
    pub fn refinements(&self) -> Option<&Refinements> {
        self.refinements.as_deref()
    }

    /// Whether results depend on the order in which different ranks issue messages.
    pub fn needs_order(&self) -> bool {
        self.refinements().is_some_and(|refined| {
            refined.connect.is_some()
                || refined.duplex != CostTable::ZERO
                || refined.lines.is_some()
                || refined.links.is_some()
                || refined.pairs.is_some()
                || refined.call > Span::ZERO
                || !refined.page_faults.is_empty()
                || refined.barrier.is_some()
                || refined.cells.is_some()
        })
    }

    /// Checks that files, lists and topologies suit this number of ranks.
    ///
    /// # Errors
    /// Names the one that does not, with the expected size.
    pub fn check(&self, ranks: u32) -> Result<(), String> {
        let Some(refined) = self.refinements() else { return Ok(()) };
        if let Some(placement) = &refined.placement {
            placement.check(ranks)?;
        }
        if let Some(matrix) = &refined.matrix {
            matrix.check(ranks)?;
        }
        if let Some(pairs) = &refined.pairs {
            pairs.check(ranks)?;
        }
        if let Some(of) = refined.barrier.as_ref().map(BarrierTimes::ranks).filter(|&of| of != ranks) {
            let (found, expected) = (u64::from(of) * u64::from(of), u64::from(ranks) * u64::from(ranks));
            return Err(format!("barrier: expected {expected} times for {ranks} ranks, found {found}, those of {of}"));
        }
        let Some(links) = &refined.links else { return Ok(()) };
        let hosts = (0..ranks).map(|rank| u64::from(refined.host(rank)) + 1).max().unwrap_or(0);
        links.check(hosts)
    }

    /// Network between two ranks: their class's or pair's, with the matrix's latency.
    pub fn network_of(&self, from: u32, to: u32) -> Network {
        self.refinements().map_or(self.network, |refined| *refined.network_of(&self.network, from, to))
    }

    /// Issues a send: [`NetworkModel::send`] with what the refinements add.
    #[inline]
    pub fn send(&self, traffic: &mut Traffic, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        match &self.refinements {
            None => self.network.send(port, message, cpu),
            Some(refined) => refined.send(&self.network, traffic, port, message, cpu),
        }
    }

    /// Returns the result of the match once the receive was posted: [`NetworkModel::matched`] with what the refinements
    /// add. To be called once per message.
    #[inline]
    pub fn matched(&self, traffic: &mut Traffic, message: &Message, departure: &Departure, posted: Time) -> Matched {
        match &self.refinements {
            None => self.network.matched(message, departure, posted),
            Some(refined) => refined.matched(&self.network, traffic, message, departure, posted),
        }
    }

    /// Completes a receive: [`NetworkModel::receive`] with what the refinements add.
    #[inline]
    pub fn receive(&self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
        match &self.refinements {
            None => self.network.receive(port, message, arrival, cpu),
            Some(refined) => refined.receive(&self.network, port, message, arrival, cpu),
        }
    }

    /// CPU time of combining bytes, or of moving them within a rank's buffer. Storing a received message is part of the
    /// message's own cost.
    pub fn local_work(&self, bytes: u64, then: Then) -> Span {
        let Some(refined) = self.refinements() else { return Span::ZERO };
        match then {
            Then::Combine => cost(refined.gamma, bytes),
            Then::Store => cost(refined.memcpy, bytes),
        }
    }

    /// Extra time of a message for reading a part of its sender's memory.
    #[inline]
    pub fn reading(&self, traffic: &mut Traffic, message: &Message, part: Part) -> Reading {
        let Some(touches) = self.touches() else { return Reading::default() };
        let reading = touches.send(traffic, message, part);
        Reading { by_sender: reading.by_sender + self.packing(part), ..reading }
    }

    /// CPU time of storing a received message in a part of a rank's memory.
    #[inline]
    pub fn storing(&self, traffic: &mut Traffic, rank: u32, part: Part, received: Received) -> Span {
        self.touches().map_or(Span::ZERO, |touches| touches.receive(traffic, rank, part, received)) + self.packing(part)
    }

    /// CPU time of combining what was received into a part of a rank's memory.
    pub fn combining(&self, traffic: &mut Traffic, rank: u32, part: Part) -> Span {
        let touches = self.touches().map_or(Span::ZERO, |touches| touches.combine(traffic, rank, part));
        self.local_work(part.bytes, Then::Combine) + touches
    }

    /// CPU time of moving or combining from one rank's memory to another's, in memory that ranks share.
    pub fn moving_between(&self, traffic: &mut Traffic, rank: u32, parts: [(u32, Part); 2], then: Then) -> Span {
        let touches = self.touches().map_or(Span::ZERO, |touches| touches.moving(traffic, rank, parts, then));
        let [from, to] = parts.map(|(_, part)| part);
        // Scattered parts are moved by way of a packed one.
        self.local_work(from.bytes, then) + touches + self.packing(from).max(self.packing(to))
    }

    /// CPU time of packing or unpacking a part of a rank's memory, where the costs of memory are known.
    fn packing(&self, part: Part) -> Span {
        match self.refinements() {
            Some(refined) if part.is_scattered() && refined.lines.is_some() => cost(refined.memcpy, part.bytes),
            _ => Span::ZERO,
        }
    }

    /// Extra time of a rank that receives `bytes` of another one while it sends.
    #[inline]
    pub fn duplex(&self, rank: u32, bytes: u64, received: Received) -> Span {
        let Some(refined) = self.refinements() else { return Span::ZERO };
        let duplex = refined.pairs.as_ref().map_or(refined.duplex, |pairs| pairs.between(rank, received.from).duplex);
        cost(duplex, bytes) + self.touches().map_or(Span::ZERO, |touches| touches.duplex(rank, received.read))
    }

    /// Whether results depend on which rank holds which memory.
    #[inline]
    pub fn has_lines(&self) -> bool {
        self.touches().is_some()
    }

    #[inline]
    fn touches(&self) -> Option<Touches<'_>> {
        let refined = self.refinements()?;
        Some(Touches { lines: refined.lines.as_ref()?, pairs: refined.pairs.as_ref() })
    }

    /// CPU time that a rank's first operation costs beyond its usual, after the rank has waited on its clock for
    /// `idle`.
    #[inline]
    pub fn idle_cost(&self, idle: Span) -> Span {
        let Some(refined) = self.refinements() else { return Span::ZERO };
        refined.idle.as_ref().map_or(Span::ZERO, |cost| cost.after(idle)).max(refined.start)
    }

    /// CPU time of a rank's first operation after a wait on its clock, however short.
    #[inline]
    pub fn start(&self) -> Span {
        self.refinements().map_or(Span::ZERO, |refined| refined.start)
    }

    /// Whether anything takes longer after a wait on the clock.
    pub fn minds_waits(&self) -> bool {
        self.refinements().is_some_and(|refined| refined.start > Span::ZERO || refined.after_wait != CostTable::ZERO)
    }

    /// Extra latency of a message that is a rank's first one after a wait on its clock.
    #[inline]
    pub fn after_wait(&self, message: &Message) -> Span {
        let Some(refined) = self.refinements() else { return Span::ZERO };
        let between = refined.pairs.as_ref().map(|pairs| pairs.between(message.from, message.to).after_wait);
        cost(between.unwrap_or(refined.after_wait), message.bytes)
    }

    /// Times of a library's barrier of this number of ranks, if it was measured. Measurements of other numbers of ranks
    /// do not apply.
    #[inline]
    pub fn barrier(&self, ranks: u32) -> Option<&BarrierTimes> {
        self.refinements()?.barrier.as_ref().filter(|times| times.ranks() == ranks)
    }

    /// Latency of a cache line between ranks, where a library's own calls on `ranks` ranks pass through cells: they
    /// share a node.
    pub fn cells(&self, ranks: u32) -> Option<Span> {
        let refined = self.refinements()?;
        let share_a_node = || match &refined.placement {
            Some(_) => (1..ranks).all(|rank| refined.host(rank) == refined.host(0)),
            None => true,
        };
        refined.cells.filter(|_| share_a_node())
    }

    /// CPU time that a rank's collective call takes before its first step.
    #[inline]
    pub fn call_cost(&self, rank: u32) -> Span {
        let Some(refined) = self.refinements() else { return Span::ZERO };
        let pages = refined.page_faults.get(rank as usize).copied().unwrap_or(0);
        refined.call + refined.page_fault * u64::from(pages)
    }

    /// The platform on which each rank's collective calls begin with a number of pages that the system gives it anew.
    pub fn with_page_faults(self, page_faults: &[u32]) -> Platform {
        if page_faults.is_empty() || self.page_fault() == Span::ZERO {
            return self;
        }
        let refinements = self.refinements().cloned().unwrap_or_default();
        Platform::new(self.network, Refinements { page_faults: page_faults.to_vec(), ..refinements })
    }

    /// CPU time of a page that the operating system gives a rank anew.
    pub fn page_fault(&self) -> Span {
        self.refinements().map_or(Span::ZERO, |refined| refined.page_fault)
    }
}

impl From<Network> for Platform {
    fn from(network: Network) -> Platform {
        Platform::plain(network)
    }
}

/// Cost of handling `bytes`. It is zero for no bytes, whatever the table's first point.
#[inline]
fn cost(table: CostTable, bytes: u64) -> Span {
    if bytes == 0 { Span::ZERO } else { table.at(bytes) }
}
