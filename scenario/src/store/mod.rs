//! Store of a campaign: one file of JSON lines, one line for each result. A line is safe on disk before the next is
//! begun, so that a killed campaign keeps all its results and resumes.
//!
//! A line is written whole, by one write, and only the last can be broken by a kill. Times are integer picoseconds or
//! raw ticks, parameters carry their units in their names, and floating numbers read back bit for bit. Reports are
//! computed from this file alone.

mod asked;
mod head;
mod lines_file;
mod memory;
mod printed;
mod tested;

pub use asked::{CampaignLines, Observed, Predicted, Question, Recorded, Truth};
pub use lines_file::LinesFile;
pub use memory::{LaunchEnd, LaunchMemory};
pub use printed::{Column, PrintedRow, Sample, Word};
pub use tested::{Proof, TaskResult, Tested};

use crate::files::{LONGEST_RECORD, read_whole};
use models::clock::ReportCard;
use models::network::Network;
use models::stable::fnv1a;
use models::time::Span;
use programs::audit::AuditedLaunch;
use programs::budget::{Budget, Round};
use programs::machine::{Bound, CoreState, Machine};
use programs::observation::{Case, ClockCheck, Observation, Occasion, World};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Format of campaign files. It changes whenever the meaning of their lines does.
pub const FORMAT: u32 = 5;

/// One line of a campaign's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// First line: question, scenario and environment of the campaign.
    Campaign {
        /// Value of [`FORMAT`] in the program that wrote the file.
        format: u32,
        /// Question of the scenario.
        question: String,
        /// Name of the scenario.
        name: String,
        /// Seed of every random draw.
        seed: u64,
        /// Whole text of the scenario file. A campaign resumes only with the same text.
        scenario_text: String,
        /// Label and value of each recorded fact of the environment.
        environment: Vec<(String, String)>,
        /// Commands that reproduce the campaign.
        #[serde(default)]
        reproduce: Vec<String>,
    },
    /// Parameters calibrated for this campaign.
    Machine(Box<Machine>),
    /// Waits of known duration, measured on the ranks of one group.
    ClockCheck(ClockCheck),
    /// Quality of the clock that the ranks of one group read, on rank 0's machine.
    ReportCard {
        /// World of these ranks.
        world: World,
        /// Number of these ranks.
        ranks: u32,
        /// Result of the clock's tests.
        card: Box<ReportCard>,
    },
    /// Memory of the ranks at one end of a launch.
    Memory(LaunchMemory),
    /// Observation by simulated ranks, at one bound of the parameters' intervals.
    Predicted {
        /// Bound of the intervals at which all parameters were taken.
        bound: Bound,
        /// Network that was simulated.
        network: Network,
        /// Observation by the case's method.
        observation: Observation,
    },
    /// Simulated reference of a subject: every rank enters one call at the same instant, without clocks or a method in
    /// between.
    #[serde(rename = "reference")]
    Truth {
        /// Case whose call was simulated. Its method has no meaning.
        case: Case,
        /// Launch to which the reference belongs.
        #[serde(default, skip_serializing_if = "Occasion::is_first")]
        occasion: Occasion,
        /// Bound of the intervals at which all parameters were taken.
        bound: Bound,
        /// Duration from the common entry to each rank's exit, in rank order.
        spans: Vec<Span>,
    },
    /// Observation by real ranks.
    Measured(Observation),
    /// Output of an unmodified benchmark in one launch, with the references taken between its rows.
    Audited(Box<AuditedLaunch>),
    /// Answer of real ranks to a test.
    Tested(Box<Tested>),
    /// Row of another benchmark's printed or published text, without single samples.
    Printed {
        /// Name of the benchmark in files.
        benchmark: String,
        /// Version of the benchmark, as printed.
        version: Option<String>,
        /// Contents of the row.
        row: Box<PrintedRow>,
    },
    /// Observation by real ranks in one round of a bias budget.
    Round(Box<Round>),
    /// Bias budget of simulated ranks.
    Budget(Box<PredictedBudget>),
    /// Requested work that could not be run.
    LeftOut {
        /// Case, or group of cases.
        what: String,
        /// Reason of the omission.
        why: String,
    },
    /// Mark of a resumption. Work left out above is tried again, so that those lines are void.
    Resumed {},
    /// Last line of a campaign that ran to its end. It is a JSON object like every other line.
    Finished {},
}

impl Line {
    /// Whether a resumption voids the line: it reports omitted work, or the campaign's end.
    pub fn ends_with_resume(&self) -> bool {
        matches!(self, Line::LeftOut { .. } | Line::Finished {})
    }

    /// Returns the round of launches in which it was measured or a benchmark was run, counted from 0. `None` for other
    /// lines.
    pub fn launch(&self) -> Option<u32> {
        match self {
            Line::Measured(observation) => Some(observation.occasion.launch),
            Line::Audited(audited) => Some(audited.key.launch),
            _ => None,
        }
    }

