//! Schedules from files: mapped into memory, so that a long one is not held twice; text or binary by its first bytes.

use goal::Schedule;
use memmap2::{Mmap, UncheckedAdvice};
use scenario::BadInput;
use scenario::files::{LONGEST_RECORD, read_at_most};
use std::fs::File;
use std::io::IsTerminal;
use std::path::Path;

/// Bytes of a file that are let go at a time once they are read, so that a long file is not in memory beside its schedule.
const LET_GO: usize = 4 << 20;

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
        return parse(&name, &bytes, &mut |_| {});
    }
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_file() && metadata.len() > 0 {
        // SAFETY: the map is read only; should another process shorten the file meanwhile, this one is ended by a
        // signal, which is the price of not copying it.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        let mut let_go = 0;
        return parse(&name, &map, &mut |up_to| {
            if up_to >= let_go + LET_GO {
                // SAFETY: the map is of a file, is read only, and is read from the file again should anybody look there.
                // That memory was kept for nothing is no error.
                let _ = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, let_go, up_to - let_go) };
                let_go = up_to;
            }
        });
    }
    let bytes = read_at_most(file, LONGEST_RECORD).map_err(failed)?;
    parse(&name, &bytes, &mut |_| {})
}

fn parse(name: &str, bytes: &[u8], read_up_to: &mut dyn FnMut(usize)) -> Result<Schedule, BadInput> {
    goal::read(name, bytes, read_up_to).map_err(|error| BadInput(error.to_string()))
}
