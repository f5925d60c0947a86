//! Mistakes in a schedule that are found without running it: dependencies in circles, messages without a partner, ends
//! that disagree about a message's length.
//!
//! Deadlocks are found by running it. Work that never runs is behind one of these.

mod cycles;
mod messages;
#[cfg(test)]
mod tests;

use super::Schedule;
use std::fmt;

/// Mistake in a schedule, in one sentence that names ranks and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Operations of one rank wait for each other, and so never run.
    Cycle(String),
    /// The numbers of messages of one kind that are sent and received differ.
    Unmatched(String),
    /// The two ends of a message disagree about its length.
    Sizes(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Cycle(sentence) | Problem::Unmatched(sentence) | Problem::Sizes(sentence) => f.write_str(sentence),
        }
    }
}

/// Returns all mistakes of a schedule, cycles first, ranks ascending.
pub fn check(schedule: &Schedule) -> Vec<Problem> {
    let mut problems = cycles::find(schedule);
    messages::find(schedule, &mut problems);
    problems
}
