//! Benchmark methods: ways in which a benchmark obtains a number. Each is one function over a rank handle, run
//! unchanged by simulated ranks, threads and MPI processes.
//!
//! To add one: a file here, a variant of [`Method`], its line in `time_operation`.

mod barrier_inside;
mod barrier_loop;
mod barrier_own;
mod barrier_skew;
mod barrier_subtract;
mod control;
mod delay;
mod factors;
mod look;
mod loop_trace;
mod overlap;
mod preset;
mod root_rotation;
mod round_time;
mod run_order;
mod unsynchronised_loop;
mod window;

pub use barrier_skew::{barrier_exits, exit_skews};
pub(crate) use control::{broadcast, gather};
pub use delay::OneDelay;
pub use factors::{Factors, FirstCall, RootChoice, Rotation};
pub use models::platform::Buffer;
pub use preset::{Column, Preset};
pub use round_time::RoundTimeSettings;
pub use run_order::run_order;
pub use window::{StopRule, WindowRules, WindowSettings};

use crate::observation::{Implementation, World};
use crate::operation::{OwnProgram, WaitPattern};
use crate::played;
use crate::sync::Sync;
use models::call::Call;
use models::collective::{Algorithm, Collective, Shape};
use models::footprint::Footprint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

models::named! {
    /// Method to obtain the time of a collective.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Method {
        /// Barrier, read clock, k calls, read clock, divide by k (mpptest, MPIBlib, LLCBench, older OSU).
        Loop => "loop", "mpptest, MPIBlib, LLCBench, older OSU", "the loop",
        /// Barrier before every call, each call timed on its own (IMB, OSU, Phloem).
        BarrierLoop => "barrier-loop", "IMB, OSU, Phloem", "a barrier before each call",
        /// A loop of (barrier, call) minus a loop of barriers (SKaMPI 1).
        BarrierSubtract => "barrier-subtract", "SKaMPI 1", "a loop with barriers, minus the barriers",
        /// The loop or the barrier-loop, where the root of call l is rank l mod P (IMB, mpptest).
        RootRotation => "root-rotation", "IMB, mpptest", "a root that changes from call to call",
        /// Synchronised clocks, a common start time for every call, an adapting window (SKaMPI, MPIPerf).
        Window => "window", "SKaMPI, NBCBench, Netgauge, MPIPerf", "the window method",
        /// Synchronised clocks, each start announced on its own, up to a time budget (ReproMPI).
        RoundTime => "round-time", "ReproMPI", "an announced time for each call",
        /// The barrier-loop with a dissemination barrier of our own (ReproMPI).
        BarrierOwn => "barrier-own", "ReproMPI", "a dissemination barrier before each call",
        /// A loop of (call, barrier): the barrier's time is reported with the call's (mpiBench).
        BarrierInside => "barrier-inside", "mpiBench", "a barrier inside the timed region",
        /// The loop with a clock read around every call and every step: for pictures, not for numbers.
        LoopTrace => "loop-trace", "none: it is for pictures", "the traced loop",
    }
    /// Name of the method in files and output.
    fn name;
    /// Benchmarks that obtain their numbers by the method.
    fn used_by;
    /// Name of the method inside a sentence.
    fn words;
    find("method"); Display(name);
}

impl Method {
    /// The methods whose numbers are reported: those that a scenario may name.
    pub fn reported() -> impl Iterator<Item = Method> {
        Method::ALL.into_iter().filter(|&method| method != Method::LoopTrace)
    }

    /// Whether every call lies between two clock readings of its own, so that ranks may work on their buffers between
    /// calls.
    pub fn times_single_calls(self, rotation: Rotation) -> bool {
        match self {
            Method::BarrierLoop | Method::BarrierOwn | Method::Window | Method::RoundTime => true,
            Method::RootRotation => rotation == Rotation::BarrierLoop,
            Method::Loop | Method::BarrierSubtract | Method::BarrierInside | Method::LoopTrace => false,
        }
    }

    /// Whether the method calls the barrier that it is given before or among its calls, so that the barrier affects its
    /// numbers. (Every method's cold first call comes behind a barrier.)
    pub fn calls_barrier(self, factors: &Factors) -> bool {
        match self {
            Method::Loop
            | Method::BarrierLoop
            | Method::BarrierSubtract
            | Method::RootRotation
            | Method::BarrierInside
            | Method::LoopTrace => true,
            Method::Window | Method::RoundTime | Method::BarrierOwn => factors.barrier_inside,
        }
    }

    /// Whether every call starts at a common time on synchronised clocks. Each valid start is a sample of its own, and
    /// a start may turn out invalid.
    pub fn is_synchronised(self) -> bool {
        match self {
            Method::Window | Method::RoundTime => true,
            Method::Loop
            | Method::BarrierLoop
            | Method::BarrierSubtract
            | Method::RootRotation
            | Method::BarrierOwn
            | Method::BarrierInside
            | Method::LoopTrace => false,
        }
    }
}

/// Operation that is called between the clock reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// Collective with the implementation that is called.
    Collective(Collective, Implementation),
    /// Wait whose true duration is known.
    Wait(WaitPattern),
}

