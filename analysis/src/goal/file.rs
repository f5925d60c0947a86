//! Schedules from files: mapped into memory, so that a long one is not held twice; text or binary by its first bytes.

use goal::{Schedule, binary, text};
use memmap2::Mmap;
use scenario::BadInput;
use scenario::files::{LONGEST_RECORD, read_at_most};
use std::fs::File;
use std::io::IsTerminal;
use std::path::Path;

/// Returns the name of a file in messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads a schedule; `-` is standard input. A file may have any length; a pipe or a device is read up to
/// [`LONGEST_RECORD`].
///
/// # Errors
/// Returns [`BadInput`] with file and line.
pub fn read(path: &Path) -> Result<Schedule, BadInput> {
    let name = name(path);
    let failed = |error: std::io::Error| BadInput(format!("{name}: {error}; expected a GOAL schedule, text or binary"));
    if path == Path::new("-") {
        let input = std::io::stdin().lock();
        if input.is_terminal() {
            note!("parallax: reading a schedule from the terminal; end it with Ctrl-D");
        }
        let bytes = read_at_most(input, LONGEST_RECORD).map_err(failed)?;
        return parse(&name, &bytes);
    }
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_file() && metadata.len() > 0 {
        // SAFETY: the map is read only; should another process shorten the file meanwhile, this one is ended by a
        // signal, which is the price of not copying it.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        return parse(&name, &map);
    }
    let bytes = read_at_most(file, LONGEST_RECORD).map_err(failed)?;
    parse(&name, &bytes)
}

fn parse(name: &str, bytes: &[u8]) -> Result<Schedule, BadInput> {
    if binary::is_binary(bytes) { binary::read(name, bytes) } else { text::read(name, bytes) }
        .map_err(|error| BadInput(error.to_string()))
}
