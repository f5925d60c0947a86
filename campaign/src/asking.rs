//! The loop that all campaigns of real ranks share: launch by launch, ranks carry out the tasks that the campaign still
//! lacks, and every answer is on disk before the next.

use crate::{Campaign, Start};
use anyhow::Context;
use measure::job::{Outcome, Task};
use models::time::Span;
use programs::calibration::Sample;
use programs::observation::{ClockCheck, Conditions, Implementation, Observation, Occasion, World};
use scenario::BadInput;
use scenario::store::{LaunchEnd, LaunchMemory, Line};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Launch of real ranks with its tasks.
pub struct Launch {
    /// Ranks and the launcher that starts them.
    pub start: Start,
    /// Tasks of the ranks, in order. Each has one answer.
    pub tasks: Vec<Task>,
    /// Number of the launch among those of these ranks.
    pub occasion: Occasion,
    /// Conditions under which their clocks are checked.
    pub conditions: Conditions,
}

/// Results of a calibration by ranks.
pub struct Calibrated {
    /// Library and version, host and clock of the ranks.
    pub ran_by: String,
    /// Exchanges of ranks 0 and 1.
    pub samples: Vec<Sample>,
    /// Half the least round trip of the control messages of the slowest rank.
    pub control: Span,
}

/// Kind of campaign: the tasks of each launch, and the lines that their answers become.
pub trait Asking {
    /// Description of one launch in the campaign's plan.
    type PlannedLaunch;

    /// Returns the launch with all tasks whose answers the campaign lacks. `None` where it has all answers.
    ///
    /// # Errors
    /// Fails with the reason that keeps the launch from being started.
    fn ask(&mut self, planned: &Self::PlannedLaunch, campaign: &mut Campaign) -> anyhow::Result<Option<Launch>>;

    /// Returns the line of a measurement. Measurements come in the order of their tasks.
    ///
    /// # Errors
    /// Fails for a measurement that was not requested.
    fn measured(&mut self, _: Observation) -> anyhow::Result<Line> {
        anyhow::bail!("ranks answered a measurement that was not requested")
    }

    /// Receives an answer whose files are in the campaign's folder, before it becomes a line there.
    ///
    /// # Errors
    /// Fails if the answer is wrong. It then becomes no line, and its ranks are ended.
    fn kept(&mut self, _: &Outcome, _folder: &Path) -> anyhow::Result<()> {
        Ok(())
    }

    /// Returns the line of an answer to a test. Any other answer is passed on unchanged.
    fn tested(&mut self, outcome: Outcome) -> ControlFlow<Line, Outcome> {
        ControlFlow::Continue(outcome)
    }

    /// Fits a calibration and stores it in the campaign.
    ///
    /// # Errors
    /// Fails for a calibration that was not requested, or from which nothing can be fitted.
    fn calibrated(&mut self, _: Calibrated, _: &mut Campaign) -> anyhow::Result<()> {
        anyhow::bail!("ranks answered a calibration that was not requested")
    }

    /// Whether a library's forced algorithms are measured in launches of their own. The means of forcing one (variables
    /// that the library reads in `MPI_Init`) changes its own choice, too: MPICH's collectives through shared memory are
    /// switched off.
    fn keeps_forced_apart(&self) -> bool {
        false
    }

    /// Receives the notice that a launch has answered everything.
    fn finished(&mut self, _: &Self::PlannedLaunch) {}
}

/// Starts the ranks of a planned launch, unless the campaign has all their answers, and stores their answers.
///
/// # Errors
/// Fails if a rank died or hung (the error names it), if ranks refused a task, and if an answer cannot be stored.
pub fn run_launch<A: Asking>(
    asking: &mut A,
    planned: &A::PlannedLaunch,
    campaign: &mut Campaign,
) -> anyhow::Result<()> {
    let Some(Launch { start, tasks, occasion, conditions }) = asking.ask(planned, campaign)? else { return Ok(()) };
    let starts = if asking.keeps_forced_apart() { apart(tasks, start.world, occasion) } else { vec![tasks] };
    for tasks in starts {
        run_job(asking, &start, tasks, (occasion, conditions), campaign)?;
    }
    asking.finished(planned);
    Ok(())
}

/// Distributes the tasks of one launch over several starts of its ranks. Tasks that force an algorithm are apart from
/// all others, and apart from each other where the library reads it at its start. The first start rotates with the
/// launch.
pub fn apart(tasks: Vec<Task>, world: World, occasion: Occasion) -> Vec<Vec<Task>> {
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
        // Tasks that call no collective (a check of clocks, a calibration) need no start of their own.
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

/// Starts the ranks once, with some of the tasks of a launch.
fn run_job<A: Asking>(
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
    let ended = start.run_job(&job, &folder, |outcome| {
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
            // All compared bytes were right.
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
        // No rank died, so that the files hold no cause to be looked into.
        let _ = std::fs::remove_dir_all(&folder);
    }
    ended.with_context(|| format!("launch {}", launch + 1))?;
    std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
}

/// Refuses ranks of another library version than the campaign was begun with: launchers may bring a library of their
/// own, and modules change between a campaign and its resumption.
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

/// Returns the folder of a launch's job within the folder of its campaign. It exists as long as the launch lasts.
pub(crate) fn job_folder(campaign: &Path, world: World, ranks: u32, launch: u32) -> PathBuf {
    campaign.join(format!("job-{}-{ranks}-{launch}", world.name()))
}

/// Moves the files of an answer from the job's folder to the campaign's, each atomically, before the answer is stored.
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

/// Refuses an observation of a forced algorithm unless every rank confirms the algorithm, because the number would
/// otherwise belong to another one.
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
