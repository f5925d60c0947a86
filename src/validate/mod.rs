//! `parallax validate`: predicted against measured times, for every model, collective, algorithm, length and number of
//! ranks.
//!
//! Ranks are calibrated and measured in the same launches. Then simulated ranks carry out the same calls under every
//! calibrated model. The results are computed from the campaign alone, so that a resumed one has the same.

mod flags;
mod printed;

use crate::flags::{CampaignFlags, FormatFlags};
use analysis::validate::{ValidationRequest, kept, run_validation};
use campaign::{Campaign, notice_interrupts};
use flags::ValidationFlags;
use printed::PrintedFlags;
use std::process::ExitCode;

/// The arguments of `parallax validate`.
#[derive(clap::Args)]
pub struct ValidateArguments {
    /// Operations, named as in MPI without MPI_: bcast, allreduce, barrier, …
    #[arg(
        value_name = "OPERATION,…", value_delimiter = ',', required_unless_present_any = ["resume", "from"],
        group = "what"
    )]
    collectives: Vec<String>,
    /// Use the parameters of this machine file instead of calibrating
    #[arg(long, value_name = "FILE|NAME", requires = "what")]
    machine: Option<String>,
    #[command(flatten)]
    flags: ValidationFlags,
    #[command(flatten)]
    campaign: CampaignFlags,
    #[command(flatten)]
    format: FormatFlags,
    /// Also print every case
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    printed: PrintedFlags,
}

impl ValidateArguments {
    /// Measures everything that is missing, predicts it, and prints how they agree.
    pub fn validate(&self) -> anyhow::Result<ExitCode> {
        let machine = self.machine.as_deref().map(analysis::machine::find).transpose()?;
        if let Some(file) = &self.printed.from {
            let predicted = self.printed.predicted(file, machine, self.campaign.keeping().quiet)?;
            self.format.print(&predicted)?;
            return Ok(ExitCode::SUCCESS);
        }
        self.printed.none()?;
        let site = self.campaign.start.site.site()?;
        let asked = match self.collectives.is_empty() {
            true => None,
            false => Some(self.flags.asked(&self.collectives, machine, &site)?),
        };
        notice_interrupts()?;
        run_validation(asked, self.campaign.keeping(), &site, |asked, campaign| self.print_agreement(campaign, asked))
    }

    /// Prints how predictions agree with measurements.
    fn print_agreement(&self, campaign: &Campaign, asked: &ValidationRequest) -> anyhow::Result<()> {
        let (validation, told) = kept(campaign, asked)?;
        let all = campaign.folder().join("summary.txt");
        let behind = format!("{}\nEvery case: {}\nReport: {}\n", told.noise, all.display(), told.page.display());
        self.format.print_before(&validation, self.details, &behind)
    }
}
