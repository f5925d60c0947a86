//! Runs under the noise of commands. They are compiled in this crate, at its level of optimisation, for callers that are
//! compiled at another one.

use super::{
    CriticalPath, Engine, LatencyRange, PathError, Rules, RunError, ScheduleRun, critical_path, latency_range,
    run_in_stages, trace,
};
use crate::Schedule;
use models::network::Network;
use models::noise::{Noise, Quiet};
use programs::trace::Trace;

/// Calls a function with the disturbance of a noise.
macro_rules! under {
    ($noise:expr, $call:ident($($argument:expr),*) $(, $rest:expr)*) => {
        match $noise.0 {
            None => $call($($argument,)* &Quiet $(, $rest)*),
            Some(noise) => $call($($argument,)* &noise $(, $rest)*),
        }
    };
}

/// Noise that disturbs all ranks, or none.
#[derive(Clone, Copy)]
pub struct ChosenNoise<'n>(Option<&'n Noise>);

impl<'n> ChosenNoise<'n> {
    /// Undisturbed ranks.
    pub const NONE: ChosenNoise<'static> = ChosenNoise(None);

    /// Returns the noise, or none where it has no source.
    pub fn new(noise: &'n Noise) -> ChosenNoise<'n> {
        ChosenNoise(Some(noise).filter(|noise| !noise.is_none()))
    }

    /// Carries out a schedule as [`run_in_stages`] does.
    ///
    /// # Errors
    /// Fails where [`run_in_stages`] fails.
    pub fn run(
        self,
        schedule: &Schedule,
        rules: &Rules,
        engine: Engine,
        done: &mut dyn FnMut(Engine),
    ) -> Result<ScheduleRun, RunError> {
        under!(self, run_in_stages(schedule, rules), engine, done)
    }

    /// Carries out a schedule as [`trace`] does.
    ///
    /// # Errors
    /// Fails where [`trace`] fails.
    pub fn trace(self, schedule: &Schedule, rules: &Rules) -> Result<(ScheduleRun, Trace), RunError> {
        under!(self, trace(schedule, rules))
    }

    /// Returns the path of [`critical_path`].
    ///
    /// # Errors
    /// Fails where [`critical_path`] fails.
    pub fn critical_path(self, schedule: &Schedule, network: &Network) -> Result<CriticalPath, PathError> {
        under!(self, critical_path(schedule, network))
    }

    /// Returns the range of [`latency_range`].
    ///
    /// # Errors
    /// Fails where [`latency_range`] fails.
    pub fn latency_range(
        self,
        schedule: &Schedule,
        network: &Network,
        path: &CriticalPath,
    ) -> Result<LatencyRange, PathError> {
        under!(self, latency_range(schedule, network), path)
    }
}
