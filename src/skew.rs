//! `parallax skew`: how far apart ranks leave each barrier algorithm, without and with noise.

use crate::flags::{ModelFlags, NoiseFlags};
use crate::simulate::Format;
use analysis::skew::Barriers;
use analysis::values;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax skew` is told.
#[derive(clap::Args)]
pub struct SkewArguments {
    /// Barrier algorithms, or all of them
    #[arg(long, value_delimiter = ',', default_value = "all", value_name = "NAME,…|all")]
    algorithms: Vec<String>,
    /// Number of ranks, like 1024 or 2^20
    #[arg(long, value_parser = values::ranks)]
    ranks: u32,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    noise: NoiseFlags,
    /// Independent realisations of the noise [default: 256]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    realisations: Option<u32>,
    /// Barriers back to back; the exits of the last one count
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repeat: u32,
    /// When ranks enter: 0,5us,… (one for each rank), a file with one time per line, or random:10us
    #[arg(long, value_name = "TIMES|FILE|random:SPAN")]
    entry: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Where to: .svg (picture) or .html (page with picture and table)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl SkewArguments {
    /// Simulates, prints and draws.
    pub fn skew(&self) -> anyhow::Result<ExitCode> {
        if let Some(file) = &self.output {
            reports::skew::check(file).map_err(|error| BadInput(error.to_string()))?;
        }
        let barriers = Barriers {
            algorithms: self.algorithms.clone(),
            ranks: self.ranks,
            model: self.model.choice(),
            noise: self.noise.choice(),
            realisations: self.realisations,
            repeat: self.repeat,
            entry: self.entry.clone(),
        };
        let (skew, json) = barriers.exits()?;
        match self.format {
            Format::Table => print!("{}", reports::skew::text_table(&skew)),
            Format::Json => println!("{json}"),
        }
        if let Some(file) = &self.output {
            reports::skew::write(file, &skew).map_err(|error| BadInput(error.to_string()))?;
            note!("written: {}", file.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}
