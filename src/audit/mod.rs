//! `parallax audit`: unmodified benchmarks run as people run them, and every number they print is held against reference
//! windows of the same calls, taken between the benchmark's own rows in the same processes.

mod plan;
mod start;
mod tools;

use crate::bad_input::BadInput;
use crate::flags;
use crate::launch::{Library, Site, SiteFlags};
use crate::launches::{AutoFlags, Launches, Rounds, launches};
use crate::measuring::flags::{numbers, reference, worlds};
use crate::measuring::plan::check_ranks;
use crate::output::print;
use crate::run::campaign::Campaign;
use crate::run::{Kept, interrupted, notice_interrupts, planned, terminal_width};
use anyhow::bail;
use models::call::Call;
use models::collective::Collective;
use plan::{Launch, Plan};
use reports::audit::{Audit, audit, csv, markdown, page, table};
use reports::enough::{Deciding, told};
use reports::page::Page;
use reports::store::Line;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use tools::Tool;

/// What `parallax audit` is told.
#[derive(clap::Args)]
pub struct AuditArguments {
    /// Which benchmarks; several with commas
    #[arg(
        value_enum,
        num_args = 1,
        action = clap::ArgAction::Set,
        value_name = "BENCHMARK",
        value_delimiter = ',',
        required_unless_present = "resume"
    )]
    benchmarks: Vec<Tool>,
    /// Which operations, by MPI's names without MPI_: bcast, allreduce, …; several with commas
    #[arg(
        num_args = 1,
        action = clap::ArgAction::Set,
        value_name = "OPERATION",
        value_delimiter = ',',
        required_unless_present = "resume"
    )]
    operations: Vec<String>,
    #[command(flatten)]
    plan: PlanFlags,
    #[command(flatten)]
    auto: AutoFlags,
    /// Folder for everything that is written [default: results/audit-001, -002, …]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Go on with the newest audit that has not finished (or the one in --out)
    #[arg(long)]
    resume: bool,
    /// Abort a launch of a benchmark that takes longer than this many seconds
    #[arg(long, default_value = "300", value_name = "SECONDS", value_parser = flags::seconds)]
    timeout: Duration,
    /// With --launches auto: begin no round of launches after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = flags::seconds)]
    time_at_most: Option<Duration>,
    #[command(flatten)]
    site: SiteFlags,
    /// How to print the answer
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Every ratio by itself, with its interval and what makes it
    #[arg(long)]
    details: bool,
    /// Print nothing while benchmarks run
    #[arg(long, short)]
    quiet: bool,
}

/// What is audited, and how. An audit that is gone on with has all of it already.
#[derive(clap::Args)]
#[group(requires = "benchmarks")]
struct PlanFlags {
    /// Number of ranks
    #[arg(long, default_value = "2", value_parser = flags::ranks)]
    ranks: u32,
    /// Lengths as benchmarks count them: 8,1KiB or 8..64KiB (doubling) or 8..64KiB*4
    #[arg(long, default_value = "8..64KiB", value_name = "LIST")]
    bytes: String,
    /// Where: openmpi, mpich [default: every MPI library that is here]
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',')]
    world: Vec<String>,
    /// How often each benchmark is started in each way: the launch is the statistical unit; six or more have an exact interval;
    /// auto: as often as the ratios need
    #[arg(long, default_value = "6", value_name = "N|auto", value_parser = launches)]
    launches: Launches,
    /// What printed numbers are held against: windows whose buffers are touched, same or cold
    #[arg(long, default_value = "touched", value_name = "BUFFER")]
    reference: String,
    /// Where benchmarks are looked for before PATH: a program, or a folder of an installation or a build; may be repeated
    #[arg(long, value_name = "PATH")]
    tool: Vec<PathBuf>,
    /// Seed of the order in which benchmarks are started
    #[arg(long, default_value = "1")]
    seed: u64,
}

/// In which form the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// One page.
    Markdown,
    /// A line for each ratio.
    Csv,
    /// One object.
    Json,
}

impl PlanFlags {
    fn plan(
        &self,
        benchmarks: &[Tool],
        operations: &[String],
        auto: &AutoFlags,
        site: &Site,
    ) -> Result<Plan, BadInput> {
        let mut audited = benchmarks.to_vec();
        audited.dedup();
        let worlds = worlds(&self.world, site)?;
        if worlds.iter().any(|&world| Library::of(world).is_none()) {
            return Err(BadInput(
                "--world: benchmarks need an MPI library: expected openmpi or mpich; scripts/setup brings both"
                    .to_owned(),
            ));
        }
        for &world in &worlds {
            check_ranks(world, self.ranks, site.cores).map_err(BadInput)?;
        }
        let (launches, auto) = auto.planned(self.launches)?;
        Ok(Plan {
            operations: operations.iter().map(|name| operation(name, &audited)).collect::<Result<_, _>>()?,
            audited,
            worlds,
            ranks: vec![self.ranks],
            bytes: numbers("--bytes", &self.bytes, flags::bytes)?,
            launches,
            auto,
            reference: reference(&self.reference)?,
            places: self.tool.clone(),
            seed: self.seed,
        })
    }
}

/// An operation that every one of the benchmarks measures.
fn operation(name: &str, benchmarks: &[Tool]) -> Result<Collective, BadInput> {
    let (collective, call) = Call::find(name.trim()).map_err(BadInput)?;
    if !call.is_plain() {
        let known = "bcast, reduce, allreduce, gather, scatter, allgather, alltoall, reduce_scatter, barrier";
        return Err(BadInput(format!("{}: expected one of {known}", call.name(collective))));
    }
    match benchmarks.iter().find(|tool| tool.name_of(collective).is_none()) {
        Some(tool) => Err(BadInput(format!("{collective}: {} does not measure it", tool.title()))),
        None => Ok(collective),
    }
}

