//! `parallax probe sync`: all clock synchronisation algorithms side by side, on simulated ranks with bad clocks, whose
//! errors are known, or on real ranks that share a clock, where the true offset is zero.

use crate::flags::{NetworkFlags, NoiseFlags, ProbeFlags, StartFlags, clock, place, sync as algorithm};
use analysis::p2p::RankPlace;
use analysis::sync;
use analysis::sync::{Comparison, numbers};
use analysis::values::first;
use campaign::planned::CommandPlan;
use campaign::testing::{OfSync, TestPlan};
use models::clock::ClockKind;
use models::quantity::{Ppm, parse};
use models::time::Span;
use probes::clocks::compared;
use programs::sync::Sync;
use scenario::BadInput;
use std::process::ExitCode;

/// The arguments of `parallax probe sync`.
#[derive(clap::Args)]
pub struct SyncArguments {
    /// Algorithms [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = algorithm())]
    sync: Vec<Sync>,
    /// Numbers of ranks
    #[arg(long, default_value = "2", value_name = "LIST")]
    ranks: String,
    /// World: where ranks run. Real ranks share a clock, so that the true error is known; for simulated ranks it is
    /// known with bad clocks too [default: the first MPI library found, else threads]
    #[arg(long, value_parser = place())]
    world: Option<RankPlace>,
    /// Runs of each algorithm [default: 100 simulated, 20 real]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    tries: Option<u32>,
    /// Real ranks: clock that they read
    #[arg(long, default_value = "automatic", value_parser = clock())]
    clock: ClockKind,
    /// Real ranks: detect which ranks share a clock, and only check the clocks of those, as measurements do
    #[arg(long)]
    detect_sharing: bool,
    #[command(flatten)]
    output: ProbeFlags,
    #[command(flatten)]
    start: StartFlags,
    #[command(flatten)]
    simulated: SimulatedFlags,
}

/// What is wrong in the simulated world.
#[derive(clap::Args)]
#[command(next_help_heading = "Simulated ranks")]
struct SimulatedFlags {
    #[command(flatten)]
    network: NetworkFlags,
    #[command(flatten)]
    noise: NoiseFlags,
    /// Largest offset between clocks
    #[arg(long, default_value = "1s", value_parser = parse::<Span>, value_name = "TIME")]
    offset: Span,
    /// Largest error of clock rates (±)
    #[arg(long, default_value = "20ppm", value_parser = ppm, value_name = "PPM")]
    skew: f64,
    /// Random walk of clock rates: up to this per √second
    #[arg(long, default_value = "0.5ppm", value_parser = ppm, value_name = "PPM")]
    walk: f64,
    /// Clock granularity
    #[arg(long, default_value = "1ns", value_parser = parse::<Span>, value_name = "TIME")]
    granularity: Span,
    /// Duration of a clock read
    #[arg(long, default_value = "25ns", value_parser = parse::<Span>, value_name = "TIME")]
    read_cost: Span,
    /// Additional latency of messages to ranks of higher number, compared with the way back
    #[arg(long, default_value = "0ns", value_parser = parse::<Span>, value_name = "TIME")]
    asymmetry: Span,
    /// Mean of the exponentially distributed extra delay of each message
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

/// Largest number of simulated ranks, beyond which linear synchronisation takes seconds.
const MOST_SIMULATED: u32 = 1_024;
/// Largest number of real ranks on a machine.
const MOST_REAL: u32 = 255;

impl SyncArguments {
    /// Tries all algorithms, and prints the results.
    pub fn compare(&self) -> anyhow::Result<ExitCode> {
        if self.world == Some(RankPlace::Simulated) {
            return self.simulate();
        }
        self.output.ask(self, &self.start, |arguments: &SyncArguments, site| {
            let world = match arguments.world {
                Some(RankPlace::Real(world)) => world,
                _ => first(site),
            };
            Ok(arguments.comparison(MOST_REAL)?.plan(world))
        })
    }

    fn comparison(&self, most_ranks: u32) -> Result<Comparison, BadInput> {
        let syncs = if self.sync.is_empty() { Sync::ALL.to_vec() } else { self.sync.clone() };
        let ranks = numbers(&self.ranks, 2..=most_ranks)?;
        let (tries, clock, detect_sharing) = (self.tries, self.clock, self.detect_sharing);
        Ok(Comparison { syncs, ranks, tries, clock, detect_sharing })
    }

    fn simulate(&self) -> anyhow::Result<ExitCode> {
        self.output.keep(&<TestPlan<OfSync> as CommandPlan>::title(), || {
            let trials = self.comparison(MOST_SIMULATED)?.simulate(&self.simulated.asked())?;
            let mut summary = compared(&trials, self.legend()?);
            summary.facts.push(("seed", self.simulated.noise.seed.into()));
            Ok(summary)
        })
    }

    fn legend(&self) -> Result<Vec<String>, BadInput> {
        let assumed = programs::sync::LARGEST_RATE_DIFFERENCE_PPM;
        let SimulatedFlags { offset, skew, walk, granularity, read_cost, asymmetry, jitter, .. } = &self.simulated;
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

impl SimulatedFlags {
    fn asked(&self) -> sync::Imperfections {
        sync::Imperfections {
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
