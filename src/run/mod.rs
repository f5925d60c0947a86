//! `parallax run`: one scenario from question to report.

mod check;
mod serve;

pub use check::CheckArguments;
pub use serve::ServeThreads;

use crate::cli::RunArguments;
use crate::output::{colour, terminal_width};
use analysis::run::{Asked, told};
use analysis::sweep::KeptSweep;
use campaign::planned::Keeping;
use campaign::{Campaign, notice_interrupts};
use scenario::BadInput;
use std::path::Path;
use std::process::ExitCode;

/// Runs a scenario; prints the summary and the report's path.
pub fn run(arguments: &RunArguments) -> anyhow::Result<ExitCode> {
    if is_sweep(&arguments.scenario) {
        return sweep(arguments);
    }
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

/// What cannot be read is told as a scenario's mistake.
fn is_sweep(file: &Path) -> bool {
    scenario::files::read_description(file).is_ok_and(|text| scenario::sweep::is_sweep(&text))
}

/// Simulates a sweep; prints what came of its expectations and the report's path.
fn sweep(arguments: &RunArguments) -> anyhow::Result<ExitCode> {
    if arguments.print_launch {
        return Err(BadInput("--print-launch: a sweep starts no ranks".to_owned()).into());
    }
    let Keeping { out, resume, quiet, .. } = arguments.campaign.keeping();
    let kept = KeptSweep { file: &arguments.scenario, out, resume, small: arguments.small, quiet };
    let (code, page) = kept.carry_out()?;
    say!("\nReport: {}\n", page.display())?;
    Ok(code)
}
