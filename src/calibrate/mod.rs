//! `parallax calibrate`: every parameter of a machine, with its interval, as a file that simulations take.

mod files;
mod fitted;
mod plan;
mod real;
mod rehearse;
mod simulated;

use crate::flags::SiteFlags;
use crate::flags::{ModelFlags, NoiseFlags};
use crate::p2p::{Place, emulated};
use campaign::environment::{facts, provenance};
use campaign::{Start, notice_interrupts};
use files::Files;
use fitted::{Known, fitted};
use measure::job::{Outcome, Task};
use models::calibration::{Finding, Sample};
use models::clock::ClockKind;
use models::limits::LONGEST_BUFFER;
use models::machine::{Machine, Provenance};
use models::network::Network;
use models::observation::{Carrier, World};
use plan::{Effort, Plan};
use rehearse::Rehearsals;
use reports::refine::{page, text_table};
use scenario::BadInput;
use simulated::Simulated;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// What `parallax calibrate` is told.
#[derive(clap::Args)]
pub struct CalibrateArguments {
    /// Where the ranks run: openmpi, mpich, threads or simulated [default: the first MPI library that is here, else threads]
    #[arg(long)]
    world: Option<Place>,
    /// How many ranks: messages are those of ranks 0 and 1, first messages those of rank 0 with all others
    #[arg(long, default_value = "2", value_parser = crate::flags::ranks)]
    ranks: u32,
    /// Within seconds (this is the default)
    #[arg(long, conflicts_with = "thorough")]
    quick: bool,
    /// Within minutes: more lengths, more samples, ten seconds of noise
    #[arg(long)]
    thorough: bool,
    /// Fresh launches for first messages: each shows one of each pair [default: 3, thorough: 10]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches: Option<u32>,
    /// Fresh launches in which messages are calibrated again, and collectives are timed as OSU's and IMB's benchmarks do it and
    /// as their reference does: `parallax debias` takes what predictions miss from them [default: 4, thorough: 10; ranks of an
    /// MPI library with a core each alone; 0: none]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    rehearsals: Option<u32>,
    /// The longest message
    #[arg(long, default_value = "1MiB", value_parser = crate::flags::bytes, value_name = "BYTES")]
    longest: u64,
    /// The clock that ranks read: auto, tsc, clock_monotonic, clock_monotonic_raw, gettimeofday or mpi_wtime
    #[arg(long, value_parser = ClockKind::find)]
    clock: Option<ClockKind>,
    /// The machine file; its page and samples go into a folder beside it [default: results/machines/WORLD-RANKS-001.toml, …]
    #[arg(long, short, value_name = "FILE.toml")]
    out: Option<PathBuf>,
    /// Replace the file of --out, and what is in its folder
    #[arg(long)]
    overwrite: bool,
    /// Print the machine as one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print nothing but the answer
    #[arg(long)]
    quiet: bool,
    /// End the run when no rank has got anywhere for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = crate::flags::seconds)]
    patience: Duration,
    #[command(flatten)]
    site: SiteFlags,
    #[command(flatten, next_help_heading = "Machine of simulated ranks (threads: Hockney's model)")]
    model: ModelFlags,
    #[command(flatten, next_help_heading = "Noise of simulated ranks")]
    noise: NoiseFlags,
}

/// What ranks answered.
struct Answers {
    /// Of each launch.
    launches: Vec<Vec<Outcome>>,
    /// The line that started them.
    launch: Option<String>,
    /// What else used the machine meanwhile, if that matters.
    load: Option<String>,
}

/// Ranks that can begin.
enum Ready {
    Simulated(Simulated),
    Real(Box<Start>),
}

/// Confidence of all intervals.
const CONFIDENCE: f64 = 0.95;

