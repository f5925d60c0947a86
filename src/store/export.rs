//! `parallax store export`: a run as a file for other programs.

use super::StoreFlag;
use analysis::store::database_error;
use anyhow::Context;
use clap::{Args, ValueEnum};
use formats::export;
use scenario::files::write_whole;
use scenario::{BadInput, Output};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use study::database::{Database, DatabaseError, csv, observations};

/// The arguments of `parallax store export`.
#[derive(Args)]
pub struct ExportArguments {
    /// Number of the run, or its name if that is unique
    run: String,
    /// Output format
    #[arg(long, value_enum)]
    format: ExportFormat,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    store: StoreFlag,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One line per sample, units in the column heads
    Csv,
    /// The same table as a Parquet file
    Parquet,
    /// Lines of the campaign file
    Json,
    /// MPIPerf's fourteen columns
    Mpiperf,
    /// OSU's table
    Osu,
    /// IMB's table
    Imb,
}

impl ExportArguments {
    /// Writes the whole file, or nothing.
    pub fn export(&self) -> anyhow::Result<()> {
        if self.format == ExportFormat::Parquet {
            self.check_parquet()?;
        }
        let database = self.store.open()?;
        let run = database.find(&self.run).map_err(database_error)?.id;
        match &self.out {
            Some(path) => {
                let write = |file: &mut dyn Write| self.format.write(&database, run, file).map_err(io::Error::other);
                write_whole(path, write).with_context(|| format!("cannot write {}", path.display()))
            }
            None => {
                let mut out = BufWriter::new(Output);
                self.format.write(&database, run, &mut out).map_err(database_error)?;
                Ok(out.flush()?)
            }
        }
    }

    fn check_parquet(&self) -> Result<(), BadInput> {
        if cfg!(not(feature = "parquet")) {
            let cure = "build one with: cargo build --release --features parquet; or take --format csv";
            return Err(BadInput(format!("--format: this parallax was built without Parquet; {cure}")));
        }
        if self.out.is_none() && io::stdout().is_terminal() {
            return Err(BadInput("--format: Parquet cannot be printed on a terminal; expected --out FILE".to_owned()));
        }
        Ok(())
    }
}

impl ExportFormat {
    fn write(self, database: &Database, run: i64, out: &mut dyn Write) -> Result<(), DatabaseError> {
        let form = match self {
            ExportFormat::Csv => return csv(database, run, out),
            ExportFormat::Parquet => return parquet(database, run, out),
            ExportFormat::Json => return database.texts(run)?.iter().try_for_each(|line| Ok(writeln!(out, "{line}")?)),
            ExportFormat::Mpiperf => export::Format::Mpiperf,
            ExportFormat::Osu => export::Format::Osu,
            ExportFormat::Imb => export::Format::Imb,
        };
        Ok(export::write(form, &observations(database.lines(run)?), export::MpiperfStatistics::default(), out)?)
    }
}

#[cfg(feature = "parquet")]
fn parquet(database: &Database, run: i64, out: &mut dyn Write) -> Result<(), DatabaseError> {
    let mut file = Vec::new();
    study::database::parquet(database, run, &mut file)?;
    Ok(out.write_all(&file)?)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Database, _: i64, _: &mut dyn Write) -> Result<(), DatabaseError> {
    Err(io::Error::other("built without Parquet").into())
}
