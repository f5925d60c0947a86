//! What is said of a library's algorithms: length by length, and how often it is right where it is known which one runs.

use super::{Identified, Place};
use models::collective::Collective;

/// One collective of a library on so many ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct LibraryCase {
    /// Where.
    pub place: Place,
    /// How many ranks.
    pub ranks: u32,
    /// Which collective.
    pub collective: Collective,
    /// For each length what the library appears to use.
    pub lengths: Vec<Identification>,
}

/// One length.
#[derive(Clone, Debug, PartialEq)]
pub struct Identification {
    /// The length in bytes.
    pub bytes: u64,
    /// What the library took, in µs.
    pub us: f64,
    /// By what its algorithms took when it was made to use them.
    pub by_measurement: Option<Identified>,
    /// By what simulated ranks took with them.
    pub by_prediction: Option<Identified>,
    /// What its decision table says, by the library's name; none where the table's algorithm is none of ours.
    pub table: Option<String>,
    /// The rule of the table.
    pub rule: Option<String>,
    /// True if the table's algorithm is among those that were compared with: else nothing speaks for or against it.
    pub table_is_known: bool,
}

/// How often an algorithm is recognised where it is known to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Confusion {
    /// Where.
    pub place: Place,
    /// Which collective.
    pub collective: Collective,
    /// Whether by predictions; else by what other launches measured.
    pub by_prediction: bool,
    /// What runs.
    pub known: String,
    /// Identified as it, or as one that sends the same messages.
    pub right: usize,
    /// Undecided, and it is among the likely ones.
    pub undecided: usize,
    /// Identified as others, by name, with how often.
    pub wrong: Vec<(String, usize)>,
}

impl Confusion {
    /// How often something was said of it.
    pub fn all(&self) -> usize {
        self.right + self.undecided + self.wrong.iter().map(|(_, times)| times).sum::<usize>()
    }
}

impl Identification {
    /// What the table says, where its algorithm was measured, too.
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
