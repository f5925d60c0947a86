//! Memory of the message library in a rank's process: resident sets before and after its initialisation and before and
//! after the first use of each operation, on every rank.
//!
//! The kernel counts pages (`/proc/self/status`, proc_pid_status(5)). This crate only reads its text. Ranks that are
//! threads share one process, so all of them see the same numbers.

use crate::operation::{Library, Operation, Own};
use crate::point_to_point::{gather_and_go, rounds};
use crate::rank::{Phase, Rank};
use models::collective::{Algorithm, Collective, Part, Shape, Step, Then};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Sizes of a process's pages in memory, in KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resident {
    /// Size of all pages (`VmRSS`).
    pub rss_kib: u64,
    /// Largest size that there ever was (`VmHWM`).
    pub high_water_kib: u64,
    /// Size of the process's own pages (`RssAnon`).
    pub anonymous_kib: u64,
    /// Size of the pages of files: programs and libraries, mostly shared with other processes (`RssFile`).
    pub file_kib: u64,
    /// Size of the pages of shared memory, through which ranks of a node communicate (`RssShmem`).
    pub shared_kib: u64,
}

impl Resident {
    /// Reads the text of `/proc/self/status`; `None` where it lacks any of these sizes (before Linux 4.5, elsewhere).
    pub fn parse(status: &str) -> Option<Resident> {
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            line.trim().strip_suffix("kB")?.trim().parse().ok()
        };
        Some(Resident {
            rss_kib: field("VmRSS")?,
            high_water_kib: field("VmHWM")?,
            anonymous_kib: field("RssAnon")?,
            file_kib: field("RssFile")?,
            shared_kib: field("RssShmem")?,
        })
    }
}

/// Moment at which memory was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// The program runs, and the library is not initialised.
    BeforeInit,
    /// The library is initialised (`MPI_Init`), and nothing has been sent.
    AfterInit,
    /// The benchmark's buffers are allocated, and rank 0 and all others have exchanged messages.
    Ready,
    /// Moment after the first use of an operation.
    First(Used),
    /// Moment after further uses of an operation.
    Again(Used),
}

/// Operation that is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Used {
    /// Message each way between every pair of ranks.
    Pairs,
    /// Collective: the library's own where there is one, else an algorithm of ours.
    Collective(Collective),
}

impl Used {
    /// All operations, pairs first.
    pub fn all() -> Vec<Used> {
        std::iter::once(Used::Pairs).chain(Collective::ALL.map(Used::Collective)).collect()
    }

    /// Name of the operation in flags and output.
    pub fn name(self) -> &'static str {
        match self {
            Used::Pairs => "pairs",
            Used::Collective(collective) => collective.name(),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::BeforeInit => f.write_str("before MPI_Init"),
            Moment::AfterInit => f.write_str("after MPI_Init"),
            Moment::Ready => f.write_str("ready to measure"),
            Moment::First(used) => write!(f, "first {}", used.name()),
            Moment::Again(used) => write!(f, "further {}", used.name()),
        }
    }
}

/// Observation of a rank's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// Moment of the observation.
    pub moment: Moment,
    /// Sizes of the pages; `None` where the system does not report them.
    pub resident: Option<Resident>,
}

/// Operations to use, with observations of memory before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryTest {
    /// Operations in the order of their use. The first one pays for what it shares with the others.
    pub used: Vec<Used>,
    /// Bytes of a message, or of a block where a collective moves a block per rank.
    pub bytes: u64,
    /// Number of further uses after the first one; with 0 there is no observation of them.
    pub again: u32,
}

impl MemoryTest {
    /// Test that observes once and uses no operation.
    pub fn look() -> MemoryTest {
        MemoryTest { used: Vec::new(), bytes: 0, again: 0 }
    }

    /// Uses the operations and observes memory. Called by all ranks together.
    pub async fn run<R: Rank>(&self, rank: &R, look: impl Fn() -> Option<Resident>) -> Vec<Probe> {
        let mut probes = Vec::new();
        rank.enter_phase(Phase::Memory);
        gather_and_go(rank).await;
        probes.push(Probe { moment: Moment::Ready, resident: look() });
        for &used in &self.used {
            let program = Program::new(used, self.bytes, rank);
            let turns = [(1, Moment::First(used)), (self.again, Moment::Again(used))];
            for (times, moment) in turns.into_iter().filter(|(times, _)| *times > 0) {
                rank.enter_phase(Phase::Memory);
                for _ in 0..times {
                    program.run(rank).await;
                }
                gather_and_go(rank).await;
                probes.push(Probe { moment, resident: look() });
            }
        }
        probes
    }

    /// Length of the buffer that each of `ranks` ranks needs, in bytes.
    pub fn buffer_bytes(&self, ranks: u32) -> u64 {
        let need = |used: &Used| match used {
            Used::Pairs => 2 * self.bytes,
            Used::Collective(collective) => collective.buffer_bytes(&Shape::new(ranks, 0, self.bytes)),
        };
        self.used.iter().map(need).max().unwrap_or(0)
    }
}

/// Program of one use of an operation.
enum Program {
    Steps(Own),
    Library(Library),
}

impl Program {
    fn new<R: Rank>(used: Used, bytes: u64, rank: &R) -> Program {
        match used {
            Used::Pairs => {
                let partners = rounds(rank.size()).flatten().filter_map(|(a, b)| match rank.id() {
                    id if id == a => Some(b),
                    id if id == b => Some(a),
                    _ => None,
                });
                let (sent, received) = (Part::range(0, bytes), Part::range(bytes, bytes));
                let step = |peer| Step::Exchange { to: peer, sent, from: peer, received, then: Then::Store };
                Program::Steps(Own::from(partners.map(step).collect::<Vec<_>>()))
            }
            Used::Collective(collective) => {
                let shape = Shape::new(rank.size(), 0, bytes);
                if R::HAS_LIBRARY {
                    let call = Library(collective, shape);
                    call.prepare(rank);
                    return Program::Library(call);
                }
                let algorithm =
                    Algorithm::for_collective(collective).next().expect("every collective has an algorithm");
                Program::Steps(Own::new(algorithm, &shape, rank.id()))
            }
        }
    }

    async fn run<R: Rank>(&self, rank: &R) {
        match self {
            Program::Steps(own) => own.call(rank).await,
            Program::Library(call) => call.call(rank).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUS: &str = "Name:\tparallax-mpi\nVmPeak:\t  300000 kB\nVmHWM:\t   20500 kB\nVmRSS:\t   20480 kB\n\
                          RssAnon:\t    6000 kB\nRssFile:\t   12384 kB\nRssShmem:\t    2096 kB\nThreads:\t3\n";

    #[test]
    fn the_kernels_text_is_read() {
        let expected = Resident {
            rss_kib: 20_480,
            high_water_kib: 20_500,
            anonymous_kib: 6_000,
            file_kib: 12_384,
            shared_kib: 2_096,
        };
        assert_eq!(Resident::parse(STATUS), Some(expected));
        assert_eq!(Resident::parse(&STATUS.replace("RssShmem", "Shmem")), None, "an old kernel");
        assert_eq!(Resident::parse(&STATUS.replace("20480 kB", "many kB")), None);
        assert_eq!(Resident::parse(""), None);
    }
}
