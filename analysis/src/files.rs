//! Files that flags and scenarios name.

use reports::plots::Paper;
use reports::sweep::Drawn;
use scenario::BadInput;
use scenario::files::{LONGEST_RECORD, read_whole};
use std::path::Path;

/// Writes what is drawn as the file's name asks, and says which files there are now.
///
/// # Errors
/// As [`Drawn::write`].
pub fn write_drawn(drawn: &Drawn, file: &Path, paper: &Paper) -> Result<(), BadInput> {
    let files = drawn.write(file, paper).map_err(BadInput)?;
    files.iter().for_each(|file| note!("written: {}", file.display()));
    Ok(())
}

/// The text of a file that a flag names.
pub fn read_text(path: &str) -> Result<String, String> {
    scenario::files::read_description(Path::new(path)).map_err(|error| format!("{path}: {error}"))
}

/// The files that a `trace:` source names: a file, or all files of a folder in the order of their names.
pub(crate) fn open_traces(path: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    let open = |path: &Path| {
        let name = path.display().to_string();
        let content = read_whole(path, LONGEST_RECORD);
        content.map(|content| (name.clone(), content)).map_err(|error| format!("{name}: {error}"))
    };
    let named = Path::new(path);
    if !named.is_dir() {
        return Ok(vec![open(named)?]);
    }
    let entries = std::fs::read_dir(named).map_err(|error| format!("{path}: {error}"))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    // Numbers in names count as numbers: rank 10 comes after rank 9.
    files.sort_by_cached_key(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let digits: String = name.chars().filter(char::is_ascii_digit).collect();
        (digits.parse::<u64>().unwrap_or(u64::MAX), name)
    });
    if files.is_empty() {
        return Err(format!("{path}: expected files with recorded detours, found none"));
    }
    files.iter().map(|path| open(path)).collect()
}
