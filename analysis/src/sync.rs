//! Clock synchronisations side by side: on simulated ranks with imperfect clocks, where the true error is known, or on
//! real ranks that share a clock, where it is zero.

use crate::choice::{NetworkChoice, NoiseChoice};
use campaign::testing::{LaunchTasks, OfSync, TestPlan};
use measure::job::Task;
use models::clock::{ClockKind, ClockSpread};
use models::network::Network;
use models::noise::Noise;
use models::time::Span;
use programs::observation::{Emulation, World};
use programs::sync::{Sharing, Sync, Trial, TrialRank, TrialSettings};
use rayon::prelude::*;
use scenario::BadInput;
use sim::SimWorld;
use sim::sync::{Delays, synchronise};
use std::ops::RangeInclusive;

/// Request of a comparison.
pub struct Comparison {
    /// Synchronisation algorithms that are compared.
    pub syncs: Vec<Sync>,
    /// Numbers of ranks, each a launch of its own.
    pub ranks: Vec<u32>,
    /// Number of trials of each algorithm; `None` for the usual number.
    pub tries: Option<u32>,
    /// Clock that real ranks read.
    pub clock: ClockKind,
    /// Whether real ranks detect which of them share a clock, and only check those.
    pub detect_sharing: bool,
}

/// Imperfections of the simulated world.
pub struct Imperfections {
    /// Network model of the messages.
    pub network: NetworkChoice,
    /// Noise that disturbs the ranks.
    pub noise: NoiseChoice,
    /// Largest distance between clocks at the start.
    pub offset: Span,
    /// Largest error of clock rates in either direction, in ppm.
    pub skew_ppm: f64,
    /// Largest random walk of clock rates, in ppm per √second.
    pub walk_ppm: f64,
    /// Step in which clocks count.
    pub granularity: Span,
    /// Duration of a reading of a clock.
    pub read_cost: Span,
    /// Time by which messages to ranks of higher number take longer than back.
    pub asymmetry: Span,
    /// Mean of the exponentially distributed time by which messages take longer.
    pub jitter: Span,
}

impl Comparison {
    /// Returns the plan of real ranks of a world, a launch for each number of them.
    pub fn plan(&self, world: World) -> TestPlan<OfSync> {
        let sharing = if self.detect_sharing { Sharing::Detect } else { Sharing::Ignore };
        let settings = TrialSettings { syncs: self.syncs.clone(), tries: self.tries.unwrap_or(20), sharing };
        let tasks = || vec![Task::CompareSync(settings.clone())];
        let asked = |&ranks: &u32| LaunchTasks { clock: self.clock, ..LaunchTasks::new(world, ranks, tasks()) };
        TestPlan::new(world, Emulation::Untimed.named(), self.ranks.iter().map(asked).collect())
    }

    /// Synchronises simulated ranks.
    ///
    /// # Errors
    /// Fails on options that simulated ranks do not have, and where the simulator does.
    pub fn simulate(&self, simulated: &Imperfections) -> Result<Vec<Trial>, BadInput> {
        if self.clock != ClockKind::Automatic || self.detect_sharing {
            let message = "--clock, --detect-sharing: simulated ranks have clocks of their own; expected --world threads, \
                           openmpi or mpich";
            return Err(BadInput(message.to_owned()));
        }
        let (network, noise) = (simulated.network.network()?, simulated.noise.noise()?);
        let tries = self.tries.unwrap_or(100);
        let each = self.ranks.iter().flat_map(|&ranks| self.syncs.iter().map(move |&sync| (ranks, sync)));
        let each: Vec<(u32, Sync, u32)> =
            each.flat_map(|(ranks, sync)| (0..tries).map(move |t| (ranks, sync, t))).collect();
        let trials = each.into_par_iter().map(|(ranks, sync, index)| {
            let world = simulated.world(ranks, network, &noise, index);
            let delays = simulated.delays(index);
            let all = synchronise(&world, sync, &delays).map_err(|error| BadInput(format!("{sync}: {error}")))?;
            let of = |rank: sim::sync::Synchronised| TrialRank {
                clock: rank.clock,
                took: rank.took,
                error_ps: Some(rank.error_ps),
            };
            Ok(Trial { sync, ranks: all.into_iter().map(of).collect() })
        });
        trials.collect()
    }
}

impl Imperfections {
    fn world(&self, ranks: u32, network: Network, noise: &Noise, index: u32) -> SimWorld {
        let spread = ClockSpread {
            largest_offset: self.offset,
            largest_skew_ppm: self.skew_ppm,
            largest_walk_ppm: self.walk_ppm,
            granularity: self.granularity,
            read_cost: self.read_cost,
            ..ClockSpread::default()
        };
        let seed = self.seed(index);
        SimWorld {
            clocks: (0..ranks).map(|rank| spread.sample_clock(seed, rank)).collect(),
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

/// Parses `4`, `2,3,12`, or `2..16`, which doubles and ends with the last.
///
/// # Errors
/// Names the expected values.
pub fn numbers(text: &str, allowed: RangeInclusive<u32>) -> Result<Vec<u32>, BadInput> {
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
