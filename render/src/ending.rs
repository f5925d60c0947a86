//! What the ending of a file's name says, and files that are whole or not there.

use scenario::files::write_whole;
use std::io::{self, Write};
use std::path::Path;

/// The form that a file's ending names, in capitals or not: of these, each with what the file then holds.
///
/// # Errors
/// An ending that names none.
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
/// What the system says.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    write_whole(path, fill)
        .map_err(|error| format!("{}: {error}; choose a folder that exists and can be written to", path.display()))
}
