//! `parallax sync compare`: all algorithms side by side, on simulated ranks behind bad clocks, where the truth is known, or on
//! real ranks that share a clock, where it is zero.

use crate::flags::{NetworkFlags, NoiseFlags, SiteFlags};
use analysis::sync::{Comparison, numbers};
use analysis::{sync, values};
use campaign::environment::cores;
use models::clock::ClockKind;
use models::observation::World;
use models::quantity::{Ppm, parse};
use models::sync::Sync;
use models::time::Span;
use reports::clocks::{rows, trial_table};
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
    site: SiteFlags,
    #[command(flatten)]
    simulated: Simulated,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
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
        let syncs = if self.sync.is_empty() { Sync::ALL.to_vec() } else { self.sync.clone() };
        let world = match self.world.as_str() {
            "simulated" => None,
            name => Some(values::world(name).map_err(|_| {
                BadInput(format!("--world: expected simulated, threads, openmpi or mpich, found '{name}'"))
            })?),
        };
        let ranks = numbers(&self.ranks, 2..=if world.is_none() { MOST_SIMULATED } else { MOST_REAL })?;
        let (tries, clock, detect_sharing) = (self.tries, self.clock, self.detect_sharing);
        let comparison = Comparison { syncs, ranks, tries, clock, detect_sharing };
        let trials = match world {
            None => comparison.simulate(&self.simulated.asked())?,
            Some(world) => comparison.measure(world, &self.site.site()?)?,
        };
        let ranks = comparison.ranks;
        let rows = rows(&trials);
        let crowded =
            world.is_some().then(|| ranks.iter().copied().filter(|&ranks| ranks > cores()).collect::<Vec<_>>());
        let crowded = crowded.unwrap_or_default();
        if self.json {
            let all = serde_json::json!({
                "world": self.world, "oversubscribed_ranks": crowded, "seed": self.simulated.noise.seed, "rows": rows,
            });
            println!("{}", serde_json::to_string_pretty(&all)?);
            return Ok(ExitCode::SUCCESS);
        }
        print!("{}\n{}", trial_table(&rows), self.legend(world)?);
        if !crowded.is_empty() {
            let list: Vec<String> = crowded.iter().map(u32::to_string).collect();
            println!("  Oversubscribed with {} ranks: they take turns on {} cores.", list.join(", "), cores());
        }
        Ok(ExitCode::SUCCESS)
    }

    fn legend(&self, world: Option<World>) -> Result<String, BadInput> {
        let assumed = models::sync::LARGEST_RATE_DIFFERENCE_PPM;
        Ok(match world {
            None => {
                let Simulated { offset, skew, walk, granularity, read_cost, asymmetry, jitter, .. } = &self.simulated;
                let network = self.simulated.network.choice().network()?;
                format!(
                    "  Simulated: {network}; clocks up to {offset} apart, ± {skew} ppm, wandering by {walk} ppm/√s, steps of \
                     {granularity}, reads of {read_cost}; asymmetry {asymmetry}, jitter {jitter}; seed {}.\n  Bounds assume \
                     rates at most {assumed} ppm apart.\n",
                    self.simulated.noise.seed
                )
            }
            Some(world) => {
                let how = if self.detect_sharing { "found out and checked" } else { "ignored" };
                format!(
                    "  {}, clock {}: ranks that share a clock have a true offset of 0; that they share it is {how}.\n",
                    world.title(),
                    self.clock
                )
            }
        })
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
