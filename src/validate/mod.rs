//! `parallax validate`: predicted against measured, for every model, collective, algorithm, length and number of ranks.
//!
//! Ranks are calibrated and measured in the same launches; then simulated ranks carry out the same calls under every
//! calibrated model. What is told is worked out from the campaign alone, so that a resumed one tells the same.

mod flags;
mod held_out;
mod predict;

use crate::flags::SiteFlags;
use crate::measuring::plan::{Launch, Plan};
use crate::measuring::progress::Progress;
use crate::measuring::{orders, refuse_unproven};
use crate::output::print;
use crate::run::calibrated::{Calibrations, Missing};
use crate::run::told;
use crate::run::{colour, terminal_width};
use anyhow::Context;
use campaign::BadInput;
use campaign::Campaign;
use campaign::Kept;
use campaign::launch::Site;
use campaign::planned::Planned;
use campaign::{Start, notice_interrupts, planned};
use flags::ValidationFlags;
use measure::job::Outcome;
use models::machine::Machine;
use models::network::{Hockney, SendRule};
use models::observation::Case;
use models::observation::World;
use models::time::{PerByte, Span};
use reports::page::Page;
use reports::validation::{Predicted, Validation};
use scenario::Group;
use scenario::store::Line;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The network that emulated ranks play: slow enough that waking up late by tens of µs is a few percent, and such that
/// 50 KB take as long as the latency.
const EMULATED: Hockney = Hockney { alpha: Span::from_us(500), beta: PerByte(10_000.0), send_rule: SendRule::Busy };

/// What `parallax validate` is told.
#[derive(clap::Args)]
pub struct ValidateArguments {
    /// Which collectives: bcast, reduce, allreduce, barrier, gather, alltoall, …; several with commas
    #[arg(value_name = "COLLECTIVE", value_delimiter = ',', required_unless_present = "resume")]
    collectives: Vec<String>,
    #[command(flatten)]
    flags: ValidationFlags,
    /// Folder for everything that is written [default: results/validate-001, -002, …]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Go on with the newest validation that has not finished (or the one in --out)
    #[arg(long)]
    resume: bool,
    /// End the campaign when no rank has got anywhere for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = crate::flags::seconds)]
    patience: Duration,
    #[command(flatten)]
    site: SiteFlags,
    /// How to print what was found
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Every case in the table, too
    #[arg(long)]
    details: bool,
    /// Print nothing while measuring
    #[arg(long, short)]
    quiet: bool,
}

/// In which form the result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// A line for each case under each model.
    Csv,
    /// One object.
    Json,
}

/// Everything that was asked; kept in the campaign, so that it can be gone on with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Asked {
    /// What is measured.
    plan: Plan,
    /// Which models; empty: all that are calibrated.
    models: Vec<String>,
    /// Whether fits are judged on lengths that they do not know.
    hold_out: bool,
    /// Parameters from a file, in place of a calibration.
    machine: Option<Machine>,
}

impl Planned for Asked {
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

    fn ranks(&self) -> &[u32] {
        &self.plan.ranks
    }
}

impl ValidateArguments {
    /// Measures everything that is asked for and not there yet, predicts it, and tells how they agree.
    pub fn validate(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let asked = if self.collectives.is_empty() { None } else { Some(self.flags.asked(&self.collectives, &site)?) };
        notice_interrupts()?;
        let (mut campaign, asked): (_, Asked) = planned::open(asked, self.resume, self.out.as_deref(), &site)?;
        if let (Some(machine), false) = (&asked.machine, self.resume) {
            campaign.append(Line::Machine(Box::new(machine.clone())))?;
        }
        let launches = asked.plan.launches(site.cores).map_err(BadInput)?;
        let cases: usize = launches.iter().map(|launch| launch.cases.len()).sum();
        let kept = launches.iter().flat_map(|launch| &launch.cases).filter(|case| campaign.has_measured(case)).count();
        let progress = Progress::new(cases as u64, kept as u64, self.quiet);
        let ended =
            launches.iter().try_for_each(|launch| self.launch(&asked, launch, &site, (&mut campaign, &progress)));
        progress.finish();
        let Err(error) = ended else {
            campaign.finish()?;
            self.tell(&campaign, &asked)?;
            return Ok(ExitCode::SUCCESS);
        };
        Ok(planned::stopped::<Asked>(campaign, self.resume, &error, |campaign| self.tell(campaign, &asked)))
    }

