//! Importers: the text that other benchmarks print, as rows of numbers in µs.
//!
//! The tool is recognised from its text. Each has a file here, written from the lines of its source that print; what they
//! share are lines with their numbers (`text`), heads of columns (`heads`) and names of operations (`names`).

mod heads;
mod imb;
mod mpiperf;
mod names;
mod osu;
mod pico;
mod reprompi;
mod show;
mod skampi;
mod text;

pub use pico::published;
pub use show::{csv, table};

use models::collective::Collective;
use serde::Serialize;

models::named! {
    /// A benchmark whose text can be read; in the order in which their headings are looked for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Tool {
        /// OSU Micro-Benchmarks.
        Osu => "OSU",
        /// Intel MPI Benchmarks.
        Imb => "IMB",
        /// MPIPerf.
        Mpiperf => "MPIPerf",
        /// ReproMPI: summaries and raw samples.
        Reprompi => "ReproMPI",
        /// SKaMPI 5.
        Skampi => "SKaMPI",
        /// PICO: summaries and raw files.
        Pico => "PICO",
    }
    /// The name that people know.
    fn title;
    Display(title);
}

/// What one text of a tool says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Imported {
    /// Who printed it.
    #[serde(rename = "benchmark")]
    pub tool: Tool,
    /// The tool's version, as printed.
    pub version: Option<String>,
    /// Label and value of what the tool says about the run.
    pub facts: Vec<(String, String)>,
    /// What was measured, in the text's order.
    pub rows: Vec<Row>,
    /// Lines that are not the tool's, or hold no measurement: counted from 1.
    pub left_out: Vec<usize>,
    /// What readers of the numbers must know, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One operation of one size.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// The first line it comes from, counted from 1.
    pub line: usize,
    /// The operation, as the tool calls it.
    #[serde(rename = "test")]
    pub benchmark: String,
    /// The same, if it is one of the collectives that Parallax knows: no v-variant, not non-blocking.
    #[serde(rename = "operation")]
    pub collective: Option<Collective>,
    /// The type of the elements, where the tool says it.
    #[serde(rename = "element")]
    pub datatype: Option<String>,
    /// Processes, where the tool says how many.
    pub ranks: Option<u32>,
    /// Bytes, as the tool counts them (of Reduce_scatter, IMB and OSU count the whole vector).
    pub bytes: Option<u64>,
    /// Elements, where the tool counts them.
    #[serde(rename = "elements")]
    pub count: Option<u64>,
    /// How often it was called.
    #[serde(rename = "calls")]
    pub calls: Option<u64>,
    /// What is said in words: on what machine, of which algorithm.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Word>,
    /// The numbers.
    pub columns: Vec<Column>,
    /// Single samples, where the tool prints them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sample>,
}

/// One word of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Word {
    /// What it says: `system`.
    pub name: String,
    /// Empty where nothing is known.
    pub value: String,
}

/// One number of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Its head as printed; empty where it was computed from samples.
    pub head: String,
    /// What it is, with its unit: `mean_us`.
    pub name: String,
    /// `None` where the tool printed that it has no number, or 0 where nothing valid was measured.
    pub value: Option<f64>,
}

/// One sample on one rank, or of all ranks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// The rank; `None` where the time is all ranks' maximum.
    pub rank: Option<u32>,
    /// Counted from 0.
    pub index: u64,
    /// How long it took, in ps.
    pub time_ps: i64,
    /// Start and end on the rank's own clock, in ps since the earliest reading of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local_ps: Option<(i64, i64)>,
    /// Start and end on the synchronised clock, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub global_ps: Option<(i64, i64)>,
    /// False where the tool marked it as wrong.
    pub valid: bool,
}

/// A text that cannot be understood, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file} line {line}: {message}")]
pub struct ImportError {
    /// The file.
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    /// What was expected, what was found, what to do.
    pub message: String,
}

impl Tool {
    /// Whether this line is found in this tool's text alone.
    fn is_told_by(self, line: &str) -> bool {
        match self {
            Tool::Osu => osu::title(line).is_some(),
            Tool::Imb => imb::title(line).is_some() || line.starts_with("# Benchmarking "),
            Tool::Mpiperf => mpiperf::title(line).is_some() || mpiperf::heads(line).is_some(),
            Tool::Reprompi => reprompi::is_its_own(line),
            Tool::Skampi => skampi::title(line).is_some() || skampi::begins(line).is_some(),
            Tool::Pico => published::is_published(line),
        }
    }
}

impl Tool {
    /// The name used in files, which is that of its preset.
    pub fn name(self) -> String {
        self.title().to_lowercase()
    }
}

impl Imported {
    fn of(tool: Tool) -> Imported {
        Imported { tool, version: None, facts: Vec::new(), rows: Vec::new(), left_out: Vec::new(), notes: Vec::new() }
    }

    fn fact(&mut self, label: &str, value: &str) {
        let (label, value) = (label.trim(), value.trim());
        if !label.is_empty() && !value.is_empty() {
            self.facts.push((label.to_owned(), value.to_owned()));
        }
    }
}

impl Row {
    /// What is said in the word of this name; empty where there is none.
    pub fn word(&self, name: &str) -> &str {
        self.words.iter().find(|word| word.name == name).map_or("", |word| &word.value)
    }

    /// The number of a column by its name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.columns.iter().find(|column| column.name == name)?.value
    }
}

/// The tool that printed a text: the one whose own line comes first.
///
/// # Errors
/// If there is no line of any.
pub fn recognise(file: &str, text: &str) -> Result<Tool, ImportError> {
    let tool_of = |line: &str| Tool::ALL.into_iter().find(|tool| tool.is_told_by(line));
    text::lines(text).find_map(|(_, line)| tool_of(line)).ok_or_else(|| {
        let known = Tool::ALL.map(Tool::title).join(", ");
        let message =
            format!("expected the text of {known}, found the headings of none; give all that the tool printed");
        ImportError { file: file.to_owned(), line: 1, message }
    })
}

/// Reads a text of any tool. `file` is what errors call it.
///
/// # Errors
/// If no tool is recognised, if a row is broken, or if there is none.
pub fn read(file: &str, text: &str) -> Result<Imported, ImportError> {
    let imported = match recognise(file, text)? {
        Tool::Osu => osu::read(file, text),
        Tool::Imb => imb::read(file, text),
        Tool::Mpiperf => mpiperf::read(file, text),
        Tool::Reprompi => reprompi::read(file, text),
        Tool::Skampi => skampi::read(file, text),
        Tool::Pico => pico::read(file, text),
    }?;
    if imported.rows.is_empty() {
        let tool = imported.tool;
        let message =
            format!("expected rows of {tool}, found none: it was ended before its first result; run it again");
        return Err(ImportError { file: file.to_owned(), line: text::lines(text).count().max(1), message });
    }
    Ok(imported)
}
