//! `parallax bench`: the cost of the simulator. Each case is this program itself, run as a child. Its user time and its
//! peak memory are the operating system's figures, and include start-up and reading.

use anyhow::Context;
use campaign::bench::{CASES, Case, heading, row, save};
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax bench`.
#[derive(clap::Args)]
pub struct BenchArguments {
    /// Only cases whose name contains this
    pub only: Option<String>,
    /// Runs of each case; the run with the least user time is reported
    #[arg(long, default_value = "5", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Also run the cases that need 20 GB of memory and several minutes
    #[arg(long)]
    large: bool,
    /// Append the table to this file, with date and machine
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl BenchArguments {
    /// Runs the cases and prints the table.
    pub fn bench(&self) -> anyhow::Result<ExitCode> {
        let folder = tempfile::tempdir().context("no temporary folder for schedules")?;
        let wanted = |case: &&Case| {
            (self.large || !case.large) && self.only.as_ref().is_none_or(|only| case.name.contains(only.as_str()))
        };
        let mut table = heading();
        say!("{table}")?;
        for case in CASES.iter().filter(wanted) {
            let row = row(case, folder.path(), self.runs).with_context(|| format!("case '{}'", case.name))?;
            say!("{row}")?;
            table.push_str(&row);
        }
        if let Some(file) = &self.save {
            save(file, &table)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
