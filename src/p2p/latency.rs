//! `parallax latency`: ping-pongs of doubling lengths between ranks 0 and 1.

use super::sizes::{RepeatFlags, Sizes};
use super::{BuffersFlag, Shown, WorldFlags, usual};
use campaign::testing::OfLatency;
use models::point_to_point::{Latency, Test};
use reports::point_to_point::{Report, latency_table, two_columns};
use std::process::ExitCode;

/// What `parallax latency` is told.
#[derive(clap::Args)]
pub struct LatencyArguments {
    /// Message lengths: FIRST:LAST, doubling, or a list like 0,8,64KiB
    #[arg(long, default_value = "1:4MiB")]
    sizes: Sizes,
    #[command(flatten)]
    repeats: RepeatFlags,
    #[command(flatten)]
    buffers: BuffersFlag,
    #[command(flatten)]
    world: WorldFlags,
}

impl LatencyArguments {
    /// Measures or simulates, prints and writes.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let usual: LatencyArguments = usual();
        self.world.carry_out::<OfLatency>(&self.test(), (&usual.world, &usual.test()), show)
    }

    fn test(&self) -> Test {
        Test::Latency(Latency {
            bytes: self.sizes.0.clone(),
            repeats: self.repeats.repeats(10_000, 1_000),
            buffers: self.buffers.buffers,
        })
    }
}

fn show(report: &Report) -> Shown {
    let table = latency_table(report);
    let mut files = vec![("latency.txt".to_owned(), two_columns(report)), ("summary.txt".to_owned(), table.clone())];
    let picture = report.fits.iter().find_map(|fit| fit.picture());
    files.extend(picture.map(|svg| ("latency.svg".to_owned(), svg)));
    Shown { table, files, matrix: None }
}
