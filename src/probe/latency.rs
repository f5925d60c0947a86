//! `parallax probe latency`: ping-pongs between ranks 0 and 1.

use super::messages::{BuffersFlag, WorldFlags};
use super::sizes::{RepeatFlags, Sizes};
use crate::flags::usual;
use campaign::testing::OfLatency;
use probes::point_to_point::Spoken;
use programs::point_to_point::{Latency, Test};
use std::process::ExitCode;

/// The arguments of `parallax probe latency`.
#[derive(clap::Args)]
pub struct LatencyArguments {
    /// Message lengths
    #[arg(long, default_value = "1..4MiB", value_name = "LIST")]
    bytes: Sizes,
    #[command(flatten)]
    repeats: RepeatFlags,
    #[command(flatten)]
    buffers: BuffersFlag,
    #[command(flatten)]
    world: WorldFlags,
}

impl LatencyArguments {
    /// Measures or simulates the latency, prints it, and writes it if a folder is named.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let usual: LatencyArguments = usual();
        self.world.run_test::<OfLatency>(&self.test(), (&usual.world, &usual.test()), Spoken::default())
    }

    fn test(&self) -> Test {
        Test::Latency(Latency {
            bytes: self.bytes.0.clone(),
            repeats: self.repeats.repeats(10_000, 1_000),
            buffers: self.buffers.buffers,
        })
    }
}
