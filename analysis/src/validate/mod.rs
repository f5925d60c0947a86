//! Validations: predicted against measured, for every model, collective, algorithm, length and number of ranks.
//!
//! Ranks are calibrated and measured in the same launches; then simulated ranks carry out the same calls under every
//! calibrated model. The results follow from the campaign alone, so that a resumed one has the same.

mod held_out;
mod predict;

use crate::beside::{Told, with_noise};
use crate::measuring::plan::{Launch, MeasurementPlan};
use crate::measuring::{self, Measuring, orders};
use crate::noise::amid;
use crate::report::Made;
use crate::run::calibrated::{Calibrations, Missing};
use crate::run::campaign_report;
use campaign::asking::{self, Asking, Calibrated};
use campaign::launch::Site;
use campaign::planned::{self, CommandPlan, Keeping};
use campaign::progress::{Cases, Expected};
use campaign::{Campaign, RecordedCampaign};
use programs::machine::Machine;
use programs::observation::{Conditions, Observation, World};
use render::results::{Format, Look, Results, printed};
use scenario::store::Line;
use scenario::{BadInput, Group};
use serde::{Deserialize, Serialize};
use std::process::ExitCode;
use study::validation::{PredictedCases, Validation};

/// Complete request of a validation, kept in the campaign so that it can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValidationRequest {
    /// Measurements that are predicted.
    pub plan: MeasurementPlan,
    /// Network models to validate; empty for all that are calibrated.
    pub models: Vec<String>,
    /// Whether fits are judged on lengths that they do not know.
    pub hold_out: bool,
    /// Parameters from a file, in place of a calibration.
    pub machine: Option<Machine>,
}

impl CommandPlan for ValidationRequest {
    const NAME: &'static str = "validate";
    const ABOUT: &'static str = "collectives";

    fn question(&self) -> String {
        let names: Vec<&str> = self.plan.operations.iter().map(|operation| operation.collective.name()).collect();
        let ranks: Vec<String> = self.plan.ranks.iter().map(u32::to_string).collect();
        format!("How well do network models predict {} on {} ranks?", names.join(", "), ranks.join(", "))
    }

    fn seed(&self) -> u64 {
        self.plan.seed
    }

    fn worlds(&self) -> &[World] {
        &self.plan.worlds
    }

    fn ranks(&self) -> Vec<u32> {
        self.plan.ranks.clone()
    }

    fn expected(&self, site: &Site) -> anyhow::Result<Expected> {
        let (launches, none) = (self.plan.launches(site.cores).map_err(BadInput)?, RecordedCampaign::default());
        let calibrations = |launch: &Launch| calibrations(self, launch, &none);
        Ok(measuring::expected(Self::NAME, (&self.plan, &launches), site, calibrations)?)
    }
}

