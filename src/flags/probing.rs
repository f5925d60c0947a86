//! Places of a probe's results, as flags, and the begin and end of probes.

use super::{DryRun, FormatFlags, StartFlags};
use analysis::testing;
use anyhow::Context;
use campaign::Campaign;
use campaign::launch::Site;
use campaign::planned::{self, CommandPlan, Keeping};
use campaign::results::{self, File};
use campaign::testing::{TestKind, TestPlan};
use probes::tested::summary;
use render::results::{Format, Look, printed};
use render::summary::Summary;
use scenario::BadInput;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Where a probe's results go, and how they are printed.
#[derive(clap::Args)]
#[command(next_help_heading = "Results")]
pub struct ProbeFlags {
    /// Keep the results in this folder: of real ranks a campaign, which can be resumed, reported, compared and stored; of
    /// simulated ranks tables [default: nothing is kept]
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Continue the probe in --out; no other flag is needed
    #[arg(long, requires = "out", conflicts_with = "dry_run")]
    pub resume: bool,
    #[command(flatten)]
    dry: DryRun,
    #[command(flatten)]
    format: FormatFlags,
    /// Print the result only
    #[arg(long, short)]
    pub quiet: bool,
}

impl ProbeFlags {
    /// Begins or resumes a campaign. `found` computes the result, which is printed, and written if there is a folder.
    pub fn campaign<P: CommandPlan>(
        &self,
        asked: Option<P>,
        (site, timeout): (&Site, Duration),
        ask: impl FnOnce(&P, &mut Campaign) -> anyhow::Result<()>,
        found: impl Fn(&Campaign) -> Option<Summary>,
    ) -> anyhow::Result<ExitCode> {
        let found = |campaign: &Campaign| found(campaign).context("no rank answered");
        let Self { resume, dry: DryRun { dry_run }, quiet, .. } = *self;
        let keeping = Keeping { out: self.out.as_deref(), resume, patience: timeout, quiet, noise: None, dry_run };
        match (&self.out, asked) {
            (None, Some(plan)) => {
                planned::pass(plan, (keeping, site), ask, |_, campaign| self.print(&found(campaign)?))
            }
            (_, asked) => planned::run_campaign(asked, keeping, site, ask, |_, campaign| {
                let found = found(campaign)?;
                results::write(campaign.folder(), &files(&found, &P::title())?)?;
                self.print_with_folder(&found, campaign.folder())
            })
            .map(|(_, code)| code),
        }
    }

    /// Carries out the plan that a command's arguments make, or the tasks that a resumed campaign lacks.
    pub fn ask<A: clap::Args, K: TestKind>(
        &self,
        arguments: &A,
        start: &StartFlags,
        plan: impl Fn(&A, &Site) -> Result<TestPlan<K>, BadInput>,
    ) -> anyhow::Result<ExitCode> {
        let (site, timeout) = (start.site.site()?, start.timeout);
        let asked = asked(self.resume, plan(arguments, &site)?, || plan(&usual(), &site));
        let ask = |plan: &TestPlan<K>, campaign: &mut Campaign| testing::ask(plan, campaign, &site, timeout);
        self.campaign(asked, (&site, timeout), ask, |campaign| summary(campaign.lines()))
    }

    /// Prints a result of simulated ranks, or of none, and writes it if there is a folder.
    pub fn keep(&self, name: &str, probe: impl FnOnce() -> anyhow::Result<Summary>) -> anyhow::Result<ExitCode> {
        if self.dry.dry_run {
            say!("{name}: 1 test of simulated ranks\n")?;
            return Ok(ExitCode::SUCCESS);
        }
        let probe = || {
            let mut found = probe()?;
            found.page.origin = name.to_owned();
            Ok(found)
        };
        match &self.out {
            None => self.print(&probe()?)?,
            Some(out) => self.print_with_folder(&results::keep(out, name, probe, |found| files(found, name))?, out)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn print(&self, found: &Summary) -> anyhow::Result<()> {
        self.format.print_with(found, "", false)
    }

    /// Prints a result that is in a folder.
    fn print_with_folder(&self, found: &Summary, folder: &Path) -> anyhow::Result<()> {
        self.print(found)?;
        if !self.quiet {
            note!("written: {}", folder.display());
        }
        Ok(())
    }
}

/// Returns the files of a result of this name in a folder: its text, its own files, and last the object with all of it.
fn files(found: &Summary, name: &str) -> anyhow::Result<Vec<File>> {
    let [text, json] = [Format::Table, Format::Json].map(|format| printed(found, format, Look::IN_FILES));
    let own = [("summary.txt".to_owned(), text?)].into_iter().chain(found.files());
    Ok(own.chain([(format!("{name}.json"), json?)]).collect())
}

/// Returns the plan of a campaign. `None` where a campaign is resumed and all flags have their default values.
pub fn asked<P: PartialEq>(resume: bool, plan: P, usual: impl FnOnce() -> Result<P, BadInput>) -> Option<P> {
    let says_nothing = resume && usual().is_ok_and(|usual| usual == plan);
    (!says_nothing).then_some(plan)
}

/// Returns the arguments of a command without flags.
pub fn usual<A: clap::Args>() -> A {
    let none = A::augment_args(clap::Command::new("usual")).get_matches_from(["usual"]);
    A::from_arg_matches(&none).unwrap_or_else(|error| error.exit())
}
