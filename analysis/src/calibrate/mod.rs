//! Calibrations: every parameter of a machine, with its interval, as a file that simulations take.

mod files;
mod fitted;
mod plan;
mod real;
mod rehearse;
mod simulated;

pub(crate) use files::MachineFiles;
pub use plan::Effort;

use crate::choice::{ModelChoice, NoiseChoice};
use crate::p2p::{RankPlace, emulated};
use calibration::refine::page;
use campaign::environment::{facts, provenance};
use campaign::launch::{Launcher, Site};
use campaign::progress::Expected;
use campaign::{Start, notice_interrupts};
use fitted::{FitContext, fitted};
use measure::job::{Outcome, Task};
use models::clock::ClockKind;
use models::limits::LONGEST_BUFFER;
use models::network::Network;
use plan::CalibrationPlan;
use programs::calibration::{Finding, Sample};
use programs::machine::{Machine, Provenance};
use programs::observation::{Carrier, World};
use rehearse::Rehearsals;
use scenario::BadInput;
use simulated::SimulatedRanks;
use std::path::PathBuf;
use std::time::Duration;

/// Request of a calibration: ranks, effort, and output.
pub struct Calibration<'a> {
    /// Place where the ranks run.
    pub place: RankPlace,
    /// Number of ranks that are calibrated.
    pub ranks: u32,
    /// Amount of time to spend.
    pub effort: Effort,
    /// Number of fresh launches for first messages; `None` for the usual number.
    pub launches: Option<u32>,
    /// Number of fresh launches with rehearsals; `None` for the usual number.
    pub rehearsals: Option<u32>,
    /// Length of the longest message, in bytes.
    pub longest: u64,
    /// Clock that ranks read; `None` for the default one.
    pub clock: Option<ClockKind>,
    /// Path of the machine file; `None` for the next free name.
    pub out: Option<PathBuf>,
    /// Whether an existing machine file may be replaced.
    pub overwrite: bool,
    /// Whether progress is kept silent while measuring.
    pub quiet: bool,
    /// Whether the work is only announced and nothing is done.
    pub dry_run: bool,
    /// Duration without progress after which ranks are given up.
    pub patience: Duration,
    /// Programs and cores that start and carry MPI ranks.
    pub site: &'a Site,
    /// Network model of simulated ranks, or of threads on an emulated network.
    pub model: ModelChoice,
    /// Noise of the simulated ranks.
    pub noise: NoiseChoice,
    /// Command line of this calibration, for the provenance.
    pub command: String,
}

/// A machine that has been calibrated, with its files.
pub struct Calibrated {
    /// The calibrated machine itself.
    pub machine: Machine,
    /// Path of the machine file.
    pub file: PathBuf,
    /// Path of the calibration's page.
    pub page: PathBuf,
}

/// Answers of ranks in a calibration.
struct Answers {
    /// Outcomes of the tasks, launch by launch.
    launches: Vec<Vec<Outcome>>,
    /// Command line that started the ranks; `None` where no launcher did.
    launch: Option<String>,
    /// Sentence on other load on the machine meanwhile, if it matters.
    load: Option<String>,
}

/// Ranks that are ready to be calibrated.
enum Ready {
    Simulated(SimulatedRanks),
    Real(Box<Start>),
}

/// Confidence of all intervals of a calibration.
const CONFIDENCE: f64 = 0.95;

