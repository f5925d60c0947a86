//! `parallax transfer`: rank 0 against every other rank in turn, one way and both ways at once.

use super::sizes::{RepeatFlags, Sizes};
use super::{BuffersFlag, Shown, WorldFlags, usual};
use campaign::testing::OfTransfer;
use models::point_to_point::{Test, Transfer};
use reports::point_to_point::{Report, transfer_table};
use std::process::ExitCode;

/// What `parallax transfer` is told.
#[derive(clap::Args)]
pub struct TransferArguments {
    /// Message lengths, a list like 0,8,64KiB or FIRST:LAST, doubling; 0 gives the latency s [default: 0 and 1:4MiB]
    #[arg(long)]
    sizes: Option<Sizes>,
    /// Leave the exchanges both ways out
    #[arg(long)]
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
        let usual: TransferArguments = usual();
        self.world.carry_out::<OfTransfer>(&self.test(), (&usual.world, &usual.test()), show)
    }

    fn test(&self) -> Test {
        let by_default = || std::iter::once(0).chain(models::point_to_point::doubling(1, 4 << 20)).collect();
        Test::Transfer(Transfer {
            bytes: self.sizes.as_ref().map_or_else(by_default, |sizes| sizes.0.clone()),
            repeats: self.repeats.repeats(1_000, 100),
            both_ways: !self.one_way,
            buffers: self.buffers.buffers,
        })
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
