//! `parallax doctor`: what is here, what is wrong, what to do.

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
    /// Examines this machine and prints what was found.
    pub fn examine(&self) -> anyhow::Result<ExitCode> {
        let diagnosis = examine();
        let code = diagnosis.exit_code();
        self.format.print(&Diagnosed(diagnosis))?;
        Ok(code)
    }
}
