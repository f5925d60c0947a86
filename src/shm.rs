//! `parallax shm`: broadcasts through shared memory: predicted times, simulated and real calls, and the memory of
//! queues.

mod measure;

use crate::flags::{FormatFlags, PictureFlags, one_of};
use analysis::files::write_drawn;
use analysis::shm::{Predict, Simulate, memory};
use analysis::values;
use measure::{MeasureArguments, TuneArguments};
use models::shared_broadcast::Design;
use std::path::PathBuf;
use std::process::ExitCode;
use study::shm::Over;

/// The arguments of `parallax shm`.
#[derive(clap::Args)]
#[command(disable_help_subcommand = true)]
pub struct ShmArguments {
    #[command(subcommand)]
    what: ShmCommand,
}

#[derive(clap::Subcommand)]
enum ShmCommand {
    /// Predict the time of a broadcast through queues in shared memory, and say which queue to choose
    ///
    /// Values are lists: all combinations are predicted. What is not given is as in the figures of Kurnosov and Tokmasheva
    /// (2020)
    Predict(Box<PredictArguments>),
    /// Simulate broadcasts through queues in shared memory among the ranks of one computer, rank by rank
    ///
    /// Each rank runs the algorithm itself. Where nothing is set, one reader takes what predict says
    Simulate(Box<SimulateArguments>),
    /// Measure broadcasts through queues in shared memory on real ranks, beside the library's own
    ///
    /// Each queue is an algorithm of a campaign of `parallax measure` (shared:FRAGMENT:BUFFERS:SETS:TREE), timed by windows on
    /// synchronised clocks; all are measured in a random order in each launch
    Measure(Box<MeasureArguments>),
    /// Measure what copies and waits cost on two ranks, and say which queue to choose
    ///
    /// Parameters are fitted to every second length of fragments; the others check them
    Tune(Box<TuneArguments>),
    /// Say how much memory a queue takes, by the length of fragments and the number of buffers
    Table(TableArguments),
}

#[derive(clap::Args)]
struct PredictArguments {
    /// Lengths of messages m: a list (see: parallax help lists) [default: 16MiB; with --over bytes 64..16MiB]
    #[arg(long, value_name = "LIST")]
    bytes: Option<String>,
    /// Lengths of fragments f, which are those of buffers [default: 8KiB; with --over fragment 1KiB..256KiB]
    #[arg(long, value_name = "LIST")]
    fragment: Option<String>,
    /// Numbers of buffers s of a queue [default: 32; with --over buffers 1..1024]
    #[arg(long, value_name = "LIST")]
    buffers: Option<String>,
    /// In place of --buffers: memory b of a queue; it has as many buffers as fit
    #[arg(long, value_name = "BYTES", value_parser = values::bytes, conflicts_with = "buffers")]
    queue: Option<u64>,
    /// Numbers of sets q that the buffers are split into [default: 1]
    #[arg(long, value_name = "LIST")]
    sets: Option<String>,
    /// Parameters: t, a copy per byte; tW, a notification; tWO, waiting for a set; tA, leaving it. A number without a unit is
    /// in ns or ns/B [default: t=1ns/B,tW=50ns,tWO=100ns,tA=10ns]
    #[arg(long, value_name = "KEY=VALUE,…")]
    set: Option<String>,
    /// What goes to the right in the picture of --out [default: what has several values]
    #[arg(long, value_name = "bytes|fragment|buffers", value_parser = one_of(Over::ALL, Over::name), hide_possible_values = true)]
    over: Option<Over>,
    /// Also print the size of the segment of so many ranks
    #[arg(long, value_name = "P", value_parser = values::ranks)]
    ranks: Option<u32>,
    /// Bytes of a page of memory: control words and buffers are placed on whole pages
    #[arg(long, value_name = "BYTES", default_value = "4KiB", value_parser = values::bytes)]
    page: u64,
    /// Output file: .svg, .pdf or .png (picture of the time beyond one copy), .html (page) or .csv (numbers, also written
    /// beside the others). A file that exists is not overwritten
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureFlags,
    #[command(flatten)]
    format: FormatFlags,
}

