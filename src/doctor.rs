//! `parallax doctor`: what is here, what is wrong, what to do.

use crate::flags::Format;
use crate::output::{colour, print_words};
use analysis::doctor::Page;
use campaign::doctor::examine;
use std::process::ExitCode;

/// The arguments of `parallax doctor`.
#[derive(clap::Args)]
pub struct DoctorArguments {
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

impl DoctorArguments {
    /// Examines this machine and prints what was found.
    pub fn examine(&self) -> anyhow::Result<ExitCode> {
        let diagnosis = examine();
        match self.format {
            Format::Json => say!("{}\n", serde_json::to_string_pretty(&diagnosis)?)?,
            Format::Table => print_words(&Page { diagnosis: &diagnosis, coloured: colour() }.to_string())?,
        }
        Ok(diagnosis.exit_code())
    }
}