impl AuditArguments {
    /// Runs everything that is not there yet, and tells what was found.
    pub fn audit(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let asked = match self.benchmarks.as_slice() {
            [] => None,
            benchmarks => Some(self.plan.plan(benchmarks, &self.operations, &self.auto, &site)?),
        };
        if let Some(plan) = &asked
            && start::found(plan).is_empty()
        {
            return start::emulate(plan);
        }
        notice_interrupts()?;
        let (mut campaign, plan): (_, Plan) = planned::open(asked, self.resume, self.out.as_deref(), &site)?;
        let ended = self.fill(&plan, &site, &mut campaign);
        let any = campaign.lines().iter().any(|line| matches!(line, Line::Audited(_)));
        let told = if any { self.tell(&plan, &campaign) } else { Ok(()) };
        let Err(error) = ended else { return told.map(|()| ExitCode::SUCCESS) };
        if let Err(untold) = told {
            note!("parallax: {untold:#}");
        }
        note!("parallax: {error:#}");
        if !any && !self.resume && error.is::<BadInput>() {
            campaign.discard();
            return Ok(ExitCode::from(2));
        }
        let folder = campaign.folder().display();
        note!("Finished launches are kept; go on with: parallax audit --resume --out {folder}");
        Ok(ExitCode::FAILURE)
    }

    fn fill(&self, plan: &Plan, site: &Site, campaign: &mut Campaign) -> anyhow::Result<()> {
        let all = plan.launches();
        let rounds = Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        let mut told: Vec<String> = Vec::new();
        let mut begun = 0;
        for round in all.chunk_by(|one, other| one.key.launch == other.key.launch) {
            let Some(done) = round.first().map(|launch| launch.key.launch) else { continue };
            let Some(planned) = rounds.planned(done, || Ok(deciding(plan, campaign.lines(), done)))? else { break };
            let count = all.iter().filter(|launch| launch.key.launch < planned).count();
            for launch in round {
                begun += 1;
                if !is_there(campaign, launch) {
                    self.start(plan, launch, site, (campaign, &mut told), &format!("{begun} of {count}"))?;
                }
            }
        }
        if !campaign.lines().iter().any(|line| matches!(line, Line::Audited(_))) {
            bail!(BadInput("no benchmark could be run; the reasons are above".to_owned()));
        }
        campaign.finish()
    }

    /// Runs a benchmark once and keeps what it printed, or why it cannot be run, which is told once.
    fn start(
        &self,
        plan: &Plan,
        launch: &Launch,
        site: &Site,
        (campaign, told): (&mut Campaign, &mut Vec<String>),
        place: &str,
    ) -> anyhow::Result<()> {
        if interrupted() {
            bail!("interrupted");
        }
        let what = format!("{} {} on {}", launch.key.program, launch.key.flags, launch.key.world.title());
        match start::carry_out(plan, launch, site, campaign.folder(), self.timeout)? {
            Ok(audited) => {
                let rows = audited.rows.len();
                campaign.append(Line::Audited(Box::new(audited)))?;
                if !self.quiet {
                    note!("ran  {what}: {rows} rows with references  ({place})");
                }
            }
            // The same again in every launch.
            Err(why) if told.contains(&what) => drop(why),
            Err(why) => {
                note!("left out: {what}: {why}");
                campaign.append(Line::LeftOut { what: what.clone(), why })?;
                told.push(what);
            }
        }
        Ok(())
    }

    /// Prints what was found, and keeps page and tables beside the campaign.
    fn tell(&self, plan: &Plan, campaign: &Campaign) -> anyhow::Result<()> {
        let found = found(plan, campaign);
        campaign.write("summary.txt", &table(&found, false, 120))?;
        campaign.write("details.txt", &table(&found, true, 120))?;
        campaign.write("audit.md", &markdown(&found))?;
        campaign.write("audit.csv", &csv(&found)?)?;
        let path = page(&found).write(campaign.folder())?;
        let text = match self.format {
            Format::Table => format!(
                "{}\nReport: {}\nCampaign: {}\n",
                table(&found, self.details, terminal_width()),
                path.display(),
                campaign.folder().display()
            ),
            Format::Markdown => markdown(&found),
            Format::Csv => csv(&found)?,
            Format::Json => serde_json::to_string(&found)? + "\n",
        };
        Ok(print(&text)?)
    }
}

fn is_there(campaign: &Campaign, launch: &Launch) -> bool {
    campaign.lines().iter().any(|line| matches!(line, Line::Audited(audited) if audited.key == launch.key))
}

/// What an audit found, with why it took so many launches.
fn found(plan: &Plan, campaign: &Kept) -> Audit {
    let mut found: Audit = audit(campaign.lines(), plan.reference);
    if let Some(auto) = &plan.auto {
        let numbers = campaign.lines().iter().filter_map(|line| match line {
            Line::Audited(audited) => Some(audited.key.launch + 1),
            _ => None,
        });
        found.launches = Some(told(auto, &found.deciding(), numbers.max().unwrap_or(0)));
    }
    found
}

/// What `done` rounds of launches found, by which it is decided how many follow.
fn deciding(plan: &Plan, lines: &[Line], done: u32) -> Vec<Deciding> {
    let early = |line: &&Line| !matches!(line, Line::Audited(audited) if audited.key.launch >= done);
    let lines: Vec<Line> = lines.iter().filter(early).cloned().collect();
    audit(&lines, plan.reference).deciding()
}

/// The page of an audit; none of another campaign.
pub fn page_of(campaign: &Kept) -> Option<Page> {
    let plan: Plan = campaign.text().and_then(|text| serde_json::from_str(text).ok())?;
    Some(page(&found(&plan, campaign)))
}
