//! Choices of algorithms: the one that a benchmark's numbers make the fastest, the one that is the fastest, and the one
//! that a library's table takes; and how often the table agrees with either.

mod made;
mod show;
#[cfg(test)]
mod tests;

pub use made::{Scores, scores};

use scenario::axis::Key;

/// Share by which an algorithm may take longer than the fastest and still count as one of the fastest.
pub const TIE: f64 = 0.05;
/// Share of true time from which a choice is called wrong.
pub const WRONG: f64 = 0.1;

/// An algorithm that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Name of the algorithm.
    pub algorithm: String,
    /// Number that the benchmark prints, in µs.
    pub printed_us: f64,
    /// True time, in µs.
    pub true_us: f64,
}

/// A call for which an algorithm is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Operation, ranks, bytes, network and benchmark.
    pub at: Key,
    /// Algorithms that can be chosen, at least one.
    pub candidates: Vec<Candidate>,
    /// The table's choice, with its own times; `None` where no table was asked, or where it takes an algorithm that is
    /// unknown.
    pub table: Option<Candidate>,
}

/// Side on which a table's choice stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// One of the fastest by printed numbers and by true times.
    Both,
    /// One of the fastest by printed numbers alone.
    Printed,
    /// One of the fastest by true times alone.
    True,
    /// Among the fastest by neither.
    Neither,
}

impl Choice {
    /// Returns all algorithms, the table's among them.
    fn all(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().chain(&self.table)
    }

    /// Returns the side on which the algorithm of a name stands, as a tuner would force it: a table may set another fanout.
    fn side_of(&self, algorithm: &str) -> Option<Side> {
        self.all().find(|one| one.algorithm == algorithm).map(|one| self.side(one))
    }

    fn least(&self, time: fn(&Candidate) -> f64) -> Option<&Candidate> {
        self.candidates.iter().min_by(|one, other| time(one).total_cmp(&time(other)))
    }

    /// Returns the algorithm with the least printed number; the first of several.
    pub fn by_print(&self) -> Option<&Candidate> {
        self.least(|one| one.printed_us)
    }

    /// Returns the algorithm with the least true time; the first of several.
    pub fn by_truth(&self) -> Option<&Candidate> {
        self.least(|one| one.true_us)
    }

    /// Returns a choice's true time over the least true time, at least 1.
    pub fn cost(&self, chosen: &Candidate) -> f64 {
        over_least(chosen.true_us, self.all().map(|one| one.true_us))
    }

    /// Returns the side on which an algorithm stands as the choice.
    pub fn side(&self, chosen: &Candidate) -> Side {
        let is_printed = over_least(chosen.printed_us, self.all().map(|one| one.printed_us)) <= 1.0 + TIE;
        match (is_printed, self.cost(chosen) <= 1.0 + TIE) {
            (true, true) => Side::Both,
            (true, false) => Side::Printed,
            (false, true) => Side::True,
            (false, false) => Side::Neither,
        }
    }
}

/// Returns a time over the least of all times.
fn over_least(time_us: f64, all_us: impl Iterator<Item = f64>) -> f64 {
    let least_us = all_us.fold(time_us, f64::min);
    if least_us > 0.0 { time_us / least_us } else { 1.0 }
}

/// Choices of one sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    /// All calls, in the order of the sweep's points.
    pub all: Vec<Choice>,
    /// Name of the table; `None` where none was asked.
    pub table: Option<String>,
}