impl Calibration<'_> {
    /// Calibrates, and writes the machine file and its page. A dry run returns `None` after the work was announced.
    ///
    /// # Errors
    /// Fails on a request that cannot be met, on a rank that died or hung, and on a file that cannot be written.
    pub fn calibrate(&self) -> anyhow::Result<Option<Calibrated>> {
        let (place, site) = (self.place, self.site);
        self.check(place, site.cores)?;
        let ready = self.prepare(place)?;
        let network = match &ready {
            Ready::Simulated(machine) => Some(machine.platform.network),
            Ready::Real(start) if start.world == World::Threads => Some(Network::Hockney(start.emulated)),
            Ready::Real(_) => None,
        };
        let crowded = place != RankPlace::Simulated && self.ranks > site.cores;
        let usual = CalibrationPlan::new(self.effort, place, network.as_ref(), self.longest, crowded);
        let rehearsals = self.rehearsals(&ready, crowded)?;
        let plan = CalibrationPlan { launches: self.launches.unwrap_or(usual.launches), rehearsals, ..usual };
        if expected(&ready, &plan)?.print_or_announce(self.quiet, self.dry_run)? {
            return Ok(None);
        }
        let name = match place {
            RankPlace::Simulated => "simulated",
            RankPlace::Real(world) => world.name(),
        };
        let files = MachineFiles::at(self.out.as_deref(), &format!("{name}-{}", self.ranks), self.overwrite)?;
        let done = self.measure(&ready, &plan).and_then(|answers| self.write(&files, &plan, network, crowded, answers));
        if done.is_err() {
            files.take_back();
        }
        done.map(Some)
    }

    fn check(&self, place: RankPlace, cores: u32) -> Result<(), BadInput> {
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
            return Err(BadInput("--overwrite: also give --out FILE.toml, the file to replace".to_owned()));
        }
        if place == RankPlace::Simulated && self.clock.is_some() {
            return Err(BadInput("--clock: simulated ranks have perfect clocks; leave it out".to_owned()));
        }
        if place == RankPlace::Real(World::Threads) && self.clock == Some(ClockKind::MpiWtime) {
            return Err(BadInput("--clock mpi_wtime can be read by MPI ranks only".to_owned()));
        }
        place.accepts(&self.model, &self.noise)
    }

    /// Finds every fault of flags and files before anything starts.
    fn prepare(&self, place: RankPlace) -> Result<Ready, BadInput> {
        match place {
            RankPlace::Simulated => Ok(Ready::Simulated(SimulatedRanks {
                platform: self.model.platform(self.ranks)?,
                noise: self.model.noise(&self.noise)?,
                ranks: self.ranks,
            })),
            RankPlace::Real(world) => {
                let emulated = emulated(&self.model.network)?;
                let clock = self.clock.unwrap_or_default();
                let start = Start::new(world, self.ranks, self.site)?;
                Ok(Ready::Real(Box::new(Start { emulated, clock, patience: self.patience, ..start })))
            }
        }
    }

    /// Returns the rehearsals of the calibration, where it has any.
    fn rehearsals(&self, ready: &Ready, crowded: bool) -> Result<Option<Rehearsals>, BadInput> {
        let launches = self.rehearsals.unwrap_or_else(|| CalibrationPlan::usual_rehearsals(self.effort));
        match ready {
            Ready::Real(start) if start.carrier == Carrier::Native && !crowded && launches > 0 => {
                Rehearsals::new(start, self.longest, launches).map(Some)
            }
            Ready::Real(_) | Ready::Simulated(_) => Ok(None),
        }
    }

    fn measure(&self, ready: &Ready, plan: &CalibrationPlan) -> anyhow::Result<Answers> {
        notice_interrupts()?;
        let tasks: usize = plan.launches().iter().map(|tasks| count_reported(tasks)).sum();
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
            Ready::Simulated(machine) => machine.simulate_tasks(plan, hear),
            Ready::Real(start) => real::run_launches(start, plan, hear),
        }
    }

    fn write(
        &self,
        files: &MachineFiles,
        plan: &CalibrationPlan,
        network: Option<Network>,
        crowded: bool,
        answers: Answers,
    ) -> anyhow::Result<Calibrated> {
        let (name, provenance) = (&files.name(), &|ran_by: &str| self.provenance(ran_by));
        let (machine, findings) = fitted(&FitContext { name, plan, network, crowded, provenance }, &answers)?;
        let release = match self.place {
            RankPlace::Real(world) => world.release(),
            RankPlace::Simulated => None,
        };
        let launchers: Vec<Launcher> = release.and_then(|release| self.site.find(release).ok()).into_iter().collect();
        let mut environment = facts(&launchers, self.site);
        environment.extend(answers.launch.map(|line| ("launch".to_owned(), line)));
        let page = page(&machine, &findings, vec![self.command.clone()], environment);
        let page = files.write(&machine, &page, &answers.launches)?;
        Ok(Calibrated { machine, file: files.file.clone(), page })
    }

    fn provenance(&self, ran_by: &str) -> Provenance {
        provenance(ran_by, format!("{} ranks, by: {}", self.ranks, self.command), CONFIDENCE)
    }
}

/// Returns the number of tasks that are reported one by one.
fn count_reported(tasks: &[Task]) -> usize {
    tasks.iter().filter(|task| !matches!(task, Task::Measure { .. })).count()
}

/// Returns the tasks of all launches. Simulated ranks start at once, so their launches are not counted.
fn expected(ready: &Ready, plan: &CalibrationPlan) -> Result<Expected, BadInput> {
    let mut expected = Expected::new("calibrate", ["task", "tasks"]);
    for tasks in &plan.launches() {
        match ready {
            Ready::Real(start) => expected.and_launch(start, tasks, count_reported(tasks))?,
            Ready::Simulated(_) => expected.and(count_reported(tasks) as u64, Duration::ZERO),
        }
    }
    Ok(expected)
}

/// Adds the launches of a quick calibration of real ranks to those of its campaign.
pub(crate) fn expect_quickly(start: &Start, longest: u64, expected: &mut Expected) -> Result<(), BadInput> {
    let crowded = start.ranks > start.site.cores;
    let plan = CalibrationPlan::new(Effort::Quick, RankPlace::Real(start.world), None, longest, crowded);
    plan.launches().iter().try_for_each(|tasks| expected.and_launch(start, tasks, 0))
}

/// Calibrates real ranks quickly for a campaign that needs their machine, with messages up to `longest` bytes; returns
/// the machine and the samples of its exchanges.
///
/// # Errors
/// Fails on a rank that died or hung, and on exchanges from which nothing can be fitted.
pub(crate) fn quickly(start: &Start, name: &str, longest: u64) -> anyhow::Result<(Machine, Vec<Sample>)> {
    let crowded = start.ranks > start.site.cores;
    let plan = CalibrationPlan::new(Effort::Quick, RankPlace::Real(start.world), None, longest, crowded);
    let answers = real::run_launches(start, &plan, |_| ())?;
    let provenance = &|ran_by: &str| {
        provenance(ran_by, format!("{} ranks, as `parallax calibrate --quick` does it", start.ranks), CONFIDENCE)
    };
    let (machine, _) = fitted(&FitContext { name, plan: &plan, network: None, crowded, provenance }, &answers)?;
    let samples = answers.launches.into_iter().flatten().find_map(|outcome| match outcome {
        Outcome::Calibrated { samples, .. } => Some(samples),
        _ => None,
    });
    Ok((machine, samples.unwrap_or_default()))
}

/// Returns the line on an answer for readers who wait, or `None` for a kind of which there are many.
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