#[derive(clap::Args)]
struct SimulateArguments {
    /// Number of ranks
    #[arg(long, value_name = "P", value_parser = values::ranks)]
    ranks: u32,
    /// Number of NUMA nodes that the ranks are on, one after the other
    #[arg(long, value_name = "N", default_value = "1")]
    numa: u32,
    /// What ranks do: numa (Kurnosov and Tokmasheva), coll-sm (Open MPI), mvapich, release-gather (MPICH), each with its usual
    /// fragment, buffers and tree; several are compared
    #[arg(long, value_name = "DESIGN,…", value_delimiter = ',', default_value = "numa", value_parser = one_of(Design::ALL, Design::name), hide_possible_values = true)]
    design: Vec<Design>,
    /// Who notifies whom: flat, chain, kary:K and complete:K (up to K children each, dealt out by level or in turn), knomial:K (2:
    /// binomial); several are compared [default: chain,flat,kary:4,knomial:2; coll-sm: complete:4, release-gather: complete:64]
    #[arg(long, value_name = "TREE,…", value_delimiter = ',')]
    tree: Vec<String>,
    /// Length of the message
    #[arg(long, value_name = "BYTES", default_value = "1MiB", value_parser = values::bytes)]
    bytes: u64,
    /// Length of a fragment, which is that of a buffer [default: 8KiB]
    #[arg(long, value_name = "BYTES", value_parser = values::bytes)]
    fragment: Option<u64>,
    /// Number of buffers of a queue [default: 32; coll-sm: 8, mvapich: 128, release-gather: 4]
    #[arg(long, value_name = "S")]
    buffers: Option<u64>,
    /// Number of sets that the buffers are split into [default: 1; coll-sm: 2]
    #[arg(long, value_name = "Q")]
    sets: Option<u64>,
    /// Number of back-to-back calls
    #[arg(long, value_name = "K", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    calls: u32,
    /// Root; of several, each call has the next one
    #[arg(long, value_name = "RANK,…", value_delimiter = ',', default_value = "0")]
    root: Vec<u32>,
    /// Parameters: t, tW, tWO and tA as in predict; tR, a copy from another NUMA node; n, what a notification costs whoever
    /// notifies; v and vR, until a near or far rank sees it; M, for how long a copy occupies a memory, per byte;
    /// c, until a reader has cleared its control word, before which its copy is not over
    /// [default: those of predict, tR = t, n = v = vR = M = c = 0]
    #[arg(long, value_name = "KEY=VALUE,…")]
    set: Option<String>,
    /// Draw a timeline of all ranks, of one design with one tree: .html, .svg, .pdf, .png, .json (Chrome trace, Perfetto), .paje
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureFlags,
    #[command(flatten)]
    format: FormatFlags,
}

#[derive(clap::Args)]
struct TableArguments {
    /// Lengths of fragments: a list (see: parallax help lists)
    #[arg(long, value_name = "LIST", default_value = "4KiB..64KiB+4KiB")]
    fragment: String,
    #[command(flatten)]
    format: FormatFlags,
}

impl ShmArguments {
    /// Runs the subcommand, which prints its result.
    pub fn run_subcommand(&self) -> anyhow::Result<ExitCode> {
        match &self.what {
            ShmCommand::Predict(arguments) => arguments.predict(),
            ShmCommand::Simulate(arguments) => arguments.simulate(),
            ShmCommand::Measure(arguments) => arguments.measure(),
            ShmCommand::Tune(arguments) => arguments.tune(),
            ShmCommand::Table(arguments) => arguments.list(),
        }
    }
}

impl PredictArguments {
    fn predict(&self) -> anyhow::Result<ExitCode> {
        let paper = self.picture.paper(&[&self.out])?;
        let asked = Predict {
            bytes: self.bytes.clone(),
            fragment: self.fragment.clone(),
            buffers: self.buffers.clone(),
            queue_bytes: self.queue,
            sets: self.sets.clone(),
            set: self.set.clone(),
            over: self.over,
            ranks: self.ranks,
            page_bytes: self.page,
        };
        let forecast = asked.forecast()?;
        if let Some(file) = &self.out {
            write_drawn(&asked.drawn(&forecast)?, file, &paper)?;
        }
        self.format.print(&forecast)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl SimulateArguments {
    fn simulate(&self) -> anyhow::Result<ExitCode> {
        let paper = self.picture.paper(&[&self.timeline])?;
        let asked = Simulate {
            ranks: self.ranks,
            nodes: self.numa,
            designs: self.design.clone(),
            trees: self.tree.clone(),
            bytes: self.bytes,
            fragment_bytes: self.fragment,
            buffers: self.buffers,
            sets: self.sets,
            calls: self.calls,
            roots: self.root.clone(),
            set: self.set.clone(),
        };
        if let Some(file) = &self.timeline {
            asked.draw_timeline(file, &paper)?;
        }
        self.format.print(&asked.simulated()?)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl TableArguments {
    fn list(&self) -> anyhow::Result<ExitCode> {
        let memory = memory(&self.fragment)?;
        self.format.print(&memory)?;
        Ok(ExitCode::SUCCESS)
    }
}
