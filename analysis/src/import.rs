//! Texts that other benchmarks printed, from files or standard input.

use reports::import::Imported;
use scenario::BadInput;
use scenario::files::{LONGEST_RECORD, read_at_most, read_whole};
use std::path::Path;

/// A file's name for messages, and its text; bytes that are no UTF-8 are replaced: no number has any.
///
/// # Errors
/// A file that cannot be read.
pub fn content(path: &Path) -> Result<(String, String), BadInput> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_at_most(std::io::stdin().lock(), LONGEST_RECORD))
    } else {
        (path.display().to_string(), read_whole(path, LONGEST_RECORD))
    };
    let bytes =
        bytes.map_err(|error| BadInput(format!("{name}: {error}; expected the text that a benchmark printed")))?;
    Ok((name, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Says what was not understood, on standard error.
pub fn tell_left_out(name: &str, imported: &Imported, text: &str) {
    if let [first, rest @ ..] = imported.left_out.as_slice() {
        let line: String = text.lines().nth(first - 1).unwrap_or_default().trim().chars().take(80).collect();
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        note!("parallax: {name} line {first}{more}: left out: {line}");
    }
}
