//! Detours beside the kernel's activity: Linux records while ranks do, and each rank's detours are then joined with its
//! CPU's events.

use super::collect::attributed;
use crate::files::open;
use crate::testing;
use ::noise::Causes;
use anyhow::Context;
use campaign::launch::{Processors, Site};
use campaign::progress::{PointWords, Points};
use campaign::serve::BOARD;
use campaign::testing::{LaunchTasks, Launched, OfNoise, TestPlan};
use campaign::{Campaign, Interrupted, RecordedCampaign, interrupted};
use measure::board::Board;
use measure::clock::{Counter, RealClock};
use measure::detours::{Recording, entry_bytes};
use measure::job::Outcome;
use measure::tracefs::{Traced, Tracefs};
use models::clock::{Ticks, Timescale};
use models::noise::DetourTrace;
use models::noise::read::{self, nanoseconds};
use models::time::{Span, Time};
use programs::detours::causes::{self, CausesFile, Join};
use programs::detours::{Collection, Method, Recorded};
use programs::observation::World;
use render::summary::Summary;
use scenario::BadInput;
use scenario::files::write_whole;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Ending of files of causes, which have the names of the files of detours beside them.
const CAUSES: &str = "causes";

/// Words of the progress while detours are attributed.
const ATTRIBUTION: PointWords = PointWords { doing: "attributing", what: "detours" };
/// Number of detours that are attributed between two looks at the time and at interrupts.
const BETWEEN_LOOKS: usize = 1 << 14;

/// The kernel's records, by CPUs.
type Kernel = BTreeMap<u32, Traced>;

/// Has real ranks record what a campaign does not hold yet; where the plan requests it, the kernel records meanwhile.
/// The causes of detours are in files before the campaign has the ranks' line: a campaign that has the line lacks
/// nothing.
///
/// # Errors
/// Fails where [`testing::ask`] does, before ranks are started on a tracefs that lacks a needed part, and on files that
/// cannot be read or written.
pub fn ask(
    plan: &TestPlan<OfNoise>,
    campaign: &mut Campaign,
    site: &Site,
    (patience, quiet): (Duration, bool),
) -> anyhow::Result<()> {
    testing::notices(|load| {
        plan.run_tasks_amid(campaign, site, patience, load, |launched, ask| {
            let Some((recording, tracefs)) = attributed(launched.asked) else { return ask(&mut |_, _| Ok(())) };
            let most_bytes = u64::from(recording.collection.most) * entry_bytes(recording.collection.method) as u64;
            let bad = |message| BadInput(format!("--attribute: {message}"));
            let tracefs = Tracefs::find(Some(tracefs)).map_err(bad)?;
            let cpus = traced_cpus(plan.world, launched.asked, recording);
            let mut tracing = Some(tracefs.begin(&cpus, most_bytes, begun(launched)).map_err(bad)?);
            ask(&mut |answer, folder| {
                let Outcome::Recorded { ranks, .. } = answer else { return Ok(()) };
                let Some(tracing) = tracing.take() else { return Ok(()) };
                let kernel = tracing.end().map_err(anyhow::Error::msg)?;
                attribute_all(folder, &recording.collection, (ranks, &kernel), quiet)
            })
        })
    })
}

