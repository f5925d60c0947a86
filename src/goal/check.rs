//! `parallax goal check`: errors in a schedule.

use crate::flags::FormatFlags;
use analysis::goal::check::{Checked, attempt, problems};
use analysis::goal::file;
use models::network::SendRule;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax goal check`.
#[derive(clap::Args)]
pub struct CheckArguments {
    /// A GOAL schedule, as text or in LogGOPSim's binary form; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only read the schedule and print counts
    #[arg(long)]
    read_only: bool,
    #[command(flatten)]
    format: FormatFlags,
}

impl CheckArguments {
    /// Reads and checks the schedule, and prints its errors. The exit code is 2 if there are any.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        let schedule = file::read(&self.file)?;
        let name = file::name(&self.file);
        let problems = if self.read_only { Vec::new() } else { problems(&schedule) };
        for problem in &problems {
            note!("{name}: {problem}");
        }
        if !problems.is_empty() {
            return Ok(ExitCode::from(2));
        }
        let buffered = match self.read_only {
            true => None,
            false => attempt(&schedule, SendRule::Synchronous).err().map(|error| error.to_string()),
        };
        self.format.print(&Checked { name, schedule, is_complete: !self.read_only, buffered })?;
        Ok(ExitCode::SUCCESS)
    }
}
