//! `parallax measure`: real ranks call operations, every method times them, and all numbers stand side by side.
//!
//! The measured half alone: nothing is calibrated, nothing predicted. Each launch starts the ranks of a world once and
//! hands them all their cases; every case is on disk before the next begins.

pub mod flags;
pub mod orders;
pub mod plan;
pub mod several;
mod show;

use crate::flags::CampaignFlags;
use crate::launches::{AutoFlags, Rounds, early, rounds_of};
use crate::output::print;
use crate::run::told;
use crate::run::{colour, terminal_width};
use crate::store;
use campaign::Campaign;
use campaign::asking::{self, Asking};
use campaign::launch::Site;
use campaign::progress::Cases;
use campaign::{Kept, Start, notice_interrupts, planned, serve};
use flags::PlanFlags;
use models::network::Hockney;
use models::observation::{Conditions, Observation};
use plan::{Launch, Plan};
use reports::contrast::Requirement;
use reports::enough::{Deciding, told};
use reports::measured::{Measured, measured};
use reports::statistics::Design;
use scenario::BadInput;
use scenario::store::Line;
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
    #[command(flatten)]
    campaign: CampaignFlags,
    /// Add the finished campaign to a store of all campaigns, as `parallax store add` does [default file: results/parallax.sqlite]
    #[arg(long, value_name = "DB", num_args = 0..=1, require_equals = true, default_missing_value = store::STORE)]
    store: Option<PathBuf>,
    /// With --launches auto: begin no launch after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = crate::flags::seconds)]
    time_at_most: Option<Duration>,
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
}

impl MeasureArguments {
    /// Measures everything that is asked for and not there yet; prints all of it.
    pub fn measure(&self) -> anyhow::Result<ExitCode> {
        let CampaignFlags { resume, patience, quiet, .. } = self.campaign;
        let site = self.campaign.site.site()?;
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
        let (mut campaign, plan) = planned::open(asked, resume, self.campaign.out.as_deref(), &site)?;
        let launches = plan.launches(site.cores).map_err(BadInput)?;
        let cases: usize = launches.iter().map(|launch| launch.cases.len()).sum();
        let progress = Cases::of(launches.iter().flat_map(|launch| &launch.cases), &campaign, quiet);
        if !quiet && progress.is_new() {
            say_what_comparing_takes(&plan, cases);
        }
        let rounds = Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        let (emulated, progress, site) = (orders::EMULATED, &progress, &site);
        let mut asking = Measuring { plan: &plan, emulated, site, patience, progress };
        let ended = fill(&mut asking, &launches, &rounds, deciding, (&mut campaign, progress));
        progress.finish();
        let code = planned::end::<Plan>(&mut campaign, resume, ended, |campaign| self.tell(campaign))?;
        if code == ExitCode::SUCCESS { self.keep(&campaign) } else { Ok(code) }
    }

    /// Adds the finished campaign to the store, if there is to be one.
    fn keep(&self, campaign: &Campaign) -> anyhow::Result<ExitCode> {
        let Some(db) = &self.store else { return Ok(ExitCode::SUCCESS) };
        let folder = campaign.folder().display();
        match store::add(db, campaign.lines()) {
            Ok(_) if self.campaign.quiet => {}
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

/// Real ranks are asked for the cases of a plan.
pub struct Measuring<'a> {
    /// What is measured.
    pub plan: &'a Plan,
    /// The network that threads play.
    pub emulated: Hockney,
    /// Where.
    pub site: &'a Site,
    /// Ranks that get nowhere for so long are given up.
    pub patience: Duration,
    /// Who hears of every case.
    pub progress: &'a Cases,
}

impl Measuring<'_> {
    /// The ranks of a launch.
    pub fn start(&self, launch: &Launch) -> Result<Start, BadInput> {
        let (carrier, emulated, clock, patience) = (launch.carrier, self.emulated, self.plan.clock, self.patience);
        Ok(Start { carrier, emulated, clock, patience, ..Start::new(launch.world, launch.ranks, self.site)? })
    }
}

impl Asking for Measuring<'_> {
    type Planned = Launch;

    fn ask(&mut self, planned: &Launch, campaign: &mut Campaign) -> anyhow::Result<Option<asking::Launch>> {
        let missing = campaign.missing(&planned.cases);
        if missing.is_empty() {
            return Ok(None);
        }
        let (start, conditions) = (self.start(planned)?, Conditions::default());
        let checked = campaign.has_checked_clocks(planned.world, planned.carrier, planned.ranks, conditions);
        let tasks = orders::tasks(self.plan, planned, &start, missing, !checked);
        Ok(Some(asking::Launch { start, tasks, number: planned.number, conditions }))
    }

    fn measured(&mut self, observation: Observation) -> anyhow::Result<Line> {
        self.progress.measured(&observation.case);
        Ok(Line::Measured(observation))
    }
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

/// Makes launches round by round, as long as there is to be another one: what decides that is said of the lines of the rounds
/// so far.
pub fn fill<A: Asking<Planned = Launch>>(
    asking: &mut A,
    launches: &[Launch],
    rounds: &Rounds,
    deciding: impl Fn(&[Line]) -> anyhow::Result<Vec<Deciding>>,
    (campaign, progress): (&mut Campaign, &Cases),
) -> anyhow::Result<()> {
    for round in launches.chunk_by(|one, other| one.number == other.number) {
        let Some(done) = round.first().map(|launch| launch.number) else { continue };
        let Some(planned) = rounds.planned(done, || deciding(&early(campaign.lines(), done)))? else { break };
        let cases = launches.iter().filter(|launch| launch.number < planned).map(|launch| launch.cases.len() as u64);
        progress.expect(cases.sum());
        for launch in round {
            asking::carry_out(asking, launch, campaign)?;
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

fn print_launch(plan: &Plan, site: &Site) -> anyhow::Result<ExitCode> {
    for &world in &plan.worlds {
        let Some(library) = world.library() else {
            println!("# threads: ranks are threads of a process that parallax starts itself");
            continue;
        };
        let launcher = site.find(library).map_err(|absent| BadInput(absent.to_string()))?;
        let arguments = serve::arguments(Path::new("JOB"));
        for &ranks in &plan.ranks {
            println!("# {}, {ranks} ranks\n{}", library.title, launcher.line(ranks, site, &arguments));
        }
    }
    Ok(ExitCode::SUCCESS)
}
