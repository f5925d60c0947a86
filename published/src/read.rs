//! What a path holds, by what is in it.

use crate::{Published, PublishedError, summary};
use scenario::files::{LONGEST_RECORD, read_whole};
use std::path::Path;

/// Reads a file of a published form.
///
/// # Errors
/// The place of what is wrong, what is expected there and what to do.
pub fn read(path: &Path) -> Result<Published, PublishedError> {
    let name = path.display().to_string();
    let whole = |message: String| PublishedError::new(&name, 1, message);
    let bytes =
        read_whole(path, LONGEST_RECORD).map_err(|error| whole(format!("cannot be read: {error}; check the path")))?;
    read_text(&name, &String::from_utf8_lossy(&bytes))
}

/// Reads a text of a published form; `file` is what errors call it.
///
/// # Errors
/// As [`read`].
pub fn read_text(file: &str, text: &str) -> Result<Published, PublishedError> {
    if summary::is_summary(text) {
        return summary::read(file, text);
    }
    Err(PublishedError::new(file, 1, "expected a summary with algorithm, elements and median_ns, found other columns"))
}
