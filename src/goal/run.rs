//! `parallax goal run`: a schedule in virtual time.

use crate::flags::{NetworkFlags, NoiseFlags};
use crate::output::print;
use crate::simulate::Format;
use analysis::goal::Run;
use models::engine::Engine;
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
        let run = Run {
            file: self.file.clone(),
            network: self.network.choice(),
            noise: self.noise.choice(),
            engine: self.engine,
            per_rank: self.per_rank,
            json: self.format == Format::Json,
            critical_path: self.critical_path,
            timeline: self.timeline.clone(),
            timings: self.timings,
        };
        print(&run.carry_out()?)?;
        Ok(ExitCode::SUCCESS)
    }
}
