//! What the loader of shared libraries says of a file.

use super::run_within;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The loader answers within this time.
const TO_LIST: Duration = Duration::from_secs(10);

/// What it lists for a program or a shared library, a line each: `NAME => FILE (ADDRESS)`, or `NAME => not found`.
pub(crate) fn listed(file: &Path) -> Option<String> {
    let mut command = Command::new("ldd");
    command.arg(file);
    run_within(command, TO_LIST).ok().map(|done| done.stdout)
}

/// The name and the place of each line that has both.
pub(crate) fn places(listed: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = listed.lines().filter_map(|line| line.trim().split_once(" => "));
    lines.map(|(name, place)| (name, place.split(" (").next().unwrap_or(place)))
}

/// Folders below `prefix` in which it finds what a shared library needs, each once.
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
