//! `parallax measure`: real ranks call operations, every method times them, and all numbers stand side by side.
//!
//! The measured half alone: nothing is calibrated, nothing predicted. Each launch starts the ranks of a world once and
//! hands them all their cases; every case is on disk before the next begins.

pub mod flags;
pub mod orders;
pub mod plan;
pub mod progress;
pub mod several;
mod show;

use crate::flags::SiteFlags;
use crate::launches::{AutoFlags, Rounds, early, rounds_of};
use crate::output::print;
use crate::run::told;
use crate::run::{colour, terminal_width};
use crate::store;
use anyhow::Context;
use campaign::BadInput;
use campaign::Campaign;
use campaign::launch::{Library, Site};
use campaign::{Kept, Start, notice_interrupts, planned, serve};
use flags::PlanFlags;
use measure::job::Outcome;
use models::observation::{Conditions, Implementation, Observation};
use plan::{Launch, Plan};
use progress::Progress;
use reports::contrast::Requirement;
use reports::enough::{Deciding, told};
use reports::measured::{Measured, measured};
use reports::statistics::Design;
use scenario::store::{LaunchEnd, LaunchMemory, Line};
use show::Format;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Risk of any false finding that comparisons of campaigns take by default.
const RISK: f64 = 0.05;

/// What `parallax measure` is told.
#[derive(clap::Args)]
pub struct MeasureArguments {
    /// MPI's names without MPI_: bcast, allreduce, barrier, …; several with commas
    #[arg(value_name = "OPERATION", value_delimiter = ',', required_unless_present = "resume")]
    operations: Vec<String>,
    #[command(flatten)]
    plan: PlanFlags,
    #[command(flatten)]
    auto: AutoFlags,
    /// Folder for everything that is written [default: results/measure-001, -002, …]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Go on with the newest campaign that has not finished (or the one in --out)
    #[arg(long)]
    resume: bool,
    /// Add the finished campaign to a store of all campaigns, as `parallax store add` does [default file: results/parallax.sqlite]
    #[arg(long, value_name = "DB", num_args = 0..=1, require_equals = true, default_missing_value = store::STORE)]
    store: Option<PathBuf>,
    /// End the campaign when no rank has got anywhere for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = crate::flags::seconds)]
    patience: Duration,
    /// With --launches auto: begin no launch after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = crate::flags::seconds)]
    time_at_most: Option<Duration>,
    #[command(flatten)]
    site: SiteFlags,
    /// Print the lines that would start MPI ranks, and exit
    #[arg(long)]
    print_launch: bool,
    /// How to print what was measured
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// As --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Every number by itself, with its interval and what stands behind it
    #[arg(long)]
    details: bool,
    /// Print nothing while measuring
    #[arg(long, short)]
    quiet: bool,
}

impl MeasureArguments {
    /// Measures everything that is asked for and not there yet; prints all of it.
    pub fn measure(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let asked = if self.operations.is_empty() {
            None
        } else {
            Some(self.plan.plan(&self.operations, &self.auto, &site)?)
        };
        if let Some(plan) = &asked {
            self.form().check(&plan.methods)?;
            Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        }
        if let (Some(plan), true) = (&asked, self.print_launch) {
            return print_launch(plan, &site);
        }
        if let Some(db) = &self.store {
            store::check(db)?;
        }
        notice_interrupts()?;
        let (mut campaign, plan) = planned::open(asked, self.resume, self.out.as_deref(), &site)?;
        let launches = plan.launches(site.cores).map_err(BadInput)?;
        let cases: usize = launches.iter().map(|launch| launch.cases.len()).sum();
        let kept = launches.iter().flat_map(|launch| &launch.cases).filter(|case| campaign.has_measured(case)).count();
        if !self.quiet && kept == 0 {
            say_what_comparing_takes(&plan, cases);
        }
        let progress = Progress::new(cases as u64, kept as u64, self.quiet);
        let rounds = Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        let ended = fill(&plan, &launches, &rounds, deciding, (&mut campaign, &progress), |launch, kept| {
            make(&plan, launch, &site, self.patience, kept)
        });
        progress.finish();
        if ended.is_ok() {
            campaign.finish()?;
        }
        let Err(error) = ended else {
            self.tell(&campaign)?;
            return self.keep(&campaign);
        };
        Ok(planned::stopped::<Plan>(campaign, self.resume, &error, |campaign| self.tell(campaign)))
    }

