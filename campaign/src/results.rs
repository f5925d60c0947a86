//! Folders of results that are whole once their JSON is there.

use anyhow::Context;
use scenario::BadInput;
use scenario::files::write_whole;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// One file of a test's results, and what is in it.
pub type File = (String, String);

/// What a test found.
pub struct Findings {
    /// For people.
    pub table: String,
    /// In files of their own.
    pub files: Vec<File>,
    /// All of it.
    pub json: Value,
}

/// What a test found, in its folder.
pub struct Saved {
    /// The folder.
    pub folder: PathBuf,
    /// For people.
    pub table: String,
    /// All of it, as a line.
    pub json: String,
}

/// Carries out a test of this name, and writes what it found into a folder. Of a test that fails no empty folder is left.
///
/// # Errors
/// Those of the test; a folder that holds such results already, or cannot be written.
pub fn keep(out: Option<&Path>, name: &str, test: impl FnOnce() -> anyhow::Result<Findings>) -> anyhow::Result<Saved> {
    let folder = folder(out, name)?;
    let found = test();
    if found.is_err() {
        // Only if nothing is in it: what others keep there stays.
        let _ = std::fs::remove_dir(&folder);
    }
    found?.write(folder, name)
}

impl Findings {
    /// Writes what a test of this name found into a folder that is there.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn write(self, folder: PathBuf, name: &str) -> anyhow::Result<Saved> {
        let Findings { table, files, json } = self;
        let json = format!("{json}\n");
        write(&folder, &files, (&format!("{name}.json"), &json))?;
        Ok(Saved { folder, table, json })
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
        Some(folder) if folder.join(crate::campaign::FILE).exists() => {
            let message = "holds a campaign already; name another folder";
            return Err(BadInput(format!("--out: {} {message}", folder.display())));
        }
        Some(folder) => folder.to_owned(),
        None => return crate::next_free(name),
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