/// Returns a function that gives the ticks at which the ranks of a launch began to record, or `None` until their status
/// board exists and says so.
fn begun(launched: Launched<'_>) -> impl Fn() -> Option<u64> + Send + 'static {
    let (board, ranks) = (launched.job.join(BOARD), launched.asked.ranks);
    // Until its ranks are started, the folder may hold the board of a launch that was killed.
    let now = Counter.read().0;
    move || Board::open(&board, ranks).ok()?.recording_since().filter(|&ticks| ticks > now)
}

/// Returns the CPUs on which ranks will be; where launchers place them, all that they may use.
fn traced_cpus(world: World, asked: &LaunchTasks, recording: &Recording) -> Vec<u32> {
    let allowed = || Processors::here().allowed.into_iter().map(|cpu| cpu as u32).collect();
    let all: Vec<u32> = if recording.cpus.is_empty() { allowed() } else { recording.cpus.clone() };
    let in_order = world == World::Threads || !recording.cpus.is_empty();
    all.into_iter().take(if in_order { asked.ranks as usize } else { usize::MAX }).collect()
}

/// Writes the causes of the detours of all ranks.
fn attribute_all(
    folder: &Path,
    collection: &Collection,
    (ranks, kernel): (&[Recorded], &Kernel),
    quiet: bool,
) -> anyhow::Result<()> {
    let mut points = Points::new(ATTRIBUTION, ranks.iter().map(|rank| rank.kept).sum(), 0, quiet);
    let ended = ranks.iter().try_for_each(|rank| {
        let file = folder.join(rank.file(collection.method)).with_extension(CAUSES);
        // The file may be left from a recording that was cut short.
        let _ = std::fs::remove_file(&file);
        attribute(&file, collection.method, rank, kernel, &mut points)
    });
    points.finish();
    ended
}

/// Writes the causes of a rank's detours beside its file of detours.
fn attribute(file: &Path, method: Method, rank: &Recorded, kernel: &Kernel, points: &mut Points) -> anyhow::Result<()> {
    let number = rank.collected.watched.rank;
    let Some(Traced { timeline, lost }) = kernel.get(&rank.cpu) else {
        note!("rank {number} was on CPU {}, whose events were not recorded: nothing is known of its detours", rank.cpu);
        return Ok(());
    };
    if let Some(message) = timeline.unreadable() {
        note!("rank {number}: an event of the kernel's could not be read: {message}");
    }
    let (name, bytes) = open(&file.with_file_name(rank.file(method))).map_err(BadInput)?;
    let DetourTrace { length, detours, mut header, .. } = read::trace(&name, &bytes, None).map_err(BadInput)?;
    let join = Join::new(timeline, rank, method, &detours);
    header.extend(join.task().map(|task| ("task".to_owned(), task.to_string())));
    header.push(("lost_events".to_owned(), lost.to_string()));
    header.extend(timeline.full_at().map(|ticks| ("known_ns".to_owned(), nanoseconds(since_begin(rank, ticks).0))));
    let written = write_whole(file, |out| {
        out.write_all(causes::head(&header, length).as_bytes())?;
        let mut causes = join.causes(&detours);
        for some in detours.chunks(BETWEEN_LOOKS) {
            let mut beside = some.iter().zip(&mut causes);
            beside.try_for_each(|(detour, cause)| out.write_all(causes::line(detour, &cause).as_bytes()))?;
            points.steps(some.len() as u64);
            if interrupted() {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        Ok(())
    });
    if interrupted() {
        return Err(Interrupted { lost: String::new() }.into());
    }
    written.with_context(|| format!("cannot write {}", file.display()))
}

/// Converts a reading of a rank's clock into the time since the start of its recording.
fn since_begin(rank: &Recorded, ticks: u64) -> Span {
    let origin = Ticks(rank.collected.start_ticks);
    let scale = Timescale { ticks_per_second: rank.hz, origin, granularity_ticks: 1 };
    scale.time(Ticks(ticks)).since(Time::ZERO)
}

/// Returns the results of a collection, with the causes of detours where they are known; `None` where no rank answered.
pub fn summary(campaign: &RecordedCampaign) -> Option<Summary> {
    let mut summary = probes::tested::summary(campaign.lines())?;
    let entries = std::fs::read_dir(campaign.folder()).into_iter().flatten().flatten();
    let is_of_causes = |path: &PathBuf| path.extension().is_some_and(|ending| ending == CAUSES);
    let files = entries.map(|entry| entry.path()).filter(is_of_causes);
    if let Ok(Some(causes)) = causes_of(files, Span::ZERO, None) {
        summary.extend(&causes);
    }
    Some(summary)
}

/// Returns the causes of the detours in files, from one time of the recording to another; `None` where they are not
/// known.
///
/// # Errors
/// Fails on files that cannot be read.
pub(super) fn causes_beside(names: &[&str], from: Span, to: Option<Span>) -> Result<Option<Causes>, BadInput> {
    let beside = names.iter().map(|name| Path::new(name).with_extension(CAUSES));
    causes_of(beside.filter(|path| path.is_file()), from, to)
}

fn causes_of(files: impl Iterator<Item = PathBuf>, from: Span, to: Option<Span>) -> Result<Option<Causes>, BadInput> {
    let read = |path: PathBuf| {
        let (name, bytes) = open(&path).map_err(BadInput)?;
        causes::read(&name, &bytes).map_err(BadInput)
    };
    let files = files.map(read).collect::<Result<Vec<CausesFile>, BadInput>>()?;
    Causes::from_files(files, from, to).map_err(|message| BadInput(format!("*.{CAUSES}: {message}")))
}
