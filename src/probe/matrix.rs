//! `parallax probe matrix`: ping-pongs of every pair of ranks.

use super::messages::{BuffersFlag, WorldFlags};
use crate::flags::{one_of, usual};
use campaign::testing::OfMatrix;
use models::quantity::parse as parse_quantity;
use models::time::Span;
use probes::point_to_point::{Spoken, Statistic};
use programs::point_to_point::{LatencyMatrix, Order, Test};
use std::process::ExitCode;

/// The arguments of `parallax probe matrix`.
#[derive(clap::Args)]
pub struct MatrixArguments {
    /// Length of each message
    #[arg(long, default_value = "4", value_parser = analysis::values::bytes)]
    bytes: u64,
    /// Timed ping-pongs per pair
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pings: u32,
    /// Warm-up ping-pongs per pair
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    skip: u32,
    /// Measure disjoint pairs at the same time: faster, but pairs may disturb each other
    #[arg(long)]
    at_once: bool,
    /// Statistic of each pair's ping-pongs that goes into the matrix
    #[arg(long, default_value = "median", value_parser = one_of(Statistic::ALL, Statistic::name))]
    statistic: Statistic,
    /// Subtract this from each latency in the matrix: half a round trip includes both overheads (2o), the L of LogGP
    /// models does not
    #[arg(long, value_name = "SPAN", default_value = "0 ns", value_parser = parse_quantity::<Span>)]
    less: Span,
    #[command(flatten)]
    buffers: BuffersFlag,
    #[command(flatten)]
    world: WorldFlags,
}

impl MatrixArguments {
    /// Measures or simulates the latencies, prints them, and writes them if a folder is named.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let usual: MatrixArguments = usual();
        let spoken = Spoken { statistic: self.statistic, less: self.less };
        self.world.run_test::<OfMatrix>(&self.test(), (&usual.world, &usual.test()), spoken)
    }

    fn test(&self) -> Test {
        Test::LatencyMatrix(LatencyMatrix {
            bytes: self.bytes,
            repeats: (self.skip, self.pings),
            order: if self.at_once { Order::AtOnce } else { Order::OneByOne },
            buffers: self.buffers.buffers,
        })
    }
}
