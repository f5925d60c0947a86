//! Where the results of a test go, as flags, and the campaigns of tests.

use crate::flags::{SiteFlags, seconds};
use crate::output::print;
use analysis::testing;
use anyhow::Context;
use campaign::Campaign;
use campaign::launch::Site;
use campaign::planned::{self, Keeping, Planned};
use campaign::results::{Kept, Told, keep};
use campaign::testing::{Kind, Plan};
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Where the results of a test go, and how they are printed.
#[derive(Default, clap::Args)]
pub struct OutputFlags {
    /// Folder for the results [default: results/TEST-001, -002, …]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print one JSON object, with all that was measured, instead of a table
    #[arg(long)]
    json: bool,
    /// Print nothing but the answer
    #[arg(long, short)]
    quiet: bool,
    /// Go on with the newest test of this kind that has not finished (or the one in --out)
    #[arg(long)]
    pub resume: bool,
}

impl OutputFlags {
    /// Carries out a test of this name, writes what it found into a folder and prints it.
    pub fn carry_out(&self, name: &str, test: impl FnOnce() -> anyhow::Result<Told>) -> anyhow::Result<ExitCode> {
        let kept = keep(self.out.as_deref(), name, test)?;
        tell(&kept, self.json, self.quiet).map(|()| ExitCode::SUCCESS)
    }

    /// Begins or resumes a campaign; `told` makes the result, which is written and printed.
    pub fn campaign<P: Planned>(
        &self,
        asked: Option<P>,
        site: &Site,
        ask: impl FnOnce(&P, &mut Campaign) -> anyhow::Result<()>,
        told: impl Fn(&Campaign) -> Option<Told>,
    ) -> anyhow::Result<ExitCode> {
        let Self { resume, quiet, .. } = *self;
        // No rank is waited for.
        let keeping = Keeping { out: self.out.as_deref(), resume, patience: Duration::MAX, quiet };
        planned::carry_out(asked, keeping, site, ask, |_, campaign| {
            let told = told(campaign).context("no rank answered")?;
            tell(&told.write(campaign.folder().to_owned(), &P::title())?, self.json, self.quiet)
        })
        .map(|(_, code)| code)
    }
}

/// What a test of real ranks is told that is a campaign where it has a folder.
#[derive(clap::Args)]
pub struct TestFlags {
    /// Keep the test in this folder, as a campaign: to be gone on with, reported, compared, stored [default: nothing is kept]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Go on with the test in --out
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Print one JSON object, with all that was measured, instead of text
    #[arg(long)]
    json: bool,
    /// End the run when no rank has got anywhere for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = seconds)]
    patience: Duration,
    #[command(flatten)]
    site: SiteFlags,
}

impl TestFlags {
    /// Where MPI ranks run, and what starts them.
    pub fn site(&self) -> Result<Site, BadInput> {
        self.site.site()
    }

    /// Carries out the plan that a command's arguments make, or what a campaign lacks of it, and tells what was found.
    pub fn carry_out<A: clap::Args, K: Kind>(
        &self,
        arguments: &A,
        site: &Site,
        plan: impl Fn(&A) -> Result<Plan<K>, BadInput>,
    ) -> anyhow::Result<ExitCode> {
        let asked = asked(self.resume, plan(arguments)?, || plan(&usual()));
        let ask = |plan: &Plan<K>, campaign: &mut Campaign| testing::ask(plan, campaign, site, self.patience);
        let told = |campaign: &Campaign| testing::told(campaign).context("no rank answered");
        let keeping = Keeping { out: self.out.as_deref(), resume: self.resume, patience: self.patience, quiet: false };
        match (&self.out, asked) {
            (None, Some(plan)) => planned::pass(plan, site, ask, |_, campaign| self.print(told(campaign)?)),
            (_, asked) => planned::carry_out(asked, keeping, site, ask, |plan, campaign| {
                tell(&told(campaign)?.write(campaign.folder().to_owned(), &title(plan))?, self.json, false)
            })
            .map(|(_, code)| code),
        }
    }

    /// Writes what no real ranks found into the folder, where there is one, and prints it.
    pub fn keep(&self, name: &str, told: Told) -> anyhow::Result<ExitCode> {
        match &self.out {
            None => self.print(told)?,
            Some(out) => tell(&keep(Some(out), name, || Ok(told))?, self.json, false)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn print(&self, Told { table, json, .. }: Told) -> anyhow::Result<()> {
        Ok(print(&if self.json { format!("{json}\n") } else { table })?)
    }
}

fn title<P: Planned>(_: &P) -> String {
    P::title()
}

/// Prints what is in a folder.
fn tell(Kept { folder, table, json }: &Kept, as_json: bool, quiet: bool) -> anyhow::Result<()> {
    print(if as_json { json } else { table })?;
    if !quiet {
        note!("written: {}", folder.display());
    }
    Ok(())
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
