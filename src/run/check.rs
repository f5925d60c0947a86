//! `parallax check`: every algorithm on real ranks, every byte compared.

use super::{Start, watch};
use crate::launch::SiteFlags;
use anyhow::bail;
use measure::check::checked_bytes;
use measure::job::{Outcome, Task};
use models::network::{Hockney, SendRule};
use models::observation::{Carrier, World};
use models::time::{PerByte, Span};
use std::process::ExitCode;

/// What `parallax check` is told.
#[derive(clap::Args)]
pub struct CheckArguments {
    /// Where the ranks run: threads, openmpi or mpich
    #[arg(long, default_value = "threads", value_parser = crate::flags::world)]
    world: World,
    /// How many ranks
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=255))]
    ranks: u32,
    #[command(flatten)]
    site: SiteFlags,
}

/// Emulated messages take this long: enough to be held back, short enough for hundreds of calls.
const ALPHA: Span = Span::from_us(20);

impl CheckArguments {
    /// Runs the check and says how many calls were compared.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        watch::notice_interrupts()?;
        let site = self.site.site()?;
        let carriers = [Carrier::Native, Carrier::Emulated];
        for carrier in
            carriers.into_iter().filter(|&carrier| (self.world, carrier) != (World::Threads, Carrier::Native))
        {
            let emulated = Hockney { alpha: ALPHA, beta: PerByte(0.0), send_rule: SendRule::Busy };
            let start = Start { carrier, emulated, ..Start::new(self.world, self.ranks, &site)? };
            let place = format!("{} ranks, {}, {} network", self.ranks, self.world.title(), carrier.name());
            match start.ask(&start.job(checked_bytes(self.ranks), vec![Task::Check]))?.pop() {
                Some(Outcome::Checked(calls)) => println!("{place}: {calls} calls on every rank, every byte right"),
                other => bail!("{place}: unexpected answer {other:?}"),
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
