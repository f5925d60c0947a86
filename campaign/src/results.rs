//! Folders of results, which are complete once their last file exists.

use anyhow::Context;
use scenario::BadInput;
use scenario::files::write_whole;
use std::path::Path;

/// Name of a file of a test's results, and its text.
pub type File = (String, String);

/// Carries out a test whose results have this name, and writes its findings into a folder. A test that fails leaves no
/// empty folder.
///
/// # Errors
/// Fails with the errors of the test, for a folder that holds such results already, and for one that cannot be written.
pub fn keep<T>(
    folder: &Path,
    name: &str,
    test: impl FnOnce() -> anyhow::Result<T>,
    files: impl FnOnce(&T) -> anyhow::Result<Vec<File>>,
) -> anyhow::Result<T> {
    begin(folder, name)?;
    let found = test();
    if found.is_err() {
        // The folder is removed only if it is empty: other files in it stay.
        let _ = std::fs::remove_dir(folder);
    }
    let found = found?;
    write(folder, &files(&found)?)?;
    Ok(found)
}

/// Creates the folder of results of this name, before a measurement that could not be stored.
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

/// Writes all files, each atomically. The last one marks the results as complete.
///
/// # Errors
/// Fails if a file cannot be written.
pub fn write(folder: &Path, files: &[File]) -> anyhow::Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        write_whole(&path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
