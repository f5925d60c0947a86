//! Benchmark methods: what a benchmark does to obtain a number. Each is one function over a rank
//! handle, run unchanged by simulated ranks, threads and MPI processes.
//!
//! To add one: a file here, a variant of [`Method`], its line in [`time_operation`].

mod barrier_loop;
mod loop_trace;
mod unsynchronised_loop;
mod window;

pub use window::{StopRule, WindowSettings};

use crate::collective::{Algorithm, Collective, Shape};
use crate::observation::{Implementation, RankRecord, Stamp};
use crate::operation::{LibraryBarrier, Operation, Own, WaitPattern, WaitPatternNull, WaitPatternUp};
use crate::rank::{Phase, Rank};
use crate::sync::Sync;
use crate::with_library;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A way to obtain the time of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Barrier, read clock, k calls, read clock, divide by k (mpptest, MPIBlib, LLCBench).
    Loop,
    /// Barrier before every call, each call timed on its own (OSU, Phloem).
    BarrierLoop,
    /// Synchronised clocks, a common start time for every call, an adapting window (SKaMPI, MPIPerf).
    Window,
    /// The loop with a clock read around every call and every step: for pictures, not for numbers.
    LoopTrace,
}

impl Method {
    /// The methods a scenario may name.
    pub const ALL: [Method; 4] = [Method::Loop, Method::BarrierLoop, Method::Window, Method::LoopTrace];

    /// The name used in files and output.
    pub fn name(self) -> &'static str {
        match self {
            Method::Loop => "loop",
            Method::BarrierLoop => "barrier-loop",
            Method::Window => "window",
            Method::LoopTrace => "loop-trace",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is called between the clock reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// A collective, by whose algorithm.
    Collective(Collective, Implementation),
    /// A wait whose true duration is known.
    Wait(WaitPattern),
}

/// How a method is run. Every value is stated in the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodSettings {
    /// The method.
    pub method: Method,
    /// Calls per loop, k ≥ 1.
    pub repetitions: u32,
    /// Independent repeats of the loop; windows repeat by stages instead.
    pub blocks: u32,
    /// Calls before anything is timed, after the cold first one.
    pub warmup: u32,
    /// The barrier that the method itself uses.
    pub barrier: Implementation,
    /// How clocks are synchronised.
    pub sync: Sync,
    /// The window method's own settings.
    pub window: WindowSettings,
}

/// One complete order to the ranks of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// What is timed.
    pub subject: Subject,
    /// On how many ranks, from which root, with how many bytes.
    pub shape: Shape,
    /// How it is timed.
    pub settings: MethodSettings,
}

/// Carries out an order on one rank; called by all ranks together, in every world.
///
/// # Errors
/// Names an algorithm that the table does not have.
pub async fn carry_out<R: Rank>(rank: &R, order: &Order) -> Result<RankRecord, String> {
    let (shape, id) = (&order.shape, rank.id());
    let own = |collective, name: &str| Ok::<_, String>(Own::new(Algorithm::find(collective, name)?, shape, id));
    match &order.subject {
        Subject::Wait(WaitPattern::Null) => with_barrier(rank, order, &WaitPatternNull).await,
        Subject::Wait(WaitPattern::Up) => with_barrier(rank, order, &WaitPatternUp).await,
        Subject::Collective(collective, Implementation::Own(name)) => {
            with_barrier(rank, order, &own(*collective, name)?).await
        }
        Subject::Collective(collective, Implementation::Library) => {
            with_library!(*collective, *shape, |operation| with_barrier(rank, order, &operation).await)
        }
    }
}

async fn with_barrier<R: Rank, O: Operation>(rank: &R, order: &Order, operation: &O) -> Result<RankRecord, String> {
    match &order.settings.barrier {
        Implementation::Own(name) => {
            let algorithm = Algorithm::find(Collective::Barrier, name)?;
            let shape = Shape::new(rank.size(), 0, 0);
            Ok(run(rank, order, operation, &Own::new(algorithm, &shape, rank.id())).await)
        }
        Implementation::Library => Ok(run(rank, order, operation, &LibraryBarrier(order.shape)).await),
    }
}

/// Synchronise, first call, warm-up, the method, and the clocks once more.
async fn run<R: Rank, O: Operation, B: Operation>(rank: &R, order: &Order, operation: &O, barrier: &B) -> RankRecord {
    let settings = &order.settings;
    operation.prepare(rank);
    let clock = settings.sync.synchronise(rank).await;
    rank.enter_phase(Phase::FirstCall);
    barrier.call(rank).await;
    let start = rank.read_clock();
    operation.call(rank).await;
    let end = rank.read_clock();
    let cold = Stamp { block: 0, calls: 1, due: None, start, end, valid: true };
    for _ in 0..settings.warmup {
        operation.call(rank).await;
    }
    let mut record = RankRecord {
        rank: rank.id(),
        clock,
        clock_after: clock,
        cold,
        stamps: Vec::new(),
        window: None,
        steps: Vec::new(),
    };
    time_operation(rank, settings, operation, barrier, &mut record).await;
    record.clock_after = settings.sync.synchronise(rank).await;
    record
}

async fn time_operation<R: Rank, O: Operation, B: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    barrier: &B,
    record: &mut RankRecord,
) {
    match settings.method {
        Method::Loop => {
            unsynchronised_loop::run(rank, settings, operation, barrier, &mut record.stamps).await;
        }
        Method::BarrierLoop => {
            barrier_loop::run(rank, settings, operation, barrier, &mut record.stamps).await;
        }
        Method::Window => {
            record.window =
                Some(window::run(rank, &settings.window, operation, &record.clock, &mut record.stamps).await);
        }
        Method::LoopTrace => {
            loop_trace::run(rank, settings, operation, barrier, record).await;
        }
    }
}
