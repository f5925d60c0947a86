//! `parallax goal run`: a schedule in virtual time.

use super::{Format, critical, file, model, noise, show, timeline};
use crate::bad_input::BadInput;
use models::goal::Schedule;
use models::network::{Hockney, Network, SendRule};
use models::noise::Quiet;
use models::time::{PerByte, Span};
use sim::goal::{Engine, Rules, RunError};
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax goal run` is told.
#[derive(clap::Args)]
pub struct RunArguments {
    /// A GOAL schedule, as text or in LogGOPSim's binary form; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The network model; loggopsim-v1 follows the rules of that program exactly
    #[arg(long, default_value = "loggops")]
    model: String,
    /// Parameters, like L=2500ns,o=1500ns,G=6ns/B; a bare number is in ns, ns/B or B
    #[arg(long, value_name = "KEY=VALUE,…")]
    set: Option<String>,
    /// What a Hockney sender waits for
    #[arg(long, value_name = "RULE")]
    send_rule: Option<String>,
    /// Noise of the ranks' CPUs; may be given several times
    #[arg(long, value_name = "SPEC")]
    noise: Vec<String>,
    /// Seed of the noise
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which engine: both give the same answer where the fast one is possible
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    engine: EngineName,
    /// Print when each rank finishes
    #[arg(long)]
    per_rank: bool,
    /// How results are printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Print which operations determine the last finish, and of what their times consist
    #[arg(long)]
    critical_path: bool,
    /// Write what every rank did to a file
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum EngineName {
    Event,
    Fast,
    Auto,
}

impl RunArguments {
    /// Runs the schedule and prints what came out.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let model = model::parse(&self.model, self.set.as_deref(), self.send_rule.as_deref()).map_err(BadInput)?;
        let noise = noise::parse(&self.noise, self.seed).map_err(BadInput)?;
        let schedule = file::read(&self.file)?;
        let name = file::name(&self.file);
        let wrong = |error: RunError| BadInput(format!("{name}: {error}"));
        let engine = match self.engine {
            EngineName::Event => Engine::Event,
            EngineName::Fast => Engine::Fast,
            EngineName::Auto => Engine::Auto,
        };
        let run = match &self.timeline {
            Some(path) => {
                let (run, mut trace) = sim::goal::trace(&schedule, &model.rules, &noise).map_err(wrong)?;
                trace.title = format!("{name}, {}", model.rules);
                timeline::write(path, &trace).map_err(|error| BadInput(format!("{}: {error}", path.display())))?;
                run
            }
            None => sim::goal::run(&schedule, &model.rules, &noise, engine).map_err(wrong)?,
        };
        let critical = match (self.critical_path, &model.rules) {
            (false, _) => None,
            (true, Rules::LoggopsimV1(_)) => {
                return Err(BadInput("--critical-path needs a network model, like --model loggops".to_owned()).into());
            }
            (true, Rules::Network(network)) => {
                let path = sim::goal::critical_path(&schedule, network, &noise);
                let path = path.map_err(|error| BadInput(format!("{name}: {error}")))?;
                let line = path.line_in_latency(network).ok().map(|(at_zero, flights)| (at_zero.0, flights));
                Some(critical::Critical { schedule: &schedule, path, line })
            }
        };
        let (model, run, critical) = (&model, &run, critical.as_ref());
        let result = show::Outcome { file: &name, model, noise: &self.noise, seed: self.seed, run, critical };
        let text = match self.format {
            Format::Table => result.table(self.per_rank),
            Format::Json => result.json(self.per_rank),
        };
        super::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Runs a schedule with this send rule, to find out whether it ends.
pub fn attempt(schedule: &Schedule, send_rule: SendRule) -> Result<(), RunError> {
    let rules = Rules::Network(Network::Hockney(Hockney { alpha: Span(1), beta: PerByte(0.0), send_rule }));
    let timeless = |error| if matches!(error, RunError::Overflow { .. }) { Ok(()) } else { Err(error) };
    sim::goal::run(schedule, &rules, &Quiet, Engine::Auto).map(|_| ()).or_else(timeless)
}
