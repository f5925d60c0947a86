//! `parallax probe memory`: the memory that an MPI library holds in each rank, by number of ranks and operation.

use crate::flags::{ProbeFlags, StartFlags, place};
use analysis::memory::Memories;
use analysis::p2p::RankPlace;
use analysis::values;
use std::process::ExitCode;

/// The arguments of `parallax probe memory`.
#[derive(clap::Args)]
pub struct MemoryArguments {
    /// World: where ranks run [default: the first MPI library found, else threads]
    #[arg(long, value_parser = place())]
    world: Option<RankPlace>,
    /// Numbers of ranks, each in its own launch
    #[arg(long, default_value = "2,4", value_delimiter = ',', value_name = "N,…", value_parser = values::ranks)]
    ranks: Vec<u32>,
    /// Operations to use, in this order: pairs (a message each way between all pairs) and collectives; or all, or none
    #[arg(long, default_value = "all", value_delimiter = ',', value_name = "NAME,…")]
    operations: Vec<String>,
    /// Bytes of a message, or of one block if a collective moves a block per rank
    #[arg(long, default_value = "8", value_parser = values::bytes)]
    bytes: u64,
    /// Measure again after this many further uses of each operation
    #[arg(long, default_value = "0", value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    again: u32,
    #[command(flatten)]
    output: ProbeFlags,
    #[command(flatten)]
    start: StartFlags,
}

impl MemoryArguments {
    /// Measures the memory of ranks, and prints it.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        self.output.ask(self, &self.start, |arguments: &MemoryArguments, site| {
            let MemoryArguments { world, bytes, again, .. } = *arguments;
            let (ranks, operations) = (arguments.ranks.clone(), arguments.operations.clone());
            Memories { world, ranks, operations, bytes, again, site }.plan()
        })
    }
}
