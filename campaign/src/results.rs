//! Folders of results that are whole once their last file is there.

use anyhow::Context;
use scenario::BadInput;
use scenario::files::write_whole;
use std::path::Path;

/// One file of a test's results, and what is in it.
pub type File = (String, String);

/// Carries out a test whose results have this name, and writes what it found into a folder. Of a test that fails no empty folder is left.
///
/// # Errors
/// Those of the test; a folder that holds such results already, or cannot be written.
pub fn keep<T>(
    folder: &Path,
    name: &str,
    test: impl FnOnce() -> anyhow::Result<T>,
    files: impl FnOnce(&T) -> anyhow::Result<Vec<File>>,
) -> anyhow::Result<T> {
    begin(folder, name)?;
    let found = test();
    if found.is_err() {
        // Only if nothing is in it: what others keep there stays.
        let _ = std::fs::remove_dir(folder);
    }
    let found = found?;
    write(folder, &files(&found)?)?;
    Ok(found)
}

/// Makes the folder of results of this name. To be made before anything is measured in vain.
fn begin(folder: &Path, name: &str) -> Result<(), BadInput> {
    if folder.join(format!("{name}.json")).exists() {
        let message = format!("holds results of this test already ({name}.json); name another folder");
        return Err(BadInput(format!("--out: {} {message}", folder.display())));
    }
    if folder.join(crate::campaign::FILE).exists() {
        let message = "holds a campaign already; name another folder";
        return Err(BadInput(format!("--out: {} {message}", folder.display())));
    }
    std::fs::create_dir_all(folder).map_err(|error| {
        BadInput(format!("cannot make the folder {}: {error}; name another with --out", folder.display()))
    })
}

/// Writes all files, each whole; the last one says that the results are complete.
///
/// # Errors
/// What cannot be written.
pub fn write(folder: &Path, files: &[File]) -> anyhow::Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        write_whole(&path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
