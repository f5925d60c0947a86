//! Debiasing: from the number that a benchmark printed to the time that the call really took.
//!
//! A [`Reading`] is one printed number and what is asked about it; what is [`Expected`] of such a call comes from a
//! calibrated machine or from a measured budget; [`corrected`] joins the two, and says what it doubts.

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

pub use crate::import::RanksFrom;
pub use confidence::{Tally, Verdict};
pub use corrected::{Corrected, Expected, Pair, Source, corrected};
pub(crate) use dialect::benchmark;
pub use dialect::{element, flags};
pub use doubt::{Doubt, Refusal};
pub use origin::Origin;
pub use reading::readings;
pub use rows::Row;

use crate::import::Tool;
use models::budget::Configuration;
use models::collective::{Collective, Shape};
use models::machine::{Estimate, Machine};
use models::method::Preset;
use models::observation::{Barrier, World};
use render::groups::distinct;

/// All that is told of corrected texts, in any form.
pub struct Answer<'a> {
    /// A row for each printed number.
    pub rows: Vec<Row>,
    /// What numbers are corrected towards, in words.
    pub reference: String,
    /// Whose parameters were used.
    pub machine: &'a Machine,
    /// Whose machine that is.
    pub origin: Origin,
    /// As printed in which state of the machine which text is corrected, where the machine has several.
    pub states: Vec<String>,
    /// Why the library's decision table may not hold, where algorithms are taken from it.
    pub table: Option<String>,
}

impl Answer<'_> {
    /// What is to be known before any of the numbers is used: another host's machine, ranks that only files' names say, a decision
    /// table of another version.
    pub fn warnings(&self) -> Vec<String> {
        let remark = |row: &Row| row.ranks_from?.remark(&row.reading.file, row.ranks?);
        let of_all = self.origin.warning(self.machine).into_iter().chain(self.table.clone());
        distinct(of_all.chain(self.rows.iter().filter_map(remark)))
    }

    /// How many numbers were corrected, in a sentence.
    pub fn tally(&self) -> String {
        let elsewhere = self.origin != Origin::ThisHost;
        Tally::of(&self.rows).sentence(elsewhere.then_some(self.machine.provenance.host.as_str()))
    }
}

/// Which of the numbers of a row are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Columns {
    /// The one that people quote.
    Quoted,
    /// All that are known how they come about.
    All,
    /// The one of this head, or of this name in `parallax import`.
    Named(String),
}

/// One printed number, and what is asked about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// Who printed it.
    pub tool: Tool,
    /// The operation, as the tool calls it.
    pub operation: String,
    /// Processes, where the text or its name says how many.
    pub ranks: Option<u32>,
    /// What of them says it.
    pub ranks_from: RanksFrom,
    /// The size, as the tool counts it.
    pub printed_bytes: Option<u64>,
    /// The column's head; empty where the row has none that is known.
    pub head: String,
    /// The number with what its text says of its spread, in µs.
    pub printed: Option<Estimate>,
    /// Whose algorithm was called, where the text says it.
    pub algorithm: Option<String>,
    /// The barrier that was in force, where the text says it.
    pub barrier: Option<Barrier>,
    /// The root, where the text says it; else 0.
    pub root: u32,
    /// Where it was measured, where the text says it.
    pub world: Option<World>,
    /// The text says that there were more ranks than cores.
    pub oversubscribed: bool,
    /// What is asked, or why nothing can be.
    pub asked: Result<Asked, Refusal>,
}

/// A call, and how its time was obtained.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// What was called.
    pub collective: Collective,
    /// On how much.
    pub length: Length,
    /// By which benchmark.
    pub benchmark: Preset,
    /// The head of its column, as the benchmark's preset has it.
    pub head: &'static str,
    /// How the number came about.
    pub configuration: Configuration,
    /// How often it was called, where the tool says it.
    pub calls: Option<u64>,
}

/// Of what a printed size is the length, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Of one rank's buffer, or of one block where the collective moves a block per rank.
    Buffer(u64),
    /// Of all ranks' blocks together.
    Vector(u64),
}

impl Asked {
    /// What one call was asked to do, on so many ranks.
    pub fn shape(&self, ranks: u32, root: u32) -> Shape {
        let bytes = match self.length {
            Length::Buffer(bytes) => bytes,
            Length::Vector(bytes) => bytes.div_ceil(u64::from(ranks.max(1))),
        };
        Shape::new(ranks, if self.collective.is_rooted() { root } else { 0 }, bytes)
    }
}
