//! `parallax noise import`: recordings of other tools, converted to our files.

use crate::flags::one_of;
use crate::output::print_words;
use analysis::noise::Imports;
use models::quantity::parse;
use models::time::Span;
use programs::detours::Baseline;
use programs::detours::import::ImportFormat;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax noise import`.
#[derive(clap::Args)]
pub struct ImportArguments {
    /// Files, one for each rank in this order; of osnoise, whose lines name their CPUs, in any order
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Format: selfish (Netgauge), fwq (cycles of each quantum; Netgauge's), ftq (times and counts, in one file or in two;
    /// Netgauge's), osnoise (lines of the kernel's tracer) [default: what the first file says]
    #[arg(long, value_parser = one_of(ImportFormat::ALL, ImportFormat::name))]
    format: Option<ImportFormat>,
    /// Rate of the clock where times are cycles, in Hz, like 2.4e9
    #[arg(long, value_name = "HZ")]
    hz: Option<f64>,
    /// fwq: what quanta are compared with: mode (the most frequent duration of all), rolling (of the last 4096), min (the
    /// shortest)
    #[arg(long, default_value = "mode", value_parser = one_of(Baseline::ALL, Baseline::name))]
    baseline: Baseline,
    /// fwq: a detour is longer than this [default: 500 ns, or a tenth of the quantum if that is longer]
    #[arg(long, value_name = "TIME", value_parser = parse::<Span>)]
    threshold: Option<Span>,
    /// Folder for the files, which must hold none yet
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
}

impl ImportArguments {
    /// Reads and writes the recordings, and prints a summary.
    pub fn import(&self) -> anyhow::Result<ExitCode> {
        let ImportArguments { files, format, hz, baseline, threshold, out } = self;
        let (format, hz, baseline, threshold) = (*format, *hz, *baseline, *threshold);
        let written = Imports { files, format, hz, baseline, threshold, out }.write()?;
        print_words(&format!("{written}\n"))?;
        note!("next: parallax noise show {}", out.display());
        Ok(ExitCode::SUCCESS)
    }
}
