//! `parallax memory`: what an MPI library keeps in each rank's memory, against ranks and operations.

use crate::results::TestFlags;
use analysis::memory::Memories;
use analysis::p2p::Place;
use analysis::values;
use std::process::ExitCode;

/// What `parallax memory` is told.
#[derive(clap::Args)]
pub struct MemoryArguments {
    /// Where the ranks run: openmpi, mpich or threads [default: the first MPI library that is here, else threads]
    #[arg(long)]
    world: Option<Place>,
    /// Numbers of ranks, each a launch of its own
    #[arg(long, default_value = "2,4", value_delimiter = ',', value_name = "N,…", value_parser = values::ranks)]
    ranks: Vec<u32>,
    /// What is used, in this order: pairs (a message each way between all pairs) and collectives; all, or none
    #[arg(long, default_value = "all", value_delimiter = ',', value_name = "NAME,…")]
    operations: Vec<String>,
    /// Bytes of a message, or of one block where a collective moves a block per rank
    #[arg(long, default_value = "8", value_parser = values::bytes)]
    bytes: u64,
    /// Look again after this many further uses of each
    #[arg(long, default_value = "0", value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    again: u32,
    #[command(flatten)]
    test: TestFlags,
}

impl MemoryArguments {
    /// Starts ranks, looks, prints.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let site = self.test.site()?;
        self.test.carry_out(self, &site, |arguments: &MemoryArguments| {
            let MemoryArguments { world, bytes, again, .. } = *arguments;
            let (ranks, operations) = (arguments.ranks.clone(), arguments.operations.clone());
            Memories { world, ranks, operations, bytes, again, site: &site }.plan()
        })
    }
}