    /// Adds the finished campaign to the store, if there is to be one.
    fn keep(&self, campaign: &Campaign) -> anyhow::Result<ExitCode> {
        let Some(db) = &self.store else { return Ok(ExitCode::SUCCESS) };
        let folder = campaign.folder().display();
        match store::add(db, campaign.lines()) {
            Ok(_) if self.quiet => {}
            Ok(what) => note!("{folder} {what}"),
            Err(error) => {
                note!("parallax: {error:#}");
                note!("The campaign is complete; add it with: parallax store add {folder} --db {}", db.display());
                return Ok(if error.is::<BadInput>() { ExitCode::from(2) } else { ExitCode::FAILURE });
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn form(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Prints what was measured, and keeps the tables beside it.
    fn tell(&self, campaign: &Campaign) -> anyhow::Result<()> {
        told::warn_of_clocks(campaign);
        let measured = measured_of(campaign)?;
        campaign.write("summary.txt", &reports::measured::table(&measured, 160, false))?;
        campaign.write("details.txt", &reports::measured::details(&measured, 160, false))?;
        campaign.write("measured.csv", &reports::measured::csv(&measured))?;
        let page = reports::measured::page(&measured).write(campaign.folder())?;
        let format = self.form();
        let mut text = format.text(campaign.lines(), &measured, self.details, terminal_width(), colour())?;
        if format == Format::Table {
            text.push_str(&format!("\nReport: {}\nCampaign: {}\n", page.display(), campaign.folder().display()));
        }
        Ok(print(&text)?)
    }
}

/// Starts the ranks of a launch, unless all its cases are there, and keeps what they answer. Ranks that get nowhere for as long
/// as `patience` are given up.
pub fn make(
    plan: &Plan,
    launch: &Launch,
    site: &Site,
    patience: Duration,
    (campaign, progress): (&mut Campaign, &Progress),
) -> anyhow::Result<()> {
    let missing: Vec<_> = launch.cases.iter().filter(|case| !campaign.has_measured(case)).cloned().collect();
    if missing.is_empty() {
        return Ok(());
    }
    let start = Start {
        emulated: orders::EMULATED,
        clock: plan.clock,
        patience,
        ..Start::new(launch.world, launch.ranks, site)?
    };
    let checked = campaign.has_checked_clocks(launch.world, launch.carrier, launch.ranks, Conditions::default());
    let job = orders::job(plan, launch, &start, missing, !checked);
    let folder = campaign.folder().join(format!("job-{}-{}-{}", launch.world.name(), launch.ranks, launch.number));
    let mut when = LaunchEnd::Begin;
    let ended = start.carry_out(&job, &folder, |outcome| record(launch, outcome, &mut when, campaign, progress));
    if ended.as_ref().is_err_and(|error| error.is::<BadInput>()) {
        // Nothing died: there is nothing to look into.
        let _ = std::fs::remove_dir_all(&folder);
    }
    ended.with_context(|| format!("launch {}", launch.number + 1))?;
    std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
}

/// What a campaign of measurements found, with why it took so many launches.
pub fn measured_of(campaign: &Kept) -> anyhow::Result<Measured> {
    let mut measured: Measured = measured(campaign.lines())?;
    let plan: Option<Plan> = campaign.text().and_then(|text| serde_json::from_str(text).ok());
    if let Some(auto) = plan.and_then(|plan| plan.auto) {
        measured.launches = Some(told(&auto, &measured.deciding(), rounds_of(campaign.lines())));
    }
    Ok(measured)
}

/// What these rounds of launches found, by which it is decided how many follow.
fn deciding(lines: &[Line]) -> anyhow::Result<Vec<Deciding>> {
    Ok(measured(lines)?.deciding())
}

/// Makes the launches of a plan, round by round, as long as there is to be another one: what decides that is said of the lines
/// of the rounds so far.
pub fn fill(
    plan: &Plan,
    launches: &[Launch],
    rounds: &Rounds,
    deciding: impl Fn(&[Line]) -> anyhow::Result<Vec<Deciding>>,
    (campaign, progress): (&mut Campaign, &Progress),
    mut make: impl FnMut(&Launch, (&mut Campaign, &Progress)) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for round in launches.chunk_by(|one, other| one.number == other.number) {
        let Some(done) = round.first().map(|launch| launch.number) else { continue };
        let Some(planned) = rounds.planned(done, || deciding(&early(campaign.lines(), done)))? else { break };
        if plan.auto.is_some() {
            let cases =
                launches.iter().filter(|launch| launch.number < planned).map(|launch| launch.cases.len() as u64);
            progress.expect(cases.sum());
        }
        for launch in round {
            make(launch, (campaign, progress))?;
        }
    }
    Ok(())
}

/// Says before a campaign of several launches how many it takes to compare it with another one.
fn say_what_comparing_takes(plan: &Plan, cases: usize) {
    let launches = plan.launches as usize;
    if launches > 1 {
        let required = Requirement::of(Design::Unpaired, cases / launches, launches, RISK);
        let most = if plan.auto.is_some() { "at most " } else { "" };
        note!("Comparing this campaign with another one: {}; this one makes {most}{launches}.", required.words());
    }
}

/// Writes down what the ranks of a launch answered; they look at memory at its beginning and at its end.
fn record(
    launch: &Launch,
    outcome: Outcome,
    when: &mut LaunchEnd,
    campaign: &mut Campaign,
    progress: &Progress,
) -> anyhow::Result<()> {
    let (world, ranks) = (launch.world, launch.ranks);
    match outcome {
        Outcome::Measured(observation) => {
            refuse_unproven(&observation)?;
            progress.measured(&observation.case);
            campaign.append(Line::Measured(observation))
        }
        Outcome::ClocksChecked(check) => campaign.append(Line::ClockCheck(check)),
        Outcome::ClockReported(card) => campaign.append(Line::ReportCard { world, ranks, card: Box::new(card) }),
        Outcome::Memory { ran_by, ranks } => {
            let when = std::mem::replace(when, LaunchEnd::End);
            campaign.append(Line::Memory(LaunchMemory { world, launch: launch.number, when, ran_by, ranks }))
        }
        Outcome::Refused(reason) => Err(BadInput(reason).into()),
        Outcome::Calibrated { .. }
        | Outcome::Checked(_)
        | Outcome::SyncCompared(_)
        | Outcome::PointToPoint { .. }
        | Outcome::Explored(_) => Ok(()),
    }
}

/// A library that was to use a named algorithm says how it was made to; without that the number is another's.
pub fn refuse_unproven(observation: &Observation) -> Result<(), BadInput> {
    let Implementation::Forced(name) = &observation.case.implementation else { return Ok(()) };
    if observation.ranks.iter().all(|record| record.forced.is_some()) {
        return Ok(());
    }
    let world = observation.case.world.title();
    Err(BadInput(format!(
        "--algorithm library:{name}: {world} does not say that it uses it; expected another algorithm"
    )))
}

fn print_launch(plan: &Plan, site: &Site) -> anyhow::Result<ExitCode> {
    for &world in &plan.worlds {
        let Some(library) = Library::of(world) else {
            println!("# threads: ranks are threads of a process that parallax starts itself");
            continue;
        };
        let launcher = site.find(library).map_err(|absent| BadInput(absent.to_string()))?;
        let arguments = serve::arguments(Path::new("JOB"));
        for &ranks in &plan.ranks {
            println!("# {}, {ranks} ranks\n{}", library.title(), launcher.line(ranks, site, &arguments));
        }
    }
    Ok(ExitCode::SUCCESS)
}
