//! Messages between two ranks, in every world: the common part of the probes of latency, bandwidth and the latency
//! matrix.

use crate::flags::{ModelFlags, NoiseFlags, ProbeFlags, StartFlags, asked, place};
use analysis::p2p::{RankPlace, Ready, Tested, launch_line, plan};
use analysis::testing::ask;
use campaign::Campaign;
use campaign::launch::Site;
use campaign::planned::CommandPlan;
use campaign::testing::{TestKind, TestPlan};
use probes::point_to_point::{Spoken, summary};
use probes::tested::messages;
use programs::point_to_point::{Buffers, Test};
use std::process::ExitCode;

/// Where ranks run, and where results go.
#[derive(clap::Args)]
pub struct WorldFlags {
    /// World: where ranks run [default: the first MPI library found, else threads]
    #[arg(long, value_parser = place())]
    world: Option<RankPlace>,
    /// Number of ranks
    #[arg(long, default_value = "2", value_parser = analysis::values::ranks)]
    ranks: u32,
    #[command(flatten)]
    output: ProbeFlags,
    /// Print the command line of one launch of MPI ranks, and exit
    #[arg(long)]
    print_launch: bool,
    #[command(flatten)]
    start: StartFlags,
    #[command(flatten, next_help_heading = "Network of simulated ranks (threads: Hockney's model)")]
    model: ModelFlags,
    #[command(flatten, next_help_heading = "Noise of simulated ranks")]
    noise: NoiseFlags,
}

/// What messages are sent from and received into.
#[derive(clap::Args)]
pub struct BuffersFlag {
    /// State of the send buffer: same (never rewritten, as in osu_latency and IMB PingPong), touched (rewritten before
    /// every exchange, as in applications), forwarded (the message just received), cold (flushed from the caches), pool
    /// (in no cache)
    #[arg(long, default_value = "same", value_name = "STATE", value_parser = Buffers::find)]
    pub buffers: Buffers,
}

impl WorldFlags {
    /// Carries out a test, prints its results with a statistic of each pair, and writes them into a folder, which is a
    /// campaign for real ranks. `usual` is the same command without flags.
    pub fn run_test<K: TestKind>(
        &self,
        test: &Test,
        usual: (&WorldFlags, &Test),
        spoken: Spoken,
    ) -> anyhow::Result<ExitCode> {
        let site = self.start.site.site()?;
        let tested = self.tested(&site);
        tested.check(test)?;
        if self.print_launch {
            say!("{}\n", launch_line(tested.place, self.ranks, &site, &test.to_string())?)?;
            return Ok(ExitCode::SUCCESS);
        }
        match tested.prepare()? {
            Ready::Simulated(platform, noise, seed) => self.output.keep(&<TestPlan<K> as CommandPlan>::title(), || {
                Ok(summary(&tested.simulate((platform, noise, seed), test)?, spoken))
            }),
            Ready::Real(world, emulated) => {
                // Without flags the campaign is resumed as it was begun.
                let usual = || match usual.0.tested(&site).prepare()? {
                    Ready::Real(world, emulated) => Ok(Some(plan::<K>(usual.1, world, usual.0.ranks, emulated))),
                    Ready::Simulated(..) => Ok(None),
                };
                let plan = Some(plan(test, world, self.ranks, emulated));
                let asked = asked(self.output.resume, plan, usual).flatten();
                let ask = |plan: &TestPlan<K>, campaign: &mut Campaign| ask(plan, campaign, &site, self.start.timeout);
                self.output
                    .campaign(asked, (&site, self.start.timeout), ask, |campaign| messages(campaign.lines(), spoken))
            }
        }
    }

    fn tested<'a>(&self, site: &'a Site) -> Tested<'a> {
        Tested {
            place: self.world.unwrap_or_else(|| RankPlace::first(site)),
            ranks: self.ranks,
            site,
            model: self.model.choice(),
            noise: self.noise.choice(),
        }
    }
}
