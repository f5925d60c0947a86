//! `parallax goal`: GOAL schedules, the format of LogGOPSim, run, checked and exported.

mod check;
mod run;

use crate::flags::CallFlags;
use anyhow::Context;
use clap::{Args, Subcommand};
use scenario::{BadInput, Output};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Largest number of ranks of a schedule that is written out.
const MOST_EXPORTED_RANKS: u32 = 1 << 24;

/// The arguments of `parallax goal`.
#[derive(Args)]
#[command(disable_help_subcommand = true)]
pub struct GoalArguments {
    #[command(subcommand)]
    command: GoalCommand,
}

#[derive(Subcommand)]
enum GoalCommand {
    /// Simulate a schedule and print when its ranks finish
    Run(run::RunArguments),
    /// Check a schedule for cycles, unmatched messages and deadlocks
    Check(check::CheckArguments),
    /// Write a collective algorithm as a GOAL schedule
    Export(ExportArguments),
}

#[derive(Args)]
struct ExportArguments {
    #[command(flatten)]
    call: CallFlags,
    /// Number of back-to-back calls
    #[arg(long, default_value_t = 1, value_name = "K")]
    calls: u32,
    /// Output file [default: standard output]; a name that ends in .bin selects LogGOPSim's binary form
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl GoalArguments {
    /// Runs the subcommand, which prints its result.
    pub fn run_subcommand(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            GoalCommand::Run(arguments) => arguments.run(),
            GoalCommand::Check(arguments) => arguments.check(),
            GoalCommand::Export(arguments) => arguments.export(),
        }
    }
}

impl ExportArguments {
    fn export(&self) -> anyhow::Result<ExitCode> {
        let (algorithm, shape) = self.call.call(None)?;
        if shape.ranks > MOST_EXPORTED_RANKS {
            let found = shape.ranks;
            let message = format!("--ranks: expected at most {MOST_EXPORTED_RANKS} in a schedule, found {found}");
            return Err(BadInput(message).into());
        }
        let schedule = goal::export(algorithm, &shape, self.calls).map_err(BadInput)?;
        match &self.out {
            Some(path) => {
                let place = path.display().to_string();
                let created = std::fs::File::create(path).map_err(|error| BadInput(format!("{place}: {error}")))?;
                let mut file = BufWriter::new(created);
                let is_binary = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bin"));
                let written = match is_binary {
                    true => goal::binary::write(&schedule, &mut file),
                    false => goal::text::write(&schedule, &mut file),
                };
                written.and_then(|()| file.flush()).context(place)?;
            }
            None => {
                let mut out = BufWriter::new(Output);
                goal::text::write(&schedule, &mut out).and_then(|()| out.flush())?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
