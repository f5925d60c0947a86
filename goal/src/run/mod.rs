//! Schedules in virtual time.
//!
//! [`run`] carries out a [`Schedule`] under some [`Rules`]: a network model, or the exact rules of LogGOPSim.
//! Two engines do it: the event engine, which takes any schedule, and the fast one, for those in which the
//! order of each rank's work is known without looking at times. Both give the same answer, to the picosecond.

mod chosen;
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

pub use chosen::ChosenNoise;
pub use critical::{CriticalPath, LatencyRange, PathError, Terms, critical_path, latency_range};
pub use fixed::fixed_order;
pub use record::Record;
pub use v1::LoggopsimV1;

use crate::{OpKind, Schedule};
use fast::Stop;
use models::engine::Engine;
use models::network::Network;
use models::noise::{Advance, Noise, Quiet, RankNoise};
use models::time::Time;
use programs::trace::Trace;
use std::fmt;

/// Source of the CPUs' time.
pub trait Disturbance {
    /// State of one CPU.
    type Cpu: Advance;
    /// Returns the CPU `cpu` of `rank`, at time zero.
    fn for_cpu(&self, rank: u32, cpu: u8) -> Self::Cpu;
}

impl Disturbance for Quiet {
    type Cpu = Quiet;
    fn for_cpu(&self, _rank: u32, _cpu: u8) -> Quiet {
        Quiet
    }
}

/// All CPUs of a rank lose the same times.
impl<'n> Disturbance for &'n Noise {
    type Cpu = RankNoise<'n>;
    fn for_cpu(&self, rank: u32, _cpu: u8) -> RankNoise<'n> {
        self.on(rank)
    }
}

/// Reason for which a schedule has no finish times.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// Operations wait for each other, or for nobody, for ever.
    #[error("deadlock: {}", reasons.join("; "))]
    Deadlock {
        /// Sentences that say who waits for whom: the first few, and the number of the others.
        reasons: Vec<String>,
    },
    /// All operations are done, but some messages were never received.
    #[error("messages that no rank receives: {}", sends.join("; "))]
    Unmatched {
        /// Descriptions of the sends: the first few, and the number of the others.
        sends: Vec<String>,
    },
    /// The fast engine was asked for, and cannot take the schedule.
    #[error("the fast engine cannot take this schedule: {reason}; use the event engine")]
    NotFast {
        /// Reason for which it cannot.
        reason: String,
    },
    /// Times left the range of 213 days.
    #[error("simulated time ran past 213 days on rank {rank}; use smaller parameters, sizes or calculations")]
    Overflow {
        /// First rank whose time overflowed.
        rank: u32,
    },
}

/// Result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleRun {
    /// Time at which each rank's last operation finished.
    pub finish: Vec<Time>,
    /// Number of messages sent.
    pub messages: u64,
    /// Number of events that the engine handled.
    pub events: u64,
    /// Engine that carried out the schedule.
    pub engine: Engine,
    /// Reason for which it was not the fast one, where the choice was free.
    pub not_fast: Option<String>,
}

/// Rules of a run: the cost of a message, and the order of events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rules {
    /// Network model under this project's rules.
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
///
/// Fails in a deadlock, for messages that nobody receives, if times are out of range, and for a schedule that the fast
/// engine was asked to take and cannot.
pub fn run<D: Disturbance>(
    schedule: &Schedule,
    rules: &Rules,
    noise: &D,
    engine: Engine,
) -> Result<ScheduleRun, RunError> {
    run_in_stages(schedule, rules, noise, engine, &mut |_| {})
}

/// Carries out a schedule as [`run`] does. `done` is called for each engine as it ends, with an answer or without.
///
/// # Errors
///
/// Fails where [`run`] fails.
pub fn run_in_stages<D: Disturbance>(
    schedule: &Schedule,
    rules: &Rules,
    noise: &D,
    engine: Engine,
    done: &mut dyn FnMut(Engine),
) -> Result<ScheduleRun, RunError> {
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
    Ok(ScheduleRun { not_fast, ..run? })
}

/// Returns the fast engine's answer, or the reason for which it has none.
fn run_fast<D: Disturbance>(schedule: &Schedule, rules: &Rules, noise: &D) -> Result<ScheduleRun, Stop> {
    let Rules::Network(network) = rules else {
        return Err(Stop::Refused("LogGOPSim's rules serve ranks in the order of events".to_owned()));
    };
    let count = |kind| schedule.ops().iter().filter(|op| op.kind == kind).count();
    if count(OpKind::Send) != count(OpKind::Receive) {
        return Err(Stop::Refused("there are not as many receives as sends".to_owned()));
    }
    fast::run(schedule, network, noise)
}

/// Carries out a schedule with the event engine, which reports to `record`.
///
/// # Errors
///
/// Fails in a deadlock, for messages that nobody receives, or if times are out of range.
pub fn run_events<D: Disturbance, R: Record>(
    schedule: &Schedule,
    rules: &Rules,
    noise: &D,
    record: &mut R,
) -> Result<ScheduleRun, RunError> {
    match rules {
        Rules::Network(network) => events::run(schedule, network, noise, record),
        Rules::LoggopsimV1(rules) => v1::run(schedule, *rules, noise, record),
    }
}

/// Carries out a schedule as [`run_events`] does, and records everything that happens.
///
/// # Errors
///
/// Fails where [`run_events`] fails.
pub fn trace<D: Disturbance>(schedule: &Schedule, rules: &Rules, noise: &D) -> Result<(ScheduleRun, Trace), RunError> {
    let mut trace = Trace::default();
    let run = run_events(schedule, rules, noise, &mut trace)?;
    record::finish_trace(&mut trace, schedule, &run.finish);
    Ok((run, trace))
}
