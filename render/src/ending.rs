//! Endings of file names, and files that are written whole or not at all.

use scenario::files::write_whole;
use std::io::{self, Write};
use std::path::Path;

/// Returns the form that a file's ending names, in either case. Each known ending comes with the content of such files
/// and its form.
///
/// # Errors
/// Fails on an unknown ending.
pub fn ending<T: Copy>(path: &Path, known: &[(&str, &str, T)]) -> Result<T, String> {
    let found = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let form = known.iter().find(|(ending, ..)| *ending == found);
    form.map(|(_, _, form)| *form).ok_or_else(|| {
        let known: Vec<String> = known.iter().map(|(ending, holds, _)| format!(".{ending} ({holds})")).collect();
        format!("{}: expected a name that ends in {}", path.display(), known.join(", "))
    })
}

/// Writes a file by filling it.
///
/// # Errors
/// Fails where the system does.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    write_whole(path, fill)
        .map_err(|error| format!("{}: {error}; choose a folder that exists and can be written to", path.display()))
}
