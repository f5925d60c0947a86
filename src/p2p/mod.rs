//! Messages between two ranks: `parallax latency`, `parallax transfer` and `parallax latency-matrix`, in every world.
//!
//! They are commands of their own, named as users of the OSU benchmarks (`osu_latency`) look for them; each prints a table
//! or JSON and writes a folder with both, raw exchanges included. Of real ranks it is a campaign: it is gone on with, reported,
//! stored and compared like any other.

mod latency;
mod matrix;
mod sizes;
mod transfer;

pub use latency::LatencyArguments;
pub use matrix::MatrixArguments;
pub use transfer::TransferArguments;

use crate::flags::{ModelFlags, NoiseFlags, SiteFlags};
use crate::results::{OutputFlags, asked, usual};
use analysis::p2p::{Place, Ready, Tested, launch_line, plan};
use analysis::testing::ask;
use campaign::Campaign;
use campaign::launch::Site;
use campaign::results::{self, Told};
use campaign::testing::{Kind, Plan};
use models::point_to_point::{Buffers, Test};
use reports::point_to_point::{Matrix, Report, memory, report};
use serde_json::Value;
use std::process::ExitCode;
use std::time::Duration;

/// Where ranks run, and where results go.
#[derive(clap::Args)]
pub struct WorldFlags {
    /// Where the ranks run: openmpi, mpich, threads or simulated [default: the first MPI library that is here, else threads]
    #[arg(long)]
    world: Option<Place>,
    /// How many ranks
    #[arg(long, default_value = "2", value_parser = analysis::values::ranks)]
    ranks: u32,
    #[command(flatten)]
    output: OutputFlags,
    /// Print the line that would start MPI ranks, and exit
    #[arg(long)]
    print_launch: bool,
    /// End the run when no rank has got anywhere for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = crate::flags::seconds)]
    patience: Duration,
    #[command(flatten)]
    site: SiteFlags,
    #[command(flatten, next_help_heading = "Network of simulated ranks (threads: Hockney's model)")]
    model: ModelFlags,
    #[command(flatten, next_help_heading = "Noise of simulated ranks")]
    noise: NoiseFlags,
}

/// What messages are sent from and received into.
#[derive(clap::Args)]
pub struct BuffersFlag {
    /// What messages are sent from: same (never rewritten, as osu_latency and IMB PingPong do), touched (rewritten before every
    /// exchange, as applications do), forwarded (what was just received), cold (flushed from the caches), pool (in no cache)
    #[arg(long, default_value = "same", value_name = "STATE", value_parser = Buffers::find)]
    buffers: Buffers,
}

/// What a test prints and writes, apart from its JSON.
struct Shown {
    table: String,
    files: Vec<results::File>,
    matrix: Option<Matrix>,
}

impl WorldFlags {
    /// Carries out a test, prints what `show` makes of it, and writes it into a folder; of real ranks that is a campaign.
    /// `usual` is the same command without flags.
    fn carry_out<K: Kind>(
        &self,
        test: &Test,
        usual: (&WorldFlags, &Test),
        show: impl Fn(&Report) -> Shown,
    ) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let tested = self.tested(&site);
        tested.check(test)?;
        if self.print_launch {
            say!("{}\n", launch_line(tested.place, self.ranks, &site, &test.to_string())?)?;
            return Ok(ExitCode::SUCCESS);
        }
        match tested.prepare()? {
            Ready::Simulated(platform, noise, seed) => self.output.carry_out(K::NAME, || {
                let report = tested.simulate((platform, noise, seed), test)?;
                Ok(told(&report, None, &show))
            }),
            Ready::Real(world, emulated) => {
                // Without flags the campaign is gone on with as it was begun.
                let usual = || match usual.0.tested(&site).prepare()? {
                    Ready::Real(world, emulated) => Ok(Some(plan::<K>(usual.1, world, usual.0.ranks, emulated))),
                    Ready::Simulated(..) => Ok(None),
                };
                let plan = Some(plan(test, world, self.ranks, emulated));
                let asked = asked(self.output.resume, plan, usual).flatten();
                let ask = |plan: &Plan<K>, campaign: &mut Campaign| ask(plan, campaign, &site, self.patience);
                self.output.campaign(asked, &site, ask, |campaign| {
                    let lines = campaign.lines();
                    Some(told(&report(lines)?, memory(lines), &show))
                })
            }
        }
    }

    fn tested<'a>(&self, site: &'a Site) -> Tested<'a> {
        Tested {
            place: self.world.unwrap_or_else(|| Place::first(site)),
            ranks: self.ranks,
            site,
            model: self.model.choice(),
            noise: self.noise.choice(),
        }
    }
}

/// What a test found, with all of it as JSON.
fn told(report: &Report, memory: Option<Value>, show: impl Fn(&Report) -> Shown) -> Told {
    let Shown { table, files, matrix } = show(report);
    let mut json = reports::point_to_point::json(report, matrix.as_ref());
    if let Some(memory) = memory {
        json["memory_kib"] = memory;
    }
    Told { table, files, json }
}
