//! What the message library keeps in a rank's memory: resident sets before and after it is initialised and before and
//! after the first use of each operation, on every rank.
//!
//! The kernel counts pages (`/proc/self/status`, proc_pid_status(5)); this crate only reads its text. Ranks that are
//! threads share one process, so all of them see the same numbers.

use crate::collective::{Algorithm, Collective, Part, Shape, Step, Then};
use crate::operation::{Library, Operation, Own};
use crate::point_to_point::{gather_and_go, rounds};
use crate::rank::{Phase, Rank};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A process's pages in memory, in KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resident {
    /// All of them (`VmRSS`).
    pub rss_kib: u64,
    /// The most there ever were (`VmHWM`).
    pub high_water_kib: u64,
    /// Those of the process's own (`RssAnon`).
    pub anonymous_kib: u64,
    /// Those of files: programs and libraries, mostly shared with other processes (`RssFile`).
    pub file_kib: u64,
    /// Those of shared memory, through which ranks of a node talk (`RssShmem`).
    pub shared_kib: u64,
}

impl Resident {
    /// Reads the text of `/proc/self/status`; `None` where it does not say all of this (before Linux 4.5, elsewhere).
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

/// When memory was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// The program runs, the library is not initialised.
    BeforeInit,
    /// The library is initialised (`MPI_Init`), nothing has been sent.
    AfterInit,
    /// The benchmark's buffers are there and rank 0 has heard from all others, and they from it.
    Ready,
    /// After the first use of something.
    First(Used),
    /// After further uses of it.
    Again(Used),
}

/// What is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Used {
    /// A message each way between every pair of ranks.
    Pairs,
    /// A collective: the library's own where there is one, else an algorithm of ours.
    Collective(Collective),
}

impl Used {
    /// Everything that can be used, pairs first.
    pub fn all() -> Vec<Used> {
        std::iter::once(Used::Pairs).chain(Collective::ALL.map(Used::Collective)).collect()
    }

    /// The name used in flags and output.
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

/// One look at a rank's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// When.
    pub moment: Moment,
    /// What was there; `None` where the system does not say.
    pub resident: Option<Resident>,
}

/// What to use, and look at memory before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryTest {
    /// What, in this order; what is used first pays for what it shares with the others.
    pub used: Vec<Used>,
    /// Bytes of a message, or of a block where a collective moves a block per rank.
    pub bytes: u64,
    /// Further uses after the first one; 0: no look after those.
    pub again: u32,
}

impl MemoryTest {
    /// Looks once and uses nothing.
    pub fn look() -> MemoryTest {
        MemoryTest { used: Vec::new(), bytes: 0, again: 0 }
    }

    /// Uses and looks; called by all ranks together.
    pub async fn run<R: Rank>(&self, rank: &R, look: impl Fn() -> Option<Resident>) -> Vec<Probe> {
        let mut probes = Vec::new();
        rank.enter_phase(Phase::Memory);
        gather_and_go(rank).await;
        probes.push(Probe { moment: Moment::Ready, resident: look() });
        for &used in &self.used {
            let program = Program::of(used, self.bytes, rank);
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

    /// The length of the buffer that each of so many ranks needs.
    pub fn buffer_bytes(&self, ranks: u32) -> u64 {
        let need = |used: &Used| match used {
            Used::Pairs => 2 * self.bytes,
            Used::Collective(collective) => collective.buffer_bytes(&Shape::new(ranks, 0, self.bytes)),
        };
        self.used.iter().map(need).max().unwrap_or(0)
    }
}

/// One use.
enum Program {
    Steps(Own),
    Library(Library),
}

impl Program {
    fn of<R: Rank>(used: Used, bytes: u64, rank: &R) -> Program {
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
                let algorithm = Algorithm::of(collective).next().expect("every collective has an algorithm");
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
