//! Tuning of a library: the algorithm of each call that is shown to be faster than the library's own choice, and the
//! table that says so for all lengths.
//!
//! A launch is one number. Each algorithm is compared with the library's own choice in pairs of launches of the same round
//! ([`crate::contrast`]); the risk that any algorithm of a call is taken for faster without being so is one minus the
//! confidence (Holm 1979, among the algorithms of the call).

mod choose;
mod pieces;
mod proof;
mod show;
#[cfg(test)]
mod tests;
mod tuned;

pub use choose::{Timed, least_launches_of, of_times, tuning};
pub use pieces::{Piece, Pieces};
pub use proof::{Counted, Proof, Proved, printed, proof};
pub use tuned::Tuned;

use crate::contrast::{Demand, Verdict};
use models::call::LengthForm;
use models::collective::Collective;
use programs::machine::Estimate;
use render::whence::Whence;
use scenario::axis::{Axis, Key};

/// Returns the call at a position. Both forms of a reduce-scatter have one name there, and differ in their form.
///
/// # Errors
/// Fails for an operation that is unknown.
pub fn called(at: &Key) -> Result<(Collective, models::call::Call), String> {
    let name = at.text(Axis::Operation);
    let counted = LengthForm::Vector.name();
    let is_block = name == Collective::ReduceScatter.name() && !at.text(Axis::Form).starts_with(counted);
    models::call::Call::find(if is_block { "reduce-scatter-block" } else { &name })
}

/// A way in which a library can be made to carry out a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way {
    /// The library's name of the algorithm.
    pub algorithm: String,
    /// Length of the segments into which messages are cut, in bytes; `None` for whole messages.
    pub segment_bytes: Option<u64>,
}

/// A way beside the library's own choice, for one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// Algorithm and segments.
    pub way: Way,
    /// Time of the library's own choice in µs: the median of the launches, or the time by the best set of parameters.
    pub own_us: f64,
    /// Its own time in µs, likewise.
    pub us: f64,
    /// Its time over that of the library's own choice, with the interval.
    pub ratio: Estimate,
    /// Relation to the library's own choice; slower where it is so in any state of the machine. The numbers are those of the
    /// state that decides, else of the one that was met most often.
    pub verdict: Verdict,
}

/// One call: an operation of one length on a number of ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Position on all axes but the algorithm, its segments, and the state of the machine.
    pub at: Key,
    /// Bytes of one rank's buffer, or of a block.
    pub bytes: u64,
    /// All ways that were measured beside it, in the order of their names.
    pub tried: Vec<Tried>,
    /// The way that the table takes; `None` for the library's own choice.
    pub chosen: Option<Way>,
}

/// The numbers by which algorithms are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The reference: the slowest rank's time from a common start.
    Reference,
    /// Numbers that a benchmark of this name would print.
    Printed(String),
    /// Times of simulated ranks on a machine of this name.
    Predicted(String),
    /// Numbers that a framework of this name published.
    Published(String),
    /// Published numbers, corrected by simulated ranks on a machine of this name.
    Corrected(String),
}

/// All calls of a tuning, with the table that follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// Name of the source of the numbers.
    pub name: String,
    /// Numbers by which algorithms are chosen.
    pub by: By,
    /// Confidence of a choice, and the least gain that is worth a change.
    pub demand: Demand,
    /// All calls, grouped by all axes but the bytes, with ascending lengths.
    pub calls: Vec<Call>,
    /// The table: for each operation and number of ranks, pieces of lengths with one choice.
    pub table: Vec<Pieces>,
    /// Origin of the numbers.
    pub whence: Whence,
    /// Remarks on the numbers, a sentence each.
    pub notes: Vec<String>,
}

impl Call {
    /// Returns the way that the table takes, with its numbers; `None` for the library's own choice.
    pub fn taken(&self) -> Option<&Tried> {
        let chosen = self.chosen.as_ref()?;
        self.tried.iter().find(|tried| tried.way == *chosen)
    }

    /// Returns the way with the least ratio that is shown to be faster than the library's own choice.
    pub fn fastest(&self) -> Option<&Tried> {
        let shown = self.tried.iter().filter(|tried| tried.verdict == Verdict::Faster);
        shown.min_by(|one, other| one.ratio.value.total_cmp(&other.ratio.value))
    }
}

/// Returns the position of a call on the axes that numbers of all kinds have.
fn same_call(key: &Key) -> Key {
    key.within(|axis| ![Axis::Method, Axis::Buffer, Axis::Calls, Axis::Sync].contains(&axis))
}

/// Returns the times over those of the library's own choice.
fn ratios<'a>(tried: impl IntoIterator<Item = &'a Tried>) -> Vec<f64> {
    tried.into_iter().map(|tried| tried.ratio.value).collect()
}

impl Tuning {
    /// Whether the table changes the call at this position.
    pub fn changes(&self, at: &Key) -> bool {
        self.changed().any(|changed| same_call(&changed.at) == same_call(at))
    }

    /// Returns the calls that the table changes.
    pub fn changed(&self) -> impl Iterator<Item = &Call> {
        self.calls.iter().filter(|call| call.chosen.is_some())
    }
}
