//! Importers: the text that other benchmarks print, as rows of numbers in µs.
//!
//! A text is a sequence of runs of tools (`runs`), with anything around its lines (`surround`). Each tool has a reader
//! in a file here, written from the lines of its source that print. The readers share numbers (`text`), heads of
//! columns and rows (`heads`), conditions of rows (`conditions`) and names of operations (`names`).

mod command;
mod conditions;
mod core_to_core;
mod first_calls;
mod heads;
mod imb;
mod mpibench;
mod mpigraph;
mod mpiperf;
mod names;
mod nccl;
mod netgauge;
mod netpipe;
mod osu;
pub mod ours;
mod pico;
mod reprompi;
mod runs;
mod show;
mod skampi;
mod surround;
mod text;
mod unread;

pub use conditions::RanksFrom;
pub use conditions::{OFF_CACHE, RANKS_FROM, ROTATING, SYNCHRONISATION, conditions, methods, ranks_from};
pub use core_to_core::core_matrix;
pub use imb::major;
pub use names::{ON_DEVICES, why_none};
pub use netgauge::machine;
pub use pico::published;
pub use show::Texts;

pub use scenario::store::{Column, PrintedRow, Sample, Word};

use runs::Reader;
use scenario::store::{Line, facts};

models::named! {
    /// A benchmark whose text can be read. The order is that in which their headings are looked for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Tool {
        /// The OSU Micro-Benchmarks (OMB).
        Osu => "OSU",
        /// The Intel MPI Benchmarks (IMB).
        Imb => "IMB",
        /// MPIPerf, of versions 0.0.x.
        Mpiperf => "MPIPerf",
        /// ReproMPI: summaries and raw samples.
        Reprompi => "ReproMPI",
        /// SKaMPI, of version 5.
        Skampi => "SKaMPI",
        /// PICO: summaries and raw files.
        Pico => "PICO",
        /// The NCCL tests and the RCCL tests.
        Nccl => "nccl-tests",
        /// mpiBench of LLNL: a line for each operation.
        Mpibench => "mpiBench",
        /// mpiGraph of LLNL: matrices.
        Mpigraph => "mpiGraph",
        /// NetPIPE, versions 3 and 5.
        Netpipe => "NetPIPE",
        /// Netgauge's pattern for the parameters of LogGP.
        Netgauge => "Netgauge",
        /// core-to-core-latency: matrices of times between cores.
        CoreToCore => "core-to-core-latency",
    }
    /// The name as its users write it.
    fn title;
    Display(title);
}

/// Content of one run of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Tool that printed the run.
    pub tool: Tool,
    /// The tool's version, as printed.
    pub version: Option<String>,
    /// Label and value of each fact that the tool states about the run.
    pub facts: Vec<(String, String)>,
    /// The measured rows, in the text's order.
    pub rows: Vec<PrintedRow>,
    /// Lines that are not the tool's, or hold no measurement.
    pub left_out: Vec<LeftOut>,
    /// Notes that readers of the numbers must know, in sentences.
    pub notes: Vec<String>,
}

/// A line of a text that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of the line, counted from 1.
    pub line: usize,
    /// Reason, where the line would otherwise be a row; empty where it is not the tool's.
    pub why: String,
}

/// An error in a text, with the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file} line {line}: {message}")]
pub struct ImportError {
    /// Path of the text's file.
    pub file: String,
    /// Number of the line, counted from 1.
    pub line: usize,
    /// Expected and found content, and the remedy.
    pub message: String,
}

impl Tool {
    /// The name used in files, which is that of its preset.
    pub fn name(self) -> String {
        self.title().to_lowercase()
    }

    /// The tool to whose texts alone this line belongs.
    fn of_line(line: &str) -> Option<Tool> {
        Tool::ALL.into_iter().find(|tool| match tool {
            Tool::Osu => osu::is_its_own(line),
            Tool::Imb => imb::is_its_own(line),
            Tool::Mpiperf => mpiperf::is_its_own(line),
            Tool::Reprompi => reprompi::is_its_own(line),
            Tool::Skampi => skampi::title(line).is_some() || skampi::begins(line).is_some(),
            // A text of PICO is one table, from its first line to its last.
            Tool::Pico => false,
            Tool::Nccl => nccl::is_its_own(line),
            Tool::Mpibench => mpibench::title(line).is_some(),
            Tool::Mpigraph => mpigraph::title(line).is_some(),
            Tool::Netpipe => netpipe::is_its_own(line),
            Tool::Netgauge => netgauge::is_its_own(line),
            Tool::CoreToCore => core_to_core::begins(line),
        })
    }

    /// The tool whose tables have these heads, where they stand below another line.
    fn with_heads(line: &str) -> Option<Tool> {
        let osu = || osu::heads(line).is_some().then_some(Tool::Osu);
        osu().or_else(|| imb::heads(line, None).is_some().then_some(Tool::Imb))
    }

