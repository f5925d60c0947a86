//! `parallax sync compare`: all algorithms side by side, on simulated ranks behind bad clocks, where the truth is known, or on
//! real ranks that share a clock, where it is zero.

use crate::flags::SiteFlags;
use crate::flags::{NetworkFlags, NoiseFlags};
use campaign::environment::cores;
use campaign::{Start, notice_interrupts};
use measure::job::{Outcome, Task};
use models::clock::ClockKind;
use models::clock::ClockSpread;
use models::noise::Noise;
use models::observation::World;
use models::quantity::{Ppm, parse};
use models::sync::{Sharing, Sync, Trial, TrialRank, TrialSettings};
use models::time::Span;
use rayon::prelude::*;
use reports::clocks::{rows, trial_table};
use scenario::BadInput;
use sim::SimWorld;
use sim::sync::{Delays, synchronise};
use std::ops::RangeInclusive;
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
            name => Some(crate::flags::world(name).map_err(|_| {
                BadInput(format!("--world: expected simulated, threads, openmpi or mpich, found '{name}'"))
            })?),
        };
        let ranks = numbers(&self.ranks, 2..=if world.is_none() { MOST_SIMULATED } else { MOST_REAL })?;
        let trials = match world {
            None => self.simulate(&syncs, &ranks)?,
            Some(world) => self.measure(world, &syncs, &ranks)?,
        };
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

    fn measure(&self, world: World, syncs: &[Sync], ranks: &[u32]) -> anyhow::Result<Vec<Trial>> {
        notice_interrupts()?;
        let site = self.site.site()?;
        let sharing = if self.detect_sharing { Sharing::Detect } else { Sharing::Ignore };
        let settings = TrialSettings { syncs: syncs.to_vec(), tries: self.tries.unwrap_or(20), sharing };
        let mut trials = Vec::new();
        for &ranks in ranks {
            let start = Start { clock: self.clock, ..Start::new(world, ranks, &site)? };
            match start.ask(&start.job(vec![Task::CompareSync(settings.clone())]))?.pop() {
                Some(Outcome::SyncCompared(more)) => trials.extend(more),
                other => anyhow::bail!("unexpected answer {other:?}"),
            }
        }
        Ok(trials)
    }

    fn simulate(&self, syncs: &[Sync], ranks: &[u32]) -> anyhow::Result<Vec<Trial>> {
        if self.clock != ClockKind::Automatic || self.detect_sharing {
            let message = "--clock, --detect-sharing: simulated ranks have clocks of their own; expected --world threads, \
                           openmpi or mpich";
            return Err(BadInput(message.to_owned()).into());
        }
        let (network, noise) = (self.simulated.network.network()?, self.simulated.noise.noise()?);
        let tries = self.tries.unwrap_or(100);
        let each = ranks.iter().flat_map(|&ranks| syncs.iter().map(move |&sync| (ranks, sync)));
        let each: Vec<(u32, Sync, u32)> =
            each.flat_map(|(ranks, sync)| (0..tries).map(move |t| (ranks, sync, t))).collect();
        let trials = each.into_par_iter().map(|(ranks, sync, index)| {
            let world = self.simulated.world(ranks, network, &noise, index);
            let delays = self.simulated.delays(index);
            let all = synchronise(&world, sync, &delays).map_err(|error| BadInput(format!("{sync}: {error}")))?;
            let of = |rank: sim::sync::Synchronised| TrialRank {
                clock: rank.clock,
                took: rank.took,
                error_ps: Some(rank.error_ps),
            };
            Ok(Trial { sync, ranks: all.into_iter().map(of).collect() })
        });
        let trials: Result<Vec<Trial>, BadInput> = trials.collect();
        Ok(trials?)
    }

    fn legend(&self, world: Option<World>) -> Result<String, BadInput> {
        let assumed = models::sync::LARGEST_RATE_DIFFERENCE_PPM;
        Ok(match world {
            None => {
                let Simulated { offset, skew, walk, granularity, read_cost, asymmetry, jitter, .. } = &self.simulated;
                let network = self.simulated.network.network()?;
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
    fn world(&self, ranks: u32, network: models::network::Network, noise: &Noise, index: u32) -> SimWorld {
        let spread = ClockSpread {
            largest_offset: self.offset,
            largest_skew_ppm: self.skew,
            largest_walk_ppm: self.walk,
            granularity: self.granularity,
            read_cost: self.read_cost,
            ..ClockSpread::default()
        };
        let seed = self.seed(index);
        SimWorld {
            clocks: (0..ranks).map(|rank| spread.draw(seed, rank)).collect(),
            noise: noise.realisation(index),
            ..SimWorld::ideal(network, ranks)
        }
    }

    fn delays(&self, index: u32) -> Delays {
        Delays { asymmetry: self.asymmetry, jitter: self.jitter, seed: self.seed(index) }
    }

    fn seed(&self, index: u32) -> u64 {
        self.noise.seed.wrapping_mul(1_000_003).wrapping_add(u64::from(index))
    }
}

/// `4`, `2,3,12`, or `2..16`, which doubles and ends with the last.
fn numbers(text: &str, allowed: RangeInclusive<u32>) -> Result<Vec<u32>, BadInput> {
    let (least, most) = (*allowed.start(), *allowed.end());
    let bad = || BadInput(format!("--ranks: expected {least} to {most}, like 4 or 2..16 or 2,3,12, found '{text}'"));
    let number = |text: &str| text.trim().parse().ok().filter(|n| allowed.contains(n)).ok_or_else(bad);
    if let Some((first, last)) = text.split_once("..") {
        let (first, last): (u32, u32) = (number(first)?, number(last)?);
        if first > last {
            return Err(bad());
        }
        let mut all: Vec<u32> =
            std::iter::successors(Some(first), |n| n.checked_mul(2)).take_while(|&n| n < last).collect();
        all.push(last);
        return Ok(all);
    }
    text.split(',').map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_ranks_are_lists_and_ranges() {
        let read = |text| numbers(text, 2..=64).map_err(|error| error.0);
        assert_eq!(read("2..16"), Ok(vec![2, 4, 8, 16]));
        assert_eq!(read("3..13"), Ok(vec![3, 6, 12, 13]));
        assert_eq!(read("2, 5"), Ok(vec![2, 5]));
        for wrong in ["", "1", "16..2", "65", "2..", "two"] {
            assert!(read(wrong).unwrap_err().contains("expected 2 to 64"), "{wrong}");
        }
    }
}
