//! What is seen of a program of its own, one whose source nobody has changed, while it times collectives: its rows, the
//! machine's state around each, and reference windows of the same calls in between.
//!
//! A *row* is a run of calls that are alike, which a benchmark makes one line of its text of.

use crate::collective::Collective;
use crate::observation::{Look, RankRecord, World};
use crate::platform::Buffer;
use serde::{Deserialize, Serialize};

/// Fewest calls of a row: with fewer, a program gathers its results rather than times something.
pub const FEWEST_CALLS: u64 = 8;

/// One line of what was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditLine {
    /// A row has ended.
    Row(Box<AuditedRow>),
    /// The program has reached `MPI_Finalize`.
    Finished {
        /// Rows that were seen.
        rows: u32,
    },
}

/// A row of a program of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditedRow {
    /// Its number, in the order of time, from 0.
    pub row: u32,
    /// What was called, as MPI names it.
    pub function: String,
    /// Which collective that is.
    pub collective: Collective,
    /// Bytes of one rank's buffer, or of one block where a block per rank is moved; of all blocks together where they are
    /// combined and scattered. So benchmarks count their sizes.
    pub bytes: u64,
    /// How many elements that is.
    pub count: u64,
    /// The elements' datatype.
    pub element: String,
    /// The reduction, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduction: Option<String>,
    /// Whether any rank called in place.
    pub in_place: bool,
    /// The roots that calls had; the last call's comes last, and is the references'.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<u32>,
    /// How many calls were made.
    pub calls: u64,
    /// How many different buffers rank 0 passed; no more than 64 are told apart.
    pub buffers_seen: u32,
    /// How many ranks there are.
    pub ranks: u32,
    /// What each rank saw of the machine before the row; nothing where ranks share cores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks_before: Vec<Look>,
    /// What each rank saw of it as soon as the row had ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks_after: Vec<Look>,
    /// Windows of the same call after the row.
    pub references: Vec<AuditedReference>,
    /// Why there are none, or fewer than were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// Who ran, on which clock.
    pub ran_by: String,
}

/// Windows of a row's call in one state of its buffers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditedReference {
    /// The state.
    pub buffer: Buffer,
    /// What all ranks recorded.
    pub ranks: Vec<RankRecord>,
}

impl AuditedRow {
    /// Whether both rows are of the same call.
    pub fn is_like(&self, other: &AuditedRow) -> bool {
        let call = |row: &AuditedRow| {
            (row.function.clone(), row.count, row.element.clone(), row.reduction.clone(), row.in_place, row.ranks)
        };
        call(self) == call(other)
    }
}

/// The rows that a benchmark prints: of rows of the same call, one after the other, the last. (IMB first finds out for each
/// length how many calls it has time for.)
pub fn printed(rows: &[AuditedRow]) -> Vec<&AuditedRow> {
    let mut printed: Vec<&AuditedRow> = Vec::new();
    for row in rows {
        match printed.last_mut() {
            Some(before) if before.is_like(row) => *before = row,
            _ => printed.push(row),
        }
    }
    printed
}

/// One launch of a benchmark: its text, and what was seen of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditedLaunch {
    /// Which launch this is.
    pub key: LaunchKey,
    /// What the benchmark was started with.
    pub command: String,
    /// All that it printed.
    pub text: String,
    /// Its rows, with references.
    pub rows: Vec<AuditedRow>,
}

/// What tells launches apart: a campaign that goes on has these already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchKey {
    /// Where.
    pub world: World,
    /// On how many ranks.
    pub ranks: u32,
    /// The benchmark, as people call it.
    pub tool: String,
    /// How it was run: its flags, apart from lengths; empty for none.
    pub flags: String,
    /// The program that was started: several where a benchmark has one for each operation.
    pub program: String,
    /// Which of several launches, counted from 0.
    pub launch: u32,
}
