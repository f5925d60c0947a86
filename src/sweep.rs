//! `parallax sweep`: every combination of a file's values, or of flags': one row per point, cost curves, or exit skews.

use crate::flags::{ModelFlags, NoiseFlags, one_of};
use crate::simulate::Format;
use analysis::sweep::{Asked, Show, Source, Sweeping};
use models::engine::Engine;
use scenario::BadInput;
use scenario::axis::Axis;
use scenario::sweep::whole;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax sweep` is told.
#[derive(clap::Args)]
pub struct SweepArguments {
    /// The sweep, like scenarios/sweep-barriers.toml
    #[arg(required_unless_present = "operation", conflicts_with_all = ["Values", "ModelFlags", "NetworkFlags", "NoiseFlags"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    values: Values,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    noise: NoiseFlags,
    /// Draw what algorithms cost over these, and say which one is the cheapest where
    #[arg(long, value_parser = one_of([Axis::Bytes, Axis::Ranks], Axis::name))]
    over: Option<Axis>,
    /// What is drawn: when the last rank finishes, or, at a single place, how far apart ranks leave, without and with noise
    #[arg(long, value_name = "completion|exit-skew", default_value = "completion", value_parser = ["completion", "exit-skew"])]
    quantity: String,
    /// With --over, leave out points that take more messages than this, over all realisations
    #[arg(long, default_value = "2^28", value_name = "MESSAGES", value_parser = messages, requires = "over")]
    limit: u64,
    /// Where to: rows to a name that ends in .jsonl or .csv [default: a table on the terminal, for up to 200 points]; what is
    /// drawn to .svg (picture), .html (page with picture and tables) or .csv (numbers, which also lie beside the other two)
    #[arg(long, short, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the file in --out, if there is one
    #[arg(long, requires = "out", conflicts_with_all = ["over", "quantity"])]
    resume: bool,
    /// Simulate the small form, as the file's table [small] says
    #[arg(long, conflicts_with_all = ["resume", "operation"])]
    small: bool,
    /// Which engine; auto takes the fast one where it can
    #[arg(long, default_value = "auto", value_parser = one_of(Engine::ALL, Engine::name))]
    engine: Engine,
    /// How to print; json prints what a .jsonl file would hold, or what is drawn
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Print nothing while running
    #[arg(long, short)]
    quiet: bool,
    /// Simulate ranges of points that come on standard input (`parallax-mpi sweep` starts it)
    #[arg(long, hide = true, conflicts_with_all = ["resume", "gather"])]
    serve: bool,
    /// Write rows that come on standard input (`parallax-mpi sweep` starts it)
    #[arg(long, hide = true, requires = "out")]
    gather: bool,
}

/// What is varied without a file.
#[derive(clap::Args)]
struct Values {
    /// bcast, reduce, barrier, allreduce, gather, scatter, allgather, alltoall, reduce-scatter, scan or exscan
    #[arg(long)]
    operation: Option<String>,
    /// Its algorithms, or all of them; openmpi-4.1 and mpich-4.0: what that library takes
    #[arg(long, value_delimiter = ',', default_value = "all", value_name = "NAME,…|all")]
    algorithms: Vec<String>,
    /// Numbers of ranks, like 64, 2^20 or 8,64..1024 [default: with --over ranks 2..1024]
    #[arg(long, value_name = "LIST")]
    ranks: Option<String>,
    /// Bytes of one rank's buffer, or of one block [default: 0; with --over bytes 8..1MiB]
    #[arg(long, value_name = "LIST")]
    bytes: Option<String>,
    /// Roots, where the operation has one [default: 0]
    #[arg(long, value_name = "LIST")]
    root: Option<String>,
    /// Lengths of segments, where the algorithm pipelines; 0: uncut; auto: at each point the cheapest without noise [default: 0; with
    /// --over auto]
    #[arg(long, value_name = "auto|LIST")]
    segment: Option<String>,
    /// Fanouts, radices or numbers of chains, where the algorithm has one [default: the algorithm's own]
    #[arg(long, value_name = "LIST")]
    fanout: Option<String>,
    /// When ranks enter: 0,5us,… (one for each rank), a file with one time per line, or random:10us [default: together]
    #[arg(long, value_name = "TIMES|FILE|random:SPAN")]
    entry: Option<String>,
    /// Independent realisations of the noise [default: 1; with --over 32, of which the mean counts; of exit skews 256]
    #[arg(long, value_name = "LIST")]
    realisations: Option<String>,
    /// Calls back to back; the exits of the last one count [default: 1]
    #[arg(long, value_name = "LIST")]
    repeat: Option<String>,
    /// Who prints a number: a benchmark, one of its columns or a method, as for `parallax budget --from`, like osu,osu:max
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    benchmark: Vec<String>,
    /// The barrier that it calls: algorithms, or what a library takes, like tree,openmpi-4.1 [default: dissemination]
    #[arg(long, value_delimiter = ',', value_name = "NAME,…|all", requires = "benchmark")]
    barrier: Vec<String>,
    /// Samples that it takes [default: 10]
    #[arg(long, value_name = "LIST", requires = "benchmark")]
    samples: Option<String>,
}

impl SweepArguments {
    /// Simulates all points that are still to be done.
    pub fn sweep(self) -> anyhow::Result<ExitCode> {
        let show = match (self.over, self.quantity == "exit-skew") {
            (None, false) => Show::Rows,
            (None, true) => Show::Exits,
            (Some(over), false) => Show::Curves { over, limit: self.limit },
            (Some(_), true) => {
                let message = "--quantity exit-skew: exits of a single place are drawn; expected no --over";
                return Err(BadInput(message.to_owned()).into());
            }
        };
        let asked = |operation, values: Values| Asked {
            operation,
            values: vec![
                ("ranks", values.ranks),
                ("bytes", values.bytes),
                ("root", values.root),
                ("segment_bytes", values.segment),
                ("fanout", values.fanout),
                ("entry", values.entry),
                ("realisations", values.realisations),
                ("calls", values.repeat),
                ("samples", values.samples),
            ],
            names: vec![("algorithm", values.algorithms), ("benchmark", values.benchmark), ("barrier", values.barrier)],
            model: self.model.choice(),
            noise: self.noise.choice(),
        };
        let source = match (self.file, self.values.operation.clone()) {
            (None, Some(operation)) => Source::Asked(Box::new(asked(operation, self.values))),
            (file, _) => Source::File(file.unwrap_or_default()),
        };
        let sweeping = Sweeping {
            source,
            show,
            out: self.out,
            resume: self.resume,
            small: self.small,
            engine: self.engine,
            json: self.format == Format::Json,
            quiet: self.quiet,
            serve: self.serve,
            gather: self.gather,
        };
        sweeping.carry_out()
    }
}

/// A number of messages, plain or as a power.
fn messages(text: &str) -> Result<u64, String> {
    let number = whole(text).filter(|&number| number > 0);
    number.ok_or_else(|| "expected a number of messages, like 1000000 or 2^28".to_owned())
}
