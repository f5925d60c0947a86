//! `parallax clocks`: what the clocks of this machine are worth, and what windows by them make of waits of known duration.

use crate::results::TestFlags;
use analysis::clocks::Waiting;
use models::clock::ClockKind;
use models::observation::World;
use models::sync::Sync;
use std::process::ExitCode;

/// What `parallax clocks` is told.
#[derive(clap::Args)]
pub struct ClocksArguments {
    /// Clocks: tsc, clock_monotonic, clock_monotonic_raw, gettimeofday, mpi_wtime (MPI ranks only) [default: all that the world has]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = ClockKind::find)]
    clock: Vec<ClockKind>,
    /// Whose ranks wait, by each clock, synchronised: threads, openmpi or mpich
    #[arg(long, default_value = "threads", value_parser = analysis::values::world)]
    world: World,
    /// How many ranks wait; 0: none, only the report cards
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=255))]
    ranks: u32,
    /// How their clocks are synchronised: linear, ring, tree, skampi, jk, hca3 or hca3o
    #[arg(long, default_value = "linear", value_parser = Sync::find)]
    sync: Sync,
    #[command(flatten)]
    test: TestFlags,
}

impl ClocksArguments {
    /// Examines the clocks one by one, and prints.
    pub fn examine(&self) -> anyhow::Result<ExitCode> {
        let site = self.test.site()?;
        self.test.carry_out(self, &site, |arguments: &ClocksArguments| {
            let ClocksArguments { world, ranks, sync, .. } = *arguments;
            Waiting { clocks: arguments.clock.clone(), world, ranks, sync }.plan()
        })
    }
}
