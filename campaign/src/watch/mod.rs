//! Watch over real ranks: their outcomes as they come, and an end with rank, host and phase when one of them dies,
//! stops, or makes no progress.

mod children;
mod deaths;
mod elsewhere;
mod hang;
mod starting;

use crate::progress::Detours;
use crate::serve::{BOARD, RESULTS};
use anyhow::{Context, bail};
use children::Children;
use elsewhere::StartedByOthers;
use hang::HangWatch;
use measure::board::{Board, Status};
use measure::job::{Job, Outcome, Task};
use programs::rank::Phase;
use starting::Starting;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the user has asked to stop.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
}

/// Interval between two looks at ranks, which measure meanwhile. Results are received at once.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Interval between two looks while ranks record detours, because a look is a detour itself.
const LOOK_RARELY: Duration = Duration::from_secs(1);
/// Interval between two looks while the recorded detours are shown.
const LOOK_LIVE: Duration = Duration::from_millis(200);
/// Time for a launcher to end by itself after it has lost a rank, or after its ranks have answered all tasks.
const LAUNCHER_MAY_TAKE: Duration = Duration::from_secs(5);
/// Time for a launcher to end by itself after it has lost a rank at its start. Open MPI 4.1.4 takes 1.1 s, others less,
/// and Intel MPI's never ends.
const LAUNCHER_MAY_TAKE_AT_START: Duration = Duration::from_secs(2);

/// Error that the user asked to stop while ranks were at work.
#[derive(Debug)]
pub struct Interrupted {
    /// Time that ranks had lost until then, in a line for each. Empty where it was not looked at.
    pub lost: String,
}

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Makes Ctrl-C (and SIGTERM, SIGHUP) end the ranks first, then the run.
pub fn notice_interrupts() -> anyhow::Result<()> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Relaxed)).context("cannot listen for Ctrl-C")
}

/// Receiver of outcomes and states of ranks at work.
pub(crate) trait Hears {
    /// Receives the outcome of a task.
    fn outcome(&mut self, outcome: Outcome) -> anyhow::Result<()>;

    /// Receives the states of ranks that record live, five times a second. If it returns false, standard error shows
    /// the time that they lose.
    fn look(&mut self, _ranks: &[Status]) -> anyhow::Result<bool> {
        Ok(false)
    }
}

impl<F: FnMut(Outcome) -> anyhow::Result<()>> Hears for F {
    fn outcome(&mut self, outcome: Outcome) -> anyhow::Result<()> {
        self(outcome)
    }
}

/// Starts the ranks of a job and hands every outcome to `hears` until they have finished. An error of `hears` ends
/// them. The lock of `held` is kept until nothing of them is left.
///
/// # Errors
/// Names the rank that died, stopped or hung, with its host, process, phase and case.
pub(crate) fn run_watched(
    command: Command,
    job: &Job,
    (folder, held): (&Path, &File),
    patience: Duration,
    mut hears: impl Hears,
) -> anyhow::Result<()> {
    let file = folder.join(BOARD);
    let failed = || format!("cannot make the status board {}; make room, then resume", file.display());
    let board = Board::create(&file, job.ranks).with_context(failed)?;
    let mut results = Results { file: File::open(folder.join(RESULTS))?, text: Vec::new(), count: 0 };
    let mut children = Children::start(command, held)?;
    let mut hang = HangWatch::new(patience);
    let mut others = StartedByOthers::default();
    let mut starting = Starting::new(job, folder);
    let mut first_dead: Option<(Instant, Status)> = None;
    let mut detours: Option<Detours> = None;
    let mut complete_since: Option<Instant> = None;
    loop {
        let is_long = job.tasks.get(results.count).is_some_and(|task| !task.lasts().is_zero());
        let is_live = job.tasks.get(results.count).is_some_and(shows);
        board.results().wait(match (is_live, is_long) {
            (true, _) => LOOK_LIVE,
            (false, true) => LOOK_RARELY,
            (false, false) => starting.rest().unwrap_or(LOOK_EVERY),
        });
        others.look(&board);
        results.read_new(&mut hears)?;
        board.results().taken();
        if interrupted() {
            let lost = detours.as_ref().map(|detours| detours.summary(&board.all())).unwrap_or_default();
            children.end();
            return Err(Interrupted { lost }.into());
        }
        let ranks = board.all();
        if !is_live {
            detours = None;
        } else if !hears.look(&ranks)? {
            detours.get_or_insert_with(|| Detours::new(job.ranks)).look(&ranks);
        }
        let mut known = ranks.clone();
        starting.complete(&mut known, results.count);
        first_dead = first_dead.or_else(|| children.first_dead(&known).map(|status| (Instant::now(), status)));
        if let Some(ended) = children.ended()? {
            results.read_new(&mut hears)?;
            if ended.success() && results.count == job.tasks.len() {
                return Ok(());
            }
            let culprit = culprit(&mut children, &known, first_dead.map(|(_, status)| status));
            children.end();
            bail!(how_it_died(job, culprit.as_ref(), &ended.to_string(), &children.last_words()));
        }
        if results.count == job.tasks.len() {
            // MPICH 4.0.2 over UCX and TCP does not always return from MPI_Finalize where three ranks or more are on
            // several hosts. No measurement is lost by it.
            if complete_since.get_or_insert_with(Instant::now).elapsed() > LAUNCHER_MAY_TAKE {
                children.end();
                return Ok(());
            }
            continue;
        }
        let missing = || starting.missing(&ranks, LAUNCHER_MAY_TAKE);
        let lost = match &first_dead {
            Some((since, culprit)) => (since.elapsed() > may_take(culprit)).then(|| culprit.clone()),
            None => missing(),
        };
        if let Some(culprit) = lost {
            let text = how_it_died(job, Some(&culprit), "its process is gone", &children.last_words());
            children.end();
            bail!(text);
        }
        if first_dead.is_none()
            && let Some(reason) = hang.look(&ranks, results.count, Instant::now())
        {
            let last_words = children.last_words();
            children.end();
            bail!("{}", with(reason.describe(|status| place(job, status)), &last_words));
        }
    }
}

