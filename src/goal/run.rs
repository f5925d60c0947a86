//! `parallax goal run`: a schedule in virtual time.

use crate::flags::{FormatFlags, NetworkFlags, NoiseFlags, PictureFlags};
use analysis::choice::ModelChoice;
use analysis::goal::ScheduleRequest;
use models::engine::Engine;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax goal run`.
#[derive(clap::Args)]
pub struct RunArguments {
    /// A GOAL schedule, as text or in LogGOPSim's binary form; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Follow LogGOPSim's own rules with --model loggopsim-v1
    #[command(flatten)]
    network: NetworkFlags,
    /// Calibrated machine: a file written by `parallax calibrate`, or its name; only its message costs are used.
    /// --model selects one of its models, --noise machine uses its noise
    #[arg(long, value_name = "FILE|NAME")]
    machine: Option<String>,
    #[command(flatten)]
    noise: NoiseFlags,
    /// Simulation engine: both give the same result where the fast one applies
    #[arg(long, default_value = "auto", value_parser = crate::flags::one_of(Engine::ALL, Engine::name))]
    engine: Engine,
    /// Print the finish time of each rank
    #[arg(long)]
    per_rank: bool,
    #[command(flatten)]
    format: FormatFlags,
    /// Print the critical path: the operations that determine the last finish, and the components of their times
    #[arg(long)]
    critical_path: bool,
    /// Print the last finish as a piecewise linear function of a parameter, with slopes and breakpoints: L=0..20us, or
    /// L alone for 0 to four times its value; several parameters are varied one at a time
    #[arg(long, value_name = "PARAMETER[=FROM..TO],…", value_delimiter = ',')]
    sensitivity: Vec<String>,
    /// Draw the functions of --sensitivity: .svg, .pdf or .png (picture), .html (page with picture and tables) or .csv
    /// (numbers, also written beside the others). A file that exists is not overwritten
    #[arg(long, short, value_name = "FILE", requires = "sensitivity")]
    out: Option<PathBuf>,
    /// Draw a timeline of all ranks: .html, .svg, .pdf, .png, .json (Chrome trace, Perfetto), .paje
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureFlags,
    /// Print the time for reading and running to standard error
    #[arg(long)]
    timings: bool,
}

impl RunArguments {
    /// Runs the schedule and prints the results.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let run = ScheduleRequest {
            file: self.file.clone(),
            model: ModelChoice {
                network: self.network.choice(),
                machine: self.machine.clone(),
                ..ModelChoice::default()
            },
            noise: self.noise.choice(),
            engine: self.engine,
            per_rank: self.per_rank,
            critical_path: self.critical_path,
            sensitivity: self.sensitivity.clone(),
            out: self.out.clone(),
            paper: self.picture.paper(&[&self.out, &self.timeline])?,
            timeline: self.timeline.clone(),
            timings: self.timings,
        };
        run.run_schedule(&|found| self.format.print(found))?;
        Ok(ExitCode::SUCCESS)
    }
}
