//! Schedules in virtual time.
//!
//! [`run`] carries out a [`Schedule`] under some [`Rules`]: a network model, or the exact rules of LogGOPSim.
//! Two engines do it: the event engine, which takes any schedule, and the fast one, for those in which the
//! order of each rank's work is known without looking at times. Both give the same answer, to the picosecond.

mod critical;
mod events;
mod fast;
mod fixed;
#[cfg(test)]
mod fixture;
mod mail;
mod near;
mod progress;
mod queue;
mod record;
mod stuck;
mod v1;

#[cfg(test)]
pub(crate) use fixture::any_chains;

pub use critical::{CriticalPath, LatencyRange, PathError, Terms, critical_path, latency_range};
pub use fixed::fixed_order;
pub use record::Record;
pub use v1::LoggopsimV1;

use crate::{Kind, Schedule};
use fast::Stop;
use models::engine::Engine;
use models::network::Network;
use models::noise::{Advance, Noise, Quiet, RankNoise};
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

/// All CPUs of a rank lose the same times.
impl<'n> Disturbance for &'n Noise {
    type Cpu = RankNoise<'n>;
    fn of(&self, rank: u32, _cpu: u8) -> RankNoise<'n> {
        self.on(rank)
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
    #[error("messages that no rank receives: {}", sends.join("; "))]
    Unmatched {
        /// Which; the first few, and how many more.
        sends: Vec<String>,
    },
    /// The fast engine was asked for, and cannot.
    #[error("the fast engine cannot take this schedule: {reason}; use the event engine")]
    NotFast {
        /// Why.
        reason: String,
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
    /// The engine that was used.
    pub engine: Engine,
    /// Why that was not the fast one, where the choice was free.
    pub not_fast: Option<String>,
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

/// Carries out a schedule.
///
/// # Errors
/// A deadlock, messages that nobody receives, times out of range; a schedule that the fast engine was asked to
/// take and cannot.
pub fn run<D: Disturbance>(schedule: &Schedule, rules: &Rules, noise: &D, engine: Engine) -> Result<Run, RunError> {
    run_in_stages(schedule, rules, noise, engine, &mut |_| {})
}

/// As [`run`]; `done` is told of each engine as it ends, with an answer or without.
///
/// # Errors
/// As [`run`].
pub fn run_in_stages<D: Disturbance>(
    schedule: &Schedule,
    rules: &Rules,
    noise: &D,
    engine: Engine,
    done: &mut dyn FnMut(Engine),
) -> Result<Run, RunError> {
    let not_fast = match engine {
        Engine::Event => None,
        Engine::Auto | Engine::Fast => {
            let answer = run_fast(schedule, rules, noise);
            done(Engine::Fast);
            match answer {
                Ok(run) => return Ok(run),
                Err(Stop::Failed(error)) => return Err(error),
                Err(Stop::Refused(reason)) if engine == Engine::Fast => return Err(RunError::NotFast { reason }),
                Err(Stop::Refused(reason)) => Some(reason),
            }
        }
    };
    let run = run_events(schedule, rules, noise, &mut ());
    done(Engine::Event);
    Ok(Run { not_fast, ..run? })
}

/// The fast engine's answer, or why it has none.
fn run_fast<D: Disturbance>(schedule: &Schedule, rules: &Rules, noise: &D) -> Result<Run, Stop> {
    let Rules::Network(network) = rules else {
        return Err(Stop::Refused("LogGOPSim's rules serve ranks in the order of events".to_owned()));
    };
    let count = |kind| schedule.ops().iter().filter(|op| op.kind == kind).count();
    if count(Kind::Send) != count(Kind::Receive) {
        return Err(Stop::Refused("there are not as many receives as sends".to_owned()));
    }
    fast::run(schedule, network, noise)
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
