//! `parallax validate`: predicted against measured, for every model, collective, algorithm, length and number of ranks.
//!
//! Ranks are calibrated and measured in the same launches; then simulated ranks carry out the same calls under every
//! calibrated model. What is told is worked out from the campaign alone, so that a resumed one tells the same.

mod flags;

use crate::flags::CampaignFlags;
use crate::output::{colour, print, terminal_width};
use analysis::validate::{Asked, carry_out, kept};
use campaign::{Campaign, notice_interrupts};
use flags::ValidationFlags;
use std::process::ExitCode;

/// What `parallax validate` is told.
#[derive(clap::Args)]
pub struct ValidateArguments {
    /// Which collectives: bcast, reduce, allreduce, barrier, gather, alltoall, …; several with commas
    #[arg(value_name = "COLLECTIVE", value_delimiter = ',', required_unless_present = "resume")]
    collectives: Vec<String>,
    #[command(flatten)]
    flags: ValidationFlags,
    #[command(flatten)]
    campaign: CampaignFlags,
    /// How to print what was found
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Every case in the table, too
    #[arg(long)]
    details: bool,
}

/// In which form the result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// A line for each case under each model.
    Csv,
    /// One object.
    Json,
}

impl ValidateArguments {
    /// Measures everything that is asked for and not there yet, predicts it, and tells how they agree.
    pub fn validate(&self) -> anyhow::Result<ExitCode> {
        let site = self.campaign.site.site()?;
        let asked = if self.collectives.is_empty() { None } else { Some(self.flags.asked(&self.collectives, &site)?) };
        notice_interrupts()?;
        carry_out(asked, self.campaign.keeping(), &site, |asked, campaign| self.tell(campaign, asked))
    }

    /// Prints how predictions agree with what was measured.
    fn tell(&self, campaign: &Campaign, asked: &Asked) -> anyhow::Result<()> {
        let (validation, page) = kept(campaign, asked)?;
        let text = match self.format {
            Format::Csv => reports::validation::csv(&validation),
            Format::Json => serde_json::to_string(&validation)? + "\n",
            Format::Table => {
                let text = reports::validation::terminal(&validation, terminal_width(), colour(), self.details);
                let all = campaign.folder().join("summary.txt");
                format!("{text}\nEvery case: {}\nReport: {}\n", all.display(), page.display())
            }
        };
        Ok(print(&text)?)
    }
}
