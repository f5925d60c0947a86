//! A file of a sweep's results: created, appended to, resumed.

use super::row::{Form, SweepRow};
use scenario::files::write_whole;
use scenario::store::StoreError;
use scenario::sweep::Sweep;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Content of the file beside a file of rows: only the same sweep resumes these rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Question that the sweep answers.
    pub question: String,
    /// Version of Parallax that wrote the rows.
    pub version: String,
    /// Engine that the user chose.
    pub engine: String,
    /// Number of rows that the finished file has.
    pub points: u64,
    /// Text of the sweep's file, whole.
    pub text: String,
    /// Path of the sweep's file; empty for a sweep by flags.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Whether the sweep was simulated in its small form.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub small: bool,
}

/// Number of rows that a file held when it was resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Number of whole rows.
    pub rows: u64,
    /// Number of rows that hold an error.
    pub failed: u64,
}

/// Writer that appends rows to a file; a file has one writer at a time.
#[derive(Debug)]
pub struct SweepFile {
    file: File,
    path: PathBuf,
}

/// Returns the path of the header beside a file of rows: `rows.csv.sweep.json`.
pub(super) fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".sweep.json");
    name.into()
}

impl Header {
    /// Returns the header as JSON.
    fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("text and numbers are JSON") + "\n"
    }

    /// Writes the header beside the rows, whole.
    fn write(&self, path: &Path) -> Result<(), StoreError> {
        let path = beside(path);
        let written = write_whole(&path, |file| file.write_all(self.text().as_bytes()));
        written.map_err(|reason| StoreError::Write { path, reason })
    }

    /// Reads the header beside a file of rows; `None` if there is no such file.
    ///
    /// # Errors
    /// Fails where the file is not the header of a sweep.
    pub fn beside(path: &Path) -> Result<Option<Header>, String> {
        let beside = beside(path);
        let Ok(text) = std::fs::read(&beside) else { return Ok(None) };
        serde_json::from_slice(&text).map(Some).map_err(|_| format!("{} does not identify its sweep", beside.display()))
    }

    /// Returns the reason why rows are not this sweep's, if they are not. The path of the sweep's file does not matter.
    fn differs(&self, path: &Path) -> Option<String> {
        let found = match Header::beside(path) {
            Ok(Some(found)) => Header { file: self.file.clone(), ..found },
            Ok(None) => return Some(format!("{} does not identify its sweep", beside(path).display())),
            Err(message) => return Some(message),
        };
        if found.version != self.version {
            Some(format!("it was written by version {}, this is {}", found.version, self.version))
        } else if found.engine != self.engine {
            Some(format!("it was written with --engine {}", found.engine))
        } else if found != *self {
            Some(format!("it belongs to another sweep, or to another version of this one ({})", found.question))
        } else {
            None
        }
    }
}

/// Reads all rows of a finished file of JSON lines.
///
/// # Errors
/// Fails where the file cannot be read or a line is not the row of its point.
pub fn rows<'a>(path: &Path, sweep: &'a Sweep) -> Result<Vec<SweepRow<'a>>, StoreError> {
    let open = |reason| StoreError::Open { path: path.to_owned(), reason };
    let mut rows = Vec::new();
    for (index, line) in BufReader::new(File::open(path).map_err(open)?).lines().enumerate() {
        let foreign = |reason| StoreError::Foreign { path: path.to_owned(), line: index as u64 + 1, reason };
        if index as u64 >= sweep.points() {
            return Err(foreign("more rows than points".to_owned()));
        }
        let point = sweep.point(index as u64);
        let found = Form::read(&line.map_err(open)?, &point).map_err(foreign)?;
        rows.push(SweepRow { point, found });
    }
    Ok(rows)
}

