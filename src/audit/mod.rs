//! `parallax audit`: unmodified benchmarks run as people run them, and every number they print is held against reference
//! windows of the same calls, taken between the benchmark's own rows in the same processes. Or texts that benchmarks printed
//! in other launches, held against references that are taken here and now.

mod flags;
mod plan;
mod start;
mod texts;

use crate::flags::SiteFlags;
use crate::flags::seconds;
use crate::launches::{AutoFlags, Rounds, early, rounds_of};
use crate::measuring::{self, Measuring};
use crate::output::print;
use crate::run::terminal_width;
use crate::run::told;
use anyhow::bail;
use campaign::Campaign;
use campaign::audit::Asked;
use campaign::launch::Site;
use campaign::progress::Cases;
use campaign::{Kept, interrupted, notice_interrupts, planned};
use flags::PlanFlags;
use models::collective::Collective;
use plan::{Benchmarks, Launch, Plan};
use reports::audit::{Audit, audit, audit_texts, csv, markdown, page, table};
use reports::enough::told;
use reports::page::Page;
use scenario::BadInput;
use scenario::store::Line;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use texts::Texts;

/// What `parallax audit` is told.
#[derive(clap::Args)]
pub struct AuditArguments {
    /// Which benchmarks (osu, imb; several with commas), then which operations, by MPI's names without MPI_: bcast, allreduce, …;
    /// or texts that OSU, IMB, MPIPerf, ReproMPI or SKaMPI printed on this machine, in any order; - is standard input
    #[arg(value_name = "BENCHMARK,… OPERATION,…|FILE…", required_unless_present = "resume")]
    words: Vec<PathBuf>,
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
    /// Abort a launch of a benchmark that takes longer than this many seconds; for texts, ranks that get nowhere for so long
    #[arg(long, default_value = "300", value_name = "SECONDS", value_parser = seconds)]
    timeout: Duration,
    /// With --launches auto: begin no round of launches after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
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

impl AuditArguments {
    /// Runs everything that is not there yet, and tells what was found.
    pub fn audit(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let asked = Asked::of(&self.words)?;
        let asked = asked.map(|asked| self.plan.plan(&asked, &self.auto, &site)).transpose()?;
        if let Some(Plan::Benchmarks(plan)) = &asked
            && start::found(plan).is_empty()
        {
            return start::emulate(plan);
        }
        if let Some(Plan::Texts(plan)) = &asked {
            Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        }
        notice_interrupts()?;
        let (campaign, plan): (_, Plan) = planned::open(asked, self.resume, self.out.as_deref(), &site)?;
        match &plan {
            Plan::Benchmarks(benchmarks) => self.run(&plan, benchmarks, &site, campaign),
            Plan::Texts(texts) => self.hold_against(&plan, texts, &site, campaign),
        }
    }

    /// Takes references for the numbers of texts.
    fn hold_against(
        &self,
        plan: &Plan,
        texts: &Texts,
        site: &Site,
        mut campaign: Campaign,
    ) -> anyhow::Result<ExitCode> {
        let rounds = Rounds::new(texts.auto, texts.launches, self.time_at_most)?;
        let numbers = texts.said().numbers;
        let (calls, launches) = (texts.calls(), texts.launches(&numbers));
        let progress = Cases::of(launches.iter().flat_map(|launch| &launch.cases), &campaign, self.quiet);
        let deciding = |lines: &[Line]| Ok(audit_texts(lines, &numbers, texts.reference).deciding());
        let (emulated, patience) = (measuring::orders::EMULATED, self.timeout);
        let mut asking = Measuring { plan: &calls, emulated, site, patience, progress: &progress };
        let ended = measuring::fill(&mut asking, &launches, &rounds, deciding, (&mut campaign, &progress));
        progress.finish();
        told::warn_of_clocks(&campaign);
        planned::end::<Plan>(&mut campaign, self.resume, ended, |campaign| self.tell(plan, campaign))
    }

    /// Runs benchmarks.
    fn run(
        &self,
        plan: &Plan,
        benchmarks: &Benchmarks,
        site: &Site,
        mut campaign: Campaign,
    ) -> anyhow::Result<ExitCode> {
        let ended = self.fill(benchmarks, site, &mut campaign);
        planned::end::<Plan>(&mut campaign, self.resume, ended, |campaign| self.tell(plan, campaign))
    }

    fn fill(&self, plan: &Benchmarks, site: &Site, campaign: &mut Campaign) -> anyhow::Result<()> {
        let all = plan.launches();
        let rounds = Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        let mut told: Vec<String> = Vec::new();
        let mut begun = 0;
        for round in all.chunk_by(|one, other| one.key.launch == other.key.launch) {
            let Some(done) = round.first().map(|launch| launch.key.launch) else { continue };
            let deciding = || Ok(audit_benchmarks(&early(campaign.lines(), done), plan).deciding());
            let Some(planned) = rounds.planned(done, deciding)? else { break };
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
        Ok(())
    }

    /// Runs a benchmark once and keeps what it printed, or why it cannot be run, which is told once.
    fn start(
        &self,
        plan: &Benchmarks,
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
        campaign.write("audit.csv", &csv(&found))?;
        let path = page(&found).write(campaign.folder())?;
        let text = match self.format {
            Format::Table => format!(
                "{}\nReport: {}\nCampaign: {}\n",
                table(&found, self.details, terminal_width()),
                path.display(),
                campaign.folder().display()
            ),
            Format::Markdown => markdown(&found),
            Format::Csv => csv(&found),
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
    match plan {
        Plan::Benchmarks(plan) => found_of_benchmarks(plan, campaign),
        Plan::Texts(plan) => found_of_texts(plan, campaign),
    }
}

fn found_of_texts(plan: &Texts, campaign: &Kept) -> Audit {
    let said = plan.said();
    let mut found = audit_texts(campaign.lines(), &said.numbers, plan.reference);
    if let Some(auto) = &plan.auto {
        let told = told(auto, &found.deciding(), rounds_of(campaign.lines()));
        found.launches = Some(format!("How well references are known decided how many launches were taken. {told}"));
    }
    found.left_out.extend(said.left_out);
    if let Some(texts) = &mut found.texts {
        texts.remarks = said.remarks;
    }
    found
}

fn found_of_benchmarks(plan: &Benchmarks, campaign: &Kept) -> Audit {
    let mut found = audit_benchmarks(campaign.lines(), plan);
    if let Some(auto) = &plan.auto {
        found.launches = Some(told(auto, &found.deciding(), rounds_of(campaign.lines())));
    }
    found
}

/// What benchmarks printed of the lengths that were asked for: OSU's print every power of two between the ends.
fn audit_benchmarks(lines: &[Line], plan: &Benchmarks) -> Audit {
    let mut found = audit(lines, plan.reference);
    found.rows.retain(|row| plan.bytes.contains(&row.bytes) || row.collective == Collective::Barrier);
    found
}

/// The page of an audit; none of another campaign.
pub fn page_of(campaign: &Kept) -> Option<Page> {
    let plan: Plan = campaign.text().and_then(|text| serde_json::from_str(text).ok())?;
    Some(page(&found(&plan, campaign)))
}
