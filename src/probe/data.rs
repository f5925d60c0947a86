//! `parallax probe data`: every algorithm on real ranks, with every byte compared.

use crate::flags::{ProbeFlags, StartFlags, world};
use analysis::values::first;
use campaign::check::plan;
use programs::observation::World;
use std::process::ExitCode;

/// The arguments of `parallax probe data`.
#[derive(clap::Args)]
pub struct DataArguments {
    /// World: where ranks run [default: the first MPI library found, else threads]
    #[arg(long, value_parser = world())]
    world: Option<World>,
    /// Number of ranks
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=255))]
    ranks: u32,
    /// Check the library's own call of this name, like ialltoallw, in every form, instead of our algorithms; may be
    /// repeated; "all": every call. A queue in shared memory, like shared:64B:8:2:chain: broadcasts through it, with roots
    /// and lengths that change
    #[arg(long, value_name = "NAME")]
    operation: Vec<String>,
    /// How many broadcasts through each queue of --operation
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    broadcasts: u32,
    #[command(flatten)]
    output: ProbeFlags,
    #[command(flatten)]
    start: StartFlags,
}

impl DataArguments {
    /// Runs the check and prints the number of compared calls.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        self.output.ask(self, &self.start, |arguments: &DataArguments, site| {
            let world = arguments.world.unwrap_or_else(|| first(site));
            plan(&arguments.operation, arguments.broadcasts, world, arguments.ranks)
        })
    }
}
