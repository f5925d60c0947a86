//! The one loop of campaigns of real ranks: launch by launch, ranks are asked what the campaign does not hold yet, and every
//! answer is on disk before the next.

use crate::{Campaign, Start};
use anyhow::Context;
use measure::job::{Outcome, Task};
use models::calibration::Sample;
use models::observation::{ClockCheck, Conditions, Implementation, Observation, Occasion, World};
use models::time::Span;
use scenario::BadInput;
use scenario::store::{LaunchEnd, LaunchMemory, Line};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A launch of real ranks with its tasks.
pub struct Launch {
    /// The ranks.
    pub start: Start,
    /// What the ranks do, in order; each task has one answer.
    pub tasks: Vec<Task>,
    /// When: which launch of these ranks.
    pub occasion: Occasion,
    /// Under which conditions their clocks are checked.
    pub conditions: Conditions,
}

/// What ranks exchanged in a calibration.
pub struct Calibrated {
    /// Who exchanged the messages.
    pub ran_by: String,
    /// What ranks 0 and 1 exchanged.
    pub samples: Vec<Sample>,
    /// Half the least round trip of the control messages of the slowest rank.
    pub control: Span,
}

/// A kind of campaign: what it asks of the ranks of a launch, and which lines their answers become.
pub trait Asking {
    /// What it plans for one launch.
    type Planned;

    /// The launch with all that the campaign does not hold yet; none where it holds everything.
    ///
    /// # Errors
    /// What keeps it from being started.
    fn ask(&mut self, planned: &Self::Planned, campaign: &mut Campaign) -> anyhow::Result<Option<Launch>>;

    /// The line of a measurement; measurements come in the order of their tasks.
    ///
    /// # Errors
    /// A measurement that nobody asked for.
    fn measured(&mut self, _: Observation) -> anyhow::Result<Line> {
        anyhow::bail!("ranks answered a measurement that was not requested")
    }

    /// Hears of an answer whose files are in the campaign's folder now, before it becomes a line there.
    ///
    /// # Errors
    /// What is wrong with it: it becomes no line, and its ranks end.
    fn kept(&mut self, _: &Outcome, _folder: &Path) -> anyhow::Result<()> {
        Ok(())
    }

    /// The line of an answer to a test; an answer that is no test's goes on as it is.
    fn tested(&mut self, outcome: Outcome) -> ControlFlow<Line, Outcome> {
        ControlFlow::Continue(outcome)
    }

    /// Fits a calibration and keeps it.
    ///
    /// # Errors
    /// A calibration that nobody asked for, or from which nothing can be fitted.
    fn calibrated(&mut self, _: Calibrated, _: &mut Campaign) -> anyhow::Result<()> {
        anyhow::bail!("ranks answered a calibration that was not requested")
    }

    /// Whether what a library is made to use is measured in a launch of its own. What makes a library obey (variables that it reads
    /// in `MPI_Init`) changes its own choice, too: MPICH's collectives through shared memory are switched off.
    fn keeps_forced_apart(&self) -> bool {
        false
    }

    /// Hears that a launch has answered everything.
    fn finished(&mut self, _: &Self::Planned) {}
}

/// Starts the ranks of a planned launch, unless the campaign holds all their answers, and keeps what they answer.
///
/// # Errors
/// A rank that died or hung, by name; what ranks refused; answers that cannot be kept.
pub fn carry_out<A: Asking>(asking: &mut A, planned: &A::Planned, campaign: &mut Campaign) -> anyhow::Result<()> {
    let Some(Launch { start, tasks, occasion, conditions }) = asking.ask(planned, campaign)? else { return Ok(()) };
    let starts = if asking.keeps_forced_apart() { apart(tasks, start.world, occasion) } else { vec![tasks] };
    for tasks in starts {
        carry_out_job(asking, &start, tasks, (occasion, conditions), campaign)?;
    }
    asking.finished(planned);
    Ok(())
}

/// The tasks of each start of one launch: those in which the library is made to use an algorithm apart from all others, and apart from
/// each other where it is told when it starts; each first in its turn.
fn apart(tasks: Vec<Task>, world: World, occasion: Occasion) -> Vec<Vec<Task>> {
    let (forced, own): (Vec<Task>, Vec<Task>) = tasks.into_iter().partition(Task::forces);
    let has_orders = own.iter().any(|task| matches!(task, Task::Measure { .. } | Task::CheckCase { .. }));
    let mut alike: Vec<Vec<Task>> = Vec::new();
    for task in forced {
        let needs = task.environment(world);
        match alike.iter_mut().find(|tasks| tasks[0].environment(world) == needs) {
            Some(tasks) => tasks.push(task),
            None => alike.push(vec![task]),
        }
    }
    let mut starts = match (alike.first_mut(), has_orders) {
        (None, _) => return vec![own],
        // What is no call (a check of clocks, a calibration) needs no start of its own.
        (Some(first), false) => {
            first.splice(0..0, own);
            alike
        }
        (Some(_), true) => std::iter::once(own).chain(alike).collect(),
    };
    let first = occasion.launch as usize % starts.len();
    starts.rotate_left(first);
    starts
}

