//! `parallax run`: one question from its text to its report.

mod list;
mod serve;

pub use serve::ServeThreads;

use crate::flags::CampaignFlags;
use crate::output::{colour, print_words, terminal_width};
use analysis::run::{Asked, told};
use analysis::sweep::SweepFolder;
use campaign::planned::Keeping;
use campaign::{Campaign, notice_interrupts};
use scenario::BadInput;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The arguments of `parallax run`.
#[derive(clap::Args)]
pub struct RunArguments {
    /// A scenario or a sweep: its file, or the name of one that comes with parallax (--list)
    #[arg(value_name = "FILE|NAME", required_unless_present = "list")]
    scenario: Option<PathBuf>,
    /// List the scenarios and sweeps that come with parallax, by systematic error
    #[arg(long, exclusive = true)]
    list: bool,
    /// Run the small form, which the file's table [small] defines
    #[arg(long)]
    small: bool,
    /// Print the command line of one launch for each group of MPI ranks, and exit
    #[arg(long)]
    print_launch: bool,
    #[command(flatten)]
    campaign: CampaignFlags,
}

impl RunArguments {
    /// Runs a question; prints the summary and the report's path.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let Some(file) = &self.scenario else { return list::print_list() };
        if self.campaign.results.noise.is_some() {
            let message = "--noise: noise is recorded beside measure, validate, budget and audit; beside a scenario, record it with \
                           `parallax noise collect`";
            return Err(BadInput(message.to_owned()).into());
        }
        if is_sweep(file) { self.sweep(file) } else { self.scenario(file) }
    }

    fn scenario(&self, file: &Path) -> anyhow::Result<ExitCode> {
        let asked = Asked::read(file, self.small)?;
        let site = self.campaign.start.site.site()?;
        if self.print_launch {
            say!("{}", asked.launch_lines(&site))?;
            return Ok(ExitCode::SUCCESS);
        }
        notice_interrupts()?;
        let tell = |campaign: &Campaign| {
            let report = told::report(campaign)?;
            print_words(&reports::summary::terminal(&report, terminal_width(), colour()))?;
            say!("\nReport: {}\n", told::write_report(campaign, &report)?.display())?;
            Ok(())
        };
        asked.carry_out(self.campaign.keeping(), &site, tell)
    }

    /// Simulates a sweep; prints what came of its expectations and the report's path.
    fn sweep(&self, file: &Path) -> anyhow::Result<ExitCode> {
        if self.print_launch {
            return Err(BadInput("--print-launch: a sweep starts no ranks".to_owned()).into());
        }
        let Keeping { out, resume, quiet, .. } = self.campaign.keeping();
        let kept = SweepFolder { file, out, resume, small: self.small, quiet };
        let (code, page) = kept.carry_out()?;
        say!("\nReport: {}\n", page.display())?;
        Ok(code)
    }
}

/// What cannot be read is told as a scenario's mistake.
fn is_sweep(file: &Path) -> bool {
    scenario::shipped::read(file).is_ok_and(|text| scenario::sweep::is_sweep(&text))
}
