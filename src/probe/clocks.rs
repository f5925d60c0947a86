//! `parallax probe clocks`: the quality of this machine's clocks, and the times of waits of known duration by windows.

use crate::flags::{CLOCKS, ProbeFlags, StartFlags, clock, drawn_clocks, sync, world};
use analysis::clocks::Waiting;
use analysis::values::first;
use models::clock::ClockKind;
use programs::observation::World;
use programs::sync::Sync;
use std::process::ExitCode;

/// The arguments of `parallax probe clocks`.
#[derive(clap::Args)]
pub struct ClocksArguments {
    /// Clocks to test; only MPI ranks have mpi_wtime [default: all clocks of the world]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = clock())]
    clock: Vec<ClockKind>,
    /// World whose ranks perform timed waits with each clock, synchronised [default: the first MPI library found, else
    /// threads]
    #[arg(long, value_parser = world())]
    world: Option<World>,
    /// Number of ranks that perform timed waits; 0: test each clock alone, without ranks
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=255))]
    ranks: u32,
    /// Clock synchronisation algorithm of these ranks
    #[arg(long, default_value = "linear", value_parser = sync())]
    sync: Sync,
    #[arg(long, value_name = "KEY=VALUE,…", help = CLOCKS)]
    clocks: Option<String>,
    /// Seed by which imperfect clocks are drawn
    #[arg(long, default_value = "1", value_name = "N")]
    seed: u64,
    #[command(flatten)]
    output: ProbeFlags,
    #[command(flatten)]
    start: StartFlags,
}

impl ClocksArguments {
    /// Examines the clocks one by one, and prints the results.
    pub fn examine(&self) -> anyhow::Result<ExitCode> {
        self.output.ask(self, &self.start, |arguments: &ClocksArguments, site| {
            let ClocksArguments { ranks, sync, .. } = *arguments;
            // Without ranks there is no world to choose.
            let world = arguments.world.unwrap_or_else(|| if ranks == 0 { World::Threads } else { first(site) });
            let imperfect = drawn_clocks(arguments.clocks.as_deref(), arguments.seed)?;
            Waiting { clocks: arguments.clock.clone(), world, ranks, sync, imperfect }.plan()
        })
    }
}
