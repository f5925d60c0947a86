//! The store of a campaign: one file of JSON lines, one line for each thing that became known,
//! safe on disk before the next is begun, so that a killed campaign keeps all it had and resumes.
//!
//! A line is written whole, by one write, and only the last can be broken by a kill. Times are
//! integer picoseconds or raw ticks, parameters carry their units in their names, and floating
//! numbers read back bit for bit. Everything a report says comes from this file.

mod asked;
mod lines_file;
mod memory;
mod printed;
mod tested;

pub use asked::{CampaignLines, Observed, Predicted, Question, Recorded, Truth};
pub use lines_file::LinesFile;
pub use memory::{LaunchEnd, LaunchMemory};
pub use printed::{Column, Row, Sample, Word};
pub use tested::{Found, Proof, Tested};

use crate::files::{LONGEST_RECORD, read_whole};
use models::audit::AuditedLaunch;
use models::budget::{Budget, Round};
use models::clock::ReportCard;
use models::machine::{Bound, CoreState, Machine};
use models::network::Network;
use models::observation::{Case, ClockCheck, Observation, Occasion, World};
use models::stable::fnv1a;
use models::time::Span;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The format of campaigns' files: another number wherever what their lines mean has changed.
pub const FORMAT: u32 = 5;

/// One line of a campaign's file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// The first line: what is asked, where, and by which scenario.
    Campaign {
        /// [`FORMAT`] of the program that wrote it.
        format: u32,
        /// The scenario's question.
        question: String,
        /// The scenario's name.
        name: String,
        /// Seed of every draw.
        seed: u64,
        /// The scenario file, whole: a campaign resumes only with the same text.
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
    /// What the clock is worth that the ranks of one group read, on rank 0's machine.
    ReportCard {
        /// Where.
        world: World,
        /// How many ranks.
        ranks: u32,
        /// What was found out.
        card: Box<ReportCard>,
    },
    /// What was in the ranks' memory at one end of a launch.
    Memory(LaunchMemory),
    /// What simulated ranks observed, at one end of the parameters' intervals.
    Predicted {
        /// Which end.
        bound: Bound,
        /// The network that was simulated.
        network: Network,
        /// What it looks like through the method.
        observation: Observation,
    },
    /// The simulated reference of a subject: every rank enters one call at the same instant, without
    /// clocks or a method in between.
    #[serde(rename = "reference")]
    Truth {
        /// The subject; its method is of no account.
        case: Case,
        /// Of which launch.
        #[serde(default, skip_serializing_if = "Occasion::is_first")]
        occasion: Occasion,
        /// Which end of the parameters' intervals.
        bound: Bound,
        /// How long after the common entry each rank left, in rank order.
        spans: Vec<Span>,
    },
    /// What real ranks observed.
    Measured(Observation),
    /// What an unmodified benchmark printed in one launch, and the references taken between its rows.
    Audited(Box<AuditedLaunch>),
    /// What real ranks answered to a test.
    Tested(Box<Tested>),
    /// What another benchmark printed or published: a row of its text, without single samples.
    Printed {
        /// The benchmark, by its name in files.
        benchmark: String,
        /// Its version, as printed.
        version: Option<String>,
        /// The row.
        row: Box<Row>,
    },
    /// What real ranks observed in one round of a bias budget.
    Round(Box<Round>),
    /// What simulated ranks say of a bias budget.
    Budget(Box<PredictedBudget>),
    /// What was asked but could not be run.
    LeftOut {
        /// A case, or a group of them.
        what: String,
        /// The reason.
        why: String,
    },
    /// The campaign is gone on with: what was left out above is tried again, so that those lines hold no longer.
    Resumed {},
    /// The last line of a campaign that ran to its end. An object as every other line is.
    Finished {},
}

impl Line {
    /// True for what holds until the campaign is resumed: what was left out, and its end.
    pub fn ends_with_resume(&self) -> bool {
        matches!(self, Line::LeftOut { .. } | Line::Finished {})
    }

    /// In which round of launches it was measured, or a benchmark was run.
    pub fn launch(&self) -> Option<u32> {
        match self {
            Line::Measured(observation) => Some(observation.occasion.launch),
            Line::Audited(audited) => Some(audited.key.launch),
            _ => None,
        }
    }

    /// True for what a campaign is made for: numbers of ranks or benchmarks.
    pub fn is_found(&self) -> bool {
        let by_ranks = matches!(self, Line::Measured(_) | Line::Tested(_) | Line::Round(_) | Line::Budget(_));
        by_ranks || matches!(self, Line::Audited(_) | Line::Printed { .. })
    }
}

/// A bias budget of simulated ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedBudget {
    /// Of what; its method is of no account.
    pub case: Case,
    /// True if it is of simulated ranks alone; the case's world is of no account then.
    pub simulated: bool,
    /// The network that was simulated, and what refines it.
    pub machine: String,
    /// The state of the cores in which its parameters were calibrated, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibrated_in: Option<CoreState>,
    /// At the ends of the parameters' intervals too.
    pub budget: Budget,
}

