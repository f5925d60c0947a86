//! `parallax simulate`: one algorithm, called k times back to back by simulated ranks.

pub mod entry;
mod method;
pub mod show;

use crate::curves::costs::most_messages;
use crate::flags::{CallFlags, Memory, ModelFlags, NoiseFlags, Pairs};
use crate::measuring::flags::named;
use clap::ValueEnum;
use scenario::BadInput;

use method::MethodFlags;
use models::engine::Engine;
use models::platform::Buffer;
use show::Answer;
use sim::{Simulation, Spread};
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax simulate` is told.
#[derive(clap::Args)]
pub struct SimulateArguments {
    #[command(flatten)]
    call: CallFlags,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    noise: NoiseFlags,
    /// In which state a call's reference finds its buffers: touched (every rank has rewritten what it sends and read what it
    /// received), same, cold (flushed); none: messages alone, without the memory of --machine
    #[arg(long, default_value = "touched", value_name = "BUFFER")]
    reference: String,
    /// Calls back to back
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    repeat: u32,
    /// When ranks enter: 0,5us,… (one for each rank), a file with one time per line, or random:10us
    #[arg(long, value_name = "TIMES|FILE|random:SPAN")]
    entry: Option<String>,
    /// Independent realisations of the noise
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    realisations: u32,
    #[command(flatten)]
    method: MethodFlags,
    /// Which engine; auto takes the fast one where it can
    #[arg(long, default_value = "auto", value_parser = crate::flags::one_of(Engine::ALL, Engine::name))]
    engine: Engine,
    /// Print every rank's finish
    #[arg(long)]
    per_rank: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Draw what every rank does: .html, .svg, .json (Chrome trace, Perfetto), .paje
    #[arg(long, value_name = "FILE")]
    timeline: Option<PathBuf>,
}

/// How answers are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Table,
    Json,
}

/// So many take seconds where memory counts.
const MANY_MESSAGES: u64 = 1_000_000;
/// The longest trace that is worth drawing: each message is three bars and a line.
const MOST_TRACED_RANKS: u32 = 1 << 14;

impl SimulateArguments {
    /// Simulates and prints.
    pub fn simulate(&self) -> anyhow::Result<ExitCode> {
        let simulation = self.simulation()?;
        if self.method.is_asked() {
            if self.entry.is_some() || self.realisations > 1 || self.per_rank || self.timeline.is_some() {
                let message =
                    "a method enters its ranks itself, once: leave out --entry, --realisations, --per-rank, --timeline";
                return Err(BadInput(message.to_owned()).into());
            }
            let control = self.model.machine()?.map_or(simulation.platform.network, |machine| machine.control());
            return self.method.run(&simulation, control, self.noise.seed, self.format);
        }
        if let Some(file) = &self.timeline {
            self.draw(file, &simulation)?;
        }
        self.check_memory(&simulation)?;
        let answer = if self.realisations > 1 { self.realise(&simulation)? } else { self.once(&simulation)? };
        match self.format {
            Format::Table => print!("{}", answer.table()),
            Format::Json => println!("{}", answer.json()),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn simulation(&self) -> Result<Simulation, BadInput> {
        let (algorithm, shape) = self.call.call()?;
        let states = Buffer::REFERENCES.map(Some).into_iter().chain([None]).collect::<Vec<_>>();
        let name = |buffer: Option<Buffer>| buffer.map_or("none", Buffer::name);
        let buffer = named("--reference", &self.reference, &states, name)?;
        let memory = if buffer.is_some() { Memory::Counts } else { Memory::LeftOut };
        // Methods call often, and say of the first call what they do with it; one call alone is one of connected ranks.
        let pairs = if self.method.is_asked() { Pairs::ConnectOnTheWay } else { Pairs::Connected };
        let platform = self.model.platform_with(memory, pairs, shape.ranks)?;
        if buffer.is_none() && platform.has_lines() {
            return Err(BadInput(
                "--reference none leaves memory out, and --platform or --pairs says what it costs; expected touched, same or cold"
                    .to_owned(),
            ));
        }
        let messages = most_messages(algorithm, &shape);
        if self.engine == Engine::Auto && platform.has_lines() && messages >= MANY_MESSAGES {
            note!("{messages} messages with what memory costs take a while: --reference none counts messages alone");
        }
        let noise = self.model.noise(&self.noise)?;
        let entry = entry::read(self.entry.as_deref(), shape.ranks, self.noise.seed)?;
        Ok(Simulation { algorithm, shape, platform, noise, entry, repeat: self.repeat, buffer })
    }

    /// Rather a word beforehand than a death half-way.
    fn check_memory(&self, simulation: &Simulation) -> Result<(), BadInput> {
        let needed = simulation.memory_bytes(self.engine);
        match measure::job::available_memory_bytes() {
            Some(available) if needed > available => Err(BadInput(format!(
                "--ranks: this needs about {} GB of memory, and {} GB are available; expected fewer ranks, or another algorithm",
                needed.div_ceil(1_000_000_000),
                available / 1_000_000_000
            ))),
            _ => Ok(()),
        }
    }

    fn once(&self, simulation: &Simulation) -> anyhow::Result<Answer> {
        let outcome = simulation.run(self.engine).map_err(failed)?;
        let mut answer = Answer::of(simulation, self.noise.seed);
        answer.engine = outcome.engine.to_string();
        answer.messages = outcome.messages;
        answer.repetitions = outcome.repetitions.iter().map(|&(_, last)| last).collect();
        answer.skew = outcome.finish.range();
        if self.per_rank {
            answer.per_rank = Some(outcome.finish.to_vec());
        }
        answer.spread = Some(outcome.finish.into_spread());
        Ok(answer)
    }

    /// Of each realisation the last rank's finish counts.
    fn realise(&self, simulation: &Simulation) -> anyhow::Result<Answer> {
        if self.per_rank {
            return Err(BadInput("--per-rank: expected a single realisation".to_owned()).into());
        }
        if simulation.noise.is_none() {
            return Err(BadInput("--realisations: without --noise all of them are the same".to_owned()).into());
        }
        let ends = simulation
            .realise(self.engine, 0..self.realisations, |outcome| {
                (outcome.finish.range(), outcome.messages, outcome.engine)
            })
            .map_err(failed)?;
        let mut answer = Answer::of(simulation, self.noise.seed);
        let mut last: Vec<_> = ends.iter().map(|((_, last), ..)| *last).collect();
        answer.engine = ends[0].2.to_string();
        answer.messages = ends.iter().map(|end| end.1).sum();
        answer.realisations = Some(last.clone());
        answer.spread = Some(Spread::of(&mut last));
        Ok(answer)
    }

    fn draw(&self, file: &std::path::Path, simulation: &Simulation) -> anyhow::Result<()> {
        reports::trace::Format::of(file).map_err(|error| BadInput(error.to_string()))?;
        if simulation.shape.ranks > MOST_TRACED_RANKS {
            let found = simulation.shape.ranks;
            let message = format!("--timeline: expected at most {MOST_TRACED_RANKS} ranks, found {found}");
            return Err(BadInput(message).into());
        }
        let (_, mut trace) = simulation.traced().map_err(failed)?;
        trace.title = show::title(simulation);
        reports::trace::write(file, &trace).map_err(|error| BadInput(error.to_string()))?;
        note!("timeline: {}", file.display());
        Ok(())
    }
}

/// What the simulator refuses is the user's to change.
fn failed(error: sim::SimError) -> BadInput {
    BadInput(error.to_string())
}
