//! `parallax audit`: unmodified benchmarks run with their usual flags, and every number they print is compared with
//! reference windows of the same calls, taken between the benchmark's own rows in the same processes. Texts that
//! benchmarks printed in other launches are compared with references that are measured by the audit, on this machine.

mod flags;

use crate::cli::Cli;
use crate::flags::{FormatFlags, ResultFlags, SiteFlags, seconds};
use crate::launches::AutoFlags;
use analysis::audit::plan::AuditPlan;
use analysis::audit::{emulation, kept, run_audit};
use analysis::launches::Rounds;
use anyhow::Context;
use campaign::audit::AuditInput;
use campaign::{Campaign, notice_interrupts};
use flags::PlanFlags;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The arguments of `parallax audit`.
#[derive(clap::Args)]
pub struct AuditArguments {
    /// Benchmarks (osu, imb), then operations, named as in MPI without MPI_ (bcast, allreduce, …); or output files of
    /// OSU, IMB, MPIPerf, ReproMPI or SKaMPI from this machine; - is standard input
    #[arg(value_name = "BENCHMARK,… OPERATION,…|FILE…", required_unless_present = "resume")]
    words: Vec<PathBuf>,
    #[command(flatten)]
    plan: PlanFlags,
    #[command(flatten)]
    auto: AutoFlags,
    #[command(flatten)]
    results: ResultFlags,
    /// Abort a benchmark launch that takes longer than this many seconds; for output files, abort if no rank makes
    /// progress for this many seconds
    #[arg(long, default_value = "300", value_name = "SECONDS", value_parser = seconds)]
    timeout: Duration,
    /// With --launches auto: start no further round of launches after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_at_most: Option<Duration>,
    #[command(flatten)]
    site: SiteFlags,
    #[command(flatten)]
    format: FormatFlags,
    /// Print every ratio with its interval and its causes
    #[arg(long)]
    details: bool,
}

impl AuditArguments {
    /// Runs all missing launches, and prints the results.
    pub fn audit(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let asked = AuditInput::from_words(&self.words)?;
        let asked = asked.map(|asked| self.plan.plan(&asked, &self.auto, &site)).transpose()?;
        if let Some(AuditPlan::Benchmarks(plan)) = &asked
            && let Some(mut words) = emulation(plan)?
        {
            let out = self.results.out.iter().map(|out| format!("--out={}", out.display()));
            words.extend(out.chain(self.results.quiet.then(|| "--quiet".to_owned())));
            words.extend(self.results.dry.dry_run.then(|| "--dry-run".to_owned()));
            return Cli::read_from(words).context("the emulation's own flags")?.command.run();
        }
        if let Some(AuditPlan::Texts(plan)) = &asked {
            Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        }
        notice_interrupts()?;
        run_audit(asked, self.results.keeping(self.timeout), self.time_at_most, &site, |plan, campaign| {
            self.print_findings(plan, campaign)
        })
    }

    /// Prints the results of the audit.
    fn print_findings(&self, plan: &AuditPlan, campaign: &Campaign) -> anyhow::Result<()> {
        let (found, told) = kept(plan, campaign)?;
        let (page, folder) = (told.page.display(), campaign.folder().display());
        let behind = format!("{}\nReport: {page}\nCampaign: {folder}\n", told.noise);
        self.format.print_before(&found, self.details, &behind)
    }
}
