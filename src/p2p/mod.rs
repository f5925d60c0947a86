//! Messages between two ranks: `parallax latency`, `parallax transfer` and `parallax latency-matrix`, in every world.
//!
//! They are commands of their own, named as users of the OSU benchmarks (`osu_latency`) look for them; each prints a table
//! or JSON and writes a folder with both, raw exchanges included.

mod latency;
mod matrix;
mod place;
mod simulated;
mod sizes;
mod transfer;

pub use latency::LatencyArguments;
pub use matrix::MatrixArguments;
pub use place::{Place, emulated};
pub use transfer::TransferArguments;

use crate::flags::SiteFlags;
use crate::flags::{ModelFlags, NoiseFlags};
use crate::load::LoadWatch;
use crate::results::OutputFlags;
use campaign::environment::utc_now;
use campaign::launch::Site;
use campaign::p2p::Launch;
use campaign::results::{self, Told};
use models::limits::LONGEST_BUFFER;
use models::noise::Noise;
use models::observation::World;
use models::platform::Platform;
use models::point_to_point::{Buffers, Test};
use reports::point_to_point::{Matrix, Report};
use scenario::BadInput;
use std::process::ExitCode;
use std::time::Duration;

/// Where ranks run, and where results go.
#[derive(clap::Args)]
pub struct WorldFlags {
    /// Where the ranks run: openmpi, mpich, threads or simulated [default: the first MPI library that is here, else threads]
    #[arg(long)]
    world: Option<Place>,
    /// How many ranks
    #[arg(long, default_value = "2", value_parser = crate::flags::ranks)]
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

/// Every exchange is kept, in memory and in JSON: of more than these that would be gigabytes.
const MOST_EXCHANGES: u64 = 1 << 24;

/// Ranks that can begin.
enum Ready {
    Simulated(Platform, Noise),
    Real(Launch),
}

/// What a test prints and writes, apart from its JSON.
struct Shown {
    table: String,
    files: Vec<results::File>,
    matrix: Option<Matrix>,
}

impl WorldFlags {
    /// Carries out a test, prints what `show` makes of it, and writes it into a folder named after `name`.
    fn carry_out(&self, name: &str, test: &Test, show: impl Fn(&Report) -> Shown) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let place = self.world.unwrap_or_else(|| Place::first(&site));
        self.check(place, &site, test)?;
        if self.print_launch {
            return print_launch(place, self.ranks, &site, &test.to_string());
        }
        let ready = self.prepare(place, &site)?;
        self.output.carry_out(name, || {
            let (report, memory) = match ready {
                Ready::Simulated(platform, noise) => {
                    (simulated::run(test, platform, noise, self.noise.seed, self.ranks)?, None)
                }
                Ready::Real(launch) => self.measure(&launch, test)?,
            };
            let Shown { table, files, matrix } = show(&report);
            let mut json = reports::point_to_point::json(&report, matrix.as_ref());
            if let Some(memory) = memory {
                json["memory_kib"] = memory;
            }
            Ok(Told { table, files, json })
        })
    }

    fn check(&self, place: Place, site: &Site, test: &Test) -> Result<(), BadInput> {
        let most = place.most_ranks(site.cores);
        if !(2..=most).contains(&self.ranks) {
            let found = self.ranks;
            return Err(BadInput(format!(
                "--ranks: expected 2 to {most} ranks for this test ({place}), found {found}"
            )));
        }
        if place != Place::Simulated && test.buffer_bytes() > LONGEST_BUFFER {
            return Err(BadInput("--sizes, --bytes: expected messages shorter than 1 GiB for real ranks".to_owned()));
        }
        let kept = test.exchanges(self.ranks);
        if kept > MOST_EXCHANGES {
            let message = format!("expected at most {MOST_EXCHANGES} exchanges in all that are kept, found {kept}");
            return Err(BadInput(format!("{message}; ask for fewer ranks, sizes or repetitions")));
        }
        if test.buffers() == Buffers::Forwarded && matches!(test, Test::Transfer(transfer) if transfer.both_ways) {
            let message = "ranks cannot send at the same time what they receive";
            return Err(BadInput(format!("--buffers forwarded: {message}; expected also --one-way")));
        }
        if test.buffers() == Buffers::Pool && test.lengths() > 1 {
            let message =
                "the pool's buffers are as long as the longest message, so that shorter ones would stay in cache";
            return Err(BadInput(format!("--buffers pool: {message}; give one of --sizes, or take --buffers cold")));
        }
        place.accepts(&self.model, &self.noise)
    }

    /// Everything that flags and files can be wrong about is found out here.
    fn prepare(&self, place: Place, site: &Site) -> Result<Ready, BadInput> {
        match place {
            Place::Simulated => Ok(Ready::Simulated(self.model.platform(self.ranks)?, self.model.noise(&self.noise)?)),
            Place::Real(world) => {
                let emulated = place::emulated(&self.model.network)?;
                Ok(Ready::Real(Launch::new(world, self.ranks, emulated, self.patience, site)?))
            }
        }
    }

    fn measure(&self, launch: &Launch, test: &Test) -> anyhow::Result<(Report, Option<serde_json::Value>)> {
        let watch = LoadWatch::begin();
        let (ran_by, record, memory) = launch.test(test)?;
        let mut report = Report::of(test.clone(), ran_by, self.ranks, record);
        report.cores = Some(launch.cores());
        report.environment = launch.facts();
        report.launch = launch.line();
        report.notes = launch.notes();
        report.notes.extend(watch.sentence());
        report.date = utc_now();
        Ok((report, Some(memory)))
    }
}

/// Prints the line that would start the ranks.
pub fn print_launch(place: Place, ranks: u32, site: &Site, test: &str) -> anyhow::Result<ExitCode> {
    match place {
        Place::Real(world) if world != World::Threads => {
            let nothing_played = place::emulated_by_default();
            let launch = Launch::new(world, ranks, nothing_played, Duration::ZERO, site)?;
            println!("# {}, {ranks} ranks, {test} test\n{}", world.title(), launch.line().unwrap_or_default());
        }
        Place::Real(_) | Place::Simulated => println!("# {ranks} {place}: no launcher"),
    }
    Ok(ExitCode::SUCCESS)
}
