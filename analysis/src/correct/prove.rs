//! Proofs of corrections: real ranks time calls as benchmarks do, with the reference measured beside them. The proof
//! counts the corrections that come closer to the reference than the printed numbers.

use super::Correction;
use super::algorithm::AlgorithmChoice;
use super::expect::{Subjected, expected};
use super::rehearsed::rehearse;
use crate::measuring::plan::{MeasurementPlan, Operation};
use crate::rehearsal::{self, Call, Numbers, Printed, Turn};
use crate::run::calibrated::{Calibrations, Missing};
use crate::run::campaign_report;
use crate::values::bytes as bytes_of;
use anyhow::Context;
use campaign::Campaign;
use campaign::asking::{self, Asking, Calibrated};
use campaign::launch::{Launcher, Site};
use campaign::planned::{self, First};
use campaign::{Start, notice_interrupts};
use measure::job::Task;
use models::call::Call as Form;
use models::collective::Algorithm;
use programs::budget::{Configuration, Round};
use programs::machine::{Arithmetic, Machine, Rehearsed};
use programs::method::{Method, Preset};
use programs::observation::{Conditions, Emulation, Implementation, Observation, Occasion, World};
use render::results::{Format, Look, Results, printed};
use render::whence::Whence;
use scenario::BadInput;
use scenario::axis::Key;
use scenario::store::{Line, facts};
use scenario::sweep;
use std::path::PathBuf;
use std::time::Duration;
use study::correct::proof::{ProofRows, Trial, count, proof};
use study::correct::rehearsal::Sought;
use study::correct::{Refusal, Source};

/// Name of campaigns of proofs.
pub(crate) const NAME: &str = "correct";
/// Smallest number of rounds: half of them are corrected, and a 95 % interval needs six values.
const FEWEST_ROUNDS: u32 = 12;
/// Largest number of lengths, as longer lists are typing errors.
const MOST_NUMBERS: u64 = 1_000;
/// Request of a proof.
pub struct Proof<'a> {
    /// Operations, by MPI's names without MPI_.
    pub operations: Vec<String>,
    /// Benchmarks, or columns of theirs, as [`Preset::printing`] reads them.
    pub benchmarks: Vec<String>,
    /// Lengths, as a list.
    pub bytes: String,
    /// World of the ranks.
    pub world: World,
    /// Number of rounds; one half is corrected, the other half serves to correct.
    pub rounds: u32,
    /// Source of the corrections on which the verdict is based.
    pub by: Source,
    /// Calls in each timed loop.
    pub calls: u32,
    /// Repeats of each loop in each round; `None` for the usual number.
    pub samples: Option<u32>,
    /// Seed of the order in which everything is measured.
    pub seed: u64,
    /// Folder of all output; `None` for the next free one.
    pub out: Option<PathBuf>,
    /// Duration without progress after which ranks are given up.
    pub patience: Duration,
    /// Programs and cores that start and carry MPI ranks.
    pub site: &'a Site,
}

/// Result of a proof.
pub struct Proved {
    /// Rows of the proof, one per call and benchmark.
    pub rows: ProofRows,
    /// Path of the campaign's folder.
    pub folder: PathBuf,
    /// Whether corrections come closer to the reference.
    pub passes: bool,
}

