//! Observation of an unmodified foreign program while it times collectives: its rows, the machine's state around each,
//! and reference windows of the same calls in between.
//!
//! A *row* is a run of equal calls, of which a benchmark makes one line of its text.

use crate::observation::{MachineLook, RankRecord, World};
use models::collective::Collective;
use models::platform::Buffer;
use serde::{Deserialize, Serialize};

/// Fewest calls of a row: with fewer, a program gathers its results rather than times something.
pub const FEWEST_CALLS: u64 = 8;

/// Line of the record of an audited program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditLine {
    /// A row has ended.
    Row(Box<AuditedRow>),
    /// The program has reached `MPI_Finalize`.
    Finished {
        /// Number of rows that were seen.
        rows: u32,
    },
}

/// Row of an audited program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditedRow {
    /// Number of the row, in the order of time, from 0.
    pub row: u32,
    /// MPI's name of the function that was called.
    pub function: String,
    /// Collective that the function implements.
    pub collective: Collective,
    /// Bytes of one rank's buffer, or of one block where a block per rank is moved, or of all blocks together where
    /// they are combined and scattered. Benchmarks count their sizes in this way.
    pub bytes: u64,
    /// Number of elements in these bytes.
    pub count: u64,
    /// MPI datatype of the elements.
    pub element: String,
    /// Reduction of the call, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduction: Option<String>,
    /// Whether any rank called in place.
    pub in_place: bool,
    /// Roots of the calls. The last call's root comes last, and is that of the references.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<u32>,
    /// Number of calls in the row.
    pub calls: u64,
    /// Number of different buffers that rank 0 passed, up to 64.
    pub buffers_seen: u32,
    /// Number of ranks in the call.
    pub ranks: u32,
    /// State of the machine that each rank observed before the row; empty where ranks share cores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks_before: Vec<MachineLook>,
    /// State of the machine that each rank observed as soon as the row had ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks_after: Vec<MachineLook>,
    /// Windows of the same call after the row.
    pub references: Vec<AuditedReference>,
    /// Reason why there are no windows, or fewer than were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
    /// Ranks that ran, with their clock.
    pub ran_by: String,
}

/// Windows of a row's call in one state of its buffers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditedReference {
    /// State of the buffers.
    pub buffer: Buffer,
    /// Records of all ranks.
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

/// Rows that a benchmark prints: of consecutive rows of the same call, the last. (IMB first determines for each length
/// the number of calls that it has time for.)
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

/// Launch of a benchmark, with its text and its record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditedLaunch {
    /// Key of the launch.
    pub key: LaunchKey,
    /// Command that started the benchmark.
    pub command: String,
    /// Complete output of the benchmark.
    pub text: String,
    /// Rows of the benchmark, with references.
    pub rows: Vec<AuditedRow>,
}

/// Key that distinguishes launches: a campaign that continues skips those that it already has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchKey {
    /// World in which the benchmark ran.
    pub world: World,
    /// Number of ranks in the launch.
    pub ranks: u32,
    /// Name of the benchmark for readers.
    pub tool: String,
    /// Flags of the benchmark, apart from lengths; empty for none.
    pub flags: String,
    /// Program that was started: a benchmark may have one for each operation.
    pub program: String,
    /// Number of the launch among several, counted from 0.
    pub launch: u32,
}
