//! `parallax probe pattern`, `probe regions` and `probe solver`: repeated steps of programs, timed one by one.

use crate::flags::{ModelFlags, NoiseFlags, ProbeFlags, StartFlags, asked, one_of, place, usual};
use analysis::meters::{ask, plan, ready, simulate};
use analysis::p2p::{RankPlace, Ready, Tested};
use analysis::values::{bytes, ranks};
use campaign::Campaign;
use campaign::launch::Site;
use campaign::planned::CommandPlan;
use campaign::testing::{OfPatterns, OfRegions, OfSolver, TestKind, TestPlan};
use probes::tested::summary;
use programs::meters::{Element, Grid, Meter, Pattern, Patterns, Regions, Solver};
use std::process::ExitCode;

/// The commands that run meters.
#[derive(clap::Subcommand)]
pub enum MeterCommand {
    /// Time the message patterns of programs, again and again: neighbours, directions, pairs, master, bisection
    Pattern(Box<PatternArguments>),
    /// Time access to one region of memory after the other, also while other threads copy memory
    Regions(Box<RegionsArguments>),
    /// Time the steps of a solver of linear equations (BiCGStab), and check that it solves them
    Solver(Box<SolverArguments>),
}

impl MeterCommand {
    /// Runs the subcommand, which prints its result.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            MeterCommand::Pattern(arguments) => arguments.run(),
            MeterCommand::Regions(arguments) => arguments.run(),
            MeterCommand::Solver(arguments) => arguments.run(),
        }
    }
}

/// Where ranks run, and where results go.
#[derive(clap::Args)]
struct WorldFlags {
    /// World: where ranks run [default: the first MPI library found, else threads]
    #[arg(long, value_parser = place())]
    world: Option<RankPlace>,
    /// Number of ranks
    #[arg(long, default_value = "2", value_parser = ranks)]
    ranks: u32,
    #[command(flatten)]
    output: ProbeFlags,
    #[command(flatten)]
    start: StartFlags,
    #[command(flatten, next_help_heading = "Network of simulated ranks (threads: Hockney's model)")]
    model: ModelFlags,
    #[command(flatten, next_help_heading = "Noise of simulated ranks")]
    noise: NoiseFlags,
}

impl WorldFlags {
    /// Runs the meters, each in its own launch. `usual` is the same command without flags.
    fn run_meters<K: TestKind>(&self, meters: &[Meter], usual: (&WorldFlags, &[Meter])) -> anyhow::Result<ExitCode> {
        let (site, timeout) = (self.start.site.site()?, self.start.timeout);
        match ready(meters, &self.tested(&site))? {
            Ready::Simulated(platform, noise, seed) => self.output.keep(&<TestPlan<K> as CommandPlan>::title(), || {
                let meter = meters.first().expect("there is always one");
                simulate(meter, self.ranks, (platform, noise, seed))
            }),
            Ready::Real(world, emulated) => {
                let of_usual = || match ready(usual.1, &usual.0.tested(&site))? {
                    Ready::Real(world, emulated) => Ok(Some(plan::<K>(usual.1, world, usual.0.ranks, emulated))),
                    Ready::Simulated(..) => Ok(None),
                };
                let plan = Some(plan(meters, world, self.ranks, emulated));
                let asked = asked(self.output.resume, plan, of_usual).flatten();
                let ask = |plan: &TestPlan<K>, campaign: &mut Campaign| ask(plan, campaign, &site, timeout);
                self.output.campaign(asked, (&site, timeout), ask, |campaign| summary(campaign.lines()))
            }
        }
    }

    fn tested<'a>(&self, site: &'a Site) -> Tested<'a> {
        let place = self.world.unwrap_or_else(|| RankPlace::first(site));
        Tested { place, ranks: self.ranks, site, model: self.model.choice(), noise: self.noise.choice() }
    }
}

