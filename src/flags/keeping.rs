//! Where results are kept, as flags of every command that measures.

use super::StartFlags;
use campaign::planned::Keeping;
use models::time::Span;
use std::path::PathBuf;

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
    #[arg(long)]
    pub resume: bool,
    /// Print the result only
    #[arg(long, short)]
    pub quiet: bool,
    /// Also record noise on the CPUs of the ranks, for so long before and after, and say what it does to calls
    #[arg(long, value_name = "TIME", value_parser = analysis::values::long_time)]
    pub noise: Option<Span>,
}

impl CampaignFlags {
    /// The same without the site.
    pub fn keeping(&self) -> Keeping<'_> {
        let ResultFlags { out, resume, quiet, noise } = &self.results;
        Keeping { out: out.as_deref(), resume: *resume, patience: self.start.timeout, quiet: *quiet, noise: *noise }
    }
}
