//! Tests: campaigns in which the ranks of each launch carry out tasks once. Tasks that a launch has answered are not
//! repeated.

use crate::asking::{self, Asking};
use crate::environment::{cores, utc_now};
use crate::launch::Site;
use crate::planned::CommandPlan;
use crate::progress::Expected;
use crate::start::usual_carrier;
use crate::{Campaign, Start, interrupted};
use measure::clock::report_card;
use measure::job::{Outcome, Task};
use models::clock::{ClockKind, DrawnClocks};
use models::network::Hockney;
use programs::memory::MemoryTest;
use programs::observation::{Carrier, ClockCheck, Conditions, Emulation, Occasion, World};
use scenario::BadInput;
use scenario::store::{Line, TaskResult, Tested};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

/// Plan of a test: its world, and the tasks of each launch.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct TestPlan<K> {
    /// World of the ranks.
    pub world: World,
    /// Network that threads emulate.
    pub emulated: Hockney,
    /// Tasks of each launch, in order.
    pub launches: Vec<LaunchTasks>,
    #[serde(skip)]
    kind: PhantomData<K>,
}

/// Tasks of one launch, with the properties of its ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LaunchTasks {
    /// Number of ranks. 0 stands for this process alone.
    pub ranks: u32,
    /// Carrier of the collectives' messages.
    pub carrier: Carrier,
    /// Clock that the ranks read.
    pub clock: ClockKind,
    /// Errors that make the clock imperfect, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<DrawnClocks>,
    /// Tasks of the ranks, each with one answer.
    pub tasks: Vec<Task>,
    /// True if a failure of this launch leaves the other launches to run.
    pub optional: bool,
}

impl LaunchTasks {
    /// Returns the tasks for a number of ranks, with the default carrier of a world.
    pub fn new(world: World, ranks: u32, tasks: Vec<Task>) -> LaunchTasks {
        LaunchTasks {
            ranks,
            carrier: usual_carrier(world),
            clock: ClockKind::Automatic,
            clocks: None,
            tasks,
            optional: false,
        }
    }
}

/// Launch whose ranks are about to start.
#[derive(Clone, Copy)]
pub struct Launched<'a> {
    /// Tasks of the launch.
    pub asked: &'a LaunchTasks,
    /// Folder of the ranks' job.
    pub job: &'a Path,
}

/// Receiver of an answer whose files are in the campaign's folder, before it becomes a line there.
pub type Kept<'a> = &'a mut dyn FnMut(&Outcome, &Path) -> anyhow::Result<()>;

/// Kind of tests, with a command of its own.
pub trait TestKind: PartialEq {
    /// Name of the command.
    const NAME: &'static str;
    /// Noun for the subjects of its tests.
    const ABOUT: &'static str;
    /// Question that the tests answer.
    const QUESTION: &'static str;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident, $name:literal, $about:literal, $question:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, PartialEq)]
        pub struct $kind;

        impl TestKind for $kind {
            const NAME: &'static str = $name;
            const ABOUT: &'static str = $about;
            const QUESTION: &'static str = $question;
        }
    )*};
}

kinds! {
    /// Tests of latency: ping-pongs between ranks 0 and 1.
    OfLatency, "probe latency", "lengths", "How long does a message take from one rank to another?";
    /// Tests of bandwidth between rank 0 and every other rank.
    OfBandwidth, "probe bandwidth", "lengths", "How fast are messages one way, and both ways at once?";
    /// Tests of every pair of ranks.
    OfMatrix, "probe matrix", "lengths", "How long does a message take between each two ranks?";
    /// Tests of the memory that ranks hold.
    OfMemory, "probe memory", "operations", "How much memory does each rank hold, and after which operation?";
    /// Tests of the quality of clocks.
    OfClocks, "probe clocks", "clocks", "How accurate is each clock?";
    /// Tests of clock synchronisations.
    OfSync, "probe sync", "algorithms", "How long does each clock synchronisation take, and how wrong is it?";
    /// Recordings of the ranks' detours.
    OfNoise, "noise collect", "ranks", "What takes the CPU from ranks, when, and for how long?";
    /// Tests of work under noise.
    OfProof, "noise prove", "grains", "Does noise prolong work between synchronisations as its recording says?";
    /// Tests of message patterns.
    OfPatterns, "probe pattern", "patterns", "How stable are the message patterns of programs?";
    /// Tests of regions of memory.
    OfRegions, "probe regions", "regions", "How fast is each region of memory, and how stable?";
    /// Tests of a solver of linear equations.
    OfSolver, "probe solver", "steps", "How long do the steps of a solver take, and how stable are they?";
    /// Tests of every byte that collectives move.
    OfData, "probe data", "operations", "Does every call move every byte correctly?";
}

