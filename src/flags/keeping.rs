//! Places of results, as flags of every command that measures.

use super::StartFlags;
use campaign::planned::Keeping;
use models::time::Span;
use std::path::PathBuf;
use std::time::Duration;

/// Where a campaign is kept, and how its ranks are started.
#[derive(clap::Args)]
pub struct CampaignFlags {
    #[command(flatten)]
    pub results: ResultFlags,
    #[command(flatten)]
    pub start: StartFlags,
}

/// Where a campaign is kept.
#[derive(clap::Args)]
#[command(next_help_heading = "Results")]
pub struct ResultFlags {
    /// Output folder [default: results/COMMAND-001, -002, …; results/latest is the newest]
    #[arg(long, short, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Continue the newest unfinished campaign of this command (or the one in --out); no other flag is needed
    #[arg(long, conflicts_with = "dry_run")]
    pub resume: bool,
    #[command(flatten)]
    pub dry: DryRun,
    /// Print the result only
    #[arg(long, short)]
    pub quiet: bool,
    /// Also record noise on the CPUs of the ranks, for so long before and after, and say what it does to calls
    #[cfg(feature = "noise")]
    #[arg(long = "noise", value_name = "TIME", value_parser = analysis::values::long_time)]
    record_noise: Option<Span>,
}

/// The flag that prints the work instead of doing it.
#[derive(clap::Args)]
pub struct DryRun {
    /// Print what would be done (how many cases, in how many launches, about how long), and exit
    #[arg(long)]
    pub dry_run: bool,
}

impl CampaignFlags {
    /// Returns the settings of the campaign's folder and of the watch over its ranks, without the site.
    pub fn keeping(&self) -> Keeping<'_> {
        self.results.keeping(self.start.timeout)
    }
}

impl ResultFlags {
    /// Returns the settings without the site. Ranks that make no progress for `patience` are given up.
    pub fn keeping(&self, patience: Duration) -> Keeping<'_> {
        let ResultFlags { out, resume, dry: DryRun { dry_run }, quiet, .. } = self;
        let noise = self.recorded_noise();
        Keeping { out: out.as_deref(), resume: *resume, patience, quiet: *quiet, noise, dry_run: *dry_run }
    }

    /// Returns the time for which noise is recorded before and after; `None` where it is not.
    pub fn recorded_noise(&self) -> Option<Span> {
        #[cfg(feature = "noise")]
        return self.record_noise;
        #[cfg(not(feature = "noise"))]
        None
    }
}
