//! Schedules in the GOAL language: runs in virtual time with their results, and checks.

pub mod check;
mod critical;
pub mod file;
mod model;
mod sensitivity;
mod show;
mod timings;

use crate::choice::{ModelChoice, NoiseChoice};
use crate::files::write_drawn;
use crate::sensitivity::{NO_NOISE, Varied};
use goal::{ChosenNoise, Rules, RunError, Schedule};
use models::engine::Engine;
use models::noise::Noise;
use render::plots::Paper;
use render::results::Results;
use scenario::BadInput;
use std::path::PathBuf;
use timings::Timings;

/// The reason why LogGOPSim's rules have no critical path, and the models that have one.
const NO_PATH: &str = "LogGOPSim's rules do not record when the dependencies of an operation finished (they queue it \
                       by the time at which its CPU is free), so times cannot be traced back; expected --model \
                       hockney, logp, loggp or loggops, or --sensitivity, which finds slopes by further runs";

/// Function that prints results.
pub type Print<'p> = dyn Fn(&dyn Results) -> anyhow::Result<()> + 'p;

/// Request to run a schedule, with the results that are shown.
pub struct ScheduleRequest {
    /// Path of the schedule's file.
    pub file: PathBuf,
    /// Rules of the run: a network model, or a machine's.
    pub model: ModelChoice,
    /// Noise that disturbs the ranks.
    pub noise: NoiseChoice,
    /// Engine that carries out the run.
    pub engine: Engine,
    /// Whether the finish time of each rank is shown.
    pub per_rank: bool,
    /// Whether the operations that determine the last finish are shown.
    pub critical_path: bool,
    /// Parameters that are varied, each with its range: `L=0..20us`.
    pub sensitivity: Vec<String>,
    /// File in which the sensitivities are drawn; `None` for no picture.
    pub out: Option<PathBuf>,
    /// Layout of the pictures.
    pub paper: Paper,
    /// File in which the operations of every rank are drawn over time; `None` for no picture.
    pub timeline: Option<PathBuf>,
    /// Whether the durations of reading and running are printed on standard error.
    pub timings: bool,
}

impl ScheduleRequest {
    /// Runs the schedule, and prints the results.
    ///
    /// # Errors
    /// Fails on wrong choices, on a faulty schedule, and where printing does.
    pub fn run_schedule(&self, print: &Print<'_>) -> anyhow::Result<()> {
        let model = model::choose_model(&self.model)?;
        let noise = self.model.noise(&self.noise)?;
        let varied = sensitivity::varied(&self.sensitivity, &model)?;
        if !varied.is_empty() && !noise.is_none() {
            return Err(BadInput(format!("--sensitivity: {NO_NOISE}")).into());
        }
        if let Some(path) = &self.out {
            render::drawn::drawn_as(path).map_err(BadInput)?;
        }
        if let Some(path) = &self.timeline {
            formats::trace::Format::from_path(path).map_err(BadInput)?;
        }
        if self.critical_path && matches!(model.rules, Rules::LoggopsimV1(_)) {
            return Err(BadInput(format!("--critical-path: {NO_PATH}")).into());
        }
        let mut timings = Timings::begin();
        let schedule = file::read(&self.file)?;
        timings.end_of("read");
        self.outcome((&schedule, &model), &noise, &varied, &mut timings, print)?;
        if self.timings {
            eprint!("{timings}");
        }
        Ok(())
    }

    /// Runs, traces and varies the schedule as requested, and prints the results.
    fn outcome(
        &self,
        (schedule, model): (&Schedule, &model::Model),
        noise: &Noise,
        varied: &[Varied],
        timings: &mut Timings,
        print: &Print<'_>,
    ) -> anyhow::Result<()> {
        let (name, noise_name) = (file::name(&self.file), noise.to_string());
        let noise = ChosenNoise::new(noise);
        let wrong = |error: RunError| BadInput(format!("{name}: {error}"));
        let run = match &self.timeline {
            Some(path) => {
                let (run, mut trace) = noise.trace(schedule, &model.rules).map_err(wrong)?;
                trace.title.clone_from(&name);
                trace.about = vec![format!("Model: {}.", model.rules), format!("Noise: {noise_name}.")];
                formats::trace::write(path, &trace, &self.paper).map_err(BadInput)?;
                note!("timeline: {}", path.display());
                run
            }
            None => {
                let mut done = |engine: Engine| timings.end_of(engine.name());
                noise.run(schedule, &model.rules, self.engine, &mut done).map_err(wrong)?
            }
        };
        let critical = match (self.critical_path, &model.rules) {
            (false, _) | (true, Rules::LoggopsimV1(_)) => None,
            (true, Rules::Network(network)) => {
                let found = critical::Critical::find(schedule, network, noise);
                Some(found.map_err(|error| BadInput(format!("{name}: {error}")))?)
            }
        };
        let drawn = match varied {
            [] => None,
            varied => Some(sensitivity::pieces(&name, schedule, model, varied)?),
        };
        if let (Some(file), Some(drawn)) = (&self.out, &drawn) {
            write_drawn(drawn, file, &self.paper)?;
        }
        print(&show::ScheduleResults {
            file: &name,
            model,
            noise: &noise_name,
            seed: self.noise.seed,
            run: &run,
            per_rank: self.per_rank,
            critical: critical.as_ref(),
            drawn: drawn.as_ref(),
        })
    }
}
