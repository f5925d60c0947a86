//! Audits: what unmodified benchmarks printed, held against reference windows of the same calls that were taken between the
//! benchmark's own rows, in the same launch and the same state of the machine.
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
use crate::states::{State, States};
use models::collective::Collective;
use models::method::Buffer;
use models::observation::World;

/// The mark of every number that was read from a text.
pub(crate) const NOT_PAIRED: &str = "text of another launch: not paired";

/// Everything that an audit found.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// What was asked.
    pub question: String,
    /// In which state the reference's buffers are.
    pub reference: Buffer,
    /// Confidence of every interval.
    pub confidence: f64,
    /// One for each benchmark, its flags, column, operation, length, world and state of the machine.
    pub rows: Vec<Row>,
    /// The states of the machine.
    pub states: States,
    /// Numbers without a reference in the same state, and printed rows that no call was seen for.
    pub unpaired: usize,
    /// What else used the machine, if that matters.
    pub load: Option<String>,
    /// Label and value of each recorded fact of the environment.
    pub environment: Vec<(String, String)>,
    /// Commands that reproduce the audit.
    pub reproduce: Vec<String>,
    /// What was asked but could not be audited, and why.
    pub left_out: Vec<String>,
    /// How many launches were taken and why no more, where the ratios decided that.
    pub launches: Option<String>,
    /// Where the numbers are from texts that somebody handed over: then no row is paired with its reference.
    pub texts: Option<Texts>,
}

/// What is to be known of an audit of texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    /// The mark of all rows.
    pub pairing: &'static str,
    /// The host on which references were taken.
    pub host: String,
    /// When that began.
    pub started: String,
    /// How many launches took references.
    pub launches: usize,
    /// What else is to be known of texts: what nobody but a file's name says, roots that take turns.
    pub remarks: Vec<String>,
}

/// One printed number over its reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Where.
    pub world: World,
    /// On how many ranks.
    pub ranks: u32,
    /// The benchmark.
    pub tool: String,
    /// How it was run.
    pub flags: String,
    /// The column's head.
    pub column: String,
    /// The operation.
    pub collective: Collective,
    /// The length, as the benchmark counts it.
    pub bytes: u64,
    /// The elements and the reduction that the benchmark calls with.
    pub element: String,
    /// The text that it was read from, where the benchmark was not run here: a text of another launch, and not paired.
    pub text: Option<String>,
    /// In which state of the machine; none where nobody could look. Of a text the references' state: its own is unknown.
    pub state: Option<State>,
    /// The median of what was printed, in µs.
    pub printed_us: f64,
    /// The median of the references, in µs.
    pub reference_us: f64,
    /// printed ÷ reference.
    pub over: OverReference,
    /// What makes the ratio, as logarithms: medians over launches, which add up to that of [`Row::over`].
    pub parts: Parts,
}

/// What makes a ratio, as natural logarithms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// E4: buffers that are never rewritten, over the reference's: windows over windows.
    pub never_rewritten: Option<f64>,
    /// E2: the ranks that the column counts, over the slowest: of windows on never rewritten buffers.
    pub ranks_counted: Option<f64>,
    /// All else: how calls are started (E5, E6), how numbers are summed up, the clock.
    pub rest: f64,
}

impl Audit {
    /// The ratios that decide how many launches are taken: those that people read, in states that were met often.
    pub fn deciding(&self) -> Vec<Deciding> {
        if self.texts.is_some() {
            return texts::deciding(self);
        }
        let common = |row: &&Row| row.state.is_none_or(|state| self.states.is_common(&state));
        let rows = self.rows.iter().filter(common).filter(|row| !row.is_least());
        let name =
            |row: &Row| format!("{}: {} at {} B ({})", row.title(), row.collective, row.bytes, row.world.title());
        rows.map(|row| (name(row), row.over.clone())).collect()
    }

    /// One without rows.
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

impl Row {
    /// True for the least of the ranks' times, which nobody takes for the call's time.
    pub fn is_least(&self) -> bool {
        is_least(&self.column)
    }

    /// The benchmark as it was run: `OSU -f`; of a text also which: `OSU in osu.np2.txt (not paired)`.
    pub fn run_as(&self) -> String {
        let text = self.text.as_ref().map(|text| format!("in {text} (not paired)")).unwrap_or_default();
        let words = [self.tool.as_str(), &self.flags, &text];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// What to know before taking the ratio for the call's; empty for nothing.
    pub fn remark(&self) -> String {
        let not_paired = self.text.as_ref().map(|_| NOT_PAIRED.to_owned());
        let remarks = [not_paired.unwrap_or_default(), self.over.remark()];
        remarks.into_iter().filter(|remark| !remark.is_empty()).collect::<Vec<_>>().join("; ")
    }

    /// The same, and the column.
    pub fn title(&self) -> String {
        format!("{}, {}", self.run_as(), self.column)
    }
}
