//! A scenario from question to report.
//!
//! Each group of cases is one launch of real ranks, which calibrate and measure. Then simulated ranks carry out the
//! same orders with the calibrated parameters, and the report compares.

pub(crate) mod calibrated;
pub mod campaign_report;
mod orders;
mod simulated;

use calibrated::{Calibrations, Missing};
use campaign::asking::{self, Asking, Calibrated};
use campaign::launch::{Launcher, Site};
use campaign::planned::{self, First, Keeping};
use campaign::progress::Expected;
use campaign::{Campaign, RecordedCampaign, Start, interrupted};
use measure::job::Task;
use models::library::Release;
use programs::observation::{Carrier, Case, Observation, World};
use scenario::store::Line;
use scenario::{BadInput, Group, Scenario};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// A scenario to be run.
pub struct ScenarioRequest {
    /// Path of its file, for messages.
    pub file: String,
    text: String,
    scenario: Scenario,
    small: bool,
}

impl ScenarioRequest {
    /// Reads a scenario, to be run whole or in its small form.
    ///
    /// # Errors
    /// Fails on a file that cannot be read, and on the first fault in it.
    pub fn read(path: &Path, small: bool) -> Result<ScenarioRequest, BadInput> {
        let file = path.display().to_string();
        let text = scenario::shipped::read(path)?;
        let scenario = Scenario::parse(&file, &text).map_err(|error| BadInput(error.to_string()))?;
        let scenario = if small { scenario.small() } else { scenario };
        Ok(ScenarioRequest { file, text, scenario, small })
    }

    /// Carries out all work that the campaign does not hold yet, then has `tell` report the results; returns the exit
    /// code.
    ///
    /// # Errors
    /// Fails on a campaign that cannot be begun or resumed.
    pub fn run_scenario(
        &self,
        keeping: Keeping<'_>,
        site: &Site,
        tell: impl FnOnce(&Campaign) -> anyhow::Result<()>,
    ) -> anyhow::Result<ExitCode> {
        let expected = self.expected(site)?;
        if keeping.dry_run {
            say!("{expected}\n")?;
            return Ok(ExitCode::SUCCESS);
        }
        let campaign = self.open(keeping, site)?;
        expected.announce(keeping.quiet || keeping.resume);
        let ask = |campaign: &mut Campaign| {
            let mut running = Running { keeping, site, scenario: &self.scenario, calibrations: Missing::default() };
            let mut groups = 0..self.scenario.groups.len();
            let ended = groups.try_for_each(|group| asking::run_launch(&mut running, &group, campaign));
            // A resumed campaign may calibrate more: all calibrations together predict all cases.
            let ended = ended.and_then(|()| predict(&self.scenario, campaign));
            campaign_report::warn_of_clocks(campaign);
            ended
        };
        let command = format!("run {}", self.file);
        planned::finish(campaign, keeping, &command, ask, tell).map(|(_, code)| code)
    }

    /// Returns the work of the scenario: cases of real ranks with their calibrations, and cases of simulated ranks.
    fn expected(&self, site: &Site) -> anyhow::Result<Expected> {
        let (scenario, none) = (&self.scenario, RecordedCampaign::default());
        let mut expected = Expected::new("run", ["case", "cases"]);
        for (index, group) in scenario.groups.iter().enumerate() {
            if group.world == World::Simulated {
                expected.and(group.cases.len() as u64, Duration::ZERO);
                continue;
            }
            // Groups that cannot be started here are left out, and reported during the run.
            let Ok(start) = Start::new(group.world, group.ranks, site) else { continue };
            let start = Start { carrier: group.carrier, emulated: scenario.emulated, ..start };
            let mut tasks = vec![Task::CheckClocks(orders::clock_check(scenario, group.ranks > start.site.cores))];
            for case in &group.cases {
                tasks.push(Task::Measure { order: Box::new(orders::order(scenario, case)?), case: case.clone() });
            }
            if is_calibrated(group) {
                let emulated = Some(scenario.emulated);
                Missing::of_launch(group, launch_of(scenario, index), emulated, &none).add_to(&mut tasks);
            }
            expected.and_launch(&start, &tasks, group.cases.len())?;
        }
        Ok(expected)
    }