    /// The tool's reader; `None` where a text is one table and nothing else.
    fn reader(self) -> Option<Box<dyn Reader>> {
        match self {
            Tool::Osu => Some(Box::<osu::Osu>::default()),
            Tool::Imb => Some(Box::<imb::Imb>::default()),
            Tool::Mpiperf => Some(Box::<mpiperf::Mpiperf>::default()),
            Tool::Reprompi => Some(Box::<reprompi::Reprompi>::default()),
            Tool::Skampi => Some(Box::<skampi::Skampi>::default()),
            Tool::Pico => None,
            Tool::Nccl => Some(Box::<nccl::Nccl>::default()),
            Tool::Mpibench => Some(Box::<mpibench::Mpibench>::default()),
            Tool::Mpigraph => Some(Box::<mpigraph::Mpigraph>::default()),
            Tool::Netpipe => Some(Box::<netpipe::Netpipe>::default()),
            Tool::Netgauge => Some(Box::<netgauge::Netgauge>::default()),
            Tool::CoreToCore => Some(Box::<core_to_core::CoreToCore>::default()),
        }
    }
}

impl Imported {
    /// Returns its rows as lines of a campaign, without single samples.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        self.rows.iter().map(|row| Line::Printed {
            benchmark: self.tool.name(),
            version: self.version.clone(),
            row: Box::new(PrintedRow { samples: Vec::new(), ..row.clone() }),
        })
    }

    /// Returns the runs whose rows are lines of a campaign, one after the other; empty where no line is one.
    pub fn of_lines(lines: &[Line]) -> Vec<Imported> {
        let mut runs: Vec<Imported> = Vec::new();
        for line in lines {
            let Line::Printed { benchmark, version, row } = line else { continue };
            let Some(tool) = Tool::ALL.into_iter().find(|tool| tool.name() == *benchmark) else { continue };
            match runs.last_mut().filter(|run| run.tool == tool && run.version == *version) {
                Some(run) => run.rows.push((**row).clone()),
                None => runs.push(Imported {
                    version: version.clone(),
                    facts: facts(lines),
                    rows: vec![(**row).clone()],
                    ..Imported::new(tool)
                }),
            }
        }
        runs
    }

    /// Name of the tool with its version.
    pub fn printed_by(&self) -> String {
        let version = self.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        format!("{}{version}", self.tool)
    }

    /// Value of the run's fact of this label.
    pub fn said(&self, label: &str) -> Option<&str> {
        self.facts.iter().find(|(found, _)| found == label).map(|(_, value)| value.as_str())
    }

    /// The word behind a flag of the run's command line: `-sync 0`.
    pub fn behind(&self, flag: &str) -> Option<&str> {
        let mut words = self.said("command line")?.split_whitespace();
        words.find(|word| *word == flag)?;
        words.next()
    }

    /// The value of a flag of the run's command line: `--proc-sync=window`.
    pub fn value_of(&self, flag: &str) -> Option<&str> {
        self.said("command line")?.split_whitespace().find_map(|word| word.strip_prefix(flag)?.strip_prefix('='))
    }

    fn new(tool: Tool) -> Imported {
        Imported { tool, version: None, facts: Vec::new(), rows: Vec::new(), left_out: Vec::new(), notes: Vec::new() }
    }

    fn fact(&mut self, label: &str, value: &str) {
        let (label, value) = (label.trim(), value.trim());
        if !label.is_empty() && !value.is_empty() {
            self.facts.push((label.to_owned(), value.to_owned()));
        }
    }
}

/// Finds the tool that printed a text: the one whose own line comes first.
///
/// # Errors
/// Fails if there is no line of any tool.
pub fn recognise(file: &str, text: &str) -> Result<Tool, ImportError> {
    let lines = surround::lines(text);
    let tool = || lines.iter().find_map(|(_, line)| Tool::of_line(line));
    is_published(text)
        .then_some(Tool::Pico)
        .or_else(tool)
        .ok_or_else(|| unread::why(file, &lines, &runs::runs(file, &lines, true)))
}

/// Reads a text of any tools: their runs in its order, each of which has rows. `file` is its name in errors.
///
/// # Errors
/// Fails, with the reason, if there is no row that can be read.
pub fn read(file: &str, text: &str) -> Result<Vec<Imported>, ImportError> {
    if is_published(text) {
        return pico::read(file, text).map(|run| vec![run]);
    }
    let lines = surround::lines(text);
    let found = runs::runs(file, &lines, text.ends_with('\n'));
    if found.runs.is_empty() { Err(unread::why(file, &lines, &found)) } else { Ok(found.runs) }
}

fn is_published(text: &str) -> bool {
    ::published::is_published(text.strip_prefix('\u{feff}').unwrap_or(text))
}
