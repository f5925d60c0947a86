//! Identified algorithms of a library, length by length, and a count of how algorithms that are known to run are
//! recognised.

use super::{Identified, Place};
use models::collective::Collective;

/// Identified algorithms of one collective of a library on a number of ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct LibraryCase {
    /// Place of the ranks.
    pub place: Place,
    /// Number of the place's ranks.
    pub ranks: u32,
    /// Collective that the library carries out.
    pub collective: Collective,
    /// Algorithm that the library appears to use at each length.
    pub lengths: Vec<Identification>,
}

/// Identified algorithm at one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Identification {
    /// Length of the call, in bytes.
    pub bytes: u64,
    /// Time of the library, in µs.
    pub us: f64,
    /// Identification by measured times of the library's algorithms, each forced in turn.
    pub by_measurement: Option<Identified>,
    /// Identification by simulated times of those algorithms.
    pub by_prediction: Option<Identified>,
    /// Algorithm in the library's decision table, by the library's name; `None` where Parallax has no such algorithm.
    pub table: Option<String>,
    /// Rule of the decision table that applies.
    pub rule: Option<String>,
    /// True if the table's algorithm is among those that were compared. Otherwise nothing speaks for or against it.
    pub table_is_known: bool,
}

/// Counts of how an algorithm that is known to run is recognised.
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    /// Place of the ranks.
    pub place: Place,
    /// Collective that the algorithm carries out.
    pub collective: Collective,
    /// Whether it is recognised by predictions rather than by measurements of other launches.
    pub by_prediction: bool,
    /// Name of the algorithm that runs.
    pub known: String,
    /// Number of cases identified as it, or as one that sends the same messages.
    pub right: usize,
    /// Number of undecided cases in which it is among the likely ones.
    pub undecided: usize,
    /// Names of other algorithms that were identified instead, each with the number of cases.
    pub wrong: Vec<(String, usize)>,
}

impl Confusion {
    /// Returns the number of judged cases.
    pub fn all(&self) -> usize {
        self.right + self.undecided + self.wrong.iter().map(|(_, times)| times).sum::<usize>()
    }
}

impl Identification {
    /// Returns the identification by measurement and the table's algorithm, where that was measured too.
    pub fn comparable(&self) -> Option<(&Identified, &str)> {
        let table = self.table.as_deref().filter(|_| self.table_is_known)?;
        Some((self.by_measurement.as_ref()?, table))
    }

    /// True if measurement and table name the same algorithm.
    pub fn confirms(&self) -> bool {
        self.comparable().is_some_and(|(found, table)| matches!(found, Identified::As(_)) && found.holds(table))
    }

    /// True if measurement and table contradict each other.
    pub fn contradicts(&self) -> bool {
        self.comparable().is_some_and(|(found, table)| !found.holds(table))
    }
}