    /// Opens the scenario's campaign: a new one, or, with `--resume`, the one that was begun by the same text.
    fn open(&self, keeping: Keeping<'_>, site: &Site) -> anyhow::Result<Campaign> {
        let ScenarioRequest { file, text, scenario, small } = self;
        if keeping.resume {
            return self.resume(Campaign::resume(keeping.out, &scenario.name)?);
        }
        let mut releases: Vec<Release> = scenario.groups.iter().filter_map(|group| group.world.release()).collect();
        releases.sort_unstable();
        releases.dedup();
        let launchers: Vec<Launcher> = releases.into_iter().filter_map(|release| site.find(release).ok()).collect();
        let real = scenario.groups.iter().filter(|group| group.world != World::Simulated);
        let mut ranks: Vec<u32> = real.map(|group| group.ranks).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let (form, flag) = if *small { ("small", " --small") } else { ("whole", "") };
        let first = First {
            question: scenario.question.clone(),
            name: &scenario.name,
            seed: scenario.seed,
            text: text.clone(),
            launchers: &launchers,
            ranks: &ranks,
            site,
            reproduce: format!("parallax run {file}{flag}"),
        };
        Campaign::begin(keeping.out, &scenario.name, first.line_with([(FORM.to_owned(), form.to_owned())]))
    }

    /// Resumes a campaign, if it was begun by the same text and in the same form.
    fn resume(&self, campaign: Campaign) -> anyhow::Result<Campaign> {
        let folder = campaign.folder().display();
        if campaign.text() != Some(&self.text) {
            let message = "was started with another version of this scenario; start a new run";
            return Err(BadInput(format!("{folder} {message}")).into());
        }
        if campaign.fact(FORM).is_some_and(|form| (form == "small") != self.small) {
            let message = "was started in the other form (--small); resume it in the same form or start a new run";
            return Err(BadInput(format!("{folder} {message}")).into());
        }
        Ok(campaign)
    }

    /// Returns the command lines that would start MPI ranks.
    pub fn launch_lines(&self, site: &Site) -> String {
        let mut lines = String::new();
        for group in &self.scenario.groups {
            let Some(release) = group.world.release() else { continue };
            let title = format!("{} ranks, {} network", group.ranks, group.carrier.name());
            match site.find(release) {
                Ok(launcher) => {
                    let arguments = campaign::serve::arguments(Path::new("JOB"));
                    let line = launcher.line(group.ranks, site, &arguments);
                    let _ = writeln!(lines, "# {}, {title}\n{line}", release.title());
                }
                Err(absent) => {
                    let _ = writeln!(lines, "# {}, {title}: {absent}", release.title());
                }
            }
        }
        lines
    }
}

/// Name of the fact that states whether a scenario was run in its small form.
const FORM: &str = "form";

/// Real ranks that calibrate and measure the cases of a group.
struct Running<'a> {
    keeping: Keeping<'a>,
    site: &'a Site,
    scenario: &'a Scenario,
    /// Calibrations that the current launch still has to make.
    calibrations: Missing,
}

impl Running<'_> {
    fn say(&self, words: &str) {
        if !self.keeping.quiet {
            note!("{words}");
        }
    }
}