impl<K: TestKind> TestPlan<K> {
    /// Returns the plan for launches of ranks of a world. Threads emulate this network.
    pub fn new(world: World, emulated: Hockney, mut launches: Vec<LaunchTasks>) -> TestPlan<K> {
        for asked in launches.iter_mut().filter(|asked| asked.carrier.is_emulated()) {
            asked.carrier = Carrier::Emulated(Emulation::from_network(emulated));
        }
        TestPlan { world, emulated, launches, kind: PhantomData }
    }

    /// Carries out the tasks whose answers a campaign lacks. The lines contain the text of `load` about other programs,
    /// read after each answer.
    ///
    /// # Errors
    /// Fails for ranks that died, hung, or refused a task.
    pub fn run_tasks(
        &self,
        campaign: &mut Campaign,
        site: &Site,
        patience: Duration,
        load: impl Fn() -> Option<String>,
    ) -> anyhow::Result<()> {
        self.run_tasks_amid(campaign, site, patience, load, |_, ask| ask(&mut |_, _| Ok(())))
    }

    /// Carries out the plan as [`TestPlan::run_tasks`] does, with `amid` around each launch. `amid` receives a function
    /// that starts the ranks, and may do other work meanwhile. The receiver that it passes to that function receives
    /// each answer before it becomes a line, as in [`Asking::kept`].
    ///
    /// # Errors
    /// Fails where [`TestPlan::run_tasks`] fails, and with the error of `amid`.
    pub fn run_tasks_amid(
        &self,
        campaign: &mut Campaign,
        site: &Site,
        patience: Duration,
        load: impl Fn() -> Option<String>,
        mut amid: impl FnMut(Launched<'_>, &mut dyn FnMut(Kept<'_>) -> anyhow::Result<()>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for (number, asked) in (0..).zip(&self.launches) {
            let ended = match asked.ranks {
                0 => self.ask_here(number, asked, campaign),
                _ if answered(campaign, number) == asked.tasks.len() => Ok(()),
                _ => {
                    let job = asking::job_folder(campaign.folder(), self.world, asked.ranks, number);
                    amid(Launched { asked, job: &job }, &mut |kept| {
                        let (load, open) = (&load, VecDeque::new());
                        let mut testing = Testing { plan: self, site, patience, load, kept, now: None, open };
                        asking::run_launch(&mut testing, &(number, asked), campaign)
                    })
                }
            };
            match ended {
                Err(error) if asked.optional && !interrupted() => {
                    note!("left out: {}: {error:#}", asked.clock);
                    campaign.append(Line::LeftOut { what: asked.clock.to_string(), why: format!("{error:#}") })?;
                }
                ended => ended?,
            }
        }
        Ok(())
    }

    /// Stores the report card of a clock that this process reads.
    fn ask_here(&self, number: u32, asked: &LaunchTasks, campaign: &mut Campaign) -> anyhow::Result<()> {
        if answered(campaign, number) > 0 {
            return Ok(());
        }
        let card = report_card(asked.clock).map_err(BadInput)?;
        campaign.append(Line::Tested(Box::new(self.line(number, asked, TaskResult::Clock(card)))))
    }

    fn line(&self, number: u32, asked: &LaunchTasks, found: TaskResult) -> Tested {
        let LaunchTasks { carrier, ranks, .. } = *asked;
        Tested { number, world: self.world, carrier, ranks, ..Tested::here(cores(), utc_now(), found) }
    }
}

impl<K: TestKind> CommandPlan for TestPlan<K> {
    const NAME: &'static str = K::NAME;
    const ABOUT: &'static str = K::ABOUT;

    fn question(&self) -> String {
        K::QUESTION.to_owned()
    }

    fn seed(&self) -> u64 {
        // A test draws no random numbers.
        0
    }

    fn worlds(&self) -> &[World] {
        std::slice::from_ref(&self.world)
    }

    fn ranks(&self) -> Vec<u32> {
        let mut ranks: Vec<u32> = self.launches.iter().map(|asked| asked.ranks).filter(|&ranks| ranks > 0).collect();
        ranks.dedup();
        ranks
    }

    fn expected(&self, site: &Site) -> anyhow::Result<Expected> {
        let mut expected = Expected::new(K::NAME, ["task", "tasks"]);
        for asked in &self.launches {
            match asked.ranks {
                0 => expected.and(1, Duration::ZERO),
                ranks => {
                    let (carrier, emulated) = (asked.carrier, self.emulated);
                    let start = Start { carrier, emulated, ..Start::new(self.world, ranks, site)? };
                    expected.and_launch(&start, &asked.tasks, asked.tasks.len())?;
                }
            }
        }
        Ok(expected)
    }
}

/// State of a test while ranks carry out its tasks, launch by launch.
struct Testing<'a, K> {
    plan: &'a TestPlan<K>,
    site: &'a Site,
    patience: Duration,
    /// Function that describes other use of the machine since the test began.
    load: &'a dyn Fn() -> Option<String>,
    /// Receiver of its answers.
    kept: Kept<'a>,
    /// Number of the current launch, its tasks and its ranks.
    now: Option<(u32, &'a LaunchTasks, Start)>,
    /// Tasks of this launch that are not answered yet.
    open: VecDeque<Task>,
}