impl CalibrateArguments {
    /// Calibrates, prints every parameter, and writes the machine file.
    pub fn calibrate(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let place = self.world.unwrap_or_else(|| Place::first(&site));
        self.check(place, site.cores)?;
        let ready = self.prepare(place)?;
        let network = match &ready {
            Ready::Simulated(machine) => Some(machine.platform.network),
            Ready::Real(start) if start.world == World::Threads => Some(Network::Hockney(start.emulated)),
            Ready::Real(_) => None,
        };
        let crowded = place != Place::Simulated && self.ranks > site.cores;
        let effort = if self.thorough { Effort::Thorough } else { Effort::Quick };
        let usual = Plan::new(effort, place, network.as_ref(), self.longest, crowded);
        let rehearsals = self.rehearsals(&ready, effort, crowded)?;
        let plan = Plan { launches: self.launches.unwrap_or(usual.launches), rehearsals, ..usual };
        let name = match place {
            Place::Simulated => "simulated",
            Place::Real(world) => world.name(),
        };
        let files = Files::at(self.out.as_deref(), &format!("{name}-{}", self.ranks), self.overwrite)?;
        let done = self.measure(&ready, &plan).and_then(|answers| self.write(&files, &plan, network, crowded, answers));
        if done.is_err() {
            files.take_back();
        }
        done
    }

    fn check(&self, place: Place, cores: u32) -> Result<(), BadInput> {
        let most = place.most_ranks(cores);
        if !(2..=most).contains(&self.ranks) {
            let found = self.ranks;
            return Err(BadInput(format!("--ranks: expected 2 to {most} ranks ({place}), found {found}")));
        }
        if self.longest < 2 || self.longest > LONGEST_BUFFER {
            let found = self.longest;
            return Err(BadInput(format!("--longest: expected 2 B to {LONGEST_BUFFER} B, found {found} B")));
        }
        if self.overwrite && self.out.is_none() {
            return Err(BadInput("--overwrite: expected also --out FILE.toml, which is replaced".to_owned()));
        }
        if place == Place::Simulated && self.clock.is_some() {
            return Err(BadInput("--clock: simulated ranks have perfect clocks; leave it out".to_owned()));
        }
        if place == Place::Real(World::Threads) && self.clock == Some(ClockKind::MpiWtime) {
            return Err(BadInput("--clock mpi_wtime can be read by MPI ranks only".to_owned()));
        }
        place.accepts(&self.model, &self.noise)
    }

    /// Everything that flags and files can be wrong about is found out here.
    fn prepare(&self, place: Place) -> Result<Ready, BadInput> {
        match place {
            Place::Simulated => Ok(Ready::Simulated(Simulated {
                platform: self.model.platform(self.ranks)?,
                noise: self.model.noise(&self.noise)?,
                ranks: self.ranks,
            })),
            Place::Real(world) => {
                let emulated = emulated(&self.model.network)?;
                let clock = self.clock.unwrap_or_default();
                let start = Start::new(world, self.ranks, &self.site.site()?)?;
                Ok(Ready::Real(Box::new(Start { emulated, clock, patience: self.patience, ..start })))
            }
        }
    }

    /// What is rehearsed, if anything is.
    fn rehearsals(&self, ready: &Ready, effort: Effort, crowded: bool) -> Result<Option<Rehearsals>, BadInput> {
        let launches = self.rehearsals.unwrap_or_else(|| Plan::usual_rehearsals(effort));
        match ready {
            Ready::Real(start) if start.carrier == Carrier::Native && !crowded && launches > 0 => {
                Rehearsals::new(start, self.longest, launches).map(Some)
            }
            Ready::Real(_) | Ready::Simulated(_) => Ok(None),
        }
    }

