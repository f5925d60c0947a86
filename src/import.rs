//! `parallax import`: the text that other benchmarks printed, as one table.

use crate::output::print;
use analysis::import::{content, tell_left_out};
use reports::import::{csv, read, table};
use scenario::BadInput;
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax import` is told.
#[derive(clap::Args)]
pub struct ImportArguments {
    /// Texts of OSU, IMB, MPIPerf, ReproMPI or SKaMPI, in any order; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON array, with the tools' own facts and single samples where they are given
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV: a line for each row, units in the heads
    #[arg(long)]
    csv: bool,
}

impl ImportArguments {
    /// Prints what was understood; all files, or none.
    pub fn import(&self) -> anyhow::Result<ExitCode> {
        let mut texts = Vec::new();
        for path in &self.files {
            let (name, text) = content(path)?;
            let imported = read(&name, &text).map_err(|error| BadInput(error.to_string()))?;
            tell_left_out(&name, &imported, &text);
            texts.push((name, imported));
        }
        if self.json {
            let all = texts.iter().map(|(file, imported)| {
                let mut text = serde_json::to_value(imported)?;
                text["file"] = file.as_str().into();
                Ok(text)
            });
            print(&format!("{:#}\n", Value::from(all.collect::<serde_json::Result<Vec<Value>>>()?)))?;
        } else if self.csv {
            print(&csv(&texts))?;
        } else {
            print(&table(&texts))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
