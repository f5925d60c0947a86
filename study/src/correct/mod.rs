//! Debiasing: from the number that a benchmark printed to the time that the call really took.
//!
//! A [`Reading`] is one printed number with the call that it belongs to. The [`Expected`] time of such a call comes
//! from a calibrated machine or from a measured budget. [`corrected`] joins the two, and names the doubts about the
//! result.

pub mod budgeted;
mod confidence;
mod corrected;
mod dialect;
mod doubt;
mod origin;
pub mod proof;
mod reading;
pub mod rehearsal;
mod rows;
mod show;
#[cfg(test)]
mod tests;

pub use confidence::{Tally, Verdict};
pub use corrected::{Corrected, Expected, Pair, Source, corrected};
pub(crate) use dialect::benchmark;
pub use dialect::{element, flags};
pub use doubt::{Doubt, Refusal};
pub use formats::import::RanksFrom;
pub use origin::{Origin, remark};
pub use reading::readings;
pub use rows::CorrectedRow;

use formats::import::Tool;
use models::collective::{Collective, Shape};
use programs::budget::Configuration;
use programs::machine::{Estimate, Machine};
use programs::method::Preset;
use programs::observation::{Barrier, World};
use render::groups::distinct;

/// Corrected numbers of texts, with everything that is reported about them.
pub struct Answer<'a> {
    /// One row for each printed number.
    pub rows: Vec<CorrectedRow>,
    /// The reference towards which numbers are corrected, in words.
    pub reference: String,
    /// Machine whose parameters were used.
    pub machine: &'a Machine,
    /// Origin of that machine.
    pub origin: Origin,
    /// Sentences that name, for each text, the state of the machine in which it is taken to have been printed; empty
    /// where the machine has a single state.
    pub states: Vec<String>,
    /// Reason why the library's decision table may not hold, where algorithms are taken from it.
    pub table: Option<String>,
}

impl Answer<'_> {
    /// Returns warnings that concern the use of any of the numbers: another host's machine, numbers of ranks that only
    /// files' names state, a decision table of another version.
    pub fn warnings(&self) -> Vec<String> {
        let remark = |row: &CorrectedRow| remark(row.ranks_from?, &row.reading.file, row.ranks?);
        let of_all = self.origin.warning(self.machine).into_iter().chain(self.table.clone());
        distinct(of_all.chain(self.rows.iter().filter_map(remark)))
    }

    /// The number of corrected numbers, in a sentence.
    pub fn tally(&self) -> String {
        let elsewhere = self.origin != Origin::ThisHost;
        Tally::count(&self.rows).sentence(elsewhere.then_some(self.machine.provenance.host.as_str()))
    }
}

/// Choice among the numbers of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Columns {
    /// The number that is usually quoted.
    Quoted,
    /// All numbers whose making is known.
    All,
    /// The number in the column of this head, or of this name in `parallax import`.
    Named(String),
}

/// One printed number, and the call that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Path of the text's file.
    pub file: String,
    /// Number of the line in the file, counted from 1.
    pub line: usize,
    /// Tool that printed the number.
    pub tool: Tool,
    /// The operation, as the tool calls it.
    pub operation: String,
    /// Number of processes, where the text or its name states it.
    pub ranks: Option<u32>,
    /// Source of the number of ranks.
    pub ranks_from: RanksFrom,
    /// Size of the call in bytes, as the tool counts it.
    pub printed_bytes: Option<u64>,
    /// Head of the column; empty where the row has no known column.
    pub head: String,
    /// The number in µs, with the spread that its text states; `None` where the row has no number.
    pub printed: Option<Estimate>,
    /// Name of Parallax's algorithm that was called, where the text states one.
    pub algorithm: Option<String>,
    /// The barrier between calls, where the text states it.
    pub barrier: Option<Barrier>,
    /// Root of the call, where the text states it; else 0.
    pub root: u32,
    /// World in which it was measured, threads or processes of a library, where the text states it.
    pub world: Option<World>,
    /// True where the text states that there were more ranks than cores.
    pub oversubscribed: bool,
    /// The call and its configuration, or the reason why the number cannot be corrected.
    pub asked: Result<Asked, Refusal>,
}

/// A call, and the way in which its time was obtained.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Collective that was called.
    pub collective: Collective,
    /// Size of the call.
    pub length: Length,
    /// Benchmark that timed the call.
    pub benchmark: Preset,
    /// Head of the number's column, as the benchmark's preset has it.
    pub head: &'static str,
    /// Configuration by which the number was obtained.
    pub configuration: Configuration,
    /// Number of timed calls, where the tool states it.
    pub calls: Option<u64>,
}

/// A printed size in bytes, with the part of the data that it measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Length of one rank's buffer, or of one block where the collective moves a block per rank.
    Buffer(u64),
    /// Length of all ranks' blocks together.
    Vector(u64),
}

impl Asked {
    /// Shape of one call on this number of ranks.
    pub fn shape(&self, ranks: u32, root: u32) -> Shape {
        let bytes = match self.length {
            Length::Buffer(bytes) => bytes,
            Length::Vector(bytes) => bytes.div_ceil(u64::from(ranks.max(1))),
        };
        Shape::new(ranks, if self.collective.is_rooted() { root } else { 0 }, bytes)
    }
}
