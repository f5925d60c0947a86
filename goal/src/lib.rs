//! Schedules in the GOAL language (Hoefler, Siebert, Lumsdaine 2009), as LogGOPSim's users have them:
//! per rank, sends, receives and calculations, ordered by nothing but their dependencies.
//!
//! Held in flat arrays: 28 B for each operation and 4 B for each dependency.
//!
//! # Start here
//!
//! [`text::read`] and [`binary`] read a schedule, [`check::check`] finds mistakes in it, [`run()`] carries it out as
//! `parallax goal run` does, [`critical_path`] says what its time consists of, [`export()`] makes one of a collective.
//!
//! ```
//! # extern crate models as parallax_models;
//! use parallax_goal::{Rules, check, run, text};
//! use parallax_models::engine::Engine;
//! use parallax_models::network;
//! use parallax_models::noise::Quiet;
//! use parallax_models::time::{Span, Time};
//!
//! let written = b"num_ranks 2
//!     rank 0 {
//!         work: calc 1000
//!         sent: send 8b to 1 tag 3
//!         sent requires work
//!     }
//!     rank 1 {
//!         recv 8b from 0 tag 3
//!     }";
//! let schedule = text::read("one-message.goal", written)?;
//! assert!(check::check(&schedule).is_empty());
//!
//! let network = network::parse("loggops", Some("L=2us,o=300ns,g=1us,G=1ns/B"), None)?;
//! let run = run(&schedule, &Rules::Network(network), &Quiet, Engine::Auto)?;
//! assert_eq!(run.finish[1], Time::ZERO + Span::from_us(1) + network.one_message(8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod binary;
mod build;
pub mod check;
mod export;
mod fetch;
mod run;
pub mod text;

pub use export::export;
pub use fetch::fetch;
pub use run::{
    ChosenNoise, CriticalPath, Disturbance, LatencyRange, LoggopsimV1, PathError, Record, Rules, RunError, ScheduleRun,
    Terms, critical_path, fixed_order, latency_range, run, run_events, run_in_stages, trace,
};

use std::fmt;
use std::ops::Range;

/// Reads a schedule in either form, text or binary. `file` is for messages only. `read_up_to` is told from time to time
/// up to which byte most has been read for good; all bytes must stay readable.
///
/// # Errors
///
/// Names the place of the first mistake.
pub fn read(file: &str, bytes: &[u8], read_up_to: &mut dyn FnMut(usize)) -> Result<Schedule, GoalError> {
    match binary::is_binary(bytes) {
        true => binary::read_along(file, bytes, read_up_to),
        false => text::read_along(file, bytes, read_up_to),
    }
}

/// Wildcard for a peer or a tag, which matches any.
pub const ANY: u32 = u32::MAX;

/// Reason for which a schedule cannot be used, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoalError {
    /// The text breaks a rule of the language.
    #[error("{file} line {line}: {reason}")]
    Text {
        /// Name of the file.
        file: String,
        /// Number of the line, counted from 1.
        line: u32,
        /// Sentence that says what was expected.
        reason: String,
    },
    /// The binary form is broken.
    #[error("{file} byte {offset}: {reason}")]
    Binary {
        /// Name of the file.
        file: String,
        /// Offset in bytes from the beginning of the file.
        offset: u64,
        /// Sentence that says what was expected.
        reason: String,
    },
}

/// Kind of an operation. The order is that in which operations that become executable together are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum OpKind {
    /// Sends a message of `size` bytes.
    Send = 0,
    /// Receives a message of `size` bytes.
    Receive = 1,
    /// Occupies the CPU for `size` nanoseconds.
    Calc = 2,
}

/// Operation of one rank, as a schedule holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// Bytes of a message, or nanoseconds of a calculation.
    pub size: u64,
    /// Destination or source. [`ANY`] for a receive from any rank, 0 for a calculation.
    pub peer: u32,
    /// Tag of the message. [`ANY`] matches every tag. 0 for a calculation.
    pub tag: u32,
    /// Line of the text that defines it, or its place in the rank (from 1) where there was no text.
    pub line: u32,
    /// Kind of the operation.
    pub kind: OpKind,
    /// CPU of the rank that does it.
    pub cpu: u8,
    /// Network interface that it uses.
    pub nic: u8,
}

impl fmt::Display for Op {
    /// Writes the operation in its text form: `send 64b to 1 tag 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, preposition) = match self.kind {
            OpKind::Send => ("send", "to"),
            OpKind::Receive => ("recv", "from"),
            OpKind::Calc => {
                write!(f, "calc {}", self.size)?;
                return if self.cpu == 0 { Ok(()) } else { write!(f, " cpu {}", self.cpu) };
            }
        };
        write!(f, "{word} {}b {preposition} {}", self.size, Wild(self.peer))?;
        if self.tag != 0 {
            write!(f, " tag {}", Wild(self.tag))?;
        }
        if self.cpu != 0 {
            write!(f, " cpu {}", self.cpu)?;
        }
        if self.nic != 0 {
            write!(f, " nic {}", self.nic)?;
        }
        Ok(())
    }
}