impl Proof<'_> {
    fn plan(&self, asked: &Correction) -> Result<MeasurementPlan, BadInput> {
        let operation = |name: &String| {
            let (collective, call) =
                Form::find(name.trim()).map_err(|message| BadInput(format!("--prove: {message}")))?;
            if !call.is_plain() {
                return Err(BadInput(format!("--prove: {name} cannot be simulated; expected a plain collective")));
            }
            Ok(Operation { collective, call })
        };
        let operations = self.operations.iter().map(operation).collect::<Result<Vec<_>, _>>()?;
        let mut algorithms = Vec::new();
        if let Some(name) = &asked.algorithm.algorithm {
            for operation in &operations {
                Algorithm::find(operation.collective, name)
                    .map_err(|message| BadInput(format!("--algorithm: {message}")))?;
            }
            algorithms.push(Implementation::Own(name.clone()));
        }
        let bytes = sweep::Numbers::listed(&self.bytes, bytes_of).and_then(|numbers| numbers.all(MOST_NUMBERS));
        let bytes = bytes.map_err(|message| BadInput(format!("--bytes: {message}")))?;
        let usual = rehearsal::plan(self.world, asked.ranks.unwrap_or(2), operations, bytes);
        let (calls, samples) = (self.calls, self.samples.unwrap_or(usual.samples));
        Ok(MeasurementPlan { algorithms, calls, samples, seed: self.seed, emulation: Emulation::Prove, ..usual })
    }

    /// Measures, corrects, counts, and judges, with tables kept beside the campaign.
    ///
    /// # Errors
    /// Fails on a request that cannot be met, on a rank that died or hung, and on a file that cannot be written.
    pub fn run_proof(&self, asked: &Correction) -> anyhow::Result<Proved> {
        if self.rounds < FEWEST_ROUNDS || self.rounds > 10_000 {
            let found = self.rounds;
            return Err(BadInput(format!("--rounds: expected {FEWEST_ROUNDS} to 10000, found {found}")).into());
        }
        let find = |name: &String| {
            let (preset, column) =
                Preset::printing(name.trim()).map_err(|message| BadInput(format!("--benchmark: {message}")))?;
            Ok::<_, BadInput>((preset, name.contains(':').then_some(column.head)))
        };
        let presets = self.benchmarks.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let site = self.site;
        let plan = self.plan(asked)?;
        let calls = rehearsal::calls(&plan, site, &presets, asked.column == "all", asked.reference)?;
        let machine = asked.machine.as_deref().map(crate::machine::find).transpose()?;
        let carrier = plan.carrier_of(self.world);
        let start = Start { carrier, patience: self.patience, ..Start::new(self.world, plan.ranks[0], site)? };
        notice_interrupts()?;
        let mut campaign = self.begin(&plan, site)?;
        let ended = self.measure(&start, &calls, machine, &mut campaign);
        let (machine, rounds) = match ended {
            Ok(answers) => answers,
            Err(error) => {
                if error.is::<BadInput>() {
                    campaign.discard();
                }
                return Err(error);
            }
        };
        campaign.finish()?;
        campaign_report::warn_of_clocks(&campaign);
        let trials = trials(&calls, &rounds, &machine, asked);
        let whence = Whence::from_facts(&facts(campaign.lines()));
        let rows = ProofRows { rows: proof(&trials), by: self.by, whence };
        campaign.write("proof.txt", &printed(&rows, Format::Table, Look::IN_FILES)?)?;
        campaign.write("proof.csv", &rows.csv())?;
        let passes = count(&rows.rows, self.by).passes();
        Ok(Proved { rows, folder: campaign.folder().to_owned(), passes })
    }

    fn begin(&self, plan: &MeasurementPlan, site: &Site) -> anyhow::Result<Campaign> {
        let launchers: Vec<Launcher> =
            self.world.release().and_then(|release| site.find(release).ok()).into_iter().collect();
        let first = First {
            question: "Are corrected numbers closer to the reference?".to_owned(),
            name: NAME,
            seed: self.seed,
            text: serde_json::to_string(plan)?,
            launchers: &launchers,
            ranks: &[],
            site,
            reproduce: planned::command(),
        };
        Campaign::begin(self.out.as_deref(), NAME, first.line())
    }

    /// Measures all rounds, between two calibrations unless there is a machine; every answer is on disk before the
    /// next.
    fn measure(
        &self,
        start: &Start,
        calls: &[Call],
        machine: Option<Machine>,
        campaign: &mut Campaign,
    ) -> anyhow::Result<(Machine, Numbers)> {
        let turns = rehearsal::turns(calls, self.rounds, self.seed);
        let mut tasks = rehearsal::tasks(calls, &turns);
        let group = rehearsal::group(calls).context("there are calls")?;
        let calibrations = match &machine {
            Some(_) => Missing::default(),
            None => Missing::of_launch(&group, 0, None, campaign),
        };
        calibrations.add_to(&mut tasks);
        let numbers = Numbers::default();
        let mut proving = Proving { start, calls, numbers, tasks, turns: turns.into_iter(), calibrations };
        asking::run_launch(&mut proving, &(), campaign)?;
        let numbers = proving.numbers;
        let machine = match machine {
            Some(machine) => {
                let machine = in_state(&machine, campaign);
                campaign.append(Line::Machine(Box::new(machine.clone())))?;
                machine
            }
            None => {
                let machines = Calibrations::fit(campaign)?;
                machines.machine(&group.machine_name()).context("the ranks did not calibrate")?.clone()
            }
        };
        campaign.write(&format!("machine-{}.toml", machine.name), &machine.text())?;
        Ok((machine, numbers))
    }
}

/// Real ranks that carry out all turns in one launch.
struct Proving<'a> {
    start: &'a Start,
    calls: &'a [Call],
    tasks: Vec<Task>,
    turns: std::vec::IntoIter<Turn>,
    calibrations: Missing,
    /// Numbers that the ranks have answered so far.
    numbers: Numbers,
}