impl SweepFile {
    /// Creates a new file.
    ///
    /// # Errors
    /// Fails with [`StoreError::Exists`] rather than overwriting results, and with [`StoreError::Open`] or
    /// [`StoreError::Write`].
    pub fn create(path: &Path, form: Form, header: &Header) -> Result<SweepFile, StoreError> {
        let path = path.to_owned();
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => {
                let mut begun = SweepFile { file, path }.alone()?;
                header.write(&begun.path)?;
                begun.append(&form.columns())?;
                Ok(begun)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(StoreError::Exists(path)),
            Err(reason) => Err(StoreError::Open { path, reason }),
        }
    }

    /// Resumes a file, or creates it if there is none, and cuts off an incomplete last line. `key` returns the
    /// beginning of the row of each point.
    ///
    /// # Errors
    /// Fails with [`StoreError::Foreign`] if it is another sweep's, or a row is not that of its point: the file is left
    /// as it is. Fails with [`StoreError::Busy`], [`StoreError::Open`] or [`StoreError::Write`].
    pub fn resume(
        path: &Path,
        form: Form,
        header: &Header,
        key: impl Fn(u64) -> String,
    ) -> Result<(SweepFile, RowCounts), StoreError> {
        if !path.exists() {
            return Ok((SweepFile::create(path, form, header)?, RowCounts::default()));
        }
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let path = path.to_owned();
        let file = opened.map_err(|reason| StoreError::Open { path: path.clone(), reason })?;
        let mut begun = SweepFile { file, path }.alone()?;
        let (kept, length) = begun.look(form, header, key)?;
        begun.cut(length)?;
        if length == 0 {
            header.write(&begun.path)?;
            begun.append(&form.columns())?;
        }
        Ok((begun, kept))
    }

    /// Counts the rows that are there, and the bytes of whole lines.
    fn look(&self, form: Form, header: &Header, key: impl Fn(u64) -> String) -> Result<(RowCounts, u64), StoreError> {
        let unreadable = |reason| StoreError::Open { path: self.path.clone(), reason };
        let foreign = |line, reason: String| StoreError::Foreign { path: self.path.clone(), line, reason };
        let mut file = BufReader::new(&self.file);
        if file.fill_buf().map_err(unreadable)?.is_empty() {
            return Ok((RowCounts::default(), 0));
        }
        if let Some(why) = header.differs(&self.path) {
            return Err(foreign(1, why));
        }
        let expected = form.columns();
        let mut head = Vec::new();
        file.by_ref().take(expected.len() as u64).read_to_end(&mut head).map_err(unreadable)?;
        if head.len() < expected.len() && expected.as_bytes().starts_with(&head) {
            return Ok((RowCounts::default(), 0));
        }
        if head != expected.as_bytes() {
            return Err(foreign(1, "expected the heads of a sweep's columns".to_owned()));
        }
        let (mut kept, mut length, mut line) = (RowCounts::default(), head.len() as u64, Vec::new());
        let above = expected.lines().count() as u64;
        while file.read_until(b'\n', &mut line).map_err(unreadable)? > 0 && line.ends_with(b"\n") {
            let text = String::from_utf8_lossy(&line);
            if kept.rows >= header.points || !text.starts_with(&key(kept.rows)) {
                return Err(foreign(above + kept.rows + 1, format!("expected the row of point {}", kept.rows)));
            }
            kept.failed += u64::from(form.failed(&text));
            kept.rows += 1;
            length += line.len() as u64;
            line.clear();
        }
        Ok((kept, length))
    }

    /// Appends whole lines by a single write.
    ///
    /// # Errors
    /// Fails with [`StoreError::Write`].
    pub fn append(&mut self, lines: &str) -> Result<(), StoreError> {
        let written = self.file.write_all(lines.as_bytes());
        written.map_err(|reason| StoreError::Write { path: self.path.clone(), reason })
    }

    fn cut(&mut self, length: u64) -> Result<(), StoreError> {
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::Start(length)));
        cut.map(drop).map_err(|reason| StoreError::Write { path: self.path.clone(), reason })
    }

    /// Locks the file until it is closed or the process ends. Where a file system has no locks, the file is used
    /// without one.
    fn alone(self) -> Result<SweepFile, StoreError> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy(self.path)),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(self),
        }
    }
}
