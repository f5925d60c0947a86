//! `parallax simulate`: one algorithm, called k times back to back by simulated ranks.

mod method;

use crate::flags::{CallFlags, FormatFlags, ModelFlags, NoiseFlags, PictureFlags, one_of};
use analysis::choice::{Memory, Pairs};
use analysis::files::write_drawn;
use analysis::simulate::{SimulatedAnswer, TimedCalls, TimelineCalls, check_memory, draw_timeline};
use analysis::sweep::most_messages;
use questions::entry;
use questions::once::{once, realise};
use questions::show::{Answer, title};
use scenario::BadInput;

use method::MethodFlags;
use models::engine::Engine;
use models::platform::Buffer;
use models::time::Span;
use sim::Simulation;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax simulate`.
#[derive(clap::Args)]
pub struct SimulateArguments {
    #[command(flatten)]
    call: CallFlags,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    noise: NoiseFlags,
    /// Buffer state of the reference: touched (each rank has rewritten what it sends and read what it received), same
    /// (never rewritten), cold (flushed from caches), none (messages only, without the memory of --machine)
    #[arg(long, default_value = "touched", value_name = "BUFFER",
        value_parser = one_of(Buffer::REFERENCES.map(Some).into_iter().chain([None]), |one| one.map_or("none", Buffer::name)))]
    // By its whole path the type is a value of its own, not an argument that may be missing.
    reference: ::std::option::Option<Buffer>,
    /// Number of back-to-back calls
    #[arg(long, default_value = "1", value_name = "K", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    calls: u32,
    /// Computing time of each rank before each call, a grain
    #[arg(long, default_value = "0us", value_name = "SPAN", value_parser = models::quantity::parse::<Span>)]
    compute: Span,
    /// Entry times of the ranks: 0,5us,… (one per rank), a file with one time per line, or random:10us
    #[arg(long, value_name = "TIMES|FILE|random:SPAN")]
    entry: Option<String>,
    /// Number of independent realisations of the noise
    #[arg(long, default_value = "1", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    realisations: u32,
    #[command(flatten)]
    method: MethodFlags,
    /// Simulation engine; auto selects the fast one where it applies
    #[arg(long, default_value = "auto", value_parser = one_of(Engine::ALL, Engine::name))]
    engine: Engine,
    /// Also print the value of every refinement of the network
    #[arg(long)]
    details: bool,
    /// Print the finish time of every rank
    #[arg(long)]
    per_rank: bool,
    #[command(flatten)]
    format: FormatFlags,
    /// Print the last finish as a piecewise linear function of a network parameter, with slopes and breakpoints:
    /// L=0..20us, or L alone for 0 to four times its value; several parameters are varied one at a time
    #[arg(long, value_name = "PARAMETER[=FROM..TO],…", value_delimiter = ',')]
    sensitivity: Vec<String>,
    /// Draw the functions of --sensitivity: .svg, .pdf or .png (picture), .html (page with picture and tables) or .csv
    /// (numbers, also written beside the others). A file that exists is not overwritten
    #[arg(long, short, value_name = "FILE", requires = "sensitivity")]
    out: Option<PathBuf>,
    /// Draw a timeline of all ranks, with --method of the first samples that it takes: .html, .svg, .pdf, .png, .json (Chrome trace, Perfetto), .paje
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
    /// Draw another algorithm below on the same time axis: linear, to see it beside --algorithm binomial
    #[arg(long, value_name = "ALGORITHM", requires = "timeline")]
    beside: Option<String>,
    #[command(flatten)]
    picture: PictureFlags,
}

/// Number of messages whose simulation with memory costs takes seconds.
const MANY_MESSAGES: u64 = 1_000_000;

impl SimulateArguments {
    /// Simulates the calls and prints the results.
    pub fn simulate(&self) -> anyhow::Result<ExitCode> {
        let paper = self.picture.paper(&[&self.out, &self.timeline])?;
        if let Some(file) = &self.out {
            render::drawn::drawn_as(file).map_err(BadInput)?;
        }
        let simulation = self.simulation(None)?;
        let beside = self.beside(&simulation)?;
        let shown = TimelineCalls { simulation: &simulation, beside: beside.as_ref() };
        if self.method.is_asked() {
            if self.entry.is_some() || self.realisations > 1 || self.per_rank || !self.sensitivity.is_empty() {
                let message = "a method determines when its ranks enter: leave out --entry, --realisations, \
                               --per-rank, --sensitivity";
                return Err(BadInput(message.to_owned()).into());
            }
            if self.compute > Span::ZERO {
                return Err(BadInput("--compute: a method times calls alone; leave it out".to_owned()).into());
            }
            let control =
                self.model.choice().machine()?.map_or(simulation.platform.network, |machine| machine.control());
            let method = self.method.choice(self.engine);
            if let Some(file) = &self.timeline {
                draw_timeline(file, &shown, Some((&method, control)), self.noise.seed, &paper)?;
            }
            let timed = method.run_method(&simulation, control, self.noise.seed)?;
            self.format.print(&TimedCalls { title: title(&simulation), timed: &timed })?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(file) = &self.timeline {
            draw_timeline(file, &shown, None, self.noise.seed, &paper)?;
        }
        check_memory(&simulation, self.engine)?;
        let mut answer = self.run_simulation(&simulation)?;
        answer.assumed = self.model.network.choice().assumed();
        let drawn = analysis::simulate::sensitivity(&simulation, self.engine, &self.sensitivity)?;
        if let (Some(file), Some(drawn)) = (&self.out, &drawn) {
            write_drawn(drawn, file, &paper)?;
        }
        let (answer, drawn) = (&answer, drawn.as_ref());
        self.format.print(&SimulatedAnswer { answer, drawn, detailed: self.details })?;
        Ok(ExitCode::SUCCESS)
    }

    fn run_simulation(&self, simulation: &Simulation) -> Result<Answer, BadInput> {
        let (engine, seed) = (self.engine, self.noise.seed);
        if self.realisations == 1 {
            return once(simulation, engine, seed, self.per_rank);
        }
        if self.per_rank {
            return Err(BadInput("--per-rank: expected a single realisation".to_owned()));
        }
        realise(simulation, engine, seed, self.realisations)
    }

    /// Returns the same calls by the algorithm of --beside. `None` without that flag.
    fn beside(&self, simulation: &Simulation) -> Result<Option<Simulation>, BadInput> {
        let named = |error: BadInput| BadInput(error.0.replacen("--algorithm", "--beside", 1));
        let Some(other) = self.beside.as_deref() else { return Ok(None) };
        let beside = self.simulation(Some(other)).map_err(named)?;
        if beside.algorithm.name == simulation.algorithm.name {
            let name = beside.algorithm.name;
            return Err(BadInput(format!("--beside: expected another algorithm than --algorithm, found {name} twice")));
        }
        Ok(Some(beside))
    }

    fn simulation(&self, other: Option<&str>) -> Result<Simulation, BadInput> {
        let (algorithm, shape) = self.call.call(other)?;
        let buffer = self.reference;
        let memory = if buffer.is_some() { Memory::Counts } else { Memory::LeftOut };
        // Methods make many calls, and treat the first one separately. A single call is one between connected ranks.
        let pairs = if self.method.is_asked() { Pairs::ConnectOnTheWay } else { Pairs::Connected };
        let platform = self.model.choice().platform_with(memory, pairs, shape.ranks)?;
        if buffer.is_none() && platform.has_lines() {
            return Err(BadInput(
                "--reference none ignores memory, but --platform or --pairs gives its costs; expected touched, \
                 same or cold"
                    .to_owned(),
            ));
        }
        let messages = most_messages(algorithm, &shape);
        if self.engine == Engine::Auto && platform.has_lines() && messages >= MANY_MESSAGES {
            note!("{messages} messages with memory costs take a while: --reference none simulates messages only");
        }
        let noise = self.model.choice().noise(&self.noise.choice())?;
        let entry = entry::read(self.entry.as_deref(), shape.ranks, self.noise.seed, &analysis::files::read_text)?;
        Ok(Simulation { algorithm, shape, platform, noise, entry, repeat: self.calls, compute: self.compute, buffer })
    }
}
