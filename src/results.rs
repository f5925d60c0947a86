//! Folders of results that are whole once their JSON is there.

use crate::output::print;
use anyhow::Context;
use scenario::BadInput;
use scenario::files::write_whole;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One file of a test's results, and what is in it.
pub type File = (String, String);

/// Where the results of a test go, and how they are printed.
#[derive(Default, clap::Args)]
pub struct OutputFlags {
    /// Folder for the results [default: results/TEST-001, -002, …]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print one JSON object, with all that was measured, instead of a table
    #[arg(long)]
    json: bool,
    /// Print nothing but the answer
    #[arg(long, short)]
    quiet: bool,
}

/// What a test found.
pub struct Told {
    /// For people.
    pub table: String,
    /// In files of their own.
    pub files: Vec<File>,
    /// All of it.
    pub json: Value,
}

impl OutputFlags {
    /// Carries out a test of this name, writes what it found into a folder and prints it. Of a test that fails no empty folder
    /// is left.
    pub fn carry_out(&self, name: &str, test: impl FnOnce() -> anyhow::Result<Told>) -> anyhow::Result<ExitCode> {
        let folder = folder(self.out.as_deref(), name)?;
        let found = test();
        if found.is_err() {
            // Only if nothing is in it: what others keep there stays.
            let _ = std::fs::remove_dir(&folder);
        }
        let Told { table, files, json } = found?;
        let json = format!("{json}\n");
        write(&folder, &files, (&format!("{name}.json"), &json))?;
        print(if self.json { &json } else { &table })?;
        if !self.quiet {
            note!("written: {}", folder.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The folder that results of this name go to: the one that the user named, or the next free one. To be made before anything is
/// measured in vain.
fn folder(out: Option<&Path>, name: &str) -> Result<PathBuf, BadInput> {
    let folder = match out {
        Some(folder) if folder.join(format!("{name}.json")).exists() => {
            let message = format!("holds results of this test already ({name}.json); name another folder");
            return Err(BadInput(format!("--out: {} {message}", folder.display())));
        }
        Some(folder) => folder.to_owned(),
        None => return campaign::next_free(name),
    };
    std::fs::create_dir_all(&folder).map_err(|error| {
        BadInput(format!("cannot make the folder {}: {error}; name another with --out", folder.display()))
    })?;
    Ok(folder)
}

/// Writes all files, each whole; the last one says that the results are complete.
fn write(folder: &Path, files: &[File], last: (&str, &str)) -> anyhow::Result<()> {
    let files = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    for (name, text) in files.chain([last]) {
        let path = folder.join(name);
        write_whole(&path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
