//! `parallax simulate`: one algorithm, called k times back to back by simulated ranks.

mod method;

use crate::flags::{CallFlags, ModelFlags, NoiseFlags};
use analysis::choice::{Memory, Pairs};
use analysis::measuring::words::named;
use analysis::simulate::{Answer, check_memory, draw, entry, once, realise};
use analysis::sweep::most_messages;
use clap::ValueEnum;
use scenario::BadInput;

use method::MethodFlags;
use models::engine::Engine;
use models::platform::Buffer;
use sim::Simulation;
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
            let control =
                self.model.choice().machine()?.map_or(simulation.platform.network, |machine| machine.control());
            let json = self.format == Format::Json;
            let text = self.method.choice().carry_out(&simulation, control, self.noise.seed, json)?;
            say!("{text}")?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(file) = &self.timeline {
            draw(file, &simulation)?;
        }
        check_memory(&simulation, self.engine)?;
        let answer = self.answer(&simulation)?;
        match self.format {
            Format::Table => say!("{}", answer.table())?,
            Format::Json => say!("{}\n", answer.json())?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn answer(&self, simulation: &Simulation) -> Result<Answer, BadInput> {
        let (engine, seed) = (self.engine, self.noise.seed);
        if self.realisations == 1 {
            return once(simulation, engine, seed, self.per_rank);
        }
        if self.per_rank {
            return Err(BadInput("--per-rank: expected a single realisation".to_owned()));
        }
        realise(simulation, engine, seed, self.realisations)
    }

    fn simulation(&self) -> Result<Simulation, BadInput> {
        let (algorithm, shape) = self.call.call()?;
        let states = Buffer::REFERENCES.map(Some).into_iter().chain([None]).collect::<Vec<_>>();
        let name = |buffer: Option<Buffer>| buffer.map_or("none", Buffer::name);
        let buffer = named("--reference", &self.reference, &states, name)?;
        let memory = if buffer.is_some() { Memory::Counts } else { Memory::LeftOut };
        // Methods call often, and say of the first call what they do with it; one call alone is one of connected ranks.
        let pairs = if self.method.is_asked() { Pairs::ConnectOnTheWay } else { Pairs::Connected };
        let platform = self.model.choice().platform_with(memory, pairs, shape.ranks)?;
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
        let noise = self.model.choice().noise(&self.noise.choice())?;
        let entry = entry::read(self.entry.as_deref(), shape.ranks, self.noise.seed)?;
        Ok(Simulation { algorithm, shape, platform, noise, entry, repeat: self.repeat, buffer })
    }
}
