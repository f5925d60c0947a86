//! `parallax probe`: measurements of single properties of this machine: messages, clocks, memory, cache lines, bytes,
//! and steps of programs.

mod bandwidth;
mod clocks;
mod data;
mod latency;
mod lines;
mod matrix;
mod memory;
mod messages;
#[cfg(feature = "meters")]
mod meters;
mod sizes;
mod sync;

use std::process::ExitCode;

/// The arguments of `parallax probe`.
#[derive(clap::Args)]
#[command(disable_help_subcommand = true)]
pub struct ProbeArguments {
    #[command(subcommand)]
    what: ProbeCommand,
}

#[derive(clap::Subcommand)]
enum ProbeCommand {
    /// Time ping-pongs between two ranks: mean, median and minimum latency of each length
    Latency(Box<latency::LatencyArguments>),
    /// Measure bandwidth between rank 0 and every other rank, unidirectional and bidirectional
    Bandwidth(Box<bandwidth::BandwidthArguments>),
    /// Time ping-pongs of every pair of ranks: a latency matrix for simulations, and a heat map
    Matrix(Box<matrix::MatrixArguments>),
    /// Time the transfer of a cache line between all pairs of cores, once or over time
    Lines(lines::LinesArguments),
    /// Test each clock of this machine: granularity, read cost, rate, and timed waits of known duration
    Clocks(clocks::ClocksArguments),
    /// Compare clock synchronisation algorithms: duration, proven bound, error
    Sync(Box<sync::SyncArguments>),
    /// Measure the memory of each rank: after MPI_Init, after the first use of each operation, per added rank
    Memory(memory::MemoryArguments),
    #[cfg(feature = "meters")]
    #[command(flatten)]
    Meter(meters::MeterCommand),
    /// Run every algorithm on real ranks and verify every byte
    Data(data::DataArguments),
}

impl ProbeArguments {
    /// Runs the subcommand, which prints its result.
    pub fn probe(&self) -> anyhow::Result<ExitCode> {
        match &self.what {
            ProbeCommand::Latency(arguments) => arguments.run(),
            ProbeCommand::Bandwidth(arguments) => arguments.run(),
            ProbeCommand::Matrix(arguments) => arguments.run(),
            ProbeCommand::Lines(arguments) => arguments.probe(),
            ProbeCommand::Clocks(arguments) => arguments.examine(),
            ProbeCommand::Sync(arguments) => arguments.compare(),
            ProbeCommand::Memory(arguments) => arguments.run(),
            #[cfg(feature = "meters")]
            ProbeCommand::Meter(command) => command.run(),
            ProbeCommand::Data(arguments) => arguments.check(),
        }
    }
}
