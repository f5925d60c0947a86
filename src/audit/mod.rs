//! `parallax audit`: unmodified benchmarks run as people run them, and every number they print is held against reference
//! windows of the same calls, taken between the benchmark's own rows in the same processes. Or texts that benchmarks printed
//! in other launches, held against references that are taken here and now.

mod flags;

use crate::cli::Cli;
use crate::flags::{SiteFlags, seconds};
use crate::launches::AutoFlags;
use crate::output::{look, print};
use analysis::audit::plan::Plan;
use analysis::audit::{carry_out, emulation, kept};
use analysis::launches::Rounds;
use anyhow::Context;
use campaign::audit::Asked;
use campaign::planned::Keeping;
use campaign::{Campaign, notice_interrupts};
use clap::Parser;
use flags::PlanFlags;
use reports::view::Format;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

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
    #[arg(long, value_parser = crate::flags::one_of(Format::ALL, Format::name), default_value = "table")]
    format: Format,
    /// Every ratio by itself, with its interval and what makes it
    #[arg(long)]
    details: bool,
    /// Print nothing while benchmarks run
    #[arg(long, short)]
    quiet: bool,
}

impl AuditArguments {
    /// Runs everything that is not there yet, and tells what was found.
    pub fn audit(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let asked = Asked::of(&self.words)?;
        let asked = asked.map(|asked| self.plan.plan(&asked, &self.auto, &site)).transpose()?;
        if let Some(Plan::Benchmarks(plan)) = &asked
            && let Some(words) = emulation(plan)
        {
            return Cli::try_parse_from(words).context("the emulation's own flags")?.command.run();
        }
        if let Some(Plan::Texts(plan)) = &asked {
            Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        }
        notice_interrupts()?;
        let (out, resume, patience, quiet) = (self.out.as_deref(), self.resume, self.timeout, self.quiet);
        let keeping = Keeping { out, resume, patience, quiet };
        carry_out(asked, keeping, self.time_at_most, &site, |plan, campaign| self.tell(plan, campaign))
    }

    /// Prints what was found.
    fn tell(&self, plan: &Plan, campaign: &Campaign) -> anyhow::Result<()> {
        let (found, path) = kept(plan, campaign)?;
        let mut text = self.format.text(&found, look(self.details))?;
        if self.format == Format::Table {
            text += &format!("\nReport: {}\nCampaign: {}\n", path.display(), campaign.folder().display());
        }
        Ok(print(&text)?)
    }
}