    /// Starts the ranks of a launch, unless all its cases are there, and keeps what they answer.
    fn launch(
        &self,
        asked: &Asked,
        launch: &Launch,
        site: &Site,
        (campaign, progress): (&mut Campaign, &Progress),
    ) -> anyhow::Result<()> {
        let missing: Vec<Case> = launch.cases.iter().filter(|case| !campaign.has_measured(case)).cloned().collect();
        let mut calibrations = calibrations(asked, launch, campaign);
        if missing.is_empty() && calibrations.is_empty() {
            return Ok(());
        }
        let start = Start {
            emulated: EMULATED,
            carrier: launch.carrier,
            clock: asked.plan.clock,
            patience: self.patience,
            ..Start::new(launch.world, launch.ranks, site)?
        };
        // Every case synchronises its clocks and says how well that is known.
        let mut job = orders::job(&asked.plan, launch, &start, missing, false);
        calibrations.add_to(&mut job.tasks);
        let folder = campaign.folder().join(format!("job-{}-{}-{}", launch.world.name(), launch.ranks, launch.number));
        let ended = start.carry_out(&job, &folder, |outcome| record(&mut calibrations, outcome, campaign, progress));
        if ended.as_ref().is_err_and(|error| error.is::<BadInput>()) {
            // Nothing died: there is nothing to look into.
            let _ = std::fs::remove_dir_all(&folder);
        }
        ended.with_context(|| format!("launch {}", launch.number + 1))?;
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
    }

    /// Predicts what was measured, prints how they agree, and writes page, pictures and tables beside the campaign.
    fn tell(&self, campaign: &Campaign, asked: &Asked) -> anyhow::Result<()> {
        told::warn_of_clocks(campaign);
        let validation = validation(campaign, asked)?;
        campaign.write("validation.csv", &reports::validation::csv(&validation))?;
        campaign.write("validation.json", &(serde_json::to_string(&validation)? + "\n"))?;
        campaign.write("summary.txt", &reports::validation::terminal(&validation, 100, false, true))?;
        for machine in &validation.machines {
            campaign.write(&format!("machine-{}.toml", machine.name), &machine.text())?;
        }
        let page = reports::validation::page(&validation).write(campaign.folder())?;
        let text = match self.format {
            Format::Csv => reports::validation::csv(&validation),
            Format::Json => serde_json::to_string(&validation)? + "\n",
            Format::Table => {
                let text = reports::validation::terminal(&validation, terminal_width(), colour(), self.details);
                let all = campaign.folder().join("summary.txt");
                format!("{text}\nEvery case: {}\nReport: {}\n", all.display(), page.display())
            }
        };
        Ok(print(&text)?)
    }
}

/// All that follows from what was measured.
fn validation(campaign: &Kept, asked: &Asked) -> anyhow::Result<Validation> {
    let is_given = asked.machine.is_some();
    let state = reports::validation::most_visited(campaign.lines()).map(|state| state.cores());
    let machine = asked.machine.as_ref().map(|machine| machine.in_state(state).clone());
    let asked = &Asked { machine, ..asked.clone() };
    let fits = if is_given { Calibrations::default() } else { Calibrations::of(campaign)? };
    let cases = predict::cases(campaign, asked, &fits)?;
    let predicted = Predicted {
        messages: predict::messages(campaign, asked, &fits)?,
        held_out: if asked.hold_out { held_out::all(campaign, asked, &fits)? } else { Vec::new() },
        partly: predict::partly(campaign, asked, &fits, &cases)?,
        cases,
        machine_given: is_given,
    };
    let lines = if is_given { campaign.lines().to_vec() } else { fits.lines(campaign) };
    Ok(Validation::of(&lines, &predicted))
}

/// The page of a campaign of validations; none if it is of another kind.
///
/// # Errors
/// What cannot be predicted, or read beside the campaign.
pub fn page(campaign: &Kept) -> anyhow::Result<Option<Page>> {
    let asked: Option<Asked> = campaign.text().and_then(|text| serde_json::from_str(text).ok());
    asked.map(|asked| Ok(reports::validation::page(&validation(campaign, &asked)?))).transpose()
}

/// What is calibrated in a launch and is not there yet.
fn calibrations(asked: &Asked, launch: &Launch, campaign: &Kept) -> Missing {
    let group = Group::new(launch.world, launch.carrier, launch.ranks, launch.cases.clone());
    match (&asked.machine, launch.number) {
        (None, number) => Missing::of_launch(&group, number, &EMULATED, campaign),
        (Some(_), 0) => Missing::of_check(&group, campaign),
        (Some(_), _) => Missing::default(),
    }
}

/// Writes down what the ranks of a launch answered.
fn record(
    calibrations: &mut Missing,
    outcome: Outcome,
    campaign: &mut Campaign,
    progress: &Progress,
) -> anyhow::Result<()> {
    match outcome {
        Outcome::Calibrated { ran_by, samples, control } => calibrations.keep(campaign, ran_by, &samples, control),
        Outcome::Measured(observation) => {
            refuse_unproven(&observation)?;
            progress.measured(&observation.case);
            campaign.append(Line::Measured(observation))
        }
        Outcome::Refused(reason) => Err(BadInput(reason).into()),
        Outcome::ClocksChecked(_)
        | Outcome::ClockReported(_)
        | Outcome::Memory { .. }
        | Outcome::Explored(_)
        | Outcome::Checked(_)
        | Outcome::SyncCompared(_)
        | Outcome::PointToPoint { .. } => Ok(()),
    }
}
