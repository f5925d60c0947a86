//! `parallax goal`: GOAL schedules, as LogGOPSim's users have them, run, checked and exported.

mod critical;
mod file;
mod model;
mod noise;
mod run;
mod show;
mod timeline;

use crate::bad_input::BadInput;
use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use models::collective::{Algorithm, Collective, Shape};
use models::goal::check::Problem;
use models::network::SendRule;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `parallax goal` is told.
#[derive(Args)]
pub struct GoalArguments {
    #[command(subcommand)]
    command: GoalCommand,
}

#[derive(Subcommand)]
enum GoalCommand {
    /// Simulate a schedule and print when its ranks finish
    Run(run::RunArguments),
    /// Say what is wrong with a schedule: cycles, messages without partner, deadlocks
    Check {
        /// A GOAL schedule, as text or in LogGOPSim's binary form; - for standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Write an algorithm of a collective as a GOAL schedule
    Export(ExportArguments),
}

/// How results are printed.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Json,
}

#[derive(Args)]
struct ExportArguments {
    /// bcast, reduce, barrier, …
    #[arg(long)]
    collective: String,
    /// The algorithm, as Open MPI and MPICH call it
    #[arg(long)]
    algorithm: String,
    /// Number of ranks
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=16_777_216))]
    ranks: u32,
    /// Bytes of one rank's buffer
    #[arg(long, default_value_t = 0)]
    bytes: u64,
    /// The root, where the collective has one
    #[arg(long, default_value_t = 0)]
    root: u32,
    /// Calls back to back
    #[arg(long, default_value_t = 1)]
    repeat: u32,
    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl GoalArguments {
    /// Does what was asked.
    pub fn carry_out(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            GoalCommand::Run(arguments) => arguments.run(),
            GoalCommand::Check { file } => check(file),
            GoalCommand::Export(arguments) => arguments.export(),
        }
    }
}

fn check(path: &Path) -> anyhow::Result<ExitCode> {
    let schedule = file::read(path)?;
    let name = file::name(path);
    let found = models::goal::check::check(&schedule);
    let mut problems: Vec<String> = found.iter().map(Problem::to_string).collect();
    if found.iter().all(|problem| matches!(problem, Problem::Sizes(_))) {
        problems.extend(run::attempt(&schedule, SendRule::Eager).err().map(|error| error.to_string()));
    }
    if !problems.is_empty() {
        for problem in &problems {
            eprintln!("{name}: {problem}");
        }
        return Ok(ExitCode::from(2));
    }
    let (ranks, ops, messages) = (schedule.ranks(), schedule.ops().len(), schedule.messages());
    println!("{name}: {ranks} ranks, {ops} operations, {messages} messages: nothing wrong");
    if let Err(error) = run::attempt(&schedule, SendRule::Synchronous) {
        println!("It ends only where short messages are buffered. If every sender waits for its receiver: {error}");
    }
    Ok(ExitCode::SUCCESS)
}

impl ExportArguments {
    fn export(&self) -> anyhow::Result<ExitCode> {
        let collective = Collective::ALL.into_iter().find(|c| c.name() == self.collective).ok_or_else(|| {
            let known: Vec<_> = Collective::ALL.iter().map(|c| c.name()).collect();
            BadInput(format!("unknown collective '{}'; known: {}", self.collective, known.join(", ")))
        })?;
        let algorithm = Algorithm::find(collective, &self.algorithm).map_err(BadInput)?;
        if self.root >= self.ranks {
            let last = self.ranks - 1;
            return Err(BadInput(format!("--root {}: expected a rank from 0 to {last}", self.root)).into());
        }
        let shape = Shape::new(self.ranks, self.root, self.bytes);
        let schedule = models::goal::export(algorithm, &shape, self.repeat).map_err(BadInput)?;
        match &self.output {
            Some(path) => {
                let place = path.display().to_string();
                let created = std::fs::File::create(path).map_err(|error| BadInput(format!("{place}: {error}")))?;
                let mut file = BufWriter::new(created);
                models::goal::text::write(&schedule, &mut file).and_then(|()| file.flush()).context(place)?;
            }
            None => {
                let mut out = BufWriter::new(std::io::stdout().lock());
                ignore_closed_pipe(models::goal::text::write(&schedule, &mut out).and_then(|()| out.flush()))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Whoever reads our output may stop before its end.
fn ignore_closed_pipe(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn print(text: &str) -> std::io::Result<()> {
    ignore_closed_pipe(std::io::stdout().lock().write_all(text.as_bytes()))
}