/// Peer or tag in its written form, in which any is −1.
struct Wild(u32);

impl fmt::Display for Wild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == ANY { f.write_str("-1") } else { self.0.fmt(f) }
    }
}

/// Edge of the dependency graph: one operation waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge(u32);

impl Edge {
    const ON_START: u32 = 1 << 31;

    /// Makes an edge to the operation with this number, which must be below [`MOST_OPS`].
    pub fn to(op: u32, on_start: bool) -> Edge {
        Edge::new(op & !Edge::ON_START, on_start)
    }

    /// Makes an edge: the operation with this number waits for the start (`irequires`) or the finish (`requires`) of
    /// another.
    pub(crate) fn new(dependent: u32, on_start: bool) -> Edge {
        Edge(dependent | if on_start { Edge::ON_START } else { 0 })
    }

    /// Returns the operation that waits.
    #[inline]
    pub fn dependent(self) -> u32 {
        self.0 & !Edge::ON_START
    }

    /// Returns true for `irequires`: the operation waits only for the start of the other.
    #[inline]
    pub fn on_start(self) -> bool {
        self.0 & Edge::ON_START != 0
    }
}

/// Largest number of operations in one schedule.
pub const MOST_OPS: usize = 1 << 31;

/// Operations of all ranks with their dependencies. Operations are numbered through all ranks, in the order of ranks
/// and then of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    ops: Vec<Op>,
    /// First operation of each rank: rank r has the operations first[r]..first[r + 1].
    first: Vec<u32>,
    /// First edge of each operation: operation i enables edges[edges_at[i]..edges_at[i + 1]], those that wait for its
    /// start, then for its finish.
    edges_at: Vec<u32>,
    edges: Vec<Edge>,
    cpus: u32,
    nics: u32,
    wildcards: bool,
}

impl Schedule {
    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.first.len().saturating_sub(1) as u32
    }

    /// Returns all operations, by number.
    #[inline]
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Returns the numbers of one rank's operations.
    #[inline]
    pub fn ops_of(&self, rank: u32) -> Range<u32> {
        self.first[rank as usize]..self.first[rank as usize + 1]
    }

    /// Returns the rank that an operation belongs to.
    pub fn rank_of(&self, op: u32) -> u32 {
        self.first.partition_point(|&first| first <= op) as u32 - 1
    }

    /// Returns the edges to the operations that wait for an operation: first those that wait for its start, then those
    /// that wait for its finish, each in the order of their lines.
    #[inline]
    pub fn dependents(&self, op: u32) -> &[Edge] {
        &self.edges[self.edges_at[op as usize] as usize..self.edges_at[op as usize + 1] as usize]
    }

    /// Asks the processor to bring near an operation that will soon be needed.
    #[inline(always)]
    pub(crate) fn fetch_op(&self, op: u32) {
        fetch(&self.ops, op as usize);
        fetch(&self.edges_at, op as usize);
    }

    /// Asks the processor to bring near the dependencies of an operation that is near.
    #[inline(always)]
    pub(crate) fn fetch_dependents(&self, op: u32) {
        if let Some(&at) = self.edges_at.get(op as usize) {
            fetch(&self.edges, at as usize);
        }
    }

    /// Returns all dependencies, grouped by the operation that is waited for.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the number of dependencies that each operation waits for.
    pub fn dependency_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.ops.len()];
        for edge in &self.edges {
            counts[edge.dependent() as usize] += 1;
        }
        counts
    }

    /// Returns the number of CPUs of each rank: one more than the largest label anywhere.
    pub fn cpus(&self) -> u32 {
        self.cpus.max(1)
    }

    /// Returns the number of network interfaces of each rank: one more than the largest label anywhere.
    pub(crate) fn nics(&self) -> u32 {
        self.nics.max(1)
    }

    /// Returns true if any receive takes any rank or tag, or any send matches any tag.
    pub(crate) fn has_wildcards(&self) -> bool {
        self.wildcards
    }

    /// Returns the number of sends in the schedule.
    pub fn messages(&self) -> u64 {
        self.ops.iter().filter(|op| op.kind == OpKind::Send).count() as u64
    }

    /// Returns an operation with its rank and line, for messages: `rank 3 line 17 (send 64b to 1 tag 3)`.
    pub fn describe(&self, op: u32) -> String {
        let Op { line, .. } = self.ops[op as usize];
        format!("rank {} line {line} ({})", self.rank_of(op), self.ops[op as usize])
    }
}
