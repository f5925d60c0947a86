//! Audits: the prints of unmodified benchmarks, compared with reference windows of the same calls that were taken
//! between the benchmark's own rows, in the same launch and the same state of the machine.
//!
//! The ratio of a number to its reference is taken launch by launch; launches are the statistical unit.

mod answer;
mod gather;
mod page;
mod pair;
mod rows;
mod show;
#[cfg(test)]
mod tests;
mod text_answer;
#[cfg(test)]
mod text_tests;
mod texts;
mod ways;

pub use gather::audit;
pub use texts::{TextNumber, audit_texts};
pub use ways::ROOTS_TAKE_TURNS;

use crate::enough::Deciding;
use crate::measured::CONFIDENCE;
use crate::over::{OverReference, is_least};
use calibration::states::{MetState, States};
use models::collective::Collective;
use programs::method::Buffer;
use programs::observation::World;

/// The mark of every number that was read from a text.
pub(crate) const NOT_PAIRED: &str = "text of another launch: not paired";

/// Results of an audit.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// The question that the audit answers.
    pub question: String,
    /// State of the reference's buffers.
    pub reference: Buffer,
    /// Confidence of every interval.
    pub confidence: f64,
    /// One row for each benchmark, its flags, column, operation, length, world and state of the machine.
    pub rows: Vec<AuditRow>,
    /// The states of the machine that were met.
    pub states: States,
    /// Count of numbers without a reference in the same state, and of printed rows without observed calls.
    pub unpaired: usize,
    /// Sentence on other load on the machine, if it matters.
    pub load: Option<String>,
    /// Label and value of each recorded fact of the environment.
    pub environment: Vec<(String, String)>,
    /// Commands that reproduce the audit.
    pub reproduce: Vec<String>,
    /// Requested parts that could not be audited, with the reasons.
    pub left_out: Vec<String>,
    /// Number of launches and the reason for stopping, where the ratios decided it.
    pub launches: Option<String>,
    /// Notes on texts, where the numbers come from texts: then no row is paired with its reference.
    pub texts: Option<Texts>,
}

/// Notes on an audit of texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    /// The mark of all rows.
    pub pairing: &'static str,
    /// The host on which references were taken.
    pub host: String,
    /// Time at which the references were begun; empty where it is unknown.
    pub started: String,
    /// Number of launches that took references.
    pub launches: usize,
    /// Further remarks on texts, such as numbers of ranks that only a file's name states, and roots that take turns.
    pub remarks: Vec<String>,
}

/// One printed number over its reference.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRow {
    /// World in which the benchmark ran.
    pub world: World,
    /// Number of ranks of the call.
    pub ranks: u32,
    /// Name of the benchmark.
    pub tool: String,
    /// Flags with which the benchmark was run; empty for its defaults.
    pub flags: String,
    /// Head of the printed column.
    pub column: String,
    /// Collective that was called.
    pub collective: Collective,
    /// Length in bytes, as the benchmark counts it.
    pub bytes: u64,
    /// The elements and the reduction that the benchmark calls with.
    pub element: String,
    /// The text that it was read from, where the benchmark was not run here: a text of another launch, and not paired.
    pub text: Option<String>,
    /// State of the machine; `None` where it could not be observed. For a text it is the references' state, as its own
    /// is unknown.
    pub state: Option<MetState>,
    /// Median of the printed numbers, in µs.
    pub printed_us: f64,
    /// The median of the references, in µs.
    pub reference_us: f64,
    /// Printed number divided by the reference.
    pub over: OverReference,
    /// Contributions to the ratio, as logarithms: medians over launches, which add up to that of [`AuditRow::over`].
    pub parts: Parts,
}

/// Contributions to a ratio, as natural logarithms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// E4: never rewritten buffers over the reference's, both by windows; `None` where windows of either are missing.
    pub never_rewritten: Option<f64>,
    /// E2: the ranks that the column counts over the slowest rank, by windows on never rewritten buffers; `None`
    /// without such windows.
    pub ranks_counted: Option<f64>,
    /// All other contributions: the start of calls (E5, E6), the aggregation of times, the clock.
    pub rest: f64,
}

impl Audit {
    /// The ratios that decide on the number of launches: those of columns other than minima, in states that were met
    /// often.
    pub fn deciding(&self) -> Vec<Deciding> {
        if self.texts.is_some() {
            return texts::deciding(self);
        }
        let common = |row: &&AuditRow| row.state.is_none_or(|state| self.states.is_common(&state));
        let rows = self.rows.iter().filter(common).filter(|row| !row.is_least());
        let name =
            |row: &AuditRow| format!("{}: {} at {} B ({})", row.title(), row.collective, row.bytes, row.world.title());
        rows.map(|row| (name(row), row.over.clone())).collect()
    }

    /// Returns an audit without rows.
    pub(crate) fn empty() -> Audit {
        Audit {
            question: String::new(),
            reference: Buffer::Touched,
            confidence: CONFIDENCE,
            rows: Vec::new(),
            states: States::default(),
            unpaired: 0,
            load: None,
            environment: Vec::new(),
            reproduce: Vec::new(),
            left_out: Vec::new(),
            launches: None,
            texts: None,
        }
    }
}

impl AuditRow {
    /// True for the minimum over ranks, which is no measure of the call's time.
    pub fn is_least(&self) -> bool {
        is_least(&self.column)
    }

    /// The benchmark with its flags: `OSU -f`; for a text also the file: `OSU in osu.np2.txt (not paired)`.
    pub fn run_as(&self) -> String {
        let text = self.text.as_ref().map(|text| format!("in {text} (not paired)")).unwrap_or_default();
        let words = [self.tool.as_str(), &self.flags, &text];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Remark on the use of the ratio for the call; empty if there is none.
    pub fn remark(&self) -> String {
        let not_paired = self.text.as_ref().map(|_| NOT_PAIRED.to_owned());
        let remarks = [not_paired.unwrap_or_default(), self.over.remark()];
        remarks.into_iter().filter(|remark| !remark.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// The benchmark with its flags and the column.
    pub fn title(&self) -> String {
        format!("{}, {}", self.run_as(), self.column)
    }
}
