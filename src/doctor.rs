//! `parallax doctor`: the state of this machine, its problems, and their remedies.

use crate::flags::FormatFlags;
use analysis::doctor::Diagnosed;
use campaign::doctor::examine;
use std::process::ExitCode;

/// The arguments of `parallax doctor`.
#[derive(clap::Args)]
pub struct DoctorArguments {
    #[command(flatten)]
    format: FormatFlags,
}

impl DoctorArguments {
    /// Examines this machine and prints the findings.
    pub fn examine(&self) -> anyhow::Result<ExitCode> {
        let diagnosis = examine();
        let code = diagnosis.exit_code();
        self.format.print(&Diagnosed(diagnosis))?;
        Ok(code)
    }
}
