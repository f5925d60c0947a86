//! Noise beside a campaign: ranks record it before and after, on the CPUs that the campaign's ranks use.

use super::Collect;
use super::recorded::recording;
use ::noise::Beside;
use campaign::launch::{Processors, Site};
use campaign::planned::{self, CommandPlan, Keeping};
use campaign::testing::{OfNoise, TestPlan};
use campaign::{Campaign, RecordedCampaign};
use models::time::Span;
use programs::observation::World;
use render::page::Section;
use scenario::BadInput;
use std::path::Path;
use std::process::ExitCode;

/// Folders of both recordings inside the campaign's folder.
const FOLDERS: [&str; 2] = ["noise/before", "noise/after"];
/// Duration of the shortest recording.
const LEAST: Span = Span::from_ms(1);

/// Carries out the work of a campaign. Where its noise is to be recorded, ranks do that before and after, unless the
/// campaign has these recordings.
///
/// # Errors
/// Fails where the work does, and on ranks that cannot record.
pub(crate) fn amid<P: CommandPlan>(
    plan: &P,
    campaign: &mut Campaign,
    keeping: Keeping<'_>,
    site: &Site,
    ask: impl FnOnce(&mut Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let Some(time) = keeping.noise else { return ask(campaign) };
    if time < LEAST {
        return Err(BadInput(format!("--noise: expected {LEAST} or more, found {time}")).into());
    }
    let (world, most) = (plan.worlds().first().copied().unwrap_or(World::Threads), plan.ranks().into_iter().max());
    let folder = campaign.folder().to_owned();
    let record = |at: usize| record(&folder.join(FOLDERS[at]), time, (world, most.unwrap_or(1)), keeping, site);
    record(0)?;
    ask(campaign)?;
    record(1)
}

/// Records noise into a folder, unless it holds a whole recording.
fn record(
    folder: &Path,
    time: Span,
    (world, ranks): (World, u32),
    keeping: Keeping<'_>,
    site: &Site,
) -> anyhow::Result<()> {
    if is_whole(folder) {
        return Ok(());
    }
    if folder.exists() {
        // The recording was cut short, and is repeated.
        std::fs::remove_dir_all(folder)
            .map_err(|error| BadInput(format!("cannot remove {}: {error}", folder.display())))?;
    }
    // More ranks than CPUs would record each other.
    let cpus = Processors::here().allowed.len() as u32;
    let ranks = if site.host_count() <= 1 { ranks.min(cpus) } else { ranks };
    let collect = Collect { world, ranks: Some(ranks.max(1)), time, ..Collect::default() };
    let plan: TestPlan<OfNoise> = collect.plan(site)?;
    let keeping = Keeping { out: Some(folder), resume: false, noise: None, quiet: true, ..keeping };
    let ask =
        |plan: &TestPlan<OfNoise>, campaign: &mut Campaign| plan.run_tasks(campaign, site, keeping.patience, || None);
    let (_, code) = planned::run_campaign(Some(plan), keeping, site, ask, |_, _| Ok(()))?;
    anyhow::ensure!(code == ExitCode::SUCCESS, "noise was not recorded");
    Ok(())
}

/// Whether a folder holds a recording that ended.
fn is_whole(folder: &Path) -> bool {
    RecordedCampaign::read(folder).is_ok_and(|campaign| campaign.records().is_finished())
}

/// Returns the noise that was recorded beside the campaign of a folder, as a section of its page and as text for readers,
/// or `None` without recordings.
pub(crate) fn beside(folder: &Path) -> Option<(Section, String)> {
    let read = |at: usize| recording(&[folder.join(FOLDERS[at]).display().to_string()], None).ok();
    let all = [("before", read(0)?), ("after", read(1)?)];
    let beside = Beside::new(all.into());
    Some((beside.section(), beside.text()))
}
