//! `parallax algorithms`: the known algorithms with their costs and ranges, and the choices of libraries.

use crate::flags::{Collectives, FormatFlags, library};
use analysis::algorithms::Listing;
use analysis::values;
use models::collective::Collective;
use models::collective::decision::Library;
use std::process::ExitCode;

/// The arguments of `parallax algorithms`.
#[derive(clap::Args)]
pub struct AlgorithmsArguments {
    /// Operation [default: all]
    #[arg(value_name = "OPERATION", value_parser = Collectives)]
    pub collective: Option<Collective>,
    /// Number of ranks, like 1024 or 2^20
    #[arg(long, default_value = "64", value_parser = values::ranks)]
    pub ranks: u32,
    /// Bytes of one rank's buffer, or of one block if the operation moves a block per rank, like 64 or 64KiB
    #[arg(long, default_value = "1KiB", value_parser = values::bytes)]
    pub bytes: u64,
    /// Segment length of algorithms that pipeline; 0: messages are not segmented
    #[arg(long, default_value = "0", value_parser = values::bytes, value_name = "BYTES")]
    pub segment: u64,
    /// Fanout, radix or number of chains, for algorithms that have one [default: the algorithm's own]
    #[arg(long)]
    pub fanout: Option<u32>,
    /// Also print which algorithm this library chooses
    #[arg(long = "as", value_name = "LIBRARY", value_parser = library())]
    pub library: Option<Library>,
    /// With --as: the reduction operator does not commute
    #[arg(long, requires = "library")]
    pub in_order: bool,
    #[command(flatten)]
    pub format: FormatFlags,
}

impl AlgorithmsArguments {
    /// Prints the list of algorithms.
    pub fn list(&self) -> anyhow::Result<ExitCode> {
        let collectives = self.collective.map_or_else(|| Collective::ALL.to_vec(), |one| vec![one]);
        let Self { ranks, bytes, segment, fanout, library, in_order, .. } = *self;
        self.format.print(&Listing { collectives, ranks, bytes, segment, fanout, library, in_order })?;
        Ok(ExitCode::SUCCESS)
    }
}
