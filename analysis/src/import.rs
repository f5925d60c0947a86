//! Texts that other benchmarks printed, from files or standard input.

use crate::printed::Only;
use formats::import::{self, ImportError, Imported, LeftOut};
use programs::observation::Barrier;
use published::Published;
use render::groups::{grouped, stretches};
use scenario::BadInput;
use scenario::files::{LONGEST_RECORD, read_at_most, read_whole};
use std::path::Path;

/// Returns a file's name for messages, and its text, which Windows may have written as UTF-16. Bytes that are neither
/// that nor UTF-8 are replaced, as numbers have none of them.
///
/// # Errors
/// Fails on a file that cannot be read.
pub fn content(path: &Path) -> Result<(String, String), BadInput> {
    if path.is_dir() {
        let expected = "expected the file of a text that a benchmark printed, `parallax import FOLDER/*.txt`";
        return Err(BadInput(format!("{} is a folder; {expected}", path.display())));
    }
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_at_most(std::io::stdin().lock(), LONGEST_RECORD))
    } else {
        (path.display().to_string(), read_whole(path, LONGEST_RECORD))
    };
    let bytes =
        bytes.map_err(|error| BadInput(format!("{name}: {error}; expected the text that a benchmark printed")))?;
    Ok((name, decoded(&bytes)))
}

/// Decodes bytes: as UTF-16 where they begin with its mark, else as UTF-8.
fn decoded(bytes: &[u8]) -> String {
    let read: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return String::from_utf8_lossy(bytes).into_owned(),
    };
    let (pairs, _) = bytes[2..].as_chunks::<2>();
    String::from_utf16_lossy(&pairs.iter().map(|pair| read(*pair)).collect::<Vec<u16>>())
}

/// Content of a benchmark's text, or of a published run, which may be a folder or an archive.
pub struct Text {
    /// Name of the file in messages.
    pub name: String,
    /// Text of the file; empty for a published run.
    pub text: String,
    /// Runs that were read; at least one.
    pub runs: Vec<Imported>,
}

/// The user's statements on published runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// The barrier between the calls; `None` where it is not known.
    pub barrier: Option<Barrier>,
    /// Selection of the rows that are read.
    pub only: Only,
}

/// Reads a text of any tool, or a published run with the user's statements on it.
///
/// # Errors
/// Fails on a file that cannot be read or understood, on a selection that matches no row, and on statements about a
/// text that is no published run.
pub fn read(path: &Path, said: &Said) -> Result<Text, BadInput> {
    let wrong = |error: ImportError| BadInput(error.to_string());
    let (name, text) = named(path)?;
    let runs = if let Some(mut published) = published_in(path, &name, &text)? {
        if let Some(barrier) = said.barrier {
            published.give_barrier(barrier);
        }
        published.rows = said.only.select_rows(published.rows, &name)?;
        vec![import::published(published)]
    } else if *said != Said::default() {
        let expected = "--barrier and --only are for what PICO published, expected one of its files";
        return Err(BadInput(format!("{name}: {expected}")));
    } else {
        import::read(&name, &text).map_err(wrong)?
    };
    Ok(Text { name, text, runs })
}

/// Reads a published run.
///
/// # Errors
/// Fails on a file that cannot be read or understood, and on one that PICO does not publish.
pub(crate) fn published(path: &Path) -> Result<Published, BadInput> {
    let (name, text) = named(path)?;
    published_in(path, &name, &text)?.ok_or_else(|| {
        let expected =
            "a run's folder or .tar.gz, a raw file, or a summary with the heads algorithm, elements and median_ns";
        BadInput(format!("{name}: expected what PICO published ({expected})"))
    })
}

/// Returns a file's name for messages, and its text, which is empty for a published run.
fn named(path: &Path) -> Result<(String, String), BadInput> {
    match published::is_run(path) {
        true => Ok((path.display().to_string(), String::new())),
        false => content(path),
    }
}

/// Reads a published run, or returns `None` for any other text.
fn published_in(path: &Path, name: &str, text: &str) -> Result<Option<Published>, BadInput> {
    if !published::is_run(path) && !published::is_published(text) {
        return Ok(None);
    }
    let read = if path == Path::new("-") { published::read_text(name, text) } else { published::read(path) };
    read.map(Some).map_err(|error| BadInput(error.to_string()))
}

/// Prints on standard error the lines that were left out of a text's runs and the notes on them, each reason once, with
/// its line numbers.
pub fn tell_left_out(name: &str, runs: &[Imported], text: &str) {
    let all = runs.iter().flat_map(|run| &run.left_out).map(|LeftOut { line, why }| (why.as_str(), *line));
    let mut told = grouped(all);
    // Lines that are not the tool's come first.
    told.sort_by_key(|(why, _)| !why.is_empty());
    for (why, lines) in told {
        let (what, more) = match why {
            "" => (shown(text, lines[0]), if lines.len() > 1 { " …" } else { "" }),
            why => (why.to_owned(), ""),
        };
        note!("parallax: {name} {}: left out: {what}{more}", numbered(&lines));
    }
    runs.iter().flat_map(|run| &run.notes).for_each(|sentence| note!("parallax: {name}: {sentence}"));
}

/// Returns the beginning of a line of a text; lines count from 1.
fn shown(text: &str, line: usize) -> String {
    text.lines().nth(line - 1).unwrap_or_default().trim().chars().take(80).collect()
}

/// Largest number of stretches of lines that are named.
const STRETCHES: usize = 12;

/// Names lines by their numbers, which are in order: `line 3`, `lines 1, 2, 7-9`. Lines beyond the last named stretch
/// are counted.
fn numbered(lines: &[usize]) -> String {
    let stretches = stretches(lines.iter().copied());
    let named = stretches.iter().take(STRETCHES).map(|&(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}-{last}"),
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let left: usize = stretches.iter().skip(STRETCHES).map(|(first, last)| last - first + 1).sum();
    let left = if left > 0 { format!(" and {left} more") } else { String::new() };
    format!("line{} {named}{left}", if lines.len() > 1 { "s" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_windows_are_read() {
        let units = || "\u{feff}# Size µs\r\n".encode_utf16();
        let (little, big) = (units().flat_map(u16::to_le_bytes), units().flat_map(u16::to_be_bytes));
        for bytes in [little.collect::<Vec<u8>>(), big.collect()] {
            assert_eq!(decoded(&bytes), "# Size µs\r\n");
        }
        assert_eq!(decoded("# Size µs".as_bytes()), "# Size µs");
    }

    #[test]
    fn lines_are_named_by_stretches() {
        assert_eq!(numbered(&[3]), "line 3");
        assert_eq!(numbered(&[1, 2, 7, 8, 9, 20]), "lines 1, 2, 7-9, 20");
        let many: Vec<usize> = (0..30).map(|index| 1 + 2 * index).collect();
        assert_eq!(numbered(&many), "lines 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 18 more");
    }
}