impl Asking for Proving<'_> {
    type PlannedLaunch = ();

    fn ask(&mut self, (): &(), _: &mut Campaign) -> anyhow::Result<Option<asking::Launch>> {
        let (start, tasks) = (self.start.clone(), std::mem::take(&mut self.tasks));
        let (occasion, conditions) = (Occasion::default(), Conditions::default());
        Ok(Some(asking::Launch { start, tasks, occasion, conditions }))
    }

    fn measured(&mut self, observation: Observation) -> anyhow::Result<Line> {
        let turn = self.turns.next().context("more answers than tasks")?;
        self.numbers.note(turn, &self.calls[turn.call], &observation.ranks, turn.round);
        let run = u32::try_from(turn.run).unwrap_or(u32::MAX);
        Ok(Line::Round(Box::new(Round { run, round: turn.round, observation })))
    }

    fn calibrated(&mut self, found: Calibrated, campaign: &mut Campaign) -> anyhow::Result<()> {
        self.calibrations.keep(campaign, found)
    }
}

/// Returns the given machine in the state in which the ranks were most of the time, and warns where it was calibrated
/// in another state.
fn in_state(machine: &Machine, campaign: &Campaign) -> Machine {
    let state = study::validation::most_visited(campaign.lines()).map(|state| state.cores());
    let found = machine.in_state(state);
    if let (Some(now), Some(then)) = (state, found.core_state())
        && !now.is_like(&then)
    {
        note!(
            "machine {}: a cache line between cores took {then} in its calibration and takes {now} here: its \
             predictions are for another state; calibrate again",
            machine.name
        );
    }
    found.clone()
}

/// Returns the printed numbers of every call by every benchmark, with the machine's predictions.
fn trials(calls: &[Call], numbers: &Numbers, machine: &Machine, asked: &Correction) -> Vec<Trial> {
    let mut trials = Vec::new();
    let rehearsed = machine.all_rehearsed();
    for (index, call) in calls.iter().enumerate() {
        for (place, printed) in call.printed.iter().enumerate() {
            trials.push(Trial {
                subject: call.subject(),
                key: Key::of_subject(&call.case),
                bytes: call.case.subject.bytes,
                benchmark: printed.preset.title(),
                head: printed.head,
                rounds: numbers.pairs(index, place),
                predicted: predicted(call, printed, (machine, &rehearsed), asked),
            });
        }
    }
    trials.sort_by(|a, b| (&a.subject, a.bytes).cmp(&(&b.subject, b.bytes)));
    trials
}

fn predicted(
    call: &Call,
    printed: &Printed,
    (machine, rehearsed): (&Machine, &[Rehearsed]),
    asked: &Correction,
) -> Result<study::correct::Expected, String> {
    let shape = call.case.shape();
    let own = match &call.case.subject.implementation {
        Implementation::Own(name) => Some(name.as_str()),
        Implementation::Library | Implementation::Forced(_) | Implementation::Tuned(_) | Implementation::Shared(_) => {
            None
        }
    };
    let choice = AlgorithmChoice { algorithm: None, library: asked.algorithm.library };
    let chosen =
        choice.choose(machine, own, call.case.subject.collective, shape).map_err(|refusal| refusal.to_string())?;
    let barrier = match &call.base.settings.barrier {
        Implementation::Own(name) => Algorithm::find(models::collective::Collective::Barrier, name)?,
        Implementation::Library | Implementation::Forced(_) | Implementation::Tuned(_) | Implementation::Shared(_) => {
            chosen.barrier
        }
    };
    let configuration: &Configuration = &printed.configuration;
    let subject = Subjected {
        collective: call.case.subject.collective,
        algorithm: chosen.algorithm,
        shape: chosen.shape,
        barrier,
        arithmetic: Arithmetic::from_case(&call.case),
        library: own.is_none().then(|| choice.played_by(machine)).flatten(),
        configuration,
        calls: match configuration.method() {
            Method::Loop | Method::BarrierSubtract => Some(u64::from(call.base.settings.calls)),
            _ => Some(u64::from(call.base.settings.calls) * u64::from(call.base.settings.samples)),
        },
    };
    let refused = |refusal: Refusal| refusal.to_string();
    let mut expected = expected(machine, asked.reference, &subject).map_err(refused)?;
    if call.case.subject.implementation == Implementation::Library && shape.root == 0 {
        let (collective, reference) = (call.case.subject.collective, asked.reference);
        let (ranks, benchmark, column, bytes) = (shape.ranks, printed.preset, printed.head, shape.bytes);
        let sought = Sought { collective, ranks, benchmark, column, reference, bytes };
        rehearse(&mut expected, (machine, rehearsed), &choice, &sought).map_err(refused)?;
    }
    Ok(expected)
}
