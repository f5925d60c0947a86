//! `parallax probe lines`: the transfer time of a cache line from core to core, by two threads of this process at a
//! time.

use crate::flags::{ProbeFlags, asked};
use analysis::probe::Looks;
use campaign::launch::{Processors, Site};
use models::quantity::parse as parse_quantity;
use models::time::Span;
use probes::tested::summary;
use std::process::ExitCode;
use std::time::Duration;

/// Shortest and longest time of repeated looks. The longest is limited because every look is kept.
const SHORTEST: Span = Span::from_ms(100);
const LONGEST: Span = Span::from_ms(3_600_000);

/// The arguments of `parallax probe lines`.
#[derive(clap::Args)]
pub struct LinesArguments {
    /// Cores to probe, by the system's numbers of hardware threads, like 0,1 [default: all that this process may use]
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    cores: Vec<usize>,
    /// Repeat the probe for this time, like 10s, to see how often each state occurs and how long it lasts
    #[arg(long = "for", value_name = "SPAN", value_parser = time)]
    time: Option<Span>,
    #[command(flatten)]
    output: ProbeFlags,
}

fn time(text: &str) -> Result<Span, String> {
    let span = parse_quantity::<Span>(text)?;
    let fits = (SHORTEST..=LONGEST).contains(&span);
    fits.then_some(span).ok_or_else(|| "expected 100ms to 3600s, like 10s".to_owned())
}

impl LinesArguments {
    /// Measures the transfers, prints them, and writes them if a folder is named.
    pub fn probe(&self) -> anyhow::Result<ExitCode> {
        let allowed = Processors::here().allowed;
        let plan = |cores: &[usize], time| Looks { cores: cores.to_vec(), time }.chosen(&allowed);
        let asked = asked(self.output.resume, plan(&self.cores, self.time)?, || plan(&[], None));
        // There is no rank to wait for.
        self.output.campaign(asked, (&Site::here(), Duration::MAX), Looks::ask, |campaign| summary(campaign.lines()))
    }
}
