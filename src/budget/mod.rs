//! `parallax budget`: from the reference, or any other configuration, to the printed number of a benchmark, error by
//! error, predicted and measured.
//!
//! Real ranks run every configuration in turns, round after round. Simulated ranks do the same on a machine that was
//! calibrated in the first launch, or comes from a file.

mod flags;

use crate::flags::{CampaignFlags, FormatFlags};
use analysis::budget::plan::BudgetPlan;
use analysis::budget::{kept, measure_budgets};
use campaign::{Campaign, notice_interrupts};
use flags::PlanFlags;
use std::process::ExitCode;

/// The arguments of `parallax budget`.
#[derive(clap::Args)]
// Sources of predicted noise have the usual name here.
#[cfg_attr(feature = "noise", command(mut_arg("record_noise", |flag| flag.long("record-noise"))))]
pub struct BudgetArguments {
    /// Operations, named as in MPI without MPI_: bcast, allreduce, …
    #[arg(value_name = "OPERATION,…", value_delimiter = ',', required_unless_present = "resume")]
    operations: Vec<String>,
    #[command(flatten)]
    plan: PlanFlags,
    #[command(flatten)]
    campaign: CampaignFlags,
    #[command(flatten)]
    format: FormatFlags,
    /// Also print the prediction models, the measured configurations, and the reasons for missing measurements
    #[arg(long)]
    details: bool,
}

impl BudgetArguments {
    /// Measures and predicts everything that is missing, and prints all of it.
    pub fn run_budget(&self) -> anyhow::Result<ExitCode> {
        let site = self.campaign.start.site.site()?;
        let asked = if self.operations.is_empty() { None } else { Some(self.plan.plan(&self.operations, &site)?) };
        notice_interrupts()?;
        measure_budgets(asked, self.campaign.keeping(), &site, |plan, campaign| self.print_budgets(plan, campaign))
    }

    /// Prints the budgets and the path of the report.
    fn print_budgets(&self, plan: &BudgetPlan, campaign: &Campaign) -> anyhow::Result<()> {
        let (budgets, told) = kept(plan, campaign)?;
        let behind = format!("{}Report: {}\n", told.noise, told.page.display());
        self.format.print_before(&budgets, self.details, &behind)
    }
}
