//! Importers: the text that other benchmarks print, as rows of numbers in µs.
//!
//! The tool is recognised from its text. Each has a file here, written from the lines of its source that print; what they
//! share are lines with their numbers (`text`), heads of columns (`heads`) and names of operations (`names`).

mod first_calls;
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

pub(crate) use names::why_none;
pub use pico::published;
pub use show::{csv, table};

pub use scenario::store::{Column, Row, Sample, Word};

use scenario::store::{Line, facts};
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
    /// Its rows as lines of a campaign, without single samples.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        self.rows.iter().map(|row| Line::Printed {
            benchmark: self.tool.name(),
            version: self.version.clone(),
            row: Box::new(Row { samples: Vec::new(), ..row.clone() }),
        })
    }

    /// The text whose rows are lines of a campaign; `None` where no line is one.
    pub fn of_lines(lines: &[Line]) -> Option<Imported> {
        let mut imported: Option<Imported> = None;
        for line in lines {
            let Line::Printed { benchmark, version, row } = line else { continue };
            let tool = Tool::ALL.into_iter().find(|tool| tool.name() == *benchmark)?;
            let all = imported.get_or_insert_with(|| Imported { version: version.clone(), ..Imported::of(tool) });
            all.rows.push((**row).clone());
        }
        let facts = facts(lines);
        imported.map(|imported| Imported { facts, ..imported })
    }

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
