//! Detours beside what the kernel did: Linux records while ranks do, and each rank's detours are then joined with its CPU's events.

use super::collect::attributed;
use crate::files::open;
use crate::testing;
use anyhow::Context;
use campaign::launch::{Processors, Site};
use campaign::results::Findings;
use campaign::testing::{Asked, OfNoise, Plan};
use campaign::{Campaign, RecordedCampaign};
use measure::detours::{Recording, entry_bytes};
use measure::tracefs::{Traced, Tracefs};
use models::clock::{Ticks, Timescale};
use models::detours::causes::{self, CausesFile, Join};
use models::detours::{Collection, Recorded};
use models::noise::DetourTrace;
use models::noise::read::{self, nanoseconds};
use models::observation::World;
use models::time::{Span, Time};
use reports::noise::Causes;
use scenario::BadInput;
use scenario::files::write_whole;
use scenario::store::{Found, Line};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The ending of files of causes, which are named as those of detours beside them.
const CAUSES: &str = "causes";

/// What the kernel recorded, by CPUs.
type Kernel = BTreeMap<u32, Traced>;

/// Asks real ranks what a campaign does not hold yet; where the plan says so, the kernel records meanwhile.
///
/// # Errors
/// As [`testing::ask`]; tracefs that lacks something, before ranks are started; files that cannot be read or written.
pub fn ask(plan: &Plan<OfNoise>, campaign: &mut Campaign, site: &Site, patience: Duration) -> anyhow::Result<()> {
    let mut recorded = Vec::new();
    testing::notices(plan, |load| {
        plan.carry_out_amid(campaign, site, patience, load, |asked, ask| {
            let Some((recording, tracefs)) = attributed(asked) else { return ask() };
            let most_bytes = u64::from(recording.collection.most) * entry_bytes(recording.collection.method) as u64;
            let bad = |message| BadInput(format!("--attribute: {message}"));
            let tracefs = Tracefs::find(Some(tracefs)).map_err(bad)?;
            let tracing = tracefs.begin(&traced_cpus(plan.world, asked, recording), most_bytes).map_err(bad)?;
            ask()?;
            recorded.push(tracing.end().map_err(anyhow::Error::msg)?);
            Ok(())
        })
    })?;
    // What was recorded last was kept last.
    let last = |line: &Line| match line {
        Line::Tested(tested) => match &tested.found {
            Found::Noise { collection, ranks } => Some((collection.clone(), ranks.clone())),
            _ => None,
        },
        _ => None,
    };
    for (kernel, (collection, ranks)) in recorded.iter().rev().zip(campaign.lines().iter().rev().filter_map(last)) {
        for rank in &ranks {
            attribute(campaign.folder(), &collection, rank, kernel)?;
        }
    }
    Ok(())
}

/// The CPUs on which ranks will be: where launchers place them, any that they may use.
fn traced_cpus(world: World, asked: &Asked, recording: &Recording) -> Vec<u32> {
    let allowed = || Processors::here().allowed.into_iter().map(|cpu| cpu as u32).collect();
    let all: Vec<u32> = if recording.cpus.is_empty() { allowed() } else { recording.cpus.clone() };
    let in_order = world == World::Threads || !recording.cpus.is_empty();
    all.into_iter().take(if in_order { asked.ranks as usize } else { usize::MAX }).collect()
}

/// Writes what took the CPU in each detour of a rank beside its file of detours.
fn attribute(folder: &Path, collection: &Collection, rank: &Recorded, kernel: &Kernel) -> anyhow::Result<()> {
    let path = folder.join(rank.file(collection.method));
    let number = rank.collected.watched.rank;
    let Some(Traced { timeline, lost }) = kernel.get(&rank.cpu) else {
        note!("rank {number} was on CPU {}, whose events were not recorded: nothing is known of its detours", rank.cpu);
        return Ok(());
    };
    if let Some(message) = timeline.unreadable() {
        note!("rank {number}: an event of the kernel's could not be read: {message}");
    }
    let (name, bytes) = open(&path).map_err(BadInput)?;
    let DetourTrace { length, detours, mut header, .. } = read::trace(&name, &bytes, None).map_err(BadInput)?;
    let join = Join::new(timeline, rank, collection.method, &detours);
    header.extend(join.task().map(|task| ("task".to_owned(), task.to_string())));
    header.push(("lost_events".to_owned(), lost.to_string()));
    header.extend(timeline.full_at().map(|ticks| ("known_ns".to_owned(), nanoseconds(since_begin(rank, ticks).0))));
    let path = path.with_extension(CAUSES);
    let written = write_whole(&path, |file| {
        file.write_all(causes::head(&header, length).as_bytes())?;
        let mut beside = detours.iter().zip(join.causes(&detours));
        beside.try_for_each(|(detour, cause)| file.write_all(causes::line(detour, &cause).as_bytes()))
    });
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// When a reading of its clock was, from the begin of a rank's recording on.
fn since_begin(rank: &Recorded, ticks: u64) -> Span {
    let origin = Ticks(rank.collected.start_ticks);
    let scale = Timescale { ticks_per_second: rank.hz, origin, granularity_ticks: 1 };
    scale.time(Ticks(ticks)).since(Time::ZERO)
}

/// What a collection holds, with what took the CPU where that is known; none where nobody answered.
pub fn told(campaign: &RecordedCampaign) -> Option<Findings> {
    let mut summary = reports::tested::summary(campaign.lines())?;
    let entries = std::fs::read_dir(campaign.folder()).into_iter().flatten().flatten();
    let is_of_causes = |path: &PathBuf| path.extension().is_some_and(|ending| ending == CAUSES);
    let files = entries.map(|entry| entry.path()).filter(is_of_causes);
    if let Ok(Some(causes)) = causes_of(files, Span::ZERO, None) {
        summary.text = format!("{}\n{}", summary.text, causes.text());
        summary.json["causes"] = causes.json();
    }
    Some(testing::told_of(summary))
}

/// What took the CPU in the detours of files, from one time of the recording to another; none where that is not known.
///
/// # Errors
/// Files that cannot be read.
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
    Causes::of(files, from, to).map_err(|message| BadInput(format!("*.{CAUSES}: {message}")))
}
