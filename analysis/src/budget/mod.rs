//! Campaigns of budgets: from the reference, or any other configuration, to the number that a benchmark prints, error
//! by error, predicted and measured.
//!
//! Real ranks run every configuration in turns, round after round; simulated ranks do the same on a machine that was
//! calibrated in the first launch, or comes from a file.

mod calibrate;
mod orders;
pub mod plan;
mod predict;
mod real;

use crate::beside::{Told, with_noise};
use crate::noise::amid;
use crate::report::Made;
use crate::run::calibrated::Calibrations;
use crate::run::campaign_report;
use campaign::asking;
use campaign::launch::Site;
use campaign::planned::Keeping;
use campaign::{Campaign, RecordedCampaign, interrupted, planned};
use plan::BudgetPlan;
use programs::machine::{CoreState, Machine};
use programs::observation::Case;
use real::Real;
use render::results::{Look, Results};
use scenario::BadInput;
use scenario::store::{CampaignLines, Line};
use std::process::ExitCode;
use study::budget::{Budgets, budgets, page};

/// Measures and predicts everything that the campaign lacks, then has `tell` report the budgets.
///
/// # Errors
/// Fails on a request that cannot be met, on a rank that died or hung, and on a file that cannot be written.
pub fn measure_budgets(
    asked: Option<BudgetPlan>,
    keeping: Keeping<'_>,
    site: &Site,
    tell: impl FnOnce(&BudgetPlan, &Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    let fill = |plan: &BudgetPlan, campaign: &mut Campaign| {
        amid(plan, campaign, keeping, site, |campaign| fill(plan, keeping, site, campaign))
    };
    planned::run_campaign(asked, keeping, site, fill, tell).map(|(_, code)| code)
}

/// Measures and predicts everything that the campaign does not have yet.
fn fill(plan: &BudgetPlan, keeping: Keeping<'_>, site: &Site, campaign: &mut Campaign) -> anyhow::Result<()> {
    let launches = plan.launches(site.cores).map_err(BadInput)?;
    if let Some(machine) = plan.machine()?.filter(|machine| campaign.machine(&machine.name).is_none()) {
        campaign.append(Line::Machine(Box::new(machine)))?;
    }
    let mut real = Real::new(plan, keeping, site);
    for launch in &launches {
        asking::run_launch(&mut real, launch, campaign)?;
    }
    let mut cases: Vec<(Case, bool)> = Vec::new();
    for &ranks in &plan.calls.ranks {
        for &world in &plan.calls.worlds {
            cases.extend(plan.cases(world, ranks).map_err(BadInput)?.into_iter().map(|case| (case, false)));
        }
        if plan.simulated {
            cases.extend(plan.simulated_cases(ranks).map_err(BadInput)?.into_iter().map(|case| (case, true)));
        }
    }
    let known = if plan.machine.is_some() { Calibrations::default() } else { Calibrations::fit(campaign)? };
    let met: Vec<CoreState> =
        study::validation::told_states(campaign.records()).iter().map(|state| state.cores()).collect();
    for (case, simulated) in cases {
        let machines = plan.machines_for(&case, simulated, &known, &met)?;
        anyhow::ensure!(
            simulated || !machines.is_empty(),
            "the machine of {} was not calibrated",
            case.name_without_method()
        );
        // Simulated ranks alone may do without a machine: a network model gives every parameter.
        let machines = machines.iter().map(Some).chain(machines.is_empty().then_some(None));
        for machine in machines {
            anyhow::ensure!(!interrupted(), "interrupted");
            if !has_predicted(campaign, &case, simulated, machine) {
                let budget = predict::predicted(plan, &case, machine, campaign, simulated)?;
                campaign.append(Line::Budget(Box::new(budget)))?;
            }
        }
    }
    Ok(())
}

/// Writes page and tables of the budgets into the campaign's folder; returns the budgets, the page's path and the
/// page's words on noise.
///
/// # Errors
/// Fails on files that cannot be written.
pub fn kept(plan: &BudgetPlan, campaign: &Campaign) -> anyhow::Result<(Budgets, Told)> {
    let lines = campaign_report::lines_with_machines(campaign);
    let budgets: Budgets = budgets(&lines, &plan.from, &plan.to);
    for machine in CampaignLines::from(&lines).machines() {
        campaign.write(&format!("machine-{}.toml", machine.name), &machine.text())?;
    }
    campaign.write("summary.txt", &budgets.terminal(Look { width: 100, ..Look::IN_FILES }))?;
    campaign.write("budget.csv", &budgets.csv())?;
    let told = with_noise(page(&lines, &budgets), campaign.folder())?;
    Ok((budgets, told))
}

impl BudgetPlan {
    /// Parses the machine file that was given, if any.
    fn machine(&self) -> Result<Option<Machine>, BadInput> {
        let parsed = self.machine.as_ref().map(|text| Machine::parse("machine", text));
        parsed.transpose().map_err(|message| BadInput(format!("--machine: {message}")))
    }

    /// Returns the machines by which a case is predicted: the calibrated one of its ranks, in every state in which they
    /// were, or the given one, in the states that are nearest to those that were met.
    fn machines_for(
        &self,
        case: &Case,
        simulated: bool,
        calibrated: &Calibrations,
        met: &[CoreState],
    ) -> Result<Vec<Machine>, BadInput> {
        if let Some(machine) = self.machine()? {
            let mut nearest: Vec<Machine> = Vec::new();
            for state in met.iter().copied().map(Some).chain(met.is_empty().then_some(None)) {
                let one = machine.in_state(state);
                if !nearest.iter().any(|known| known.core_state() == one.core_state()) {
                    nearest.push(one.clone());
                }
            }
            return Ok(nearest);
        }
        let name = scenario::machine_name(case.place);
        let of_ranks = calibrated.machine(&name).filter(|_| !simulated);
        Ok(of_ranks.into_iter().flat_map(Machine::states).cloned().collect())
    }
}

/// The results of a campaign of budgets; `None` if it is of another kind.
///
/// # Errors
/// Fails where [`RecordedCampaign::plan`] does.
pub(crate) fn made(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    let Some(plan) = campaign.plan::<BudgetPlan>()? else { return Ok(None) };
    let lines = campaign_report::lines_with_machines(campaign);
    let budgets = budgets(&lines, &plan.from, &plan.to);
    let page = page(&lines, &budgets);
    Ok(Some(Made::new(move || page).with_csv(move || budgets.csv())))
}

fn has_predicted(campaign: &Campaign, case: &Case, simulated: bool, machine: Option<&Machine>) -> bool {
    let state = machine.and_then(Machine::core_state);
    let wanted = (case, simulated, state);
    campaign.records().budgets().any(|known| (&known.case, known.simulated, known.calibrated_in) == wanted)
}