    /// Whether the line holds results of the campaign: numbers of ranks or benchmarks.
    pub fn is_found(&self) -> bool {
        let by_ranks = matches!(self, Line::Measured(_) | Line::Tested(_) | Line::Round(_) | Line::Budget(_));
        by_ranks || matches!(self, Line::Audited(_) | Line::Printed { .. })
    }
}

/// Bias budget of simulated ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedBudget {
    /// Case of the budget. Its method has no meaning.
    pub case: Case,
    /// Whether the budget concerns simulated ranks alone. The case's world then has no meaning.
    pub simulated: bool,
    /// Description of the simulated network and its refinements.
    pub machine: String,
    /// State of the cores in which the parameters were calibrated, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibrated_in: Option<CoreState>,
    /// Budget of the errors, also at the bounds of the parameters' intervals.
    pub budget: Budget,
}

/// Returns the identifier of the campaign that begins with this line: its name and the FNV-1a hash of the line. Two
/// campaigns of one text that begin in the same second on one host have the same identifier.
pub fn id(first: &Line) -> Option<String> {
    let Line::Campaign { name, .. } = first else { return None };
    let text = serde_json::to_vec(first).ok()?;
    Some(format!("{name}-{:016x}", fnv1a(&text)))
}

/// Returns labels and values that describe the place of measurement: the [`id`] labelled `campaign`, then the
/// environment as recorded by the last start or resumption.
pub fn facts(lines: &[Line]) -> Vec<(String, String)> {
    let environment = lines.iter().rev().find_map(|line| match line {
        Line::Campaign { environment, .. } => Some(environment),
        _ => None,
    });
    let id = lines.first().and_then(id).map(|id| ("campaign".to_owned(), id));
    id.into_iter().chain(environment.into_iter().flatten().cloned()).collect()
}

/// Contents of a campaign's file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Valid lines in order, without those that a [`Line::Resumed`] voided.
    pub lines: Vec<Line>,
    /// Whether the file ended in the middle of a line, which is not among `lines`: the run was killed there.
    pub truncated: bool,
}

impl Contents {
    /// Whether the campaign ran to its end.
    pub fn finished(&self) -> bool {
        self.lines.last() == Some(&Line::Finished {})
    }
}

/// Failure to create, read or write a campaign's file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file exists already and may hold measurements.
    #[error("{} exists already: resume it, move it away, or name another file", .0.display())]
    Exists(PathBuf),
    /// Another process is writing the file.
    #[error("{} is being written by another run: wait for its end, or name another file", .0.display())]
    Busy(PathBuf),
    /// The file cannot be created, opened or read.
    #[error("{} cannot be opened: {reason}; check that the path is right and may be read and written", path.display())]
    Open {
        /// Path of the campaign's file.
        path: PathBuf,
        /// Reason of the failure.
        reason: io::Error,
    },
    /// A line did not reach the disk.
    #[error("{} cannot be written: {reason}; make room, then resume: all lines before this one are kept", path.display())]
    Write {
        /// Path of the campaign's file.
        path: PathBuf,
        /// Reason of the failure.
        reason: io::Error,
    },
    /// A line before the last one is no line of a campaign.
    #[error("{} line {line}: {}; {}", path.display(), within_line(reason), cure(*line))]
    Broken {
        /// Path of the campaign's file.
        path: PathBuf,
        /// Number of the line, counted from 1.
        line: usize,
        /// Error of the JSON reader.
        reason: serde_json::Error,
    },
    /// The file has another format, whose lines may have another meaning.
    #[error("{} line 1: {}, this version of parallax reads format {FORMAT}; read it by the version that wrote it, or measure again", path.display(), format_words(*found))]
    Format {
        /// Path of the campaign's file.
        path: PathBuf,
        /// Format that the file states. `None` where it states none.
        found: Option<u64>,
    },
    /// The results to be resumed belong to something else.
    #[error(
        "{} line {line}: {reason}; name another file, or continue with the command that started this one",
        path.display()
    )]
    Foreign {
        /// Path of the campaign's file.
        path: PathBuf,
        /// Number of the line, counted from 1.
        line: u64,
        /// Difference from the expected line.
        reason: String,
    },
}

/// Reads a campaign's file. A last line without a line end that cannot be read belongs to a killed run: it is left out
/// and [`Contents::truncated`] is set.
///
/// # Errors
/// [`StoreError::Open`], [`StoreError::Format`], or [`StoreError::Broken`] for any other line that cannot be read.
pub fn read(path: impl AsRef<Path>) -> Result<Contents, StoreError> {
    let path = path.as_ref();
    let most_bytes = if path.is_file() { u64::MAX } else { LONGEST_RECORD };
    let bytes = read_whole(path, most_bytes).map_err(|reason| StoreError::Open { path: path.to_owned(), reason })?;
    parse(path, &bytes).map(|(contents, _)| contents)
}

