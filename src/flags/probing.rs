//! Where a probe's results go, as flags, and how probes begin and end.

use super::{DryRun, Format, StartFlags};
use crate::output::{print, print_words};
use analysis::testing;
use anyhow::Context;
use campaign::Campaign;
use campaign::launch::Site;
use campaign::planned::{self, Keeping, Planned};
use campaign::results::{Findings, Saved, keep};
use campaign::testing::{Kind, Plan};
use scenario::BadInput;
use std::path::PathBuf;
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
    /// Output format; json prints one object with all measurements
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Print the result only
    #[arg(long, short)]
    pub quiet: bool,
}

impl ProbeFlags {
    /// Begins or resumes a campaign; `told` makes the result, which is printed, and written where there is a folder.
    pub fn campaign<P: Planned>(
        &self,
        asked: Option<P>,
        (site, timeout): (&Site, Duration),
        ask: impl FnOnce(&P, &mut Campaign) -> anyhow::Result<()>,
        told: impl Fn(&Campaign) -> Option<Findings>,
    ) -> anyhow::Result<ExitCode> {
        let told = |campaign: &Campaign| told(campaign).context("no rank answered");
        let Self { resume, dry: DryRun { dry_run }, quiet, .. } = *self;
        let keeping = Keeping { out: self.out.as_deref(), resume, patience: timeout, quiet, noise: None, dry_run };
        match (&self.out, asked) {
            (None, Some(plan)) => planned::pass(plan, (keeping, site), ask, |_, campaign| self.print(&told(campaign)?)),
            (_, asked) => planned::carry_out(asked, keeping, site, ask, |_, campaign| {
                self.tell(&told(campaign)?.write(campaign.folder().to_owned(), &P::title())?)
            })
            .map(|(_, code)| code),
        }
    }

    /// Asks the ranks of the plan that a command's arguments make, or what a campaign lacks of it.
    pub fn ask<A: clap::Args, K: Kind>(
        &self,
        arguments: &A,
        start: &StartFlags,
        plan: impl Fn(&A, &Site) -> Result<Plan<K>, BadInput>,
    ) -> anyhow::Result<ExitCode> {
        let (site, timeout) = (start.site.site()?, start.timeout);
        let asked = asked(self.resume, plan(arguments, &site)?, || plan(&usual(), &site));
        let ask = |plan: &Plan<K>, campaign: &mut Campaign| testing::ask(plan, campaign, &site, timeout);
        self.campaign(asked, (&site, timeout), ask, |campaign| testing::told(campaign))
    }

    /// Prints what no real ranks found, and writes it where there is a folder.
    pub fn keep(&self, name: &str, probe: impl FnOnce() -> anyhow::Result<Findings>) -> anyhow::Result<ExitCode> {
        if self.dry.dry_run {
            say!("{name}: 1 test of simulated ranks\n")?;
            return Ok(ExitCode::SUCCESS);
        }
        match &self.out {
            None => self.print(&probe()?)?,
            Some(out) => self.tell(&keep(Some(out), name, probe)?)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn print(&self, Findings { table, json, .. }: &Findings) -> anyhow::Result<()> {
        self.show(table, &format!("{json}\n"))
    }

    fn show(&self, table: &str, json: &str) -> anyhow::Result<()> {
        Ok(if self.format == Format::Json { print(json) } else { print_words(table) }?)
    }

    /// Prints what is in a folder.
    fn tell(&self, Saved { folder, table, json }: &Saved) -> anyhow::Result<()> {
        self.show(table, json)?;
        if !self.quiet {
            note!("written: {}", folder.display());
        }
        Ok(())
    }
}

/// The plan of a campaign; none where a campaign is resumed and all flags have their default values.
pub fn asked<P: PartialEq>(resume: bool, plan: P, usual: impl FnOnce() -> Result<P, BadInput>) -> Option<P> {
    let says_nothing = resume && usual().is_ok_and(|usual| usual == plan);
    (!says_nothing).then_some(plan)
}

/// What a command is told without flags.
pub fn usual<A: clap::Args>() -> A {
    let none = A::augment_args(clap::Command::new("usual")).get_matches_from(["usual"]);
    A::from_arg_matches(&none).unwrap_or_else(|error| error.exit())
}
