//! `parallax transfer`: rank 0 against every other rank in turn, one way and both ways at once.

use super::sizes::{RepeatFlags, Sizes};
use super::{BuffersFlag, Shown, WorldFlags};
use campaign::p2p::OfTransfer;
use models::point_to_point::{Test, Transfer};
use reports::point_to_point::{Report, transfer_table};
use std::process::ExitCode;

/// What `parallax transfer` is told.
#[derive(clap::Args)]
pub struct TransferArguments {
    /// Message lengths, a list like 0,8,64KiB or FIRST:LAST, doubling; 0 gives the latency s [default: 0 and 1:4MiB]
    #[arg(long, conflicts_with = "resume")]
    sizes: Option<Sizes>,
    /// Leave the exchanges both ways out
    #[arg(long, conflicts_with = "resume")]
    one_way: bool,
    #[command(flatten)]
    repeats: RepeatFlags,
    #[command(flatten)]
    buffers: BuffersFlag,
    #[command(flatten)]
    world: WorldFlags,
}

impl TransferArguments {
    /// Measures or simulates, prints and writes.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let by_default = || std::iter::once(0).chain(models::point_to_point::doubling(1, 4 << 20)).collect();
        let bytes = self.sizes.as_ref().map_or_else(by_default, |sizes| sizes.0.clone());
        let (repeats, both_ways) = (self.repeats.repeats(1_000, 100), !self.one_way);
        self.world.carry_out::<OfTransfer>(
            &Test::Transfer(Transfer { bytes, repeats, both_ways, buffers: self.buffers.buffers }),
            show,
        )
    }
}

fn show(report: &Report) -> Shown {
    let table = transfer_table(report);
    let mut files = vec![("summary.txt".to_owned(), table.clone())];
    for fit in &report.fits {
        files.extend(fit.picture().map(|svg| (format!("transfer-{}-{}.svg", fit.from, fit.to), svg)));
    }
    Shown { table, files, matrix: None }
}
