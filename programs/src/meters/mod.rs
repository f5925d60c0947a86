//! Meters: actions that programs repeat, each timed by itself, so that its instability shows. They run over rank
//! handles in any world: simulated ranks under recorded noise do the same as real ranks.
//!
//! | meter | action of ranks |
//! |---|---|
//! | [`Patterns`] | exchange messages: with neighbours on a grid, along its axes, in pairs, with a master, across a bisection |
//! | [`Regions`] | read and write one region of memory after the other by the kernels of STREAM (McCalpin 1995) |
//! | [`Solver`] | solve a system of linear equations by BiCGStab (van der Vorst 1992) on a cube of the grid each |

mod grid;
mod patterns;
mod regions;
mod solver;
#[cfg(test)]
mod tests;

pub use grid::Grid;
pub use patterns::{Pattern, Patterns};
pub use regions::{Element, Regions};
pub use solver::Solver;

use crate::method::{broadcast, gather};
use crate::point_to_point::gather_and_go;
use crate::rank::{Phase, Rank};
use crate::sync::Sync;
use models::clock::{GlobalClock, Ticks};
use models::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Action that a meter repeats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meter {
    /// Patterns of messages between ranks.
    Patterns(Patterns),
    /// Kernels on regions of memory.
    Regions(Regions),
    /// Solver, which uses messages, memory and arithmetic.
    Solver(Solver),
}

/// Times that one rank recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metered {
    /// Number of the rank.
    pub rank: u32,
    /// Name of the rank's host; empty where it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub host: String,
    /// Bound of the error of the clock's offset.
    pub bound: Span,
    /// Series of times of each step.
    pub steps: Vec<StepTimes>,
    /// Norm of a solver's residual after each iteration, relative to the norm of the right side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub residuals: Vec<f64>,
}

/// Times of one repeated step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepTimes {
    /// Name of the step.
    pub name: String,
    /// Number of bytes that this rank sends in each repetition, or touches in memory.
    pub bytes: u64,
    /// Begin of each repetition on the global clock, counted from the first begin of all ranks.
    pub begins: Vec<Time>,
    /// Duration of each repetition.
    pub took: Vec<Span>,
}

impl Meter {
    /// Performs this rank's part of the meter. Called by all ranks together.
    pub async fn run<R: Rank>(&self, rank: &R) -> Metered {
        rank.enter_phase(Phase::Metering);
        let clock = Sync::Linear.synchronise(rank).await;
        let (steps, residuals) = match self {
            Meter::Patterns(patterns) => (patterns.run(rank, &clock).await, Vec::new()),
            Meter::Regions(regions) => (regions.run(rank, &clock).await, Vec::new()),
            Meter::Solver(solver) => solver.run(rank, &clock).await,
        };
        Metered { rank: rank.id(), host: String::new(), bound: clock.bound, steps, residuals }
    }

    /// Moves all ranks' times to one time axis, which begins with the first of them.
    pub fn gathered(&self, mut ranks: Vec<Metered>) -> Vec<Metered> {
        let all = || ranks.iter().flat_map(|rank| &rank.steps).flat_map(|step| &step.begins);
        let zero = all().copied().min().unwrap_or_default();
        let begins = ranks.iter_mut().flat_map(|rank| &mut rank.steps).flat_map(|step| &mut step.begins);
        begins.for_each(|begin| *begin = Time::ZERO + begin.since(zero));
        ranks
    }

    /// Approximate number of times that each rank keeps.
    pub fn times(&self) -> u64 {
        match self {
            Meter::Patterns(patterns) => {
                let (steps, counted) = (patterns.patterns.len() as u64 + 2, u64::from(patterns.repetitions.1));
                steps.saturating_mul(counted)
            }
            Meter::Regions(regions) => {
                let series = u64::from(regions.regions) * regions.elements.len() as u64;
                series.saturating_mul(regions.repetitions.into())
            }
            Meter::Solver(solver) => u64::from(solver.iterations) * 8,
        }
    }

    /// Length of each rank's buffer, in bytes.
    pub fn buffer_bytes(&self, ranks: u32) -> u64 {
        match self {
            Meter::Patterns(patterns) => patterns.buffer_bytes(ranks),
            // These meters have memory of their own.
            Meter::Regions(_) | Meter::Solver(_) => 0,
        }
    }
}

impl fmt::Display for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Meter::Patterns(_) => "pattern",
            Meter::Regions(_) => "regions",
            Meter::Solver(_) => "solver",
        })
    }
}

impl StepTimes {
    /// Empty series with room for `count` repetitions.
    fn new(name: impl Into<String>, bytes: u64, count: u32) -> StepTimes {
        let count = count as usize;
        StepTimes { name: name.into(), bytes, begins: Vec::with_capacity(count), took: Vec::with_capacity(count) }
    }

    /// Adds a repetition between two readings.
    fn push<R: Rank>(&mut self, rank: &R, clock: &GlobalClock, begin: Ticks, end: Ticks) {
        self.begins.push(clock.time(begin));
        self.took.push(rank.timescale().span(begin, end));
    }
}

/// Waits until all ranks have arrived.
async fn meet<R: Rank>(rank: &R) {
    gather_and_go(rank).await;
}

/// Number in a message of eight bytes.
fn word(message: &[u8]) -> u64 {
    u64::from_le_bytes(message.try_into().expect("eight bytes"))
}

/// Simultaneous starts of all ranks at due times on the global clock. After a barrier their starts would differ by its
/// exit skew.
struct Starts {
    /// Time from rank 0's announcement of a start to the start.
    ahead: Span,
    /// Time by which this rank came late to the last start, in ps.
    late: u64,
}

/// Time from the announcement of the first start to the start, and its upper limit for later ones.
const AHEAD: Span = Span::from_us(20);
const LONGEST_AHEAD: Span = Span::from_ms(100);

impl Starts {
    fn new() -> Starts {
        Starts { ahead: AHEAD, late: 0 }
    }

    /// Waits for all ranks, and then for the instant that rank 0 announces. Where a rank came late to the last start,
    /// the next is announced earlier.
    async fn start<R: Rank>(&mut self, rank: &R, clock: &GlobalClock) {
        let mut late = Vec::new();
        gather(rank, &self.late.to_le_bytes(), &mut late).await;
        let mut due = [0; 8];
        if rank.id() == 0 {
            let late = late.chunks_exact(8).map(word).max().unwrap_or(0);
            if late > 0 {
                self.ahead = Span((self.ahead.0 + late).saturating_mul(3) / 2).min(LONGEST_AHEAD);
            }
            due = (clock.time(rank.read_clock()) + self.ahead).0.to_le_bytes();
        }
        broadcast(rank, &mut due).await;
        let due = Time(u64::from_le_bytes(due));
        self.late = clock.time(rank.read_clock()).0.saturating_sub(due.0);
        rank.wait_until(clock.reading(due)).await;
    }
}
