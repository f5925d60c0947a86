//! `parallax probe bandwidth`: rank 0 against every other rank in turn, one way and both ways at once.

use super::messages::{BuffersFlag, WorldFlags};
use super::sizes::{RepeatFlags, Sizes};
use crate::flags::usual;
use campaign::testing::OfBandwidth;
use probes::point_to_point::Spoken;
use programs::point_to_point::{Test, Transfer};
use std::process::ExitCode;

/// The arguments of `parallax probe bandwidth`.
#[derive(clap::Args)]
pub struct BandwidthArguments {
    /// Message lengths; 0 gives the latency s of T(L) = s + L/R
    #[arg(long, default_value = "0,1..4MiB", value_name = "LIST")]
    bytes: Sizes,
    /// Skip the bidirectional test
    #[arg(long)]
    one_way: bool,
    #[command(flatten)]
    repeats: RepeatFlags,
    #[command(flatten)]
    buffers: BuffersFlag,
    #[command(flatten)]
    world: WorldFlags,
}

impl BandwidthArguments {
    /// Measures or simulates the bandwidth, prints it, and writes it if a folder is named.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let usual: BandwidthArguments = usual();
        self.world.run_test::<OfBandwidth>(&self.test(), (&usual.world, &usual.test()), Spoken::default())
    }

    fn test(&self) -> Test {
        Test::Transfer(Transfer {
            bytes: self.bytes.0.clone(),
            repeats: self.repeats.repeats(1_000, 100),
            both_ways: !self.one_way,
            buffers: self.buffers.buffers,
        })
    }
}
