//! Where the results of a test go, as flags.

use crate::output::print;
use campaign::results::{Kept, Told, keep};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where the results of a test go, and how they are printed.
#[derive(Default, clap::Args)]
pub struct OutputFlags {
    /// Folder for the results [default: results/TEST-001, -002, …]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print one JSON object, with all that was measured, instead of a table
    #[arg(long)]
    json: bool,
    /// Print nothing but the answer
    #[arg(long, short)]
    quiet: bool,
}

impl OutputFlags {
    /// Carries out a test of this name, writes what it found into a folder and prints it.
    pub fn carry_out(&self, name: &str, test: impl FnOnce() -> anyhow::Result<Told>) -> anyhow::Result<ExitCode> {
        let kept = keep(self.out.as_deref(), name, test)?;
        self.print(&kept).map(|()| ExitCode::SUCCESS)
    }

    /// The folder that the user named.
    pub fn out(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// Writes what a test of this name found into a folder that is there, and prints it.
    pub fn tell(&self, folder: &Path, name: &str, told: Told) -> anyhow::Result<()> {
        self.print(&told.write(folder.to_owned(), name)?)
    }

    fn print(&self, Kept { folder, table, json }: &Kept) -> anyhow::Result<()> {
        print(if self.json { json } else { table })?;
        if !self.quiet {
            note!("written: {}", folder.display());
        }
        Ok(())
    }
}