/// Returns the time for a launcher to end by itself after it has lost this rank.
fn may_take(culprit: &Status) -> Duration {
    if culprit.phase == Phase::Starting { LAUNCHER_MAY_TAKE_AT_START } else { LAUNCHER_MAY_TAKE }
}

/// Whether the results of ranks are shown while they record.
fn shows(task: &Task) -> bool {
    matches!(task, Task::Record(recording) if recording.live)
}

/// Returns the rank that ended first, as far as it is known: the one that the kernel reported, if all ranks have signed
/// in, else the one that the launcher names. When one of two ranks has been killed with signal 9, launchers end with
/// these codes and words:
///
/// | launcher | code | words | right |
/// |---|---|---|---|
/// | Open MPI 4.1.4 | 137 | `process rank 1 with PID 0 on node HOST exited on signal 9` | yes |
/// | Open MPI 5.0.8, 5.0.11 | 137 | `process rank 1 with PID 314 on node HOST exited on` | yes |
/// | MPICH 4.0.2, 5.0.2 | 9 | `PID 314 RUNNING AT HOST`, `EXIT CODE: 9` | sometimes the lowest of those that it ended itself |
/// | Intel MPI 2021.18 | 255 | `RANK 0 PID 314 RUNNING AT HOST`, `KILLED BY SIGNAL: 9`, for each rank | names all; while ranks start it neither ends nor speaks |
///
/// Source: observations with each version on one host.
fn culprit(children: &mut Children, ranks: &[Status], first_dead: Option<Status>) -> Option<Status> {
    let first_dead = first_dead.or_else(|| children.first_dead(ranks));
    if let Some(elsewhere) = children.seen_elsewhere(ranks) {
        return Some(elsewhere);
    }
    // A rank that has not signed in may have been the first.
    if ranks.iter().any(|rank| rank.process == 0) {
        return children.seen_by_open_mpi(ranks);
    }
    first_dead.or_else(|| children.named_by_launcher(ranks))
}

/// Reader of the lines that rank 0 has appended since the last look.
struct Results {
    file: File,
    text: Vec<u8>,
    count: usize,
}

impl Results {
    fn read_new(&mut self, hears: &mut impl Hears) -> anyhow::Result<()> {
        self.file.read_to_end(&mut self.text)?;
        while let Some(end) = self.text.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.text.drain(..=end).collect();
            let outcome = serde_json::from_slice(&line).context("rank 0 wrote a result that cannot be read")?;
            self.count += 1;
            hears.outcome(outcome)?;
        }
        Ok(())
    }
}

/// Returns the description of a rank, as in `rank 2 (process 314 on node7) in phase 'window' of <case>`.
fn place(job: &Job, status: &Status) -> String {
    let task = match job.tasks.get(status.task as usize) {
        Some(Task::Measure { case, .. } | Task::CheckCase { case, .. }) => format!(" of {case}"),
        Some(Task::CheckCalls { operations }) => format!(" of {}", operations.join(", ")),
        Some(Task::CheckShared { queued, .. }) => format!(" of {queued}"),
        Some(Task::PointToPoint(test)) => format!(" of {test}"),
        Some(Task::Explore(exploration)) => format!(" of {exploration}"),
        Some(
            Task::Calibrate(_)
            | Task::CheckClocks(_)
            | Task::CompareSync(_)
            | Task::ReportCard
            | Task::Check
            | Task::Memory(_)
            | Task::Record(_)
            | Task::Work(_)
            | Task::Meter(_),
        )
        | None => String::new(),
    };
    let Status { rank, process, host, phase, .. } = status;
    let process = if *process == 0 { String::new() } else { format!("process {process} ") };
    format!("rank {rank} ({process}on {host}) in phase '{phase}'{task}")
}

fn how_it_died(job: &Job, culprit: Option<&Status>, ended: &str, last_words: &str) -> String {
    let what = match culprit {
        Some(status) => format!("{} died: {ended}", place(job, status)),
        None => format!("the ranks ended early: {ended}"),
    };
    // Rust's allocator writes this before it ends a process.
    let cure = if last_words.contains("memory allocation of ") {
        "\nThe ranks had too little memory: take shorter messages or fewer ranks, or raise the limit (`ulimit -v`)"
    } else {
        ""
    };
    with(what, last_words) + cure
}

fn with(what: String, last_words: &str) -> String {
    if last_words.is_empty() { what } else { format!("{what}\n{last_words}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::RESULTS;
    use models::clock::ClockKind;
    use models::network::{Hockney, SendRule};
    use models::time::{PerByte, Span};
    use programs::observation::{Carrier, World};
    use std::os::unix::process::CommandExt;

    #[test]
    fn a_launcher_that_goes_on_after_the_last_result_is_ended_and_nothing_is_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(RESULTS), "").expect("a file");
        let job = Job {
            ranks: 1,
            cores: 1,
            hosts: 1,
            world: World::Threads,
            carrier: Carrier::Native,
            emulated: Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Eager },
            clock: ClockKind::ClockMonotonic,
            clocks: None,
            tasks: Vec::new(),
        };
        let mut launcher = Command::new("sleep");
        launcher.arg("1000").process_group(0);
        let patience = Duration::from_secs(600);
        let place = File::open(folder.path()).expect("the folder");
        run_watched(launcher, &job, (folder.path(), &place), patience, |_: Outcome| Ok(()))
            .expect("nothing was left to do");
    }
}
