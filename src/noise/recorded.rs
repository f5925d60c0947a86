//! `parallax noise show` and `predict`: what recorded detours amount to, and what they do to work.

use crate::flags::{Format, RowFormat, one_of};
use crate::output::{print, print_words};
use analysis::noise::Recorded;
use analysis::values;
use models::noise::read;
use std::process::ExitCode;

/// What was recorded, and what of it is looked at.
#[derive(clap::Args)]
struct RecordedFlags {
    /// Files of recorded detours, one for each rank, or a folder of them
    #[arg(required = true, value_name = "FILE|FOLDER")]
    files: Vec<String>,
    /// What the files are [default: what each says]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(read::Format::ALL, read::Format::name))]
    recorded: Option<read::Format>,
    /// Lower bounds of the classes of durations
    #[arg(long, value_name = "TIMES", default_value = "0,1us,10us,100us,1ms")]
    classes: String,
    /// Numbers of ranks: the first p of those that were recorded [default: 1, 2, 4, … and all]
    #[arg(long, value_name = "P,…", value_delimiter = ',', value_parser = values::ranks)]
    ranks: Vec<u32>,
}

#[derive(clap::Args)]
pub struct ShowArguments {
    #[command(flatten)]
    recorded: RecordedFlags,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: RowFormat,
}

#[derive(clap::Args)]
pub struct PredictArguments {
    #[command(flatten)]
    recorded: RecordedFlags,
    /// Grains of work; all ranks begin each together and wait for the last: 100us*1000, or 80us,40us,60us
    #[arg(long, value_name = "TIME[*TIMES],…")]
    grains: String,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

impl RecordedFlags {
    fn choice(&self) -> Recorded {
        Recorded {
            files: self.files.clone(),
            format: self.recorded,
            classes: self.classes.clone(),
            ranks: self.ranks.clone(),
        }
    }
}

impl ShowArguments {
    /// Reads what was recorded and says what it amounts to.
    pub fn show(&self) -> anyhow::Result<ExitCode> {
        let shown = self.recorded.choice().shown()?;
        match self.format {
            RowFormat::Table => print_words(&shown.text())?,
            RowFormat::Csv => print(&shown.csv())?,
            RowFormat::Json => say!("{}\n", shown.json())?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl PredictArguments {
    /// Reads what was recorded and says what it does to work.
    pub fn predict(&self) -> anyhow::Result<ExitCode> {
        let predicted = self.recorded.choice().predicted(&self.grains)?;
        match self.format {
            Format::Table => print_words(&predicted.text())?,
            Format::Json => say!("{}\n", predicted.json())?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
