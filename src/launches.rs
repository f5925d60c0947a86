//! `--launches auto`, as flags.

use analysis::launches::{AutoChoice, within};

/// What `--launches auto` is told.
#[derive(clap::Args)]
#[group(requires = "launches")]
pub struct AutoFlags {
    /// With --launches auto: how well every ratio is to be known; as many launches are made as that takes [default: 10%]
    #[arg(long, value_name = "SHARE", value_parser = within)]
    within: Option<f64>,
    /// With --launches auto: never more launches than this [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches_at_most: Option<u32>,
}

impl AutoFlags {
    /// What is chosen.
    pub fn choice(&self) -> AutoChoice {
        AutoChoice { within: self.within, launches_at_most: self.launches_at_most }
    }
}
