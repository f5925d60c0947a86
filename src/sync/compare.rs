//! `parallax sync compare`: all algorithms side by side, on simulated ranks behind bad clocks, where the truth is known, or on
//! real ranks that share a clock, where it is zero.

use crate::flags::{NetworkFlags, NoiseFlags};
use crate::results::TestFlags;
use analysis::sync::{Comparison, numbers};
use analysis::testing::told_of;
use analysis::{sync, values};
use models::clock::ClockKind;
use models::observation::World;
use models::quantity::{Ppm, parse};
use models::sync::Sync;
use models::time::Span;
use reports::clocks::compared;
use scenario::BadInput;
use std::process::ExitCode;

/// What `parallax sync compare` is told.
#[derive(clap::Args)]
pub struct CompareArguments {
    /// Algorithms [default: all: linear, ring, tree, skampi, jk, hca3, hca3o]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = Sync::find)]
    sync: Vec<Sync>,
    /// Numbers of ranks, like 4 or 2..16 (doubling) or 2,3,12
    #[arg(long, default_value = "2", value_name = "N|N..M|N,…")]
    ranks: String,
    /// Where: simulated, threads, openmpi or mpich
    #[arg(long, default_value = "simulated")]
    world: String,
    /// How often each is tried [default: 100 simulated, 20 real]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    tries: Option<u32>,
    /// Real ranks: the clock that they read
    #[arg(long, default_value = "automatic", value_parser = ClockKind::find)]
    clock: ClockKind,
    /// Real ranks: find out which share a clock, and only check those, as measurements do
    #[arg(long)]
    detect_sharing: bool,
    #[command(flatten)]
    test: TestFlags,
    #[command(flatten)]
    simulated: Simulated,
}

/// What is wrong in the simulated world.
#[derive(clap::Args)]
#[command(next_help_heading = "Simulated ranks")]
struct Simulated {
    #[command(flatten)]
    network: NetworkFlags,
    #[command(flatten)]
    noise: NoiseFlags,
    /// Clocks are up to this far apart
    #[arg(long, default_value = "1s", value_parser = parse::<Span>, value_name = "TIME")]
    offset: Span,
    /// Their rates are wrong by up to ± this
    #[arg(long, default_value = "20ppm", value_parser = ppm, value_name = "PPM")]
    skew: f64,
    /// Their rates wander by up to this in √second
    #[arg(long, default_value = "0.5ppm", value_parser = ppm, value_name = "PPM")]
    walk: f64,
    /// They count in steps of this
    #[arg(long, default_value = "1ns", value_parser = parse::<Span>, value_name = "TIME")]
    granularity: Span,
    /// A read takes this
    #[arg(long, default_value = "25ns", value_parser = parse::<Span>, value_name = "TIME")]
    read_cost: Span,
    /// Messages to ranks of higher number take this much longer than back
    #[arg(long, default_value = "0ns", value_parser = parse::<Span>, value_name = "TIME")]
    asymmetry: Span,
    /// Messages take an exponentially distributed time longer, with this mean
    #[arg(long, default_value = "100ns", value_parser = parse::<Span>, value_name = "TIME")]
    jitter: Span,
}

fn ppm(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(_) => parse::<Ppm>(&format!("{} ppm", text.trim())),
        Err(_) => parse::<Ppm>(text),
    }
    .map(|ppm| ppm.0)
}

/// Simulated ranks that synchronise by lines take seconds beyond.
const MOST_SIMULATED: u32 = 1_024;
/// As many real ranks as a machine can bear.
const MOST_REAL: u32 = 255;

impl CompareArguments {
    /// Tries all, and prints.
    pub fn compare(&self) -> anyhow::Result<ExitCode> {
        let Some(_) = self.world()? else { return self.simulate() };
        let plan = |arguments: &CompareArguments| {
            // Only real ranks are gone on with: what was begun says which.
            let world = arguments.world()?.unwrap_or(World::Threads);
            Ok(arguments.comparison(MOST_REAL)?.plan(world))
        };
        self.test.carry_out(self, &self.test.site()?, plan)
    }

    /// Of real ranks where they are; none where they are simulated.
    fn world(&self) -> Result<Option<World>, BadInput> {
        match self.world.as_str() {
            "simulated" => Ok(self.test.resume.then_some(World::Threads)),
            name => values::world(name).map(Some).map_err(|_| {
                BadInput(format!("--world: expected simulated, threads, openmpi or mpich, found '{name}'"))
            }),
        }
    }

    fn comparison(&self, most_ranks: u32) -> Result<Comparison, BadInput> {
        let syncs = if self.sync.is_empty() { Sync::ALL.to_vec() } else { self.sync.clone() };
        let ranks = numbers(&self.ranks, 2..=most_ranks)?;
        let (tries, clock, detect_sharing) = (self.tries, self.clock, self.detect_sharing);
        Ok(Comparison { syncs, ranks, tries, clock, detect_sharing })
    }

    fn simulate(&self) -> anyhow::Result<ExitCode> {
        let trials = self.comparison(MOST_SIMULATED)?.simulate(&self.simulated.asked())?;
        let mut summary = compared(&trials, self.legend()?);
        summary.json["world"] = self.world.as_str().into();
        summary.json["seed"] = self.simulated.noise.seed.into();
        self.test.keep("sync-compare", told_of(summary))
    }

    fn legend(&self) -> Result<Vec<String>, BadInput> {
        let assumed = models::sync::LARGEST_RATE_DIFFERENCE_PPM;
        let Simulated { offset, skew, walk, granularity, read_cost, asymmetry, jitter, .. } = &self.simulated;
        let network = self.simulated.network.choice().network()?;
        let seed = self.simulated.noise.seed;
        Ok(vec![
            format!(
                "Simulated: {network}; clocks up to {offset} apart, ± {skew} ppm, wandering by {walk} ppm/√s, steps of \
                 {granularity}, reads of {read_cost}; asymmetry {asymmetry}, jitter {jitter}; seed {seed}."
            ),
            format!("Bounds assume rates at most {assumed} ppm apart."),
        ])
    }
}

impl Simulated {
    fn asked(&self) -> sync::Simulated {
        sync::Simulated {
            network: self.network.choice(),
            noise: self.noise.choice(),
            offset: self.offset,
            skew_ppm: self.skew,
            walk_ppm: self.walk,
            granularity: self.granularity,
            read_cost: self.read_cost,
            asymmetry: self.asymmetry,
            jitter: self.jitter,
        }
    }
}
