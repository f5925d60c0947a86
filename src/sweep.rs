//! `parallax sweep`: every combination of a file's or the flags' values, as one row per point, cost curves, or exit
//! skews.

use crate::flags::{DryRun, FormatFlags, ModelFlags, NoiseFlags, PictureFlags, one_of};
use crate::output::look;
use analysis::sweep::{ACROSS, Show, Source, SweepRequest, Sweeping};
use models::collective::Collective;
use models::engine::Engine;
use scenario::BadInput;
use scenario::sweep::whole;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The arguments of `parallax sweep`.
#[derive(clap::Args)]
pub struct SweepArguments {
    /// Operations, with the values of the flags; or a sweep file, or the name of a sweep that comes with parallax
    #[arg(value_name = "OPERATION,…|FILE")]
    what: String,
    #[command(flatten)]
    values: Values,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    noise: NoiseFlags,
    /// Draw curves over bytes, ranks or network parameters, or over the fragment or the buffers of queues in shared memory, and
    /// print the ranges in which each algorithm is the fastest. Curves over parameters, like L=0..20us,G, have slopes and
    /// breakpoints; the default range is 0 to four times the value
    #[arg(long, value_name = "bytes|ranks|fragment|buffers|PARAMETER[=FROM..TO],…", value_delimiter = ',')]
    over: Vec<String>,
    /// Quantity to draw: completion time, or, at one point, exit skews without and with noise
    #[arg(long, value_name = "NAME", default_value = "completion", value_parser = ["completion", "exit-skew"])]
    quantity: String,
    /// With --over, leave out points that need more messages than this, over all realisations
    #[arg(long, default_value = "2^28", value_name = "MESSAGES", value_parser = messages, requires = "over")]
    limit: u64,
    /// Output file: for rows, a name that ends in .jsonl or .csv [default: a table on the terminal, for up to 200
    /// points]; for curves and skews, .svg, .pdf or .png (picture), .html (page with picture and tables) or .csv
    /// (numbers, also written beside the others). A file that exists is not overwritten
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureFlags,
    /// Resume from the file of --out, if it exists
    #[arg(long, requires = "out", conflicts_with_all = ["over", "quantity", "dry_run"])]
    resume: bool,
    /// Simulate the small form, which the file's table [small] defines
    #[arg(long, conflicts_with = "resume")]
    small: bool,
    /// Simulation engine; auto selects the fast one where it applies
    #[arg(long, default_value = "auto", value_parser = one_of(Engine::ALL, Engine::name))]
    engine: Engine,
    #[command(flatten)]
    format: FormatFlags,
    /// Print nothing while running
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    dry: DryRun,
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
    /// Algorithms that `parallax algorithms` lists, or libraries for their own choice, like openmpi-4.1; or queues in shared
    /// memory, like shared:8KiB:1..128, shared:1KiB..256KiB:4MiB or shared:coll-sm [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAME,…|all")]
    algorithm: Vec<String>,
    /// Numbers of ranks: a list (see: parallax help lists) [default with --over ranks: 2..1024]
    #[arg(long, value_name = "LIST")]
    ranks: Option<String>,
    /// Bytes of one rank's buffer, or of one block [default: 0; with --over bytes 8..1MiB]
    #[arg(long, value_name = "LIST")]
    bytes: Option<String>,
    /// Roots, for operations that have one [default: 0]
    #[arg(long, value_name = "LIST")]
    root: Option<String>,
    /// Segment lengths of algorithms that pipeline; 0: messages are not segmented; auto: the fastest one at each point
    /// without noise [default: 0; with --over auto]
    #[arg(long, value_name = "auto|LIST")]
    segment: Option<String>,
    /// Fanouts, radices or numbers of chains, for algorithms that have one [default: the algorithm's own]
    #[arg(long, value_name = "LIST")]
    fanout: Option<String>,
    /// Entry times of the ranks: 0,5us,… (one per rank), a file with one time per line, or random:10us [default: all
    /// ranks together]
    #[arg(long, value_name = "TIMES|FILE|random:SPAN")]
    entry: Option<String>,
    /// Computing times of each rank before each call (grains): a list like 100us,1ms [default: 0us]
    #[arg(long, value_delimiter = ',', value_name = "SPAN,…")]
    compute: Vec<String>,
    /// Numbers of independent realisations of the noise [default: 1; with --over 32, which are averaged; for exit skews
    /// 256]
    #[arg(long, value_name = "LIST")]
    realisations: Option<String>,
    /// Numbers of back-to-back calls; times are taken at the exits of the last one [default: 1]
    #[arg(long, value_name = "LIST")]
    calls: Option<String>,
    /// Also print the numbers of these: a benchmark, one of its columns, a method, or any configuration of a budget,
    /// like osu,osu:max
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    benchmark: Vec<String>,
    /// Barriers that the benchmark calls: algorithms, or libraries for their own choice [default: dissemination]
    #[arg(long, value_delimiter = ',', value_name = "NAME,…|all", requires = "benchmark")]
    barrier: Vec<String>,
    /// Samples per benchmark [default: 10]
    #[arg(long, value_name = "LIST", requires = "benchmark")]
    samples: Option<String>,
}

