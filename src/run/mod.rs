//! `parallax run`: a scenario or sweep, from its text to its report.

mod list;
mod serve;

pub use serve::ServeThreads;

use crate::flags::CampaignFlags;
use crate::output::{look, print, print_words};
use analysis::run::{ScenarioRequest, campaign_report};
use analysis::sweep::SweepFolder;
use campaign::planned::Keeping;
use campaign::{Campaign, notice_interrupts, passing_folder};
use render::page::Page;
use reports::summary::{self, Detail};
use scenario::BadInput;
use scenario::expect::{Judgement, is_exercise};
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
    /// Of an exercise, whose file has the key 'answer', print the right answers and write the report; without it, the command
    /// says whether the answers in the file are right
    #[arg(long)]
    answers: bool,
    /// Print the command line of one launch for each group of MPI ranks, and exit
    #[arg(long)]
    print_launch: bool,
    #[command(flatten)]
    campaign: CampaignFlags,
}

impl RunArguments {
    /// Runs a question, and prints the summary and the report's path.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let Some(file) = &self.scenario else { return list::print_list() };
        if self.campaign.results.recorded_noise().is_some() {
            let message = "--noise: noise is recorded beside measure, validate, budget and audit; beside a scenario, record it with \
                           `parallax noise collect`";
            return Err(BadInput(message.to_owned()).into());
        }
        let text = scenario::shipped::read(file);
        let asks = text.as_deref().is_ok_and(is_exercise);
        if self.answers && !asks {
            let message = "--answers: expected an exercise, whose file has the key 'answer' in an [[expect]]";
            return Err(BadInput(message.to_owned()).into());
        }
        // A file that cannot be read is reported as a scenario's error.
        let is_sweep = text.is_ok_and(|text| scenario::sweep::is_sweep(&text));
        match (asks && !self.answers && !self.print_launch, is_sweep) {
            (true, _) => self.exercise(file, is_sweep),
            (false, true) => self.sweep(file),
            (false, false) => self.scenario(file),
        }
    }

    /// Prints whether the answers in the file are right. The simulations or measurements for it, which reveal the right
    /// answers, are kept only if --out names a folder.
    fn exercise(&self, file: &Path, is_sweep: bool) -> anyhow::Result<ExitCode> {
        let site = self.campaign.start.site.site()?;
        let passing = passing_folder(&site)?;
        let given = self.campaign.keeping();
        let keeping = if given.resume { given } else { Keeping { out: given.out.or(Some(passing.path())), ..given } };
        if !is_sweep {
            notice_interrupts()?;
            let tell = |campaign: &Campaign| tell_answers(file, &campaign_report::report(campaign)?.judgements);
            return ScenarioRequest::read(file, self.small)?.run_scenario(keeping, &site, tell);
        }
        let Keeping { out, resume, dry_run, .. } = keeping;
        let swept = SweepFolder { file, out, resume, small: self.small, quiet: true, dry_run }.run_in_folder()?;
        if !dry_run {
            tell_answers(file, &swept.judgements)?;
        }
        Ok(swept.code)
    }

    fn scenario(&self, file: &Path) -> anyhow::Result<ExitCode> {
        let asked = ScenarioRequest::read(file, self.small)?;
        let site = self.campaign.start.site.site()?;
        if self.print_launch {
            say!("{}", asked.launch_lines(&site))?;
            return Ok(ExitCode::SUCCESS);
        }
        notice_interrupts()?;
        let tell = |campaign: &Campaign| {
            let report = campaign_report::report(campaign)?;
            print_words(&summary::page(&report, Detail::Glance).terminal(look(false)))?;
            say!("\nReport: {}\n", campaign_report::write_report(campaign, &report)?.display())?;
            Ok(())
        };
        asked.run_scenario(self.campaign.keeping(), &site, tell)
    }

    /// Simulates a sweep, and prints the report's path. With --answers it also prints the judgements.
    fn sweep(&self, file: &Path) -> anyhow::Result<ExitCode> {
        if self.print_launch {
            return Err(BadInput("--print-launch: a sweep starts no ranks".to_owned()).into());
        }
        let Keeping { out, resume, quiet, dry_run, .. } = self.campaign.keeping();
        let kept = SweepFolder { file, out, resume, small: self.small, quiet, dry_run };
        let swept = kept.run_in_folder()?;
        if self.answers {
            print_words(&reports::sweep::describe_judgements(&swept.judgements, look(false)))?;
        }
        if let Some(page) = swept.page {
            say!("\nReport: {}\n", page.display())?;
        }
        Ok(swept.code)
    }
}

fn tell_answers(file: &Path, judgements: &[Judgement]) -> anyhow::Result<()> {
    let page = Page { sections: vec![summary::answers(judgements)], ..Page::default() };
    let is_open = |judgement: &Judgement| judgement.answer.as_ref().is_some_and(|answer| answer.given.is_none());
    let remedy = if judgements.iter().any(is_open) {
        format!("\nWrite your answers into {}, in place of \"?\", and run it again.\n", file.display())
    } else {
        String::new()
    };
    Ok(print(&format!("{}{remedy}", page.terminal(look(false))))?)
}
