//! Schedules in the GOAL language: run in virtual time, and told; checked.

pub mod check;
mod critical;
pub mod file;
mod model;
mod show;
mod timings;

use crate::choice::{NetworkChoice, NoiseChoice};
use goal::{Disturbance, Rules, RunError, Schedule};
use models::engine::Engine;
use models::noise::Quiet;
use scenario::BadInput;
use std::path::PathBuf;
use timings::Timings;

/// A schedule that is run, and what is told of it.
pub struct Run {
    /// Its file.
    pub file: PathBuf,
    /// The rules.
    pub network: NetworkChoice,
    /// What disturbs ranks.
    pub noise: NoiseChoice,
    /// Which engine.
    pub engine: Engine,
    /// Tell when each rank finishes.
    pub per_rank: bool,
    /// Tell it as JSON.
    pub json: bool,
    /// Tell which operations determine the last finish.
    pub critical_path: bool,
    /// Draw what every rank does.
    pub timeline: Option<PathBuf>,
    /// Say on standard error what reading and running took.
    pub timings: bool,
}

impl Run {
    /// Runs the schedule; what came out, as text.
    ///
    /// # Errors
    /// What is wrong with the choices or the schedule.
    pub fn carry_out(&self) -> Result<String, BadInput> {
        let model = model::of(&self.network)?;
        let noise = self.noise.noise()?;
        if let Some(path) = &self.timeline {
            reports::trace::Format::of(path).map_err(BadInput)?;
        }
        if self.critical_path && matches!(model.rules, Rules::LoggopsimV1(_)) {
            return Err(BadInput("--critical-path needs a network model, like --model loggops".to_owned()));
        }
        let mut timings = Timings::begin();
        let schedule = file::read(&self.file)?;
        timings.end_of("read");
        let text = match noise.is_none() {
            true => self.outcome(&schedule, &model, &Quiet, "none", &mut timings),
            false => self.outcome(&schedule, &model, &&noise, &noise.to_string(), &mut timings),
        }?;
        if self.timings {
            eprint!("{timings}");
        }
        Ok(text)
    }

    /// Does all that is asked, and says what is to be printed.
    fn outcome<D: Disturbance>(
        &self,
        schedule: &Schedule,
        model: &model::Model,
        noise: &D,
        noise_name: &str,
        timings: &mut Timings,
    ) -> Result<String, BadInput> {
        let name = file::name(&self.file);
        let wrong = |error: RunError| BadInput(format!("{name}: {error}"));
        let run = match &self.timeline {
            Some(path) => {
                let (run, mut trace) = goal::trace(schedule, &model.rules, noise).map_err(wrong)?;
                trace.title = format!("{name}, {}", model.rules);
                reports::trace::write(path, &trace).map_err(BadInput)?;
                note!("timeline: {}", path.display());
                run
            }
            None => {
                let mut done = |engine: Engine| timings.end_of(engine.name());
                goal::run_in_stages(schedule, &model.rules, noise, self.engine, &mut done).map_err(wrong)?
            }
        };
        let critical = match (self.critical_path, &model.rules) {
            (false, _) | (true, Rules::LoggopsimV1(_)) => None,
            (true, Rules::Network(network)) => {
                let found = critical::Critical::find(schedule, network, noise);
                Some(found.map_err(|error| BadInput(format!("{name}: {error}")))?)
            }
        };
        let (critical, seed) = (critical.as_ref(), self.noise.seed);
        let result = show::Outcome { file: &name, model, noise: noise_name, seed, run: &run, critical };
        Ok(if self.json { result.json(self.per_rank) } else { result.table(self.per_rank) })
    }
}
