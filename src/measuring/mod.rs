//! `parallax measure`: real ranks call operations, every method times them, and all numbers are printed side by side.
//!
//! It only measures, without a calibration or a prediction. Each launch starts the ranks of a world once and hands them
//! all their cases. Every case is on disk before the next begins.

mod flags;
mod show;
mod windows;

use crate::flags::CampaignFlags;
use crate::launches::AutoFlags;
use crate::output::{look, print};
use analysis::launches::Rounds;
use analysis::measuring::words::forced_algorithms;
use analysis::measuring::{kept, launch_lines, measure_missing};
use analysis::store;
use campaign::{Campaign, notice_interrupts};
use clap::ArgGroup;
use flags::PlanFlags;
use render::results::Format;
use scenario::BadInput;
use show::{OutputForm, ReadingFlags};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use study::measured::Reading;
use windows::WindowFlags;

/// The arguments of `parallax measure`.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("subject").args(["operations", "list_algorithms"]).multiple(true))]
pub struct MeasureArguments {
    /// Operations, named as in MPI without MPI_: bcast, allreduce, barrier, …
    #[arg(value_name = "OPERATION,…", value_delimiter = ',', required_unless_present_any = ["resume", "list_algorithms"])]
    operations: Vec<String>,
    #[command(flatten)]
    plan: PlanFlags,
    #[command(flatten)]
    windows: WindowFlags,
    #[command(flatten)]
    auto: AutoFlags,
    #[command(flatten)]
    campaign: CampaignFlags,
    /// Add the finished campaign to a store, as `parallax store add` does [default file: results/parallax.sqlite]
    #[arg(long, value_name = "DB", num_args = 0..=1, require_equals = true, default_missing_value = store::STORE)]
    store: Option<PathBuf>,
    /// With --launches auto: start no further launch after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = crate::flags::seconds)]
    time_at_most: Option<Duration>,
    /// List the algorithms that each MPI library can be forced to use, as library:NAME, by operation (of no operation:
    /// of all), and exit
    #[arg(long)]
    list_algorithms: bool,
    /// Print the command line of one launch for each MPI library and number of ranks, and exit
    #[arg(long)]
    print_launch: bool,
    /// Output format
    #[arg(long, value_parser = crate::flags::one_of(OutputForm::all(), OutputForm::name), default_value = "table")]
    format: OutputForm,
    /// Print every number with its interval, sample counts and clock errors
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    reading: ReadingFlags,
}

impl MeasureArguments {
    /// Measures everything that is missing, and prints all of it.
    pub fn measure(&self) -> anyhow::Result<ExitCode> {
        let site = self.campaign.start.site.site()?;
        if self.list_algorithms {
            say!("{}", forced_algorithms(&self.operations, self.plan.worlds(), &site)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        let asked = if self.operations.is_empty() {
            None
        } else {
            Some(self.plan.plan(&self.operations, &self.auto, self.windows.rules(), &site)?)
        };
        let reading = self.reading.reading(self.format)?;
        if let Some(plan) = &asked {
            self.format.check(&plan.methods)?;
            Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        }
        if let (Some(plan), true) = (&asked, self.print_launch) {
            say!("{}", launch_lines(plan, &site)?)?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(db) = &self.store {
            store::check(db)?;
        }
        notice_interrupts()?;
        let tell = |campaign: &Campaign| self.print_measurements(campaign, reading);
        let (campaign, code) = measure_missing(asked, self.campaign.keeping(), self.time_at_most, &site, tell)?;
        match campaign {
            Some(campaign) if code == ExitCode::SUCCESS => self.keep(&campaign),
            _ => Ok(code),
        }
    }

    /// Adds the finished campaign to the store, if --store is given.
    fn keep(&self, campaign: &Campaign) -> anyhow::Result<ExitCode> {
        let Some(db) = &self.store else { return Ok(ExitCode::SUCCESS) };
        let folder = campaign.folder().display();
        match store::add(db, campaign.lines()) {
            Ok(_) if self.campaign.results.quiet => {}
            Ok(what) => note!("{folder} {what}"),
            Err(error) => {
                note!("parallax: {error:#}");
                note!("The campaign is complete; add it with: parallax store add {folder} --db {}", db.display());
                return Ok(if error.is::<BadInput>() { ExitCode::from(2) } else { ExitCode::FAILURE });
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Prints the measurements by the settings of a reading, and writes the tables into the campaign's folder.
    fn print_measurements(&self, campaign: &Campaign, reading: Reading) -> anyhow::Result<()> {
        let (measured, told) = kept(campaign, reading)?;
        let form = self.format;
        let mut text = form.text(campaign.lines(), &measured, look(self.details))?;
        if form == OutputForm::Own(Format::Table) {
            text.push_str(&told.noise);
            text.push_str(&format!("\nReport: {}\nCampaign: {}\n", told.page.display(), campaign.folder().display()));
        }
        Ok(print(&text)?)
    }
}
