//! Meters: what programs do, again and again, each time by itself, so that its instability shows. They run over rank handles in
//! any world: simulated ranks under recorded noise do what real ranks do.
//!
//! | meter | what ranks do |
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

use crate::clock::{GlobalClock, Ticks};
use crate::method::{broadcast, gather};
use crate::point_to_point::gather_and_go;
use crate::rank::{Phase, Rank};
use crate::sync::Sync;
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meter {
    /// Messages.
    Patterns(Patterns),
    /// Memory.
    Regions(Regions),
    /// Both, and arithmetic.
    Solver(Solver),
}

/// What one rank timed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metered {
    /// Who.
    pub rank: u32,
    /// Where it ran.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub host: String,
    /// How well its clock's offset was known.
    pub bound: Span,
    /// Step by step.
    pub steps: Vec<Series>,
    /// Of a solver: the norm of the residual after each iteration, as a share of the right side's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub residuals: Vec<f64>,
}

/// One step, each time that it was done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// Bytes that this rank sends each time, or touches in memory.
    pub bytes: u64,
    /// When each began, on the global clock, from the begin of the first of all ranks.
    pub begins: Vec<Time>,
    /// How long each took.
    pub took: Vec<Span>,
}

impl Meter {
    /// Does this rank's part; called by all ranks together.
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

    /// All ranks' answers on one time axis, which begins with the first of them.
    pub fn gathered(&self, mut ranks: Vec<Metered>) -> Vec<Metered> {
        let all = || ranks.iter().flat_map(|rank| &rank.steps).flat_map(|step| &step.begins);
        let zero = all().copied().min().unwrap_or_default();
        let begins = ranks.iter_mut().flat_map(|rank| &mut rank.steps).flat_map(|step| &mut step.begins);
        begins.for_each(|begin| *begin = Time::ZERO + begin.since(zero));
        ranks
    }

    /// How many times each rank keeps, about.
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

    /// How long each rank's buffer is.
    pub fn buffer_bytes(&self, ranks: u32) -> u64 {
        match self {
            Meter::Patterns(patterns) => patterns.buffer_bytes(ranks),
            // They have memory of their own.
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

impl Series {
    /// Nothing yet; there is room for so many.
    fn of(name: impl Into<String>, bytes: u64, count: u32) -> Series {
        let count = count as usize;
        Series { name: name.into(), bytes, begins: Vec::with_capacity(count), took: Vec::with_capacity(count) }
    }

    /// One more, between two readings.
    fn push<R: Rank>(&mut self, rank: &R, clock: &GlobalClock, begin: Ticks, end: Ticks) {
        self.begins.push(clock.time(begin));
        self.took.push(rank.timescale().span(begin, end));
    }
}

/// All ranks are there, and go on.
async fn meet<R: Rank>(rank: &R) {
    gather_and_go(rank).await;
}

/// The number in a message.
fn word(message: &[u8]) -> u64 {
    u64::from_le_bytes(message.try_into().expect("eight bytes"))
}

/// Starts of all ranks at once, at due times on the global clock: after a barrier they would start apart by its exit skew.
struct Starts {
    /// How long before a start rank 0 announces it.
    ahead: Span,
    /// By how much this rank came late to the last one, in ps.
    late: u64,
}

/// How far ahead the first start is, and any may be.
const AHEAD: Span = Span::from_us(20);
const LONGEST_AHEAD: Span = Span::from_ms(100);

impl Starts {
    fn new() -> Starts {
        Starts { ahead: AHEAD, late: 0 }
    }

    /// Waits for all ranks, and then for the instant that rank 0 announces. Where a rank came late to the last one, the next
    /// is announced longer before.
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
