//! Flags of `--launches auto`.

use analysis::launches::{AutoChoice, within};

/// The settings of `--launches auto`.
#[derive(clap::Args)]
#[group(requires = "launches")]
pub struct AutoFlags {
    /// With --launches auto: target half-width of every ratio's interval; launches are added until all ratios reach it
    /// [default: 10%]
    #[arg(long, value_name = "SHARE", value_parser = within)]
    within: Option<f64>,
    /// With --launches auto: largest number of launches [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches_at_most: Option<u32>,
}

impl AutoFlags {
    /// Returns the settings that the flags choose.
    pub fn choice(&self) -> AutoChoice {
        AutoChoice { within: self.within, launches_at_most: self.launches_at_most }
    }
}