    fn measure(&self, ready: &Ready, plan: &Plan) -> anyhow::Result<Answers> {
        notice_interrupts()?;
        let is_told = |task: &Task| !matches!(task, Task::Measure { .. });
        let tasks = plan.launches().iter().flatten().filter(|task| is_told(task)).count();
        let mut count = 0;
        let hear = |outcome: &Outcome| {
            if let Some(what) = what(outcome) {
                count += 1;
                if !self.quiet {
                    note!("{count:>3} of {tasks}: {what}");
                }
            }
        };
        match ready {
            Ready::Simulated(machine) => machine.carry_out(plan, hear),
            Ready::Real(start) => real::carry_out(start, plan, hear),
        }
    }

    fn write(
        &self,
        files: &Files,
        plan: &Plan,
        network: Option<Network>,
        crowded: bool,
        answers: Answers,
    ) -> anyhow::Result<ExitCode> {
        let (name, provenance) = (&files.name(), &|ran_by: &str| self.provenance(ran_by));
        let (machine, findings) = fitted(&Known { name, plan, network, crowded, provenance }, &answers)?;
        let mut environment = facts(&[], &self.site.site()?);
        environment.extend(answers.launch.map(|line| ("launch".to_owned(), line)));
        let page = page(&machine, &findings, vec![self.command()], environment);
        let page = files.write(&machine, &page, &answers.launches)?;
        if self.json {
            println!("{}", serde_json::to_string(&machine)?);
        } else {
            crate::output::print(&text_table(&machine))?;
            crate::output::print(&machine.notes.iter().map(|note| format!("  note: {note}\n")).collect::<String>())?;
        }
        if !self.quiet {
            note!("page: {}", page.display());
            note!("machine: {}", files.file.display());
        }
        Ok(ExitCode::SUCCESS)
    }

    fn provenance(&self, ran_by: &str) -> Provenance {
        provenance(ran_by, format!("{} ranks, by: {}", self.ranks, self.command()), CONFIDENCE)
    }

    /// What the user typed.
    fn command(&self) -> String {
        let words = std::env::args().skip(1);
        let quoted = words.map(|word| if word.contains([' ', '\'', '"']) { format!("{word:?}") } else { word });
        std::iter::once("parallax".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
    }
}

/// A quick calibration of real ranks, for a campaign that needs their machine: messages up to `longest`, and what was
/// exchanged.
///
/// # Errors
/// A rank that died or hung; exchanges from which nothing can be fitted.
pub fn quickly(start: &Start, name: &str, longest: u64) -> anyhow::Result<(Machine, Vec<Sample>)> {
    let crowded = start.ranks > start.site.cores;
    let plan = Plan::new(Effort::Quick, Place::Real(start.world), None, longest, crowded);
    let answers = real::carry_out(start, &plan, |_| ())?;
    let provenance = &|ran_by: &str| {
        provenance(ran_by, format!("{} ranks, as `parallax calibrate --quick` does it", start.ranks), CONFIDENCE)
    };
    let (machine, _) = fitted(&Known { name, plan: &plan, network: None, crowded, provenance }, &answers)?;
    let samples = answers.launches.into_iter().flatten().find_map(|outcome| match outcome {
        Outcome::Calibrated { samples, .. } => Some(samples),
        _ => None,
    });
    Ok((machine, samples.unwrap_or_default()))
}

/// What an answer is about, for those who wait; nothing where there are many of the kind.
fn what(outcome: &Outcome) -> Option<String> {
    Some(match outcome {
        Outcome::Measured(_) => return None,
        Outcome::Calibrated { samples, .. } => {
            format!("messages of ranks 0 and 1, and barriers, {} kinds of exchange", samples.len())
        }
        Outcome::ClockReported(card) => format!("report card of {}", card.name),
        Outcome::Explored(Finding::Connect(pairs)) => format!("first messages of {} pairs", pairs.len()),
        Outcome::Explored(Finding::Idle(idled)) => format!("messages after {} idle times", idled.len()),
        Outcome::Explored(Finding::Noise(ranks)) => {
            format!("noise: {} detours", ranks.iter().map(|rank| rank.detours).sum::<u64>())
        }
        other => format!("{other:?}"),
    })
}
