//! Campaigns of measurements: real ranks call operations, every method times them, and all numbers stand side by side.
//!
//! These campaigns calibrate and predict nothing. Each launch starts the ranks of a world once and hands them all their
//! cases; every case is on disk before the next begins.

pub mod check;
mod exported;
pub(crate) mod orders;
pub mod plan;
pub mod several;
pub mod words;

pub use exported::exported;

use crate::beside::{Told, with_noise};
use crate::launches::Rounds;
use crate::noise::amid;
use crate::run::calibrated::Missing;
use crate::run::campaign_report;
use campaign::asking::{self, Asking};
use campaign::launch::Site;
use campaign::planned::Keeping;
use campaign::progress::{Cases, Expected};
use campaign::{Campaign, RecordedCampaign, Start, planned, serve};
use plan::{Launch, MeasurementPlan};
use programs::observation::{CasePlace, Conditions, Observation, Occasion};
use render::results::{Look, Results};
use scenario::BadInput;
use scenario::store::{CampaignLines, Line};
use statistics::Design;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use study::contrast::Requirement;
use study::enough::{Deciding, describe_launches};
use study::measured::{Measured, Reading, measured, measured_by};

/// Default risk of any false finding in comparisons of campaigns.
const RISK: f64 = 0.05;

/// Measures everything that the campaign lacks, then has `tell` report the results. Returns the campaign, `None` after
/// a dry run, and the exit code.
///
/// # Errors
/// Fails on a request that cannot be met, on a rank that died or hung, and on a file that cannot be written.
pub fn measure_missing(
    asked: Option<MeasurementPlan>,
    keeping: Keeping<'_>,
    time_at_most: Option<Duration>,
    site: &Site,
    tell: impl FnOnce(&Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<(Option<Campaign>, ExitCode)> {
    let Keeping { patience, quiet, .. } = keeping;
    let ask = |plan: &MeasurementPlan, campaign: &mut Campaign| {
        let launches = plan.launches(site.cores).map_err(BadInput)?;
        let cases: usize = launches.iter().map(|launch| launch.cases.len()).sum();
        let progress = Cases::from_planned(launches.iter().map(Launch::planned), campaign, quiet);
        if !quiet && progress.is_new() {
            say_what_comparing_takes(plan, cases);
        }
        let rounds = Rounds::new(plan.auto, plan.launches, time_at_most)?;
        let mut asking = Measuring { plan, site, patience, progress: &progress };
        let ended = amid(plan, campaign, keeping, site, |campaign| {
            fill(&mut asking, &launches, rounds, deciding, (campaign, &progress))
        });
        progress.finish();
        ended
    };
    planned::run_campaign(asked, keeping, site, ask, |_, campaign| tell(campaign))
}

/// Writes tables and page of the measurements, by the settings of a reading, into the campaign's folder; returns the
/// measurements, the page's path and the page's words on noise.
///
/// # Errors
/// Fails on files that cannot be written.
pub fn kept(campaign: &Campaign, reading: Reading) -> anyhow::Result<(Measured, Told)> {
    campaign_report::warn_of_clocks(campaign);
    let measured = measured_of(campaign, reading)?;
    let look = |detailed| Look { width: 160, colour: false, detailed, more: "" };
    campaign.write("summary.txt", &measured.terminal(look(false)))?;
    campaign.write("details.txt", &measured.terminal(look(true)))?;
    campaign.write("measured.csv", &measured.csv())?;
    if reading.per_rank {
        campaign.write("per-rank.csv", &measured.per_rank_csv())?;
    }
    let told = with_noise(measured.page(), campaign.folder())?;
    Ok((measured, told))
}

/// Real ranks that measure the cases of a plan.
pub(crate) struct Measuring<'a> {
    pub plan: &'a MeasurementPlan,
    pub site: &'a Site,
    /// Duration without progress after which ranks are given up.
    pub patience: Duration,
    /// Receiver of every finished case.
    pub progress: &'a Cases,
}

impl Measuring<'_> {
    /// Returns the ranks of a launch, ready to start.
    pub(crate) fn start(&self, launch: &Launch) -> Result<Start, BadInput> {
        Ok(Start { patience: self.patience, ..start(self.plan, launch, self.site)? })
    }
}

fn start(plan: &MeasurementPlan, launch: &Launch, site: &Site) -> Result<Start, BadInput> {
    let (carrier, &MeasurementPlan { clock, clocks, .. }) = (launch.carrier, plan);
    Ok(Start { carrier, clock, clocks, ..Start::new(launch.world, launch.ranks, site)? })
}

