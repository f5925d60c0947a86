//! Folders of results that are whole once their JSON is there.

use crate::bad_input::BadInput;
use anyhow::Context;
use reports::files::write_whole;
use std::path::{Path, PathBuf};

/// One file of a test's results, and what is in it.
pub type File = (String, String);

/// The folder that results of this name go to: the one that the user named, or the next free one. To be made before anything is
/// measured in vain.
pub fn folder(out: Option<&Path>, name: &str) -> Result<PathBuf, BadInput> {
    let folder = match out {
        Some(folder) if folder.join(format!("{name}.json")).exists() => {
            let message = format!("holds results of this test already ({name}.json); name another folder");
            return Err(BadInput(format!("--out: {} {message}", folder.display())));
        }
        Some(folder) => folder.to_owned(),
        None => return crate::run::next_free(name),
    };
    std::fs::create_dir_all(&folder).map_err(|error| {
        BadInput(format!("cannot make the folder {}: {error}; name another with --out", folder.display()))
    })?;
    Ok(folder)
}

/// Writes all files, each whole; the last one says that the results are complete.
pub fn write(folder: &Path, files: &[File], last: (&str, &str)) -> anyhow::Result<()> {
    let files = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    for (name, text) in files.chain([last]) {
        let path = folder.join(name);
        write_whole(&path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