/// Measures everything that the campaign lacks, then has `tell` report the agreement of predictions with it.
///
/// # Errors
/// Fails on a request that cannot be met, on a rank that died or hung, and on a file that cannot be written.
pub fn run_validation(
    asked: Option<ValidationRequest>,
    keeping: Keeping<'_>,
    site: &Site,
    tell: impl FnOnce(&ValidationRequest, &Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    let Keeping { patience, quiet, .. } = keeping;
    let ask = |asked: &ValidationRequest, campaign: &mut Campaign| {
        let launches = asked.plan.launches(site.cores).map_err(BadInput)?;
        if let Some(machine) = asked.machine.as_ref().filter(|machine| campaign.machine(&machine.name).is_none()) {
            campaign.append(Line::Machine(Box::new(machine.clone())))?;
        }
        let progress = Cases::from_planned(launches.iter().map(Launch::planned), campaign, quiet);
        let measuring = Measuring { plan: &asked.plan, site, patience, progress: &progress };
        let mut validating = Validating { asked, measuring, calibrations: Missing::default() };
        let ended = amid(asked, campaign, keeping, site, |campaign| {
            launches.iter().try_for_each(|launch| asking::run_launch(&mut validating, launch, campaign))
        });
        progress.finish();
        ended
    };
    planned::run_campaign(asked, keeping, site, ask, tell).map(|(_, code)| code)
}

/// Writes page, pictures and tables of the validation into the campaign's folder; returns the validation, the page's
/// path and the page's words on noise.
///
/// # Errors
/// Fails on cases that cannot be predicted, and on files that cannot be written.
pub fn kept(campaign: &Campaign, asked: &ValidationRequest) -> anyhow::Result<(Validation, Told)> {
    campaign_report::warn_of_clocks(campaign);
    let validation = validation(campaign, asked)?;
    let look = Look { width: 100, colour: false, detailed: true, more: "" };
    campaign.write("validation.csv", &validation.csv())?;
    campaign.write("validation.json", &printed(&validation, Format::Json, look)?)?;
    campaign.write("summary.txt", &validation.terminal(look))?;
    for machine in &validation.machines {
        campaign.write(&format!("machine-{}.toml", machine.name), &machine.text())?;
    }
    let told = with_noise(validation.page(), campaign.folder())?;
    Ok((validation, told))
}

/// Returns the validation that follows from the measurements of a campaign.
fn validation(campaign: &RecordedCampaign, asked: &ValidationRequest) -> anyhow::Result<Validation> {
    let is_given = asked.machine.is_some();
    let state = study::validation::most_visited(campaign.lines()).map(|state| state.cores());
    let machine = asked
        .machine
        .as_ref()
        .map(|machine| Machine { queues: machine.queues_in(state), ..machine.in_state(state).clone() });
    let asked = &ValidationRequest { machine, ..asked.clone() };
    let fits = if is_given { Calibrations::default() } else { Calibrations::fit(campaign)? };
    let cases = predict::cases(campaign, asked, &fits)?;
    let predicted = PredictedCases {
        messages: predict::messages(campaign, asked, &fits)?,
        held_out: if asked.hold_out { held_out::all(campaign, asked, &fits)? } else { Vec::new() },
        partly: predict::partly(campaign, asked, &fits, &cases)?,
        cases,
        machine_given: is_given,
    };
    let lines = if is_given { campaign.lines().to_vec() } else { fits.lines(campaign) };
    Ok(Validation::compare(&lines, &predicted))
}

/// The results of a campaign of validations; `None` if it is of another kind.
///
/// # Errors
/// Fails on cases that cannot be predicted, and on files beside the campaign that cannot be read.
pub(crate) fn made(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    let Some(asked) = campaign.plan::<ValidationRequest>()? else { return Ok(None) };
    let validation = validation(campaign, &asked)?;
    Ok(Some(validation.into()))
}

/// Returns the calibrations that a launch still has to make.
fn calibrations(asked: &ValidationRequest, launch: &Launch, campaign: &RecordedCampaign) -> Missing {
    let group = Group::new(launch.world, launch.carrier, launch.ranks, launch.cases.clone());
    match (&asked.machine, launch.occasion.launch) {
        (None, number) => Missing::of_launch(&group, number, None, campaign),
        (Some(_), 0) => Missing::of_check(&group, campaign),
        (Some(_), _) => Missing::default(),
    }
}

/// Real ranks that calibrate and measure the cases of a plan.
struct Validating<'a> {
    asked: &'a ValidationRequest,
    measuring: Measuring<'a>,
    /// Calibrations that the current launch still has to make.
    calibrations: Missing,
}

impl Asking for Validating<'_> {
    type PlannedLaunch = Launch;

    fn ask(&mut self, launch: &Launch, campaign: &mut Campaign) -> anyhow::Result<Option<asking::Launch>> {
        let missing = campaign.missing(&launch.cases, launch.occasion);
        self.calibrations = calibrations(self.asked, launch, campaign);
        if missing.is_empty() && self.calibrations.is_empty() {
            return Ok(None);
        }
        let start = self.measuring.start(launch)?;
        // Every case synchronises its clocks and records the uncertainty of that.
        let mut tasks = orders::tasks(&self.asked.plan, launch, &start, missing, false);
        self.calibrations.add_to(&mut tasks);
        Ok(Some(asking::Launch { start, tasks, occasion: launch.occasion, conditions: Conditions::default() }))
    }

    fn keeps_forced_apart(&self) -> bool {
        true
    }

    fn measured(&mut self, observation: Observation) -> anyhow::Result<Line> {
        self.measuring.measured(observation)
    }

    fn calibrated(&mut self, found: Calibrated, campaign: &mut Campaign) -> anyhow::Result<()> {
        self.calibrations.keep(campaign, found)
    }
}
