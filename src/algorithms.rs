//! `parallax algorithms`: what there is, what it costs, when it wins, and which one a library takes by itself.

use crate::simulate::Format;
use analysis::algorithms::Listing;
use analysis::values;
use models::collective::Collective;
use models::collective::decision::Library;
use scenario::BadInput;
use serde_json::Value;
use std::process::ExitCode;

/// What `parallax algorithms` is told.
#[derive(clap::Args)]
pub struct AlgorithmsArguments {
    /// bcast, reduce, barrier, allreduce, gather, scatter, allgather, alltoall, reduce-scatter, scan or exscan [default: all]
    pub collective: Option<String>,
    /// Number of ranks, like 1024 or 2^20
    #[arg(long, default_value = "64", value_parser = values::ranks)]
    pub ranks: u32,
    /// Bytes of one rank's buffer, or of one block where the collective moves a block per rank, like 64 or 64KiB
    #[arg(long, default_value = "1KiB", value_parser = values::bytes)]
    pub bytes: u64,
    /// Cut messages into segments of this length, where the algorithm pipelines; 0: uncut
    #[arg(long, default_value = "0", value_parser = values::bytes, value_name = "BYTES")]
    pub segment: u64,
    /// Fanout, radix or number of chains, where the algorithm has one [default: the algorithm's own]
    #[arg(long)]
    pub fanout: Option<u32>,
    /// Say which one this library takes: openmpi-4.1 or mpich-4.0
    #[arg(long = "as", value_name = "LIBRARY", value_parser = Library::find)]
    pub library: Option<Library>,
    /// With --as: the operation does not commute
    #[arg(long, requires = "library")]
    pub in_order: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
}

impl AlgorithmsArguments {
    /// Prints the list.
    pub fn list(&self) -> anyhow::Result<ExitCode> {
        let collectives = match &self.collective {
            None => Collective::ALL.to_vec(),
            Some(name) => vec![collective(name)?],
        };
        let Self { ranks, bytes, segment, fanout, library, in_order, .. } = *self;
        let listing = Listing { ranks, bytes, segment, fanout, library, in_order };
        match self.format {
            Format::Table => {
                let pages: Vec<_> = collectives.into_iter().map(|collective| listing.page(collective)).collect();
                say!("{}", pages.join("\n"))?;
            }
            Format::Json => {
                let lists: Vec<_> = collectives.into_iter().map(|collective| listing.json(collective)).collect();
                say!("{:#}\n", Value::from(lists))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn collective(name: &str) -> Result<Collective, BadInput> {
    values::collective(name).map_err(|error| BadInput(error.0.replacen("--collective: ", "", 1)))
}
