//! Texts that other benchmarks printed, from files or standard input.

use crate::printed::Only;
use models::observation::Barrier;
use published::Published;
use reports::import::{self, ImportError, Imported};
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

/// What a text says, or a published run, which may be a folder or an archive.
pub struct Text {
    /// The file's name for messages.
    pub name: String,
    /// The text; empty for a run.
    pub text: String,
    /// What was understood.
    pub imported: Imported,
}

/// What users say of published runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// The barrier between the calls, where they know it.
    pub barrier: Option<Barrier>,
    /// Which rows they want.
    pub only: Only,
}

/// Reads a text of any tool, or a published run of which users say something.
///
/// # Errors
/// A file that cannot be read or understood; no row is one of those that are wanted; something is said of a text that is no
/// published run.
pub fn read(path: &Path, said: &Said) -> Result<Text, BadInput> {
    let wrong = |error: ImportError| BadInput(error.to_string());
    let (name, text) = named(path)?;
    let imported = if let Some(mut published) = published_in(path, &name, &text)? {
        if let Some(barrier) = said.barrier {
            published.give_barrier(barrier);
        }
        published.rows = said.only.of(published.rows, &name)?;
        import::published(published)
    } else if *said != Said::default() {
        let expected = "--barrier and --only are for what PICO published, expected one of its files";
        return Err(BadInput(format!("{name}: {expected}")));
    } else {
        import::read(&name, &text).map_err(wrong)?
    };
    Ok(Text { name, text, imported })
}

/// What was published.
///
/// # Errors
/// A file that cannot be read or understood, or that is none of those that PICO publishes.
pub(crate) fn published(path: &Path) -> Result<Published, BadInput> {
    let (name, text) = named(path)?;
    published_in(path, &name, &text)?.ok_or_else(|| {
        let expected =
            "a run's folder or .tar.gz, a raw file, or a summary with the heads algorithm, elements and median_ns";
        BadInput(format!("{name}: expected what PICO published ({expected})"))
    })
}

/// A file's name for messages, and its text; of a run none.
fn named(path: &Path) -> Result<(String, String), BadInput> {
    match published::is_run(path) {
        true => Ok((path.display().to_string(), String::new())),
        false => content(path),
    }
}

/// What was published, if it is that.
fn published_in(path: &Path, name: &str, text: &str) -> Result<Option<Published>, BadInput> {
    if !published::is_run(path) && !published::is_published(text) {
        return Ok(None);
    }
    let read = if path == Path::new("-") { published::read_text(name, text) } else { published::read(path) };
    read.map(Some).map_err(|error| BadInput(error.to_string()))
}

/// Says what was not understood and what readers must know, on standard error.
pub fn tell_left_out(name: &str, imported: &Imported, text: &str) {
    if let [first, rest @ ..] = imported.left_out.as_slice() {
        let line: String = text.lines().nth(first - 1).unwrap_or_default().trim().chars().take(80).collect();
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        note!("parallax: {name} line {first}{more}: left out: {line}");
    }
    imported.notes.iter().for_each(|sentence| note!("parallax: {name}: {sentence}"));
}
