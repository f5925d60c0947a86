//! Work between synchronisations on real ranks: grains of a fixed amount of work, with a barrier after each.
//! Predictions from noise are compared with its duration.

use super::{span, ticks};
use crate::point_to_point::gather_and_go;
use crate::rank::{Phase, Rank};
use models::collective::{Algorithm, Collective, Shape};
use models::time::Span;
use serde::{Deserialize, Serialize};

/// Work of ranks between synchronisations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Working {
    /// Lengths of grains, used one after the other.
    pub grains: Vec<Span>,
    /// Duration of the work of each length, without noise.
    pub time: Span,
}

/// Durations of the work on one rank's clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worked {
    /// Number of the rank.
    pub rank: u32,
    /// Duration of a barrier alone: a grain without work.
    pub barrier: Span,
    /// Programs of each length of grains.
    pub programs: Vec<Program>,
}

/// Launches of a program of equal grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Duration of a grain that nothing disturbs.
    pub grain: Span,
    /// Number of grains in a launch.
    pub count: u32,
    /// Duration of each launch, including its barriers.
    pub took: Vec<Span>,
}

/// Approximate duration of a launch, followed by the limits of its number of grains.
const LAUNCH: Span = Span::from_ms(10);
const FEWEST: u64 = 4;
const MOST: u64 = 1_000;
/// Duration of the piece of work whose shortest run determines the speed of the CPU, and the number of its runs.
const PIECE: Span = Span::from_us(20);
const RUNS: u32 = 1_000;
/// Number of batches of barriers, of which the shortest counts, and number of barriers in each.
const BATCHES: u32 = 50;
const BARRIERS: u32 = 40;

impl Working {
    /// Works; called by all ranks together. Every rank returns its own durations.
    pub async fn run<R: Rank>(&self, rank: &R) -> Worked {
        rank.enter_phase(Phase::Working);
        let shape = Shape::new(rank.size(), 0, 0);
        if R::HAS_LIBRARY {
            rank.prepare(Collective::Barrier, &shape);
        }
        gather_and_go(rank).await;
        let speed = speed(rank).await;
        gather_and_go(rank).await;
        let barrier = self.barrier(rank, &shape).await;
        let mut programs = Vec::new();
        for &grain in &self.grains {
            rank.enter_phase(Phase::Working);
            let count = (LAUNCH.0 / grain.0.max(1)).clamp(FEWEST, MOST) as u32;
            let launches = (self.time.0 / (grain.0.max(1) * u64::from(count))).max(1);
            let steps = (grain.as_us() * speed).round().max(1.0) as u64;
            let mut took = Vec::with_capacity(launches as usize);
            meet(rank, &shape).await;
            for _ in 0..launches {
                took.push(launch(rank, &shape, steps, count).await);
            }
            programs.push(Program { grain, count, took });
        }
        Worked { rank: rank.id(), barrier, programs }
    }

    /// Shortest mean duration of a barrier over several batches.
    async fn barrier<R: Rank>(&self, rank: &R, shape: &Shape) -> Span {
        let mut least = Span(u64::MAX);
        meet(rank, shape).await;
        for _ in 0..BATCHES {
            least = least.min(launch(rank, shape, 0, BARRIERS).await);
        }
        Span(least.0 / u64::from(BARRIERS))
    }
}

/// Runs `count` grains of `steps` multiply-adds, with a barrier after each. Returns their duration.
async fn launch<R: Rank>(rank: &R, shape: &Shape, steps: u64, count: u32) -> Span {
    let begin = rank.read_clock();
    for _ in 0..count {
        if steps > 0 {
            rank.multiply_add(steps).await;
        }
        meet(rank, shape).await;
    }
    rank.timescale().span(begin, rank.read_clock())
}

/// Passes a barrier: the library's where there is one.
async fn meet<R: Rank>(rank: &R, shape: &Shape) {
    if R::HAS_LIBRARY {
        return rank.library(Collective::Barrier, shape).await;
    }
    let algorithm = Algorithm::find(Collective::Barrier, "dissemination").expect("a barrier that is always there");
    for step in algorithm.steps(shape, rank.id()) {
        rank.step(&step).await;
    }
}

/// Multiply-adds in a µs by the shortest of many runs: the speed of the CPU where nothing disturbs it.
async fn speed<R: Rank>(rank: &R) -> f64 {
    let scale = rank.timescale();
    let (mut steps, wanted) = (1_000_u64, ticks(&scale, PIECE).max(1));
    let mut least = u64::MAX;
    // The first pass determines the amount of work in the piece.
    for runs in [RUNS / 10, RUNS] {
        least = u64::MAX;
        for _ in 0..runs {
            let from = rank.read_clock();
            rank.multiply_add(steps).await;
            least = least.min(rank.read_clock().0.saturating_sub(from.0).max(1));
        }
        if runs < RUNS {
            steps = (u128::from(steps) * u128::from(wanted) / u128::from(least)).max(1) as u64;
        }
    }
    steps as f64 / span(&scale, least).as_us()
}
