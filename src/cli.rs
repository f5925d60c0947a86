//! The command line: what can be asked, and who answers.

use crate::algorithms::AlgorithmsArguments;
use crate::audit::AuditArguments;
use crate::batch::BatchArguments;
use crate::bench::BenchArguments;
use crate::budget::BudgetArguments;
use crate::calibrate::CalibrateArguments;
use crate::clocks::ClocksArguments;
use crate::compare::CompareArguments;
use crate::debias::DebiasArguments;
use crate::flags::CampaignFlags;
use crate::guidelines::GuidelinesArguments;
use crate::import::ImportArguments;
use crate::manual::{CompletionsArguments, ManArguments};
use crate::measuring::MeasureArguments;
use crate::memory::MemoryArguments;
use crate::p2p::{LatencyArguments, MatrixArguments, TransferArguments};
use crate::probe::ProbeArguments;
use crate::report::ReportArguments;
use crate::simulate::SimulateArguments;
use crate::store::StoreArguments;
use crate::sweep::SweepArguments;
use crate::sync::SyncArguments;
use crate::validate::ValidateArguments;
use crate::{doctor, goal, run};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// How far does an MPI benchmark's method shift the number it prints?
///
/// Parallax predicts it (simulated ranks), measures it (threads, MPI), and compares the two.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Answer a scenario's question: calibrate, measure, predict, compare, report
    Run(RunArguments),
    /// Measure operations on real ranks by all methods at once: what each one, and each known benchmark, would print
    Measure(Box<MeasureArguments>),
    /// Run OSU's and IMB's own benchmarks and say how wrong their numbers are, and which flags to use; or hold texts that they
    /// printed against references of here and now
    Audit(Box<AuditArguments>),
    /// Find out every parameter of a machine, with its interval: a file that simulations take
    Calibrate(Box<CalibrateArguments>),
    /// Hold predictions of network models against measurements: which model is right where, and which algorithm a library uses
    Validate(Box<ValidateArguments>),
    /// Compare campaigns, machine files or other benchmarks' texts, case by case: what is slower, by how much, how sure
    Compare(Box<CompareArguments>),
    /// Check a library's self-consistency: calls that take longer than other calls that do the same
    Guidelines(GuidelinesArguments),
    /// Lead from the reference to what a benchmark prints, error by error, predicted and measured
    ///
    /// The errors: E1 connections are set up in the first call, which is counted; E2 one rank's time, or the mean of all, stands for
    /// the slowest's (where the operation has a root, ranks end at different times by definition); E3 the root changes; E4 buffers
    /// stay in cache or are never rewritten; E5 ranks leave the barrier before a call at different times (either sign: who starts
    /// first may or may not have to wait for the others); E6 calls overlap in a loop; E7 the clock; E8 ranks that waited start
    /// slower; E9 a barrier is timed, too. With few launches in a state there are no intervals: raise --launches
    Budget(Box<BudgetArguments>),
    /// Write the page of campaigns anew, of several on one page
    Report(ReportArguments),
    /// Simulate one collective: finish times, messages, exit skew
    Simulate(Box<SimulateArguments>),
    /// List the algorithms of collectives: what they cost, when each wins, which one a library takes
    Algorithms(AlgorithmsArguments),
    /// Write a job script for a campaign: for Slurm, PBS or Flux
    Batch(BatchArguments),
    /// Measure what the simulator itself costs, case by case
    Bench(BenchArguments),
    /// Simulate every combination of values: a row per point, which algorithm is the cheapest where, or how far apart ranks leave
    ///
    /// What varies is said by a file, like scenarios/sweep-barriers.toml, or by --operation and the flags below it. Numbers are listed, 8,64,
    /// or in ranges: 8..64KiB (doubling), 8..64KiB*4, 0..64+8, 2..1000/20 (so many, at equal ratios). Without --over each point is a row. Flags take messages alone,
    /// without the memory of --machine
    Sweep(Box<SweepArguments>),
    /// Time ping-pongs of doubling lengths between two ranks: mean, median and least latency
    Latency(Box<LatencyArguments>),
    /// Time messages of rank 0 with every other rank: bandwidth one way and both ways at once, T(L) = s + L/R
    Transfer(Box<TransferArguments>),
    /// Time ping-pongs of every pair of ranks: a matrix that simulations take, and a heat map
    LatencyMatrix(Box<MatrixArguments>),
    /// Look at this machine's state: how long a cache line takes between all pairs of cores, and how that changes
    Probe(ProbeArguments),
    /// Look at the memory of real ranks: after MPI_Init, after the first use of each operation, per added rank
    Memory(MemoryArguments),
    /// Run every algorithm on real ranks and compare every byte
    Check(run::CheckArguments),
    /// Say what each clock of this machine is worth: steps, cost, rate, and waits of known duration timed by it
    Clocks(ClocksArguments),
    /// Compare clock synchronisations
    Sync(SyncArguments),
    /// Run, check and export GOAL schedules
    Goal(goal::GoalArguments),
    /// Read what OSU, IMB, MPIPerf, ReproMPI or SKaMPI printed: all numbers as one table, in µs
    Import(ImportArguments),
    /// Correct what OSU, IMB, MPIPerf, ReproMPI or SKaMPI printed by what the method did to it
    Debias(Box<DebiasArguments>),
    /// Keep campaigns in one SQLite file: add, list, show, export
    Store(StoreArguments),
    /// Say what is here, what is wrong, and what to do
    Doctor {
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell: bash, zsh, fish, elvish or powershell
    Completions(CompletionsArguments),
    /// Print the manual page, or write one for each subcommand
    Man(ManArguments),
    /// Carry out a job on threads of this process (`run` starts it)
    #[command(hide = true)]
    ServeThreads(run::ServeThreads),
}

