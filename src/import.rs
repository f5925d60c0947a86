//! `parallax import`: the text that other benchmarks printed, as one table.

use crate::output::print;
use reports::import::{Imported, csv, read, table};
use scenario::BadInput;
use scenario::files::{LONGEST_RECORD, read_at_most, read_whole};
use serde_json::Value;
use std::path::{Path, PathBuf};
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

/// A file's name for messages, and its text; bytes that are no UTF-8 are replaced: no number has any.
pub fn content(path: &Path) -> Result<(String, String), BadInput> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_at_most(std::io::stdin().lock(), LONGEST_RECORD))
    } else {
        (path.display().to_string(), read_whole(path, LONGEST_RECORD))
    };
    let bytes =
        bytes.map_err(|error| BadInput(format!("{name}: {error}; expected the text that a benchmark printed")))?;
    Ok((name, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Says what was not understood, on standard error.
pub fn tell_left_out(name: &str, imported: &Imported, text: &str) {
    if let [first, rest @ ..] = imported.left_out.as_slice() {
        let line: String = text.lines().nth(first - 1).unwrap_or_default().trim().chars().take(80).collect();
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        note!("parallax: {name} line {first}{more}: left out: {line}");
    }
}
