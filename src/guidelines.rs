//! `parallax guidelines`: checks whether a library satisfies the performance guidelines.

use crate::compare::{DemandFlags, InputFlags, write_page};
use crate::flags::FormatFlags;
use analysis::compare::read_side;
use campaign::planned::command;
use clap::Args;
use render::page::Page;
use render::results::Results;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;
use study::guidelines::{Verdict, guidelines, shows_nothing};

/// The arguments of `parallax guidelines`.
#[derive(Args)]
pub struct GuidelinesArguments {
    /// A campaign's folder or campaign.jsonl, a run of the store, exported samples, or the output of another benchmark;
    /// as for `parallax compare`, A+B combines the launches of both, A,world=openmpi selects cases with this value
    #[arg(value_name = "CAMPAIGN")]
    side: String,
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    demand: DemandFlags,
    /// Also show the checks without any sign of a violation, and how all were judged
    #[arg(long)]
    all: bool,
    /// Exit with code 1 if a guideline is violated, or if there are so few launches that no violation could be shown
    #[arg(long)]
    fail_if_violated: bool,
    #[command(flatten)]
    format: FormatFlags,
    /// Also write a page into this folder
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl GuidelinesArguments {
    /// Checks all guidelines that apply. The exit code is 1 if --fail-if-violated is given and met.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        let side = read_side(&self.side, &self.input.choice())?;
        let found = guidelines(&side, self.demand.demand()).map_err(BadInput)?;
        if let Some(folder) = &self.out {
            write_page(&Page { reproduce: vec![command()], ..found.page() }, folder)?;
        }
        self.format.print_with(&found, "--all", self.all)?;
        if !self.fail_if_violated {
            return Ok(ExitCode::SUCCESS);
        }
        let untested = shows_nothing(&found);
        let violated = found.checks.iter().any(|check| check.verdict == Verdict::Violated);
        if let Some(why) = &untested {
            note!("parallax: --fail-if-violated: {why}");
        }
        Ok(if violated || untested.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
