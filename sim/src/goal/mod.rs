//! Schedules in virtual time.
//!
//! [`run`] carries out a [`Schedule`] under some [`Rules`]: a network model, or the exact rules of LogGOPSim.
//! Two engines do it: the event engine, which takes any schedule, and the fast one, for those in which the
//! order of each rank's work is known without looking at times. Both give the same answer, to the picosecond.

mod events;
mod mail;
mod progress;
mod queue;
mod record;
mod stuck;
mod v1;

pub use record::Record;
pub use v1::LoggopsimV1;

use models::goal::Schedule;
use models::network::Network;
use models::noise::{Advance, Quiet};
use models::time::Time;
use models::trace::Trace;
use std::fmt;

/// Where the CPUs' time comes from.
pub trait Disturbance {
    /// One CPU.
    type Cpu: Advance;
    /// The CPU `cpu` of `rank`, at time zero.
    fn of(&self, rank: u32, cpu: u8) -> Self::Cpu;
}

impl Disturbance for Quiet {
    type Cpu = Quiet;
    fn of(&self, _rank: u32, _cpu: u8) -> Quiet {
        Quiet
    }
}

/// Why a schedule has no finish times.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// Operations wait for each other, or for nobody, for ever.
    #[error("deadlock: {}", reasons.join("; "))]
    Deadlock {
        /// Who waits for whom; the first few, and how many more.
        reasons: Vec<String>,
    },
    /// All operations are done, but some messages were never received.
    #[error("messages that nobody receives: {}", sends.join("; "))]
    Unmatched {
        /// Which; the first few, and how many more.
        sends: Vec<String>,
    },
    /// Times left the range of 213 days.
    #[error("simulated time ran past 213 days on rank {rank}; use smaller parameters, sizes or calculations")]
    Overflow {
        /// The first rank whose time overflowed.
        rank: u32,
    },
}

/// What a run yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// When each rank's last operation finished.
    pub finish: Vec<Time>,
    /// Messages sent.
    pub messages: u64,
    /// Events that the engine handled.
    pub events: u64,
}

/// What a message costs, and in which order things happen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rules {
    /// A network model under this project's rules.
    Network(Network),
    /// The exact rules of LogGOPSim.
    LoggopsimV1(LoggopsimV1),
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rules::Network(network) => network.fmt(f),
            Rules::LoggopsimV1(rules) => rules.fmt(f),
        }
    }
}

/// Carries out a schedule with the event engine, telling `record` what happens.
///
/// # Errors
/// A deadlock, messages that nobody receives, times out of range.
pub fn run_events<D: Disturbance, R: Record>(
    schedule: &Schedule,
    rules: &Rules,
    noise: &D,
    record: &mut R,
) -> Result<Run, RunError> {
    match rules {
        Rules::Network(network) => events::run(schedule, network, noise, record),
        Rules::LoggopsimV1(rules) => v1::run(schedule, *rules, noise, record),
    }
}

/// As [`run_events`], with everything that happened.
///
/// # Errors
/// As [`run_events`].
pub fn trace<D: Disturbance>(schedule: &Schedule, rules: &Rules, noise: &D) -> Result<(Run, Trace), RunError> {
    let mut trace = Trace::default();
    let run = run_events(schedule, rules, noise, &mut trace)?;
    record::finish_trace(&mut trace, schedule, &run.finish);
    Ok((run, trace))
}