/// What `parallax run` is told.
#[derive(clap::Args)]
pub struct RunArguments {
    /// The scenario file, like scenarios/loop-error.toml
    pub scenario: PathBuf,
    /// Run the scenario in its small form, as its table [small] says
    #[arg(long)]
    pub small: bool,
    /// Where the run is kept, and how its ranks are started
    #[command(flatten)]
    pub campaign: CampaignFlags,
    /// Print the lines that would start MPI ranks, and exit
    #[arg(long)]
    pub print_launch: bool,
}

impl Command {
    /// Does what was asked.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Command::Run(arguments) => run::run(&arguments),
            Command::Measure(arguments) => arguments.measure(),
            Command::Audit(arguments) => arguments.audit(),
            Command::Calibrate(arguments) => arguments.calibrate(),
            Command::Validate(arguments) => arguments.validate(),
            Command::Compare(arguments) => arguments.compare(),
            Command::Guidelines(arguments) => arguments.check(),
            Command::Budget(arguments) => arguments.carry_out(),
            Command::Report(arguments) => arguments.write(),
            Command::Simulate(arguments) => arguments.simulate(),
            Command::Algorithms(arguments) => arguments.list(),
            Command::Batch(arguments) => arguments.write(),
            Command::Bench(arguments) => arguments.bench(),
            Command::Sweep(arguments) => arguments.sweep(),
            Command::Latency(arguments) => arguments.run(),
            Command::Transfer(arguments) => arguments.run(),
            Command::LatencyMatrix(arguments) => arguments.run(),
            Command::Probe(arguments) => arguments.probe(),
            Command::Memory(arguments) => arguments.run(),
            Command::Check(arguments) => arguments.check(),
            Command::Clocks(arguments) => arguments.examine(),
            Command::Sync(arguments) => arguments.carry_out(),
            Command::Goal(arguments) => arguments.carry_out(),
            Command::Import(arguments) => arguments.import(),
            Command::Debias(arguments) => arguments.debias(),
            Command::Store(arguments) => arguments.carry_out(),
            Command::Doctor { json } => doctor::run(json),
            Command::Completions(arguments) => arguments.print(),
            Command::Man(arguments) => arguments.write(),
            Command::ServeThreads(arguments) => arguments.serve(),
        }
    }
}