/// One start of ranks, with some of the tasks of a launch.
fn carry_out_job<A: Asking>(
    asking: &mut A,
    start: &Start,
    tasks: Vec<Task>,
    (occasion, conditions): (Occasion, Conditions),
    campaign: &mut Campaign,
) -> anyhow::Result<()> {
    let job = start.job(tasks);
    job.fits().map_err(BadInput)?;
    let (world, ranks, launch) = (start.world, start.ranks, occasion.launch);
    let folder = job_folder(campaign.folder(), world, ranks, launch);
    // Ranks look at their memory at the beginning of a launch and at its end.
    let mut when = LaunchEnd::Begin;
    let ended = start.carry_out(&job, &folder, |outcome| {
        keep_files(&outcome, &folder, campaign.folder())?;
        asking.kept(&outcome, campaign.folder())?;
        let outcome = match asking.tested(outcome) {
            ControlFlow::Break(line) => return campaign.append(line),
            ControlFlow::Continue(outcome) => outcome,
        };
        let line = match outcome {
            Outcome::Measured(observation) => {
                refuse_unproven(&observation)?;
                asking.measured(Observation { occasion, ..observation })?
            }
            Outcome::ClocksChecked(check) => Line::ClockCheck(ClockCheck { conditions, occasion, ..check }),
            Outcome::ClockReported(card) => Line::ReportCard { world, ranks, card: Box::new(card) },
            Outcome::Memory { ran_by, ranks } => {
                refuse_another(campaign, world, &ran_by)?;
                let when = std::mem::replace(&mut when, LaunchEnd::End);
                Line::Memory(LaunchMemory { world, launch, when, ran_by, ranks })
            }
            Outcome::Calibrated { ran_by, samples, control } => {
                return asking.calibrated(Calibrated { ran_by, samples, control }, campaign);
            }
            Outcome::Refused(reason) => return Err(BadInput(reason).into()),
            // What was compared was right.
            Outcome::Checked(_) => return Ok(()),
            Outcome::PointToPoint { .. }
            | Outcome::SyncCompared(_)
            | Outcome::Explored(_)
            | Outcome::Recorded { .. }
            | Outcome::Worked { .. }
            | Outcome::Metered { .. } => {
                anyhow::bail!("ranks answered a test that was not requested")
            }
        };
        campaign.append(line)
    });
    if ended.as_ref().is_err_and(|error| error.is::<BadInput>()) {
        // Nothing died: there is nothing to look into.
        let _ = std::fs::remove_dir_all(&folder);
    }
    ended.with_context(|| format!("launch {}", launch + 1))?;
    std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
}

/// Refuses ranks of another version than the campaign was begun with: launchers may bring a library of their own, and modules change
/// between a campaign and its resumption.
fn refuse_another(campaign: &Campaign, world: World, ran_by: &str) -> anyhow::Result<()> {
    let Some(begun) = campaign.fact(&format!("{}, library", world.title())) else { return Ok(()) };
    let begun = begun.split(", MPI ").next().unwrap_or_default();
    if ran_by.starts_with(&format!("{begun} ")) {
        return Ok(());
    }
    let (folder, now) = (campaign.folder().display(), ran_by.split(" on ").next().unwrap_or_default());
    let cure = "name that library by --mpi PATH, or begin a new campaign";
    Err(BadInput(format!("{folder} was begun with {begun}, and its ranks are {now} now: {cure}")).into())
}

/// Where the job of a launch is while it lasts, within the folder of its campaign.
pub(crate) fn job_folder(campaign: &Path, world: World, ranks: u32, launch: u32) -> PathBuf {
    campaign.join(format!("job-{}-{ranks}-{launch}", world.name()))
}

/// Files that belong to an answer go from the job's folder to the campaign's, each at once and whole, before the answer is kept.
fn keep_files(outcome: &Outcome, from: &Path, to: &Path) -> anyhow::Result<()> {
    let Outcome::Recorded { files, .. } = outcome else { return Ok(()) };
    for file in files {
        let target = to.join(file);
        let moved = target.parent().map_or(Ok(()), std::fs::create_dir_all);
        let moved = moved.and_then(|()| std::fs::rename(from.join(file), &target));
        moved.with_context(|| format!("cannot write {}", target.display()))?;
    }
    Ok(())
}

/// A library that was to use a named algorithm says how it was made to; without that the number is another's.
fn refuse_unproven(observation: &Observation) -> Result<(), BadInput> {
    let Implementation::Forced(name) = &observation.case.subject.implementation else { return Ok(()) };
    if observation.ranks.iter().all(|record| record.forced.is_some()) {
        return Ok(());
    }
    let world = observation.case.place.world.title();
    Err(BadInput(format!(
        "algorithm library:{name}: {world} does not confirm that it uses this algorithm; expected another one"
    )))
}