impl<'a, K: TestKind> Asking for Testing<'a, K> {
    type PlannedLaunch = (u32, &'a LaunchTasks);

    fn ask(
        &mut self,
        &(number, asked): &(u32, &'a LaunchTasks),
        campaign: &mut Campaign,
    ) -> anyhow::Result<Option<asking::Launch>> {
        let mut open: VecDeque<Task> = asked.tasks.iter().skip(answered(campaign, number)).cloned().collect();
        if open.is_empty() {
            return Ok(None);
        }
        if exchanges(asked) {
            let look = || Task::Memory(MemoryTest::look());
            open.push_front(look());
            open.push_back(look());
        }
        let LaunchTasks { carrier, clock, clocks, ranks, .. } = *asked;
        // A rank that records enters no new phase.
        let patience = self.patience.saturating_add(asked.tasks.iter().map(Task::lasts).sum());
        let emulated = self.plan.emulated;
        let start =
            Start { carrier, emulated, clock, clocks, patience, ..Start::new(self.plan.world, ranks, self.site)? };
        self.now = Some((number, asked, start.clone()));
        self.open.clone_from(&open);
        let (occasion, conditions) = (Occasion { launch: number }, Conditions::default());
        Ok(Some(asking::Launch { start, tasks: open.into(), occasion, conditions }))
    }

    fn kept(&mut self, outcome: &Outcome, folder: &Path) -> anyhow::Result<()> {
        (self.kept)(outcome, folder)
    }

    fn tested(&mut self, outcome: Outcome) -> ControlFlow<Line, Outcome> {
        let (Some((number, asked, start)), Some(task)) = (&self.now, self.open.pop_front()) else {
            return ControlFlow::Continue(outcome);
        };
        found(task, asked, outcome).map_break(|(ran_by, found)| {
            let notes = start.notes().into_iter().chain((self.load)()).collect();
            let (launch, cores) = (start.line(), start.site.cores);
            Line::Tested(Box::new(Tested { ran_by, launch, notes, cores, ..self.plan.line(*number, asked, found) }))
        })
    }
}

/// Returns the number of tasks of a launch that are answered.
fn answered(campaign: &Campaign, number: u32) -> usize {
    let of = |line: &&Line| matches!(line, Line::Tested(tested) if tested.number == number);
    campaign.lines().iter().filter(of).count()
}

/// Whether the ranks only exchange messages. Their memory is then looked at before and after.
fn exchanges(asked: &LaunchTasks) -> bool {
    asked.tasks.iter().any(|task| matches!(task, Task::PointToPoint(_)))
}

/// Returns the answer to a task, with the library and version of its ranks. An outcome that answers no such task is
/// passed on unchanged.
fn found(task: Task, asked: &LaunchTasks, outcome: Outcome) -> ControlFlow<(String, TaskResult), Outcome> {
    let clock = asked.clock;
    let (ran_by, found) = match (task, outcome) {
        (Task::PointToPoint(test), Outcome::PointToPoint { ran_by, record }) => {
            (ran_by, TaskResult::Exchanged { test, record })
        }
        (Task::Memory(test), Outcome::Memory { ran_by, ranks }) if !exchanges(asked) => {
            (ran_by, TaskResult::Memory { test, ranks })
        }
        (Task::CompareSync(settings), Outcome::SyncCompared(trials)) => {
            (String::new(), TaskResult::Synchronised { clock, sharing: settings.sharing, trials })
        }
        (Task::ReportCard, Outcome::ClockReported(card)) => (String::new(), TaskResult::Clock(card)),
        (Task::CheckClocks(settings), Outcome::ClocksChecked(check)) => {
            let conditions = Conditions { clock, sync: settings.sync, ..Conditions::default() };
            (String::new(), TaskResult::Waits(ClockCheck { conditions, ..check }))
        }
        (Task::Check, Outcome::Checked(calls)) => {
            (String::new(), TaskResult::Checked { operations: Vec::new(), calls })
        }
        (Task::CheckCalls { operations }, Outcome::Checked(calls)) => {
            (String::new(), TaskResult::Checked { operations, calls })
        }
        (Task::CheckShared { queued, .. }, Outcome::Checked(calls)) => {
            (String::new(), TaskResult::Checked { operations: vec![queued.to_string()], calls })
        }
        (Task::Record(recording), Outcome::Recorded { ran_by, ranks, .. }) => {
            (ran_by, TaskResult::Noise { collection: recording.collection, ranks })
        }
        (Task::Work(labour), Outcome::Worked { ran_by, ranks }) => {
            (ran_by, TaskResult::Worked { working: labour.working, ranks })
        }
        (Task::Meter(meter), Outcome::Metered { ran_by, ranks }) => (ran_by, TaskResult::Metered { meter, ranks }),
        (_, outcome) => return ControlFlow::Continue(outcome),
    };
    ControlFlow::Break((ran_by, found))
}
