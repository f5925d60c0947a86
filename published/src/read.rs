//! Reading of a path by its content: text, archive or folder.

use crate::run::RunFiles;
use crate::{Published, PublishedError, raw, summary};
use flate2::read::MultiGzDecoder;
use scenario::files::{LONGEST_DESCRIPTION, LONGEST_RECORD, read_at_most, read_whole};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// Largest length of an unpacked archive, in bytes: no run has more.
const LONGEST_ARCHIVE: u64 = 1 << 35;
/// First bytes of files compressed by gzip (RFC 1952).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Returns whether a text is of one of these forms.
pub fn is_published(text: &str) -> bool {
    summary::is_summary(text) || raw::is_raw(text)
}

/// Returns whether a path is a folder or an archive of a run, which is no text.
pub fn is_run(path: &Path) -> bool {
    let mut first = [0; 2];
    if path.is_dir() {
        is_run_folder(path)
    } else {
        File::open(path).is_ok_and(|mut file| file.read_exact(&mut first).is_ok() && first == GZIP)
    }
}

/// Returns whether a folder has folders of tests, whose names are numbers.
fn is_run_folder(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| test_of(&entry.path()).is_some() && entry.path().is_dir())
}

fn test_of(folder: &Path) -> Option<u32> {
    folder.file_name()?.to_str()?.parse().ok()
}

/// Reads what a run published: a summary, a raw file (with the facts of its run's folder, if it is in one), the run's
/// folder, or its `.tar.gz`, which is not unpacked. The framework's `SYSTEM_metadata.csv` is read where it lies beside
/// the system's folder.
///
/// # Errors
///
/// Names the place of the mistake, and says what is expected there and what to do.
pub fn read(path: &Path) -> Result<Published, PublishedError> {
    if path.is_dir() {
        return folder(path, None);
    }
    if is_run(path) {
        return archive(path);
    }
    let parent = path.parent().and_then(|test| Some((test_of(test)?, test.parent()?)));
    let is_raw = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| raw::named(name).is_some());
    if let Some((_, run)) = parent.filter(|_| is_raw) {
        return folder(run, Some(path));
    }
    let name = path.display().to_string();
    let bytes = read_whole(path, LONGEST_RECORD).map_err(|error| unread(path, &error))?;
    read_text(&name, &String::from_utf8_lossy(&bytes))
}

/// Reads the text of a summary or of a raw file. `file` is its name in errors, and says what is in a raw file.
///
/// # Errors
///
/// Fails where [`read`] fails.
pub fn read_text(file: &str, text: &str) -> Result<Published, PublishedError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if summary::is_summary(text) {
        return summary::read(file, text);
    }
    let row = raw::read(file, text)?;
    if row.calls.count == 0 {
        let line = text.lines().count().max(1);
        let message = "expected a call in each line, found none: the test ended before its first call; run it again";
        return Err(PublishedError::new(file, line, message));
    }
    let alone = "a raw file says neither what was called nor on how many ranks; read it where its run's folder has it, or the run's .tar.gz";
    Published { rows: vec![row], warnings: vec![alone.to_owned()], ..Published::default() }.finished()
}

fn unread(path: &Path, error: &io::Error) -> PublishedError {
    PublishedError::new(&path.display().to_string(), 1, format!("cannot be read: {error}; check the path"))
}

/// Reads a run's folder, or one raw file of it.
fn folder(folder: &Path, only: Option<&Path>) -> Result<Published, PublishedError> {
    let absolute = folder.canonicalize().map_err(|error| unread(folder, &error))?;
    let mut run = new_run(folder, &absolute);
    let files = |folder: &Path| -> Result<Vec<PathBuf>, PublishedError> {
        let entries = std::fs::read_dir(folder).map_err(|error| unread(folder, &error))?;
        Ok(entries.flatten().map(|entry| entry.path()).collect())
    };
    let mut paths = Vec::new();
    for path in files(folder)? {
        match path.is_dir() {
            true if test_of(&path).is_some() && only.is_none() => paths.extend(files(&path)?),
            true => {}
            false => paths.push(path),
        }
    }
    paths.extend(only.map(|only| folder.join(only.strip_prefix(folder).unwrap_or(only))));
    for path in paths {
        let inside = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        if run.wants(&inside) {
            let bytes = read_whole(&path, LONGEST_DESCRIPTION).map_err(|error| unread(&path, &error))?;
            run.take(&inside, &String::from_utf8_lossy(&bytes))?;
        }
    }
    beside(&mut run, &absolute)?;
    run.finished()
}

fn new_run(named: &Path, absolute: &Path) -> RunFiles {
    let name = absolute.file_name().unwrap_or_default().to_string_lossy();
    RunFiles::new(&named.display().to_string(), name.split('.').next().unwrap_or_default())
}

/// Reads the framework's table of all runs of a system, which lies beside the system's folder.
fn beside(run: &mut RunFiles, absolute: &Path) -> Result<(), PublishedError> {
    let Some(system) = absolute.parent() else { return Ok(()) };
    let name = system.file_name().unwrap_or_default().to_string_lossy();
    let path = system.with_file_name(format!("{name}_metadata.csv"));
    if path.is_file() {
        let bytes = read_whole(&path, LONGEST_DESCRIPTION).map_err(|error| unread(&path, &error))?;
        run.take_metadata(&path.display().to_string(), &String::from_utf8_lossy(&bytes), &name)?;
    }
    Ok(())
}

/// Reads a run's archive from its beginning to its end, so that its checksum is checked.
fn archive(path: &Path) -> Result<Published, PublishedError> {
    let broken = |error: &io::Error| {
        let message = format!("expected a whole archive of a run, .tar.gz: {error}; get it again");
        PublishedError::new(&path.display().to_string(), 1, message)
    };
    let file = File::open(path).map_err(|error| unread(path, &error))?;
    let absolute = path.canonicalize().map_err(|error| unread(path, &error))?;
    let mut run = new_run(path, &absolute);
    let mut unpacked = MultiGzDecoder::new(BufReader::new(file)).take(LONGEST_ARCHIVE);
    let mut archive = tar::Archive::new(&mut unpacked);
    for entry in archive.entries().map_err(|error| broken(&error))? {
        let entry = entry.map_err(|error| broken(&error))?;
        let inside = entry.path().map_err(|error| broken(&error))?.display().to_string();
        let inside = inside.trim_start_matches("./");
        // The first folder is the run's own.
        let inside = inside.split_once('/').map_or(inside, |(_, below)| below).to_owned();
        if entry.header().entry_type().is_file() && run.wants(&inside) {
            run.written(entry.header().mtime().map_err(|error| broken(&error))?);
            let bytes = read_at_most(entry, LONGEST_DESCRIPTION).map_err(|error| broken(&error))?;
            run.take(&inside, &String::from_utf8_lossy(&bytes))?;
        }
    }
    io::copy(&mut unpacked, &mut io::sink()).map_err(|error| broken(&error))?;
    beside(&mut run, &absolute)?;
    run.finished()
}
