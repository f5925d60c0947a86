//! `parallax run`: one scenario from question to report.

mod check;
mod serve;

pub use check::CheckArguments;
pub use serve::ServeThreads;

use crate::cli::RunArguments;
use crate::output::{colour, terminal_width};
use analysis::run::{Asked, told};
use campaign::{Campaign, notice_interrupts};
use std::process::ExitCode;

/// Runs a scenario; prints the summary and the report's path.
pub fn run(arguments: &RunArguments) -> anyhow::Result<ExitCode> {
    let asked = Asked::read(&arguments.scenario, arguments.small)?;
    let site = arguments.campaign.site.site()?;
    if arguments.print_launch {
        say!("{}", asked.launch_lines(&site))?;
        return Ok(ExitCode::SUCCESS);
    }
    notice_interrupts()?;
    let tell = |campaign: &Campaign| {
        let report = told::report(campaign)?;
        say!("{}", reports::summary::terminal(&report, terminal_width(), colour()))?;
        say!("\nReport: {}\n", told::write_report(campaign, &report)?.display())?;
        Ok(())
    };
    asked.carry_out(arguments.campaign.keeping(), &site, tell)
}
