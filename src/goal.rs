//! `parallax goal`: GOAL schedules, as LogGOPSim's users have them, run, checked and exported.

mod check;
mod run;

use crate::flags::CallFlags;
use anyhow::Context;
use clap::{Args, Subcommand};
use scenario::{BadInput, ignore_closed_pipe};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// The most ranks of a schedule that is written out.
const MOST_EXPORTED_RANKS: u32 = 1 << 24;

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
    Check(check::CheckArguments),
    /// Write an algorithm of a collective as a GOAL schedule
    Export(ExportArguments),
}

#[derive(Args)]
struct ExportArguments {
    #[command(flatten)]
    call: CallFlags,
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
            GoalCommand::Check(arguments) => arguments.check(),
            GoalCommand::Export(arguments) => arguments.export(),
        }
    }
}

impl ExportArguments {
    fn export(&self) -> anyhow::Result<ExitCode> {
        let (algorithm, shape) = self.call.call()?;
        if shape.ranks > MOST_EXPORTED_RANKS {
            let found = shape.ranks;
            let message = format!("--ranks: expected at most {MOST_EXPORTED_RANKS} in a schedule, found {found}");
            return Err(BadInput(message).into());
        }
        let schedule = goal::export(algorithm, &shape, self.repeat).map_err(BadInput)?;
        match &self.output {
            Some(path) => {
                let place = path.display().to_string();
                let created = std::fs::File::create(path).map_err(|error| BadInput(format!("{place}: {error}")))?;
                let mut file = BufWriter::new(created);
                goal::text::write(&schedule, &mut file).and_then(|()| file.flush()).context(place)?;
            }
            None => {
                let mut out = BufWriter::new(std::io::stdout().lock());
                ignore_closed_pipe(goal::text::write(&schedule, &mut out).and_then(|()| out.flush()))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
