//! `parallax noise inject`: deliberate disturbances of this machine.

use crate::flags::{FormatFlags, one_of};
use analysis::noise::{Inject, cpus};
use analysis::values::{bytes, long_time};
use measure::inject::{
    Bursts, Copies, Direction, FileMode, FileStep, FileWork, Generator, Messages, Protocol, Serving,
};
use models::quantity::parse;
use models::time::Span;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax noise inject`.
#[derive(clap::Args)]
#[command(disable_help_subcommand = true)]
pub struct InjectArguments {
    #[command(subcommand)]
    what: InjectCommand,
}

#[derive(clap::Subcommand)]
enum InjectCommand {
    /// Bursts of work that take CPUs from whoever runs there, periodic or at random
    Cpu(CpuArguments),
    /// Traffic in memory: large blocks that are written and read
    Memory(MemoryArguments),
    /// Work on a file without a name, of which nothing is left
    Io(IoArguments),
    /// Messages to this machine itself, each answered
    Net(NetArguments),
}

/// For how long, beside what, and how it is told.
#[derive(clap::Args)]
#[command(next_help_heading = "Duration and output")]
struct Common {
    /// How long, up to 24h [default: 10s; of a command, until it ends]
    #[arg(long, value_name = "TIME", value_parser = long_time)]
    time: Option<Span>,
    #[command(flatten)]
    format: FormatFlags,
    /// Runs of the command, each undisturbed and disturbed in turn
    #[arg(long, default_value = "5", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// Run this command with and without the disturbance, and print its noise norm N = (mean − least) / least
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

#[derive(clap::Args)]
struct CpuArguments {
    /// CPUs, like 0-3,8
    #[arg(long, value_name = "LIST")]
    cpus: String,
    /// From the start of one burst to the start of the next
    #[arg(long, default_value = "10ms", value_name = "TIME", value_parser = parse::<Span>)]
    period: Span,
    /// Duration of a burst
    #[arg(long, default_value = "250us", value_name = "TIME", value_parser = parse::<Span>)]
    duration: Span,
    /// Random bursts: period and duration are means of exponential distributions
    #[arg(long)]
    random: bool,
    /// All CPUs have their bursts at once
    #[arg(long)]
    common: bool,
    /// Seed of the random draws
    #[arg(long, default_value = "1")]
    seed: u64,
    #[command(flatten)]
    common_flags: Common,
}

#[derive(clap::Args)]
struct MemoryArguments {
    /// Bytes of each thread's block
    #[arg(long, default_value = "1GiB", value_parser = bytes)]
    bytes: u64,
    /// What is done with it, in turn
    #[arg(long = "do", default_value = "write,read", value_delimiter = ',', value_parser = one_of(Direction::ALL, Direction::name))]
    steps: Vec<Direction>,
    /// Threads
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// End after so many repeats, if that is before --time
    #[arg(long, value_name = "N")]
    repeats: Option<u64>,
    #[command(flatten)]
    common_flags: Common,
}

#[derive(clap::Args)]
struct IoArguments {
    /// Folder in which the file lies
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    folder: PathBuf,
    /// Length of the file
    #[arg(long, default_value = "1GiB", value_parser = bytes)]
    volume: u64,
    /// Bytes that are written or read at once
    #[arg(long, default_value = "64KiB", value_parser = bytes)]
    buffer: u64,
    /// async (by the system's cache), sync (written through it), direct (past it)
    #[arg(long, default_value = "async", value_parser = one_of(FileMode::ALL, FileMode::name))]
    mode: FileMode,
    /// What is done, in turn
    #[arg(long = "do", default_value = "create,write,read", value_delimiter = ',', value_parser = one_of(FileStep::ALL, FileStep::name))]
    steps: Vec<FileStep>,
    /// End after so many repeats, if that is before --time
    #[arg(long, value_name = "N")]
    repeats: Option<u64>,
    #[command(flatten)]
    common_flags: Common,
}

#[derive(clap::Args)]
struct NetArguments {
    /// What carries the messages
    #[arg(long, default_value = "tcp", value_parser = one_of(Protocol::ALL, Protocol::name))]
    protocol: Protocol,
    /// Bytes of each message, which is answered by as many
    #[arg(long, default_value = "8KiB", value_parser = bytes)]
    message: u64,
    /// Messages in a second, of all clients together [default: as fast as they are answered]
    #[arg(long, value_name = "HZ")]
    rate: Option<f64>,
    /// Clients that send at once
    #[arg(long, default_value = "4", value_parser = clap::value_parser!(u32).range(1..=1024))]
    at_once: u32,
    /// A thread answers each client, or one thread all in turn
    #[arg(long, default_value = "parallel", value_parser = one_of(Serving::ALL, Serving::name))]
    server: Serving,
    /// Sockets' buffer of what is sent
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    sndbuf: Option<u64>,
    /// Sockets' buffer of what is received
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    rcvbuf: Option<u64>,
    #[command(flatten)]
    common_flags: Common,
}

impl InjectArguments {
    /// Disturbs the machine, and prints the disturbance that was reached.
    pub fn inject(&self) -> anyhow::Result<ExitCode> {
        match &self.what {
            InjectCommand::Cpu(arguments) => arguments.common_flags.inject(arguments.generator()?),
            InjectCommand::Memory(arguments) => arguments.common_flags.inject(arguments.generator()),
            InjectCommand::Io(arguments) => arguments.common_flags.inject(arguments.generator()?),
            InjectCommand::Net(arguments) => arguments.common_flags.inject(arguments.generator()?),
        }
    }
}

impl Common {
    fn inject(&self, generator: Generator) -> anyhow::Result<ExitCode> {
        let Common { time, runs, command, .. } = self;
        let inject = Inject { generator, time: *time, runs: *runs, command };
        self.format.print(&inject.run_injection()?)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl CpuArguments {
    fn generator(&self) -> Result<Generator, BadInput> {
        let CpuArguments { period, duration, random: is_random, common: is_common, seed, .. } = *self;
        let bursts = Bursts { cpus: cpus(&self.cpus)?, period, duration, is_random, is_common, seed }.checked();
        bursts.map(Generator::Cpu).map_err(|message| BadInput(format!("--duration: {message}")))
    }
}

impl MemoryArguments {
    fn generator(&self) -> Generator {
        let MemoryArguments { bytes, threads, repeats, .. } = *self;
        Generator::Memory(Copies { bytes, steps: self.steps.clone(), threads, repeats })
    }
}

impl IoArguments {
    fn generator(&self) -> Result<Generator, BadInput> {
        let IoArguments { volume, buffer: piece, mode, repeats, .. } = *self;
        if !(1..=MOST_BUFFER).contains(&piece) {
            return Err(BadInput(format!("--buffer: expected 1 B to 1 GiB, found {piece} B")));
        }
        Ok(Generator::Io(FileWork {
            folder: self.folder.clone(),
            volume,
            piece,
            mode,
            steps: self.steps.clone(),
            repeats,
        }))
    }
}

/// Largest buffer of a file's generator, in bytes.
const MOST_BUFFER: u64 = 1 << 30;

impl NetArguments {
    fn generator(&self) -> Result<Generator, BadInput> {
        let small = |flag: &str, value: u64| {
            let small = u32::try_from(value).ok().filter(|&value| value <= 1 << 30);
            small.ok_or_else(|| BadInput(format!("--{flag}: expected up to 1 GiB, found {value} B")))
        };
        let NetArguments { protocol, rate: rate_hz, at_once, server: serving, .. } = *self;
        if let Some(rate) = rate_hz.filter(|rate| !(1e-3..=1e9).contains(rate)) {
            return Err(BadInput(format!("--rate: expected 0.001 to 1e9 messages in a second, found {rate}")));
        }
        let send_buffer = self.sndbuf.map(|value| small("sndbuf", value)).transpose()?;
        let receive_buffer = self.rcvbuf.map(|value| small("rcvbuf", value)).transpose()?;
        let bytes = small("message", self.message)?;
        if bytes == 0 {
            return Err(BadInput("--message: expected 1 B or more, since an empty message is not answered".to_owned()));
        }
        Ok(Generator::Net(Messages { protocol, serving, bytes, rate_hz, at_once, send_buffer, receive_buffer }))
    }
}
