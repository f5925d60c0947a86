//! `parallax probe matrix`: ping-pongs of every pair of ranks.

use super::messages::{BuffersFlag, Shown, WorldFlags};
use crate::flags::{one_of, usual};
use campaign::testing::OfMatrix;
use models::point_to_point::{LatencyMatrix, Order, Test};
use models::quantity::parse as parse_quantity;
use models::time::Span;
use reports::point_to_point::{Matrix, Report, Statistic, heat_map};
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
    /// Measures or simulates, prints and writes.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let usual: MatrixArguments = usual();
        self.world.carry_out::<OfMatrix>(&self.test(), (&usual.world, &usual.test()), |report| self.show(report))
    }

    fn test(&self) -> Test {
        Test::LatencyMatrix(LatencyMatrix {
            bytes: self.bytes,
            repeats: (self.skip, self.pings),
            order: if self.at_once { Order::AtOnce } else { Order::OneByOne },
            buffers: self.buffers.buffers,
        })
    }

    fn show(&self, report: &Report) -> Shown {
        let matrix = Matrix::of(report, self.statistic, self.less);
        let mut lines = report.head();
        let when = if self.at_once { "disjoint pairs at once" } else { "one pair at a time" };
        let (bytes, pings) = (self.bytes, self.pings);
        lines.push(format!("{bytes} B, {pings} ping-pongs of each pair, {when}"));
        if self.less > Span::ZERO {
            lines.push(format!("each less {}", self.less));
        }
        let table: String = lines.iter().map(|line| format!("{line}\n")).collect::<String>() + &matrix.terminal();
        let title = format!("Latencies of {} ranks, {} of half round trips", report.ranks, self.statistic.name());
        let files = vec![
            (matrix.file_name(), matrix.text()),
            ("summary.txt".to_owned(), table.clone()),
            ("matrix.svg".to_owned(), heat_map(matrix.pairs(), &title, &lines[1..]).to_string()),
        ];
        Shown { table, files, matrix: Some(matrix) }
    }
}
