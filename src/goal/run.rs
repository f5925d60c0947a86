//! `parallax goal run`: a schedule in virtual time.

use super::{critical, file, model, show, timings::Timings};
use crate::flags::{NetworkFlags, NoiseFlags};
use crate::simulate::Format;
use goal::Schedule;
use goal::{Disturbance, Rules, RunError};
use models::engine::Engine;
use models::network::{Hockney, Network, SendRule};
use models::noise::Quiet;
use models::time::{PerByte, Span};
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax goal run` is told.
#[derive(clap::Args)]
pub struct RunArguments {
    /// A GOAL schedule, as text or in LogGOPSim's binary form; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Follow LogGOPSim's own rules with --model loggopsim-v1
    #[command(flatten)]
    network: NetworkFlags,
    #[command(flatten)]
    noise: NoiseFlags,
    /// Which engine: both give the same answer where the fast one is possible
    #[arg(long, default_value = "auto", value_parser = crate::flags::one_of(Engine::ALL, Engine::name))]
    engine: Engine,
    /// Print when each rank finishes
    #[arg(long)]
    per_rank: bool,
    /// How results are printed
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Print which operations determine the last finish, and of what their times consist
    #[arg(long)]
    critical_path: bool,
    /// Draw what every rank does: .html, .svg, .json (Chrome trace, Perfetto), .paje
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
    /// Print to standard error what reading and running took
    #[arg(long)]
    timings: bool,
}

impl RunArguments {
    /// Runs the schedule and prints what came out.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let model = model::of(&self.network)?;
        let noise = self.noise.noise()?;
        if let Some(path) = &self.timeline {
            reports::trace::Format::of(path).map_err(|error| BadInput(error.to_string()))?;
        }
        if self.critical_path && matches!(model.rules, Rules::LoggopsimV1(_)) {
            return Err(BadInput("--critical-path needs a network model, like --model loggops".to_owned()).into());
        }
        let mut timings = Timings::begin();
        let schedule = file::read(&self.file)?;
        timings.end_of("read");
        let text = match noise.is_none() {
            true => self.carry_out(&schedule, &model, &Quiet, "none", &mut timings),
            false => self.carry_out(&schedule, &model, &&noise, &noise.to_string(), &mut timings),
        }?;
        if self.timings {
            eprint!("{timings}");
        }
        super::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Does all that is asked, and says what is to be printed.
    fn carry_out<D: Disturbance>(
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
                reports::trace::write(path, &trace).map_err(|error| BadInput(error.to_string()))?;
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
        Ok(match self.format {
            Format::Table => result.table(self.per_rank),
            Format::Json => result.json(self.per_rank),
        })
    }
}

/// Runs a schedule with this send rule, to find out whether it ends.
pub fn attempt(schedule: &Schedule, send_rule: SendRule) -> Result<(), RunError> {
    let rules = Rules::Network(Network::Hockney(Hockney { alpha: Span(1), beta: PerByte(0.0), send_rule }));
    let timeless = |error| if matches!(error, RunError::Overflow { .. }) { Ok(()) } else { Err(error) };
    goal::run(schedule, &rules, &Quiet, Engine::Auto).map(|_| ()).or_else(timeless)
}