/// The arguments of `parallax probe pattern`.
#[derive(clap::Args)]
pub struct PatternArguments {
    /// Patterns, or all: neighbours (on a grid, long messages across faces, short ones across edges and corners),
    /// directions (along each axis, even coordinates first), pairs (every two ranks), master (each rank in turn receives from
    /// all others), bisection (rank i with rank i + P/2)
    #[arg(value_name = "PATTERN", value_parser = one_of(Pattern::ALL, Pattern::name))]
    patterns: Vec<Pattern>,
    /// Ranks along each axis, like 2x2x2 [default: as near to a cube as their number allows]
    #[arg(long, value_name = "XxYxZ")]
    grid: Option<Grid>,
    /// The last rank of an axis is a neighbour of the first
    #[arg(long)]
    periodic: bool,
    /// Length of long messages
    #[arg(long, default_value = "256KiB", value_name = "BYTES", value_parser = bytes)]
    large: u64,
    /// Length of messages across edges and corners
    #[arg(long, default_value = "8", value_name = "BYTES", value_parser = bytes)]
    small: u64,
    /// Timed repetitions of each pattern
    #[arg(long, default_value = "1000", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repetitions: u32,
    /// Repetitions before
    #[arg(long, default_value = "10", value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    skip: u32,
    #[command(flatten)]
    world: WorldFlags,
}

impl PatternArguments {
    /// Times the patterns and prints the results.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let usual: PatternArguments = usual();
        self.world.run_meters::<OfPatterns>(&[self.meter()], (&usual.world, &[usual.meter()]))
    }

    fn meter(&self) -> Meter {
        Meter::Patterns(Patterns {
            patterns: if self.patterns.is_empty() { Pattern::ALL.to_vec() } else { self.patterns.clone() },
            grid: self.grid.unwrap_or_else(|| Grid::for_ranks(self.world.ranks)),
            periodic: self.periodic,
            large: self.large,
            small: self.small,
            repetitions: (self.skip, self.repetitions),
        })
    }
}

/// The arguments of `parallax probe regions`.
#[derive(clap::Args)]
pub struct RegionsArguments {
    /// Memory of each rank for each of the three arrays
    #[arg(long, default_value = "64MiB", value_name = "BYTES", value_parser = bytes)]
    bytes: u64,
    /// Number of regions, which are worked on one after the other
    #[arg(long, default_value = "16", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    regions: u32,
    /// What memory holds
    #[arg(long, default_value = "int,float", value_name = "ELEMENT,…", value_delimiter = ',', value_parser = one_of(Element::ALL, Element::name))]
    elements: Vec<Element>,
    /// Timed repetitions
    #[arg(long, default_value = "100", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repetitions: u32,
    /// Threads of another program that copy memory meanwhile: a launch for each number
    #[arg(long, default_value = "0", value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(0..=256))]
    disturb: Vec<u32>,
    #[command(flatten)]
    world: WorldFlags,
}

impl RegionsArguments {
    /// Times the regions and prints the results.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let usual: RegionsArguments = usual();
        self.world.run_meters::<OfRegions>(&self.meters(), (&usual.world, &usual.meters()))
    }

    fn meters(&self) -> Vec<Meter> {
        let meter = |&disturbers: &u32| {
            Meter::Regions(Regions {
                bytes: self.bytes,
                regions: self.regions,
                elements: self.elements.clone(),
                repetitions: self.repetitions,
                disturbers,
            })
        };
        self.disturb.iter().map(meter).collect()
    }
}

/// The arguments of `parallax probe solver`.
#[derive(clap::Args)]
pub struct SolverArguments {
    /// Rows of the matrix that each rank has along each axis, like 20x20x20
    #[arg(long, default_value = "20x20x20", value_name = "XxYxZ")]
    rows: Grid,
    /// Ranks along each axis [default: as near to a cube as their number allows]
    #[arg(long, value_name = "XxYxZ")]
    grid: Option<Grid>,
    /// Number of iterations; a system that is solved is begun anew
    #[arg(long, default_value = "200", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    iterations: u32,
    #[command(flatten)]
    world: WorldFlags,
}

impl SolverArguments {
    /// Times the solver's steps and prints the results.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let usual: SolverArguments = usual();
        self.world.run_meters::<OfSolver>(&[self.meter()], (&usual.world, &[usual.meter()]))
    }

    fn meter(&self) -> Meter {
        let grid = self.grid.unwrap_or_else(|| Grid::for_ranks(self.world.ranks));
        Meter::Solver(Solver { rows: self.rows.0, grid, iterations: self.iterations })
    }
}