impl SweepArguments {
    /// Simulates all points that are missing.
    pub fn sweep(self) -> anyhow::Result<ExitCode> {
        let show = self.show()?;
        let paper = self.picture.paper(&[&self.out])?;
        let asked = |operations: Vec<&str>, values: Values| SweepRequest {
            operations: operations.into_iter().map(str::to_owned).collect(),
            values: vec![
                ("ranks", values.ranks),
                ("bytes", values.bytes),
                ("root", values.root),
                ("segment_bytes", values.segment),
                ("fanout", values.fanout),
                ("entry", values.entry),
                ("realisations", values.realisations),
                ("calls", values.calls),
                ("samples", values.samples),
            ],
            names: vec![
                ("algorithm", values.algorithm),
                ("compute", values.compute),
                ("benchmark", values.benchmark),
                ("barrier", values.barrier),
            ],
            model: self.model.choice(),
            noise: self.noise.choice(),
        };
        let operations: Option<Vec<&str>> = self.what.split(',').map(|name| operation(name.trim())).collect();
        let source = match operations {
            Some(operations) => Source::Asked(Box::new(asked(operations, self.values))),
            None => {
                self.expect_a_file()?;
                self.refuse_flags()?;
                Source::File(PathBuf::from(&self.what))
            }
        };
        let sweeping = Sweeping {
            source,
            show,
            out: self.out,
            paper,
            resume: self.resume,
            small: self.small,
            engine: self.engine,
            format: self.format.format,
            look: look(true),
            quiet: self.quiet,
            dry_run: self.dry.dry_run,
            serve: self.serve,
            gather: self.gather,
        };
        sweeping.run_sweep()
    }
}

impl SweepArguments {
    /// Returns the form of the results.
    fn show(&self) -> Result<Show, BadInput> {
        let axis = |name: &String| ACROSS.into_iter().find(|(known, _)| known == name).map(|(_, axis)| axis);
        Ok(match (&self.over[..], self.quantity == "exit-skew") {
            ([], false) => Show::Rows,
            ([], true) => Show::Exits,
            (all, false) => match all.iter().find_map(axis) {
                None => Show::Parameters(all.to_vec()),
                Some(over) if all.len() == 1 => Show::Curves { over, limit: self.limit },
                Some(over) => {
                    return Err(BadInput(format!(
                        "--over: expected {} by itself, or parameters, found {}",
                        over.name().trim_end_matches("_bytes"),
                        all.join(",")
                    )));
                }
            },
            (_, true) => {
                let message = "--quantity exit-skew: exits are drawn for a single point; leave out --over";
                return Err(BadInput(message.to_owned()));
            }
        })
    }

    /// Checks that the argument is a file, or the name of a sweep that comes with the program. The error names an
    /// unknown operation.
    fn expect_a_file(&self) -> Result<(), BadInput> {
        let what = &self.what;
        let is_file = what.contains(['/', '.']) || Path::new(what).exists();
        if is_file || scenario::shipped::all().iter().any(|shipped| shipped.name == what) {
            return Ok(());
        }
        let names = what.split(',').map(str::trim);
        let unknown = names.filter(|name| operation(name).is_none()).map(Collective::find).find_map(Result::err);
        let unknown = unknown.unwrap_or_default();
        Err(BadInput(format!(
            "{unknown}; and there is no file {what}, nor a sweep of this name in `parallax run --list`"
        )))
    }

    /// Refuses flags beside a file, which sets all values itself.
    fn refuse_flags(&self) -> Result<(), BadInput> {
        let (values, model, noise) = (&self.values, self.model.choice(), self.noise.choice());
        let lists = [
            ("--ranks", &values.ranks),
            ("--bytes", &values.bytes),
            ("--root", &values.root),
            ("--segment", &values.segment),
            ("--fanout", &values.fanout),
            ("--entry", &values.entry),
            ("--realisations", &values.realisations),
            ("--calls", &values.calls),
            ("--samples", &values.samples),
        ];
        let said = lists.into_iter().filter(|(_, value)| value.is_some()).map(|(flag, _)| flag);
        let names =
            [("--algorithm", &values.algorithm), ("--benchmark", &values.benchmark), ("--barrier", &values.barrier)];
        let named = names.into_iter().filter(|(_, names)| !names.is_empty()).map(|(flag, _)| flag);
        let others = [
            ("--model, --send-rule, --set", model.network.says_any()),
            ("--machine, --pairs, --platform", model.machine.is_some() || model.platform.is_some()),
            ("--noise", !noise.noise.is_empty()),
            ("--seed", noise.seed != 1),
        ];
        let others = others.into_iter().filter(|(_, said)| *said).map(|(flag, _)| flag);
        let said: Vec<&str> = said.chain(named).chain(others).collect();
        if said.is_empty() {
            return Ok(());
        }
        let (flags, what) = (said.join(", "), &self.what);
        Err(BadInput(format!(
            "{flags}: the file {what} sets this itself; change it there, or give an operation instead"
        )))
    }
}

/// Returns the collective of this name, if there is one.
fn operation(name: &str) -> Option<&'static str> {
    models::call::collective(name).ok().map(Collective::name)
}

/// Reads a number of messages, plain or as a power.
fn messages(text: &str) -> Result<u64, String> {
    let number = whole(text).filter(|&number| number > 0);
    number.ok_or_else(|| "expected a number of messages, like 1000000 or 2^28".to_owned())
}
