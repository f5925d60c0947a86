//! `parallax budget`: from the reference, or any other configuration, to what a benchmark prints, error by error, predicted
//! and measured.
//!
//! Real ranks run every configuration in turns, round after round; simulated ranks do the same on a machine that was
//! calibrated in the first launch, or comes from a file.

mod calibrate;
mod flags;
mod orders;
mod plan;
mod predict;
mod real;

use crate::flags::CampaignFlags;
use crate::output::print;
use crate::run::calibrated::Calibrations;
use crate::run::told;
use campaign::Campaign;
use campaign::Kept;
use campaign::asking;
use campaign::launch::Site;
use campaign::{interrupted, notice_interrupts, planned};
use flags::PlanFlags;
use models::machine::{CoreState, Machine};
use models::observation::Case;
use plan::Plan;
use real::Real;
use reports::budget::{Budgets, budgets, csv, page, table};
use reports::page::Page;
use scenario::BadInput;
use scenario::store::Line;
use std::process::ExitCode;

/// What `parallax budget` is told.
#[derive(clap::Args)]
pub struct BudgetArguments {
    /// MPI's names without MPI_: bcast, allreduce, …; several with commas
    #[arg(value_name = "OPERATION", value_delimiter = ',', required_unless_present = "resume")]
    operations: Vec<String>,
    #[command(flatten)]
    plan: PlanFlags,
    #[command(flatten)]
    campaign: CampaignFlags,
    /// How to print the budgets
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Say by what is predicted, who measured, and why something could not be measured
    #[arg(long)]
    details: bool,
}

/// How budgets are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// One object.
    Json,
    /// A line for each number.
    Csv,
}

impl BudgetArguments {
    /// Measures and predicts everything that is asked for and not there yet; prints all of it.
    pub fn carry_out(&self) -> anyhow::Result<ExitCode> {
        let CampaignFlags { out, resume, site, .. } = &self.campaign;
        let site = site.site()?;
        let asked = if self.operations.is_empty() { None } else { Some(self.plan.plan(&self.operations, &site)?) };
        notice_interrupts()?;
        let (mut campaign, plan): (_, Plan) = planned::open(asked, *resume, out.as_deref(), &site)?;
        let ended = self.fill(&plan, &site, &mut campaign);
        planned::end::<Plan>(&mut campaign, *resume, ended, |campaign| self.tell(&plan, campaign))
    }

    /// Everything that the campaign does not have yet.
    fn fill(&self, plan: &Plan, site: &Site, campaign: &mut Campaign) -> anyhow::Result<()> {
        let launches = plan.launches(site.cores).map_err(BadInput)?;
        if let Some(machine) = plan.machine()?.filter(|machine| campaign.machine(&machine.name).is_none()) {
            campaign.append(Line::Machine(Box::new(machine)))?;
        }
        let mut real = Real::new(plan, &self.campaign, site);
        for launch in &launches {
            asking::carry_out(&mut real, launch, campaign)?;
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
        let known = if plan.machine.is_some() { Calibrations::default() } else { Calibrations::of(campaign)? };
        let met: Vec<CoreState> =
            reports::validation::told_states(campaign.lines()).iter().map(|state| state.cores()).collect();
        for (case, simulated) in cases {
            let machines = plan.machines_for(&case, simulated, &known, &met)?;
            anyhow::ensure!(simulated || !machines.is_empty(), "the machine of {} was not calibrated", case.subject());
            // Simulated ranks alone may do without a machine: a network model says all.
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

    /// Prints the budgets, and keeps page and tables beside them.
    fn tell(&self, plan: &Plan, campaign: &Campaign) -> anyhow::Result<()> {
        let lines = told::told(campaign);
        let budgets: Budgets = budgets(&lines, &plan.from, &plan.to);
        for line in &lines {
            if let Line::Machine(machine) = line {
                campaign.write(&format!("machine-{}.toml", machine.name), &machine.text())?;
            }
        }
        campaign.write("summary.txt", &table(&budgets, true))?;
        campaign.write("budget.csv", &csv(&budgets))?;
        let report = page(&lines, &budgets).write(campaign.folder())?;
        let text = match self.format {
            Format::Table => format!("{}Report: {}\n", table(&budgets, self.details), report.display()),
            Format::Json => serde_json::to_string(&budgets)? + "\n",
            Format::Csv => csv(&budgets),
        };
        Ok(print(&text)?)
    }
}

impl Plan {
    /// The machine that was given, if any.
    fn machine(&self) -> Result<Option<Machine>, BadInput> {
        let parsed = self.machine.as_ref().map(|text| Machine::parse("machine", text));
        parsed.transpose().map_err(|message| BadInput(format!("--machine: {message}")))
    }

    /// By which machines a case is predicted: what its ranks were calibrated to, in every state in which they were; one that was
    /// given, in the states that are nearest to those that were met.
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
        let name = scenario::machine_name(case.world, case.carrier, case.ranks);
        let of_ranks = calibrated.machine(&name).filter(|_| !simulated);
        Ok(of_ranks.into_iter().flat_map(Machine::states).cloned().collect())
    }
}

/// The page of a campaign of budgets; none if it is of another kind.
pub fn page_of(campaign: &Kept) -> Option<Page> {
    let plan: Plan = campaign.text().and_then(|text| serde_json::from_str(text).ok())?;
    let lines = told::told(campaign);
    Some(page(&lines, &budgets(&lines, &plan.from, &plan.to)))
}

fn has_predicted(campaign: &Campaign, case: &Case, simulated: bool, machine: Option<&Machine>) -> bool {
    let state = machine.and_then(Machine::core_state);
    let same = |line: &Line| match line {
        Line::Budget(known) => known.case == *case && known.simulated == simulated && known.calibrated_in == state,
        _ => false,
    };
    campaign.lines().iter().any(same)
}