/// Returns the description of a line's error with its column alone, because the message already has the line's number.
fn within_line(reason: &serde_json::Error) -> String {
    reason.to_string().replace(" at line 1 column ", " at column ")
}

/// Returns the remedy for a line that cannot be read: a file whose first line is wrong is no campaign's.
fn cure(line: usize) -> &'static str {
    match line {
        1 => "this is no campaign's file; give the campaign.jsonl of a run, or its folder",
        _ => "the file was changed after it was written: restore it, or delete this line and resume",
    }
}

fn format_words(found: Option<u64>) -> String {
    found.map_or("it names no format".to_owned(), |found| format!("it is of format {found}"))
}

/// Returns the format stated by the first line of a campaign if it differs from this program's. The inner `None` means
/// that the line states no format.
fn other_format(first: &[u8]) -> Option<Option<u64>> {
    let line: serde_json::Value = serde_json::from_slice(first).ok()?;
    let found = line.get("campaign")?.get("format").and_then(serde_json::Value::as_u64);
    (found != Some(u64::from(FORMAT))).then_some(found)
}

/// Returns the lines in `bytes` and the number of bytes that they take.
fn parse(path: &Path, bytes: &[u8]) -> Result<(Contents, usize), StoreError> {
    let mut contents = Contents::default();
    if let Some(found) = bytes.split_inclusive(|&byte| byte == b'\n').next().and_then(other_format) {
        return Err(StoreError::Format { path: path.to_owned(), found });
    }
    let mut kept = 0;
    for (index, text) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match serde_json::from_slice(text) {
            Ok(Line::Resumed {}) => contents.lines.retain(|line| !line.ends_with_resume()),
            Ok(line) => contents.lines.push(line),
            // No proper beginning of a JSON object is itself one: without a line end this is half a line.
            Err(_) if !text.ends_with(b"\n") => {
                contents.truncated = true;
                break;
            }
            Err(reason) => return Err(StoreError::Broken { path: path.to_owned(), line: index + 1, reason }),
        }
        kept += text.len();
    }
    Ok((contents, kept))
}

/// Appender of lines to a campaign's file. A file has one at a time.
#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
}

impl Writer {
    /// Begins a new file.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the file exists, so that no measurements are overwritten, and [`StoreError::Open`].
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, StoreError> {
        let path = path.as_ref().to_owned();
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => Writer { file, path }.alone(),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(StoreError::Exists(path)),
            Err(reason) => Err(StoreError::Open { path, reason }),
        }
    }

    /// Resumes a file: cuts half a last line off, returns the file's contents, and is ready to append to it.
    ///
    /// # Errors
    /// Fails where [`read`] fails, and with [`StoreError::Busy`] while another run writes the file. A broken file is
    /// left as it is.
    pub fn resume(path: impl AsRef<Path>) -> Result<(Writer, Contents), StoreError> {
        let path = path.as_ref().to_owned();
        let opened = OpenOptions::new().read(true).write(true).open(&path);
        let file = opened.map_err(|reason| StoreError::Open { path: path.clone(), reason })?;
        let mut writer = Writer { file, path }.alone()?;
        let mut bytes = Vec::new();
        let read = writer.file.read_to_end(&mut bytes);
        read.map_err(|reason| StoreError::Open { path: writer.path.clone(), reason })?;
        let (contents, kept) = parse(&writer.path, &bytes)?;
        writer.cut(kept as u64)?;
        if kept > 0 && bytes[kept - 1] != b'\n' {
            writer.put(b"\n")?;
        }
        Ok((writer, contents))
    }

    /// Appends a line by a single write, and returns once it is on the disk.
    ///
    /// # Errors
    /// [`StoreError::Write`], also for numbers that JSON cannot hold.
    pub fn append(&mut self, line: &Line) -> Result<(), StoreError> {
        let mut text = serde_json::to_vec(line)
            .map_err(|error| StoreError::Write { path: self.path.clone(), reason: error.into() })?;
        text.push(b'\n');
        self.put(&text)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.flush()).and_then(|()| self.file.sync_data());
        written.map_err(|reason| StoreError::Write { path: self.path.clone(), reason })
    }

    fn cut(&mut self, length: u64) -> Result<(), StoreError> {
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(io::SeekFrom::End(0)));
        cut.map(drop).map_err(|reason| StoreError::Write { path: self.path.clone(), reason })
    }

    /// Locks the file until it is closed or the process ends. On a file system without locks it stays unlocked.
    fn alone(self) -> Result<Writer, StoreError> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy(self.path)),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests;
