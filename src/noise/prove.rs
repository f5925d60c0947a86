//! `parallax noise prove`: predictions from recorded noise, compared with work on real ranks.

use crate::flags::{ProbeFlags, StartFlags, asked, usual, world};
use analysis::noise::{Prove, bursts, cpus, prove, shared_cpus};
use analysis::values::first;
use campaign::Campaign;
use campaign::launch::Site;
use campaign::testing::{OfProof, TestPlan};
use models::quantity::parse;
use models::time::Span;
use probes::tested::summary;
use programs::observation::World;
use scenario::BadInput;
use std::process::ExitCode;

/// The arguments of `parallax noise prove`.
#[derive(clap::Args)]
pub struct ProveArguments {
    /// World: where ranks run [default: the first MPI library found, else threads]
    #[arg(long, value_parser = world())]
    world: Option<World>,
    /// Number of ranks
    #[arg(long, default_value = "2", value_parser = analysis::values::ranks)]
    ranks: u32,
    /// CPUs of each host, like 0-3,8 [default: those that ranks may use]
    #[arg(long, value_name = "LIST")]
    cpus: Option<String>,
    /// Lengths of grains, each followed by a barrier
    #[arg(long, default_value = "100us,1ms,10ms", value_name = "TIMES", value_delimiter = ',', value_parser = parse::<Span>)]
    grain: Vec<Span>,
    /// How long noise is recorded before and after, and how long each grain is worked
    #[arg(long, default_value = "5s", value_name = "TIME", value_parser = analysis::values::long_time)]
    time: Span,
    /// Disturb the CPUs meanwhile: cpu:period=10ms,duration=250us; also with random or common
    #[arg(long, value_name = "BURSTS")]
    inject: Option<String>,
    #[command(flatten)]
    output: ProbeFlags,
    #[command(flatten)]
    start: StartFlags,
}

impl ProveArguments {
    /// Records noise, lets ranks work, records again, and prints the comparison.
    pub fn prove(&self) -> anyhow::Result<ExitCode> {
        let (site, timeout) = (self.start.site.site()?, self.start.timeout);
        let asked = asked(self.output.resume, self.plan(&site)?, || usual::<ProveArguments>().plan(&site));
        let shared = shared_cpus(&self.named()?, self.ranks);
        let bursts = self.inject.as_deref().map(|text| bursts(text, shared)).transpose()?;
        let ask =
            |plan: &TestPlan<OfProof>, campaign: &mut Campaign| prove(plan, campaign, &site, timeout, bursts.as_ref());
        self.output.campaign(asked, (&site, timeout), ask, |campaign| summary(campaign.lines()))
    }

    fn named(&self) -> Result<Vec<u32>, BadInput> {
        Ok(self.cpus.as_deref().map(cpus).transpose()?.unwrap_or_default())
    }

    fn plan(&self, site: &Site) -> Result<TestPlan<OfProof>, BadInput> {
        let named = self.named()?;
        // Bursts run on the CPUs of the ranks.
        let cpus = if self.inject.is_some() { shared_cpus(&named, self.ranks) } else { named };
        let world = self.world.unwrap_or_else(|| first(site));
        let (ranks, grains, time) = (self.ranks, self.grain.clone(), self.time);
        Prove { world, ranks, cpus, grains, time }.plan()
    }
}
