//! Collectives, their algorithms, and the table that lists them.
//!
//! An algorithm is a function of the [`Shape`] (ranks, root, bytes) to a sequence of [`Round`]s.
//! That one description yields the program each rank runs ([`Algorithm::steps`]), the schedule
//! as a graph ([`crate::schedule`]) and the counts of messages and bytes.
//!
//! To add one: write `collective/<collective>_<algorithm>.rs`, add its line to [`ALGORITHMS`].

mod barrier_dissemination;
mod barrier_linear;
mod bcast_binomial;
mod bcast_linear;
mod pattern;
mod reduce_binomial;

pub use pattern::{Pattern, Round, Steps};

use serde::{Deserialize, Serialize};
use std::fmt;

/// An MPI collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Collective {
    /// The root's bytes reach every rank.
    Bcast,
    /// The element-wise combination of every rank's bytes reaches the root.
    Reduce,
    /// No rank leaves before every rank has entered.
    Barrier,
}

impl Collective {
    /// Every collective, in the order in which they are listed to people.
    pub const ALL: [Collective; 3] = [Collective::Bcast, Collective::Reduce, Collective::Barrier];

    /// The name used in files and flags.
    pub fn name(self) -> &'static str {
        match self {
            Collective::Bcast => "bcast",
            Collective::Reduce => "reduce",
            Collective::Barrier => "barrier",
        }
    }
}

impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What one call of a collective is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shape {
    /// Number of ranks P ≥ 1.
    pub ranks: u32,
    /// The root, where the collective has one; below `ranks`.
    pub root: u32,
    /// Bytes of one rank's buffer; barriers ignore it.
    pub bytes: u64,
}

impl Shape {
    /// Position of `rank` counted from the root: the root is 0.
    pub fn relative(&self, rank: u32) -> u32 {
        ((u64::from(rank) + u64::from(self.ranks) - u64::from(self.root)) % u64::from(self.ranks)) as u32
    }

    /// The rank at `relative` positions after the root.
    pub fn absolute(&self, relative: u32) -> u32 {
        ((u64::from(relative) + u64::from(self.root)) % u64::from(self.ranks)) as u32
    }

    /// ⌈log₂ ranks⌉: the rounds of a tree or a dissemination.
    pub fn log2_ceil(&self) -> u32 {
        self.ranks.next_power_of_two().trailing_zeros()
    }

    /// The whole of one rank's buffer.
    pub fn whole(&self) -> Part {
        Part { offset: 0, bytes: self.bytes }
    }
}

/// A contiguous part of a rank's buffer, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Part {
    /// First byte.
    pub offset: u64,
    /// Length; zero-byte messages are legal.
    pub bytes: u64,
}

/// What the receiver does with what arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// It replaces the part of the buffer.
    Store,
    /// It is combined (wrapping byte-wise sum) into the part of the buffer.
    Combine,
}

/// One blocking communication of one rank, in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Send a part to a rank.
    Send {
        /// Destination rank.
        to: u32,
        /// What is sent.
        part: Part,
    },
    /// Receive a part from a named rank.
    Receive {
        /// Source rank.
        from: u32,
        /// Where it goes.
        part: Part,
        /// How it gets there.
        then: Then,
    },
    /// Send and receive at the same time (`MPI_Sendrecv`): the receive is posted first, done when both are done.
    Exchange {
        /// Destination rank.
        to: u32,
        /// Source rank.
        from: u32,
        /// What is sent, and where what comes goes.
        part: Part,
        /// How it gets there.
        then: Then,
    },
}

impl Step {
    /// Destination and part of what this step sends, if it sends.
    pub fn sent(&self) -> Option<(u32, Part)> {
        match *self {
            Step::Send { to, part } | Step::Exchange { to, part, .. } => Some((to, part)),
            Step::Receive { .. } => None,
        }
    }

    /// Source and part of what this step receives, if it receives.
    pub fn received(&self) -> Option<(u32, Part)> {
        match *self {
            Step::Receive { from, part, .. } | Step::Exchange { from, part, .. } => Some((from, part)),
            Step::Send { .. } => None,
        }
    }
}

/// A collective algorithm: a function of the shape to rounds. Nothing per rank is stored.
pub struct Algorithm {
    /// The operation it implements.
    pub collective: Collective,
    /// Its name, as Open MPI and MPICH call it.
    pub name: &'static str,
    /// One sentence: when it wins.
    pub wins: &'static str,
    /// How many rounds there are.
    pub rounds: fn(&Shape) -> u64,
    /// The round with the given index.
    pub round: fn(&Shape, u64) -> Round,
}

/// Every algorithm of every collective.
pub static ALGORITHMS: &[Algorithm] = &[
    bcast_linear::ALGORITHM,
    bcast_binomial::ALGORITHM,
    reduce_binomial::ALGORITHM,
    barrier_linear::ALGORITHM,
    barrier_dissemination::ALGORITHM,
];

impl Algorithm {
    /// The algorithm of a collective with the given name; the error names the known ones.
    pub fn find(collective: Collective, name: &str) -> Result<&'static Algorithm, String> {
        ALGORITHMS.iter().find(|a| a.collective == collective && a.name == name).ok_or_else(|| {
            let known: Vec<_> = Algorithm::of(collective).map(|a| a.name).collect();
            format!("unknown algorithm '{name}'; known for {collective}: {}", known.join(", "))
        })
    }

    /// The algorithms of one collective.
    pub fn of(collective: Collective) -> impl Iterator<Item = &'static Algorithm> {
        ALGORITHMS.iter().filter(move |a| a.collective == collective)
    }

    /// What `rank` does, in program order.
    pub fn steps<'a>(&'a self, shape: &'a Shape, rank: u32) -> impl Iterator<Item = Step> + 'a {
        (0..(self.rounds)(shape)).flat_map(move |index| (self.round)(shape, index).steps(shape, rank))
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.collective, self.name)
    }
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Algorithm) -> bool {
        (self.collective, self.name) == (other.collective, other.name)
    }
}
