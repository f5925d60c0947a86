//! `parallax noise show`, `fit` and `predict`: statistics of recorded detours, and their effect on work.

use crate::flags::{FormatFlags, one_of};
use analysis::noise::{CLASSES, FIRST, Recorded, of_density, write_page};
use analysis::values;
use models::noise::read;
use models::time::Span;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

/// What was recorded, and what of it is looked at.
#[derive(clap::Args)]
struct RecordedFlags {
    /// Files of recorded detours, one for each rank, or a folder of them
    #[arg(value_name = "FILE|FOLDER")]
    files: Vec<String>,
    /// What the files are [default: what each says]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(read::NoiseFormat::ALL, read::NoiseFormat::name))]
    recorded: Option<read::NoiseFormat>,
    /// Lower bounds of the classes of durations
    #[arg(long, value_name = "TIMES", default_value = CLASSES)]
    classes: String,
    /// Numbers of ranks: the first p of those that were recorded [default: 1, 2, 4, … and all]; predict also takes more,
    /// which are independent
    #[arg(long, value_name = "P,…", value_delimiter = ',', value_parser = values::ranks)]
    ranks: Vec<u32>,
    /// Where the part of the time begins that is looked at, from the begin of the recording
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = values::long_time)]
    from: Span,
    /// Where it ends [default: with the recording]
    #[arg(long, value_name = "TIME", value_parser = values::long_time)]
    to: Option<Span>,
    /// Which ranks come first: first (as numbered), noisiest, random or random:SEED
    #[arg(long, value_name = "ORDER", default_value = FIRST)]
    subset: String,
}

#[derive(clap::Args)]
pub struct ShowArguments {
    #[command(flatten)]
    recorded: RecordedFlags,
    /// Also write a page with pictures (detours over time, durations, spectrum) into this folder
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print what took the CPU alone, of a folder of `collect --attribute`
    #[arg(long)]
    causes: bool,
    #[command(flatten)]
    format: FormatFlags,
}

#[derive(clap::Args)]
pub struct FitArguments {
    #[command(flatten)]
    recorded: RecordedFlags,
    /// Lengths of grains of work
    #[arg(long, value_name = "TIME,…", value_delimiter = ',', default_value = "10us,100us,1ms", value_parser = models::quantity::parse::<Span>)]
    grain: Vec<Span>,
    #[command(flatten)]
    format: FormatFlags,
}

#[derive(clap::Args)]
pub struct PredictArguments {
    #[command(flatten)]
    recorded: RecordedFlags,
    /// Grains of work; all ranks begin each together and wait for the last: 100us*1000, or 80us,40us,60us
    #[arg(long, value_name = "TIME[*TIMES],…")]
    grains: String,
    /// In place of a recording: distribution of the delay of one rank in one grain, like half-normal:sigma=10us, all ranks
    /// independent (see: parallax help detours)
    #[arg(long, value_name = "LAW", conflicts_with = "files")]
    density: Option<String>,
    /// With --density: also draw the delays of all ranks so many times
    #[arg(long, value_name = "TIMES", requires = "density", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    draw: Option<u32>,
    /// Seed of the draws
    #[arg(long, default_value = "1")]
    seed: u64,
    #[command(flatten)]
    format: FormatFlags,
}

impl RecordedFlags {
    fn choice(&self) -> Recorded {
        Recorded {
            files: self.files.clone(),
            format: self.recorded,
            classes: self.classes.clone(),
            ranks: self.ranks.clone(),
            from: self.from,
            to: self.to,
            subset: self.subset.clone(),
        }
    }
}

impl ShowArguments {
    /// Reads a recording and prints its statistics.
    pub fn show(&self) -> anyhow::Result<ExitCode> {
        let shown = self.recorded.choice().shown()?;
        if let Some(folder) = &self.out {
            let page = write_page(&shown, folder)?;
            note!("written: {}", page.display());
        }
        let message =
            "--causes: expected what `parallax noise collect --attribute` records, files *.causes beside *.detours";
        if self.causes {
            self.format.print(shown.causes().ok_or(BadInput(message.to_owned()))?)?;
        } else {
            self.format.print(shown.results())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl FitArguments {
    /// Reads a recording and prints its delays of grains of work.
    pub fn fit(&self) -> anyhow::Result<ExitCode> {
        self.format.print(&self.recorded.choice().fitted(&self.grain)?)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl PredictArguments {
    /// Reads a recording and prints its effect on work.
    pub fn predict(&self) -> anyhow::Result<ExitCode> {
        let grains = &self.grains;
        if let Some(density) = &self.density {
            let drawn = self.draw.map(|times| (times, self.seed));
            self.format.print(&of_density(density, grains, &self.recorded.ranks, drawn)?)?;
        } else {
            self.format.print(&self.recorded.choice().predicted(grains)?)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