impl Asking for Running<'_> {
    /// Index of a group in the scenario.
    type PlannedLaunch = usize;

    fn ask(&mut self, &index: &usize, campaign: &mut Campaign) -> anyhow::Result<Option<asking::Launch>> {
        let (scenario, group) = (self.scenario, &self.scenario.groups[index]);
        if group.world == World::Simulated {
            return simulated::simulate_group(scenario, group, campaign).map(|()| None);
        }
        let (conditions, occasion) = (group.conditions, group.occasion);
        let missing = campaign.missing(&group.cases, occasion);
        self.calibrations = if is_calibrated(group) {
            Missing::of_launch(group, launch_of(scenario, index), Some(scenario.emulated), campaign)
        } else {
            Missing::default()
        };
        let checked = campaign.has_checked_clocks(group.place(), conditions, occasion);
        if missing.is_empty() && self.calibrations.is_empty() && checked {
            return Ok(None);
        }
        let start = match Start::new(group.world, group.ranks, self.site) {
            Ok(start) => start,
            Err(absent) => return campaign.leave_out(group, &absent.to_string()).map(|()| None),
        };
        let (carrier, clock, patience) = (group.carrier, conditions.clock, self.keeping.patience);
        let clocks = orders::drawn_clocks(scenario, group);
        let start = Start { carrier, emulated: scenario.emulated, clock, clocks, patience, ..start };
        let mut tasks = Vec::new();
        if !checked {
            tasks.push(Task::CheckClocks(orders::clock_check(scenario, group.ranks > start.site.cores)));
        }
        for case in missing {
            tasks.push(Task::Measure { order: Box::new(orders::order(scenario, &case)?), case });
        }
        self.calibrations.add_to(&mut tasks);
        Ok(Some(asking::Launch { start, tasks, occasion, conditions }))
    }

    fn keeps_forced_apart(&self) -> bool {
        true
    }

    fn measured(&mut self, observation: Observation) -> anyhow::Result<Line> {
        self.say(&format!("measured   {}", observation.name()));
        Ok(Line::Measured(observation))
    }

    fn calibrated(&mut self, found: Calibrated, campaign: &mut Campaign) -> anyhow::Result<()> {
        self.say(&format!("calibrated {}", self.calibrations.machine_name().unwrap_or_default()));
        self.calibrations.keep(campaign, found)
    }
}

/// Returns the number of a group among the launches of its machine that calibrate.
fn launch_of(scenario: &Scenario, index: usize) -> u32 {
    let name = scenario.groups[index].machine_name();
    let before = scenario.groups[..index].iter().filter(|group| is_calibrated(group));
    before.filter(|group| group.machine_name() == name).count() as u32
}

/// Whether a group's ranks are calibrated: not where all their cases are measured only, nor where their clocks are
/// imperfect on purpose.
fn is_calibrated(group: &Group) -> bool {
    group.conditions.machine.is_none() && (group.cases.is_empty() || group.cases.iter().any(is_predicted))
}

/// Has simulated ranks carry out the orders of all cases whose ranks were calibrated, also at both ends of the
/// parameters' intervals.
fn predict(scenario: &Scenario, campaign: &mut Campaign) -> anyhow::Result<()> {
    let real = scenario.groups.iter().filter(|group| group.world != World::Simulated);
    let all = real.flat_map(|group| group.cases.iter().map(move |case| (group, case)));
    let missing = |(Group { occasion, .. }, case): &(&Group, &Case)| {
        is_predicted(case) && !campaign.has_predicted(case, *occasion) && campaign.has_measured(case, *occasion)
    };
    let cases: Vec<(&Group, &Case)> = all.filter(missing).collect();
    if cases.is_empty() {
        return Ok(());
    }
    let machines = Calibrations::fit(campaign)?;
    for (group, case) in cases {
        anyhow::ensure!(!interrupted(), "interrupted");
        let Some(machine) = machines.machine(&group.machine_name()) else { continue };
        for line in orders::predictions(scenario, machine, case, group.occasion)? {
            campaign.append(line)?;
        }
    }
    Ok(())
}

/// Whether a network model predicts a case: calls through shared memory are measured only.
fn is_predicted(case: &Case) -> bool {
    case.subject.implementation.queued().is_none()
}

/// Whether a carrier's cases are predicted by the model that it plays, in place of the richest that was calibrated.
fn plays_hockney(carrier: Carrier) -> bool {
    carrier.is_emulated()
}
