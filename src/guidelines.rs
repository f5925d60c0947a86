//! `parallax guidelines`: does a library keep the performance guidelines?

use crate::compare::{DemandFlags, InputFlags, command, write_page};
use crate::output::{look, print};
use analysis::compare::read_side;
use clap::Args;
use reports::guidelines::{Verdict, guidelines, page};
use reports::view::Format;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax guidelines` is told.
#[derive(Args)]
pub struct GuidelinesArguments {
    /// A campaign's folder or campaign.jsonl, a run of the store, exported samples, or the text of another benchmark; as for
    /// `parallax compare` A+B are the launches of both together, A,world=openmpi the cases that are so
    #[arg(value_name = "CAMPAIGN")]
    side: String,
    #[command(flatten)]
    input: InputFlags,
    #[command(flatten)]
    demand: DemandFlags,
    /// Show the checks that nothing speaks against, too
    #[arg(long)]
    all: bool,
    /// End with exit code 1 if a guideline is violated
    #[arg(long)]
    fail_if_violated: bool,
    /// How to print it; all forms but the table hold all checks
    #[arg(long, value_parser = crate::flags::one_of(Format::ALL, Format::name), default_value = "table")]
    format: Format,
    /// Write a page into this folder too
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
}

impl GuidelinesArguments {
    /// Checks all guidelines that apply.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        let side = read_side(&self.side, &self.input.choice())?;
        let found = guidelines(&side, self.demand.demand()).map_err(BadInput)?;
        if let Some(folder) = &self.html {
            write_page(&page(&found, &command()), folder)?;
        }
        print(&self.format.text(&found, look(self.all))?)?;
        let violated = found.checks.iter().any(|check| check.verdict == Verdict::Violated);
        Ok(if violated && self.fail_if_violated { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
