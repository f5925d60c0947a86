//! `parallax run`: one scenario from question to report.

mod check;
mod serve;

pub use check::CheckArguments;
pub use serve::ServeThreads;

use crate::cli::RunArguments;
use crate::output::{colour, terminal_width};
use analysis::run::{Asked, told};
use campaign::notice_interrupts;
use scenario::BadInput;
use std::process::ExitCode;

/// Runs a scenario; prints the summary and the report's path.
pub fn run(arguments: &RunArguments) -> anyhow::Result<ExitCode> {
    let asked = Asked::read(&arguments.scenario, arguments.small)?;
    let site = arguments.campaign.site.site()?;
    if arguments.print_launch {
        print!("{}", asked.launch_lines(&site));
        return Ok(ExitCode::SUCCESS);
    }
    notice_interrupts()?;
    let (campaign, failure) = asked.carry_out(arguments.campaign.keeping(), &site)?;
    let report = told::report(&campaign)?;
    print!("{}", reports::summary::terminal(&report, terminal_width(), colour()));
    let written = told::write_report(&campaign, &report);
    match (&written, &failure) {
        (Ok(page), _) => println!("\nReport: {}", page.display()),
        // What stopped the run, a full disk perhaps, kept the report from being written, too: it is told below.
        (Err(unwritten), Some(_)) => note!("parallax: {unwritten:#}"),
        (Err(_), None) => {}
    }
    match failure {
        None => written.map(|_| ExitCode::SUCCESS),
        Some(error) => {
            note!("parallax: {error:#}");
            let folder = campaign.folder().display();
            note!("Finished cases are kept; go on with: parallax run {} --resume --out {folder}", asked.file);
            Ok(if error.is::<BadInput>() { ExitCode::from(2) } else { ExitCode::FAILURE })
        }
    }
}
