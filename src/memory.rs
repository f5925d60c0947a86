//! `parallax memory`: what an MPI library keeps in each rank's memory, against ranks and operations.

use crate::flags::SiteFlags;
use analysis::memory::Memories;
use analysis::p2p::Place;
use analysis::values;
use scenario::BadInput;
use scenario::files::write_whole;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

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
    /// Print one JSON object, with every look at every rank, instead of a table
    #[arg(long)]
    json: bool,
    /// Write the JSON object to this file too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// End the run when no rank has got anywhere for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = crate::flags::seconds)]
    patience: Duration,
    #[command(flatten)]
    site: SiteFlags,
}

impl MemoryArguments {
    /// Starts ranks, looks, prints.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let memories = Memories {
            world: self.world,
            ranks: self.ranks.clone(),
            operations: self.operations.clone(),
            bytes: self.bytes,
            again: self.again,
            patience: self.patience,
            site: &site,
        };
        let (table, all) = memories.look()?;
        if let Some(path) = &self.out {
            let text = format!("{all}\n");
            write_whole(path, |file| file.write_all(text.as_bytes()))
                .map_err(|error| BadInput(format!("--out: cannot write {}: {error}", path.display())))?;
        }
        if self.json {
            println!("{all}");
        } else {
            print!("{table}");
        }
        Ok(ExitCode::SUCCESS)
    }
}