/// The identifier of the campaign that begins with this line: its name and the FNV-1a hash of the line. Two campaigns of one text
/// that begin in the same second on one host have the same.
pub fn id(first: &Line) -> Option<String> {
    let Line::Campaign { name, .. } = first else { return None };
    let text = serde_json::to_vec(first).ok()?;
    Some(format!("{name}-{:016x}", fnv1a(&text)))
}

/// Label and value of what is known of where a campaign was measured: its [`id`] by the label `campaign`, then the environment
/// as it was noted the last time that it was begun or gone on with.
pub fn facts(lines: &[Line]) -> Vec<(String, String)> {
    let environment = lines.iter().rev().find_map(|line| match line {
        Line::Campaign { environment, .. } => Some(environment),
        _ => None,
    });
    let id = lines.first().and_then(id).map(|id| ("campaign".to_owned(), id));
    id.into_iter().chain(environment.into_iter().flatten().cloned()).collect()
}

/// What a campaign's file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The lines that hold, in order: without those that a [`Line::Resumed`] took back.
    pub lines: Vec<Line>,
    /// True if the file ended in the middle of a line, which is not among `lines`: the run was killed there.
    pub truncated: bool,
}

impl Contents {
    /// True if the campaign ran to its end.
    pub fn finished(&self) -> bool {
        self.lines.last() == Some(&Line::Finished {})
    }
}

/// What can go wrong with a campaign's file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It is there, and may hold measurements.
    #[error("{} exists already: resume it, move it away, or name another file", .0.display())]
    Exists(PathBuf),
    /// Another process is writing it.
    #[error("{} is being written by another run: wait for its end, or name another file", .0.display())]
    Busy(PathBuf),
    /// It cannot be created, opened or read.
    #[error("{} cannot be opened: {reason}; check that the path is right and may be read and written", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A line did not reach the disk.
    #[error("{} cannot be written: {reason}; make room, then resume: all lines before this one are kept", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
    /// A line, not the last, is no line of a campaign.
    #[error("{} line {line}: {}; {}", path.display(), within_line(reason), cure(*line))]
    Broken {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: serde_json::Error,
    },
    /// Its lines may mean something else.
    #[error("{} line 1: {}, this version of parallax reads format {FORMAT}; read it by the version that wrote it, or measure again", path.display(), format_words(*found))]
    Format {
        /// The file.
        path: PathBuf,
        /// What it says, if anything.
        found: Option<u64>,
    },
    /// Results that are to be gone on with belong to something else.
    #[error(
        "{} line {line}: {reason}; name another file, or continue with the command that started this one",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// How one sees it.
        reason: String,
    },
}

/// Reads a campaign's file. A last line without its line end that cannot be read is a killed
/// run's: it is left out and [`Contents::truncated`] is set.
///
/// # Errors
/// [`StoreError::Open`]; [`StoreError::Broken`] for any other line that cannot be read.
pub fn read(path: impl AsRef<Path>) -> Result<Contents, StoreError> {
    let path = path.as_ref();
    let most_bytes = if path.is_file() { u64::MAX } else { LONGEST_RECORD };
    let bytes = read_whole(path, most_bytes).map_err(|reason| StoreError::Open { path: path.to_owned(), reason })?;
    parse(path, &bytes).map(|(contents, _)| contents)
}

/// What is wrong with a line, by its column: which line it is, is said already.
fn within_line(reason: &serde_json::Error) -> String {
    reason.to_string().replace(" at line 1 column ", " at column ")
}

/// What to do with a line that cannot be read: a file that does not begin as a campaign's is none.
fn cure(line: usize) -> &'static str {
    match line {
        1 => "this is no campaign's file; give the campaign.jsonl of a run, or its folder",
        _ => "the file was changed after it was written: restore it, or delete this line and resume",
    }
}

fn format_words(found: Option<u64>) -> String {
    found.map_or("it names no format".to_owned(), |found| format!("it is of format {found}"))
}

/// The format of a campaign whose first line this is, where that is another one than this program's.
fn other_format(first: &[u8]) -> Option<Option<u64>> {
    let line: serde_json::Value = serde_json::from_slice(first).ok()?;
    let found = line.get("campaign")?.get("format").and_then(serde_json::Value::as_u64);
    (found != Some(u64::from(FORMAT))).then_some(found)
}

/// The lines in `bytes`, and how many bytes they take.
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
            // No beginning of a JSON object is itself one: without a line end this is half a line.
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

/// Appends lines to a campaign's file; there is one at a time for a file.
#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
}

impl Writer {
    /// Begins a new file.
    ///
    /// # Errors
    /// [`StoreError::Exists`] rather than overwriting measurements; [`StoreError::Open`].
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, StoreError> {
        let path = path.as_ref().to_owned();
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => Writer { file, path }.alone(),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(StoreError::Exists(path)),
            Err(reason) => Err(StoreError::Open { path, reason }),
        }
    }

    /// Goes on with a file: cuts half a last line off, returns what the file holds, and is ready
    /// to append to it.
    ///
    /// # Errors
    /// As [`read`], and [`StoreError::Busy`] while another run writes it. A broken file is left as it is.
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

    /// Appends a line by a single write; returns once it is on the disk.
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

    /// Locks the file until it is closed or the process ends. Where a file system has no locks there is none.
    fn alone(self) -> Result<Writer, StoreError> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy(self.path)),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests;
