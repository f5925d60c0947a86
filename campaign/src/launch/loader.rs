//! Dependencies of a file, as the loader of shared libraries lists them.

use super::run_within;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Time limit for the loader's answer.
const TO_LIST: Duration = Duration::from_secs(10);

/// Returns the loader's list for a program or a shared library, a line each: `NAME => FILE (ADDRESS)`, or `NAME => not
/// found`.
pub(crate) fn listed(file: &Path) -> Option<String> {
    let mut command = Command::new("ldd");
    command.arg(file);
    run_within(command, TO_LIST).ok().map(|done| done.stdout)
}

/// Returns the name and the place of each line that has both.
pub(crate) fn places(listed: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = listed.lines().filter_map(|line| line.trim().split_once(" => "));
    lines.map(|(name, place)| (name, place.split(" (").next().unwrap_or(place)))
}

/// Returns the folders below `prefix` in which the loader finds dependencies of a shared library, each once.
pub(super) fn folders_below(prefix: &Path, shared: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for (_, place) in places(&listed(shared).unwrap_or_default()) {
        let folder = Path::new(place).parent().filter(|folder| folder.starts_with(prefix)).map(Path::to_owned);
        if let Some(folder) = folder
            && !folders.contains(&folder)
        {
            folders.push(folder);
        }
    }
    folders
}