/// Returns the work of a command that measures the cases of these launches, each after its `calibrations`.
///
/// # Errors
/// Fails on a library that is not installed.
pub(crate) fn expected(
    command: &'static str,
    (plan, launches): (&MeasurementPlan, &[Launch]),
    site: &Site,
    calibrations: impl Fn(&Launch) -> Missing,
) -> Result<Expected, BadInput> {
    let mut expected = Expected::new(command, ["case", "cases"]).at_most(plan.auto.is_some());
    for launch in launches {
        let start = start(plan, launch, site)?;
        let first = launch.occasion == Occasion::default();
        let mut tasks = orders::tasks(plan, launch, &start, launch.cases.clone(), first);
        calibrations(launch).add_to(&mut tasks);
        let starts = asking::apart(tasks, launch.world, launch.occasion);
        for (place, tasks) in starts.iter().enumerate() {
            expected.and_launch(&start, tasks, if place == 0 { launch.cases.len() } else { 0 })?;
        }
    }
    Ok(expected)
}

impl Asking for Measuring<'_> {
    type PlannedLaunch = Launch;

    fn ask(&mut self, planned: &Launch, campaign: &mut Campaign) -> anyhow::Result<Option<asking::Launch>> {
        let missing = campaign.missing(&planned.cases, planned.occasion);
        if missing.is_empty() {
            return Ok(None);
        }
        let (start, conditions) = (self.start(planned)?, Conditions::default());
        let (world, carrier, ranks) = (planned.world, planned.carrier, planned.ranks);
        let place = CasePlace { world, carrier, ranks };
        // Clocks are checked once for all launches, in the first.
        let checked = campaign.has_checked_clocks(place, conditions, Occasion::default());
        let tasks = orders::tasks(self.plan, planned, &start, missing, !checked);
        Ok(Some(asking::Launch { start, tasks, occasion: planned.occasion, conditions }))
    }

    fn keeps_forced_apart(&self) -> bool {
        true
    }

    fn measured(&mut self, observation: Observation) -> anyhow::Result<Line> {
        self.progress.measured(&observation);
        Ok(Line::Measured(observation))
    }
}

/// Returns the results of a campaign of measurements by the settings of a reading, with the reason for the number of
/// launches.
pub(crate) fn measured_of(campaign: &RecordedCampaign, reading: Reading) -> anyhow::Result<Measured> {
    let lines = campaign.records();
    let mut all: Measured = measured_by(lines, reading)?;
    if let Some(auto) = campaign.plan::<MeasurementPlan>()?.and_then(|plan| plan.auto) {
        // Launches were decided by intervals of the usual confidence, whatever is shown.
        let deciding = if reading.confidence.is_some() { measured(lines)?.deciding() } else { all.deciding() };
        all.launches = Some(describe_launches(&auto, &deciding, lines.launches()));
    }
    Ok(all)
}

/// Returns the ratios of these rounds of launches, which decide on the number of further launches.
fn deciding(lines: CampaignLines<'_>) -> anyhow::Result<Vec<Deciding>> {
    Ok(measured(lines)?.deciding())
}

/// Makes launches round by round, as long as another round is due. `deciding` receives the lines of the rounds so far.
pub(crate) fn fill<A: Asking<PlannedLaunch = Launch>>(
    asking: &mut A,
    launches: &[Launch],
    mut rounds: Rounds,
    deciding: impl Fn(CampaignLines<'_>) -> anyhow::Result<Vec<Deciding>>,
    (campaign, progress): (&mut Campaign, &Cases),
) -> anyhow::Result<()> {
    for round in launches.chunk_by(|one, other| one.occasion == other.occasion) {
        let Some(done) = round.first().map(|launch| launch.occasion.launch) else { continue };
        let Some(planned) = rounds.planned(done, || deciding(campaign.records().first_launches(done)))? else { break };
        let expected = launches.iter().filter(|launch| launch.occasion.launch < planned);
        progress.expect(expected.map(|launch| launch.cases.len() as u64).sum());
        for launch in round {
            asking::run_launch(asking, launch, campaign)?;
        }
    }
    Ok(())
}

/// Prints before a campaign of several launches that a comparison with another campaign takes more of them, where it
/// does.
fn say_what_comparing_takes(plan: &MeasurementPlan, cases: usize) {
    let launches = plan.launches as usize;
    if launches > 1 {
        let required = Requirement::new(Design::Unpaired, cases / launches, launches, RISK);
        if required.is_met() && plan.auto.is_none() {
            return;
        }
        let most = if plan.auto.is_some() { "at most " } else { "" };
        note!("Comparison with another campaign: {}; this campaign has {most}{launches}.", required.words());
    }
}

/// Returns the command lines that would start MPI ranks.
///
/// # Errors
/// Fails on a library that is not installed.
pub fn launch_lines(plan: &MeasurementPlan, site: &Site) -> anyhow::Result<String> {
    let mut lines = String::new();
    for &world in &plan.worlds {
        let Some(release) = world.release() else {
            lines += "# threads: ranks are threads of a process that parallax starts itself\n";
            continue;
        };
        let launcher = site.find(release).map_err(|absent| BadInput(absent.to_string()))?;
        let arguments = serve::arguments(Path::new("JOB"));
        for &ranks in &plan.ranks {
            writeln!(lines, "# {}, {ranks} ranks\n{}", release.title(), launcher.line(ranks, site, &arguments))?;
        }
    }
    Ok(lines)
}
