//! What subcommands that keep campaigns of real ranks are told alike.

use super::{SiteFlags, seconds};
use campaign::planned::Keeping;
use std::path::PathBuf;
use std::time::Duration;

/// Where a campaign is kept, and how its ranks are started.
#[derive(clap::Args)]
pub struct CampaignFlags {
    /// Folder for everything that is written [default: results/NAME-001, -002, …]
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Go on with the newest campaign of this kind that has not finished (or the one in --out)
    #[arg(long)]
    pub resume: bool,
    /// Abort if no rank makes progress for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = seconds)]
    pub patience: Duration,
    /// Where MPI ranks run, and what starts them
    #[command(flatten)]
    pub site: SiteFlags,
    /// Print nothing while measuring
    #[arg(long, short)]
    pub quiet: bool,
}

impl CampaignFlags {
    /// The same without the site.
    pub fn keeping(&self) -> Keeping<'_> {
        Keeping { out: self.out.as_deref(), resume: self.resume, patience: self.patience, quiet: self.quiet }
    }
}