/// Number of warm-up calls on a library's own network, at the first use by these ranks, until times are steady.
/// Libraries write to much of their memory only when a message first goes through it: MPICH 4.0 sends messages that do
/// not fit its first packet through 64 cells in turn, and each costs some µs of page faults at its first use.
pub const NATIVE_WARMUP: u32 = 100;
/// Number of warm-up calls where ranks of this launch have made these calls before.
pub const AGAIN_WARMUP: u32 = 30;
/// Number of warm-up calls where the network is played, or where ranks sleep: their times are steady from the begin.
pub const PLAYED_WARMUP: u32 = 2;

/// Settings of a method's run. The report states every value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodSettings {
    /// Method that is run.
    pub method: Method,
    /// Number k ≥ 1 of calls per loop.
    pub calls: u32,
    /// Number of independent repeats of the loop. Windows repeat by stages instead.
    pub samples: u32,
    /// Number of calls before the timed ones, after the cold first one.
    pub warmup: u32,
    /// Barrier that the method itself uses.
    pub barrier: Implementation,
    /// Algorithm that synchronises the clocks.
    pub sync: Sync,
    /// Settings of the window method alone.
    pub window: WindowSettings,
    /// Settings of method `round-time` alone.
    #[serde(default)]
    pub round_time: RoundTimeSettings,
    /// Factors in which benchmarks differ under any method.
    #[serde(default)]
    pub factors: Factors,
}

impl MethodSettings {
    /// Whether the root changes from call to call.
    pub fn rotates(&self) -> bool {
        self.method == Method::RootRotation || self.factors.root == RootChoice::Rotating
    }
}

/// Complete order to the ranks of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Operation that is timed.
    pub subject: Subject,
    /// Number of ranks, root and length of the calls.
    pub shape: Shape,
    /// Form of the library's call.
    #[serde(default, skip_serializing_if = "Call::is_plain")]
    pub call: Call,
    /// Library that one of our algorithms stands for in simulations, so that it makes the library's copies within a
    /// rank's memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies_as: Option<World>,
    /// Variables, by name, that must be in the environment when the ranks start, where the library is tuned by them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Settings of the method that times the operation.
    pub settings: MethodSettings,
}

impl Order {
    /// Algorithms that the library is forced to use: collective, call and name of each.
    pub fn forced(&self) -> impl Iterator<Item = (Collective, Call, &str)> {
        let subject = match &self.subject {
            Subject::Collective(collective, by) => Some((*collective, self.call, by)),
            Subject::Wait(_) => None,
        };
        let barrier = (Collective::Barrier, Call::default(), &self.settings.barrier);
        [Some(barrier), subject].into_iter().flatten().filter_map(|(collective, call, by)| match by {
            Implementation::Forced(name) => Some((collective, call, name.as_str())),
            Implementation::Own(_) | Implementation::Library | Implementation::Tuned(_) | Implementation::Shared(_) => {
                None
            }
        })
    }

    /// Program of a rank under one of our algorithms, with the copies of the library that it stands for.
    pub fn program(&self, algorithm: &'static Algorithm, shape: Shape, rank: u32) -> OwnProgram {
        OwnProgram { algorithm, shape, rank, copies_as: self.copies_as }
    }

    /// Length of the buffer that a rank needs for the operation, in bytes.
    pub fn buffer_bytes(&self) -> u64 {
        match &self.subject {
            Subject::Wait(_) => 0,
            Subject::Collective(collective, Implementation::Own(_)) => collective.buffer_bytes(&self.shape),
            Subject::Collective(
                collective,
                Implementation::Library
                | Implementation::Forced(_)
                | Implementation::Tuned(_)
                | Implementation::Shared(_),
            ) => {
                let plain = if self.call.is_plain() { collective.buffer_bytes(&self.shape) } else { 0 };
                plain.max(self.call.for_counts(&self.shape).buffer_bytes(*collective, &self.shape))
            }
        }
    }

    /// Footprint of the call from this root on a rank: what it sends and receives.
    pub fn footprint(&self, root: u32, rank: u32) -> Footprint {
        let shape = Shape { root, ..self.shape };
        match &self.subject {
            Subject::Wait(_) => Footprint::default(),
            Subject::Collective(collective, Implementation::Own(name)) => match self.copies_as {
                Some(library) => played::footprint(library, *collective, name, &shape, rank),
                None => Footprint::own(*collective, &shape, rank),
            },
            Subject::Collective(
                collective,
                Implementation::Library | Implementation::Tuned(_) | Implementation::Shared(_),
            ) if self.call.is_plain() => Footprint::plain(*collective, &shape, rank),
            Subject::Collective(
                collective,
                Implementation::Library | Implementation::Tuned(_) | Implementation::Shared(_),
            ) => Footprint::of_call(*collective, &self.call, &shape, rank),
            Subject::Collective(collective, Implementation::Forced(_)) => {
                Footprint::of_call(*collective, &self.call.for_counts(&shape), &shape, rank)
            }
        }
    }

    /// Roots of the calls, in turn.
    pub fn roots(&self) -> std::ops::Range<u32> {
        let rooted = matches!(self.subject, Subject::Collective(collective, _) if collective.is_rooted());
        if rooted && self.settings.rotates() {
            0..self.shape.ranks
        } else {
            self.shape.root..self.shape.root.saturating_add(1)
        }
    }
}
