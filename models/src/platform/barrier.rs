//! A library's barrier as it was measured (E5): the times from each rank's entry to each rank's exit.
//!
//! Rank r leaves at max over q of (entry of q + until[q][r]): a barrier is a linear map of max-plus algebra (Baccelli,
//! Cohen, Olsder, Quadrat: Synchronization and Linearity, 1992), and a row of its matrix shows where one rank enters
//! last.

use crate::network::{exact_span, read};
use crate::time::Span;
use std::fmt;

/// Matrix of times from the entry of the row's rank to the exit of the column's rank, with a row for every rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierTimes {
    ranks: u32,
    until: Vec<Span>,
}

impl BarrierTimes {
    /// Takes the times row by row.
    ///
    /// # Errors
    /// Fails if the number of times is no square of two or more.
    pub fn new(until: Vec<Span>) -> Result<BarrierTimes, String> {
        let ranks = until.len().isqrt();
        if ranks < 2 || ranks * ranks != until.len() {
            let found = until.len();
            return Err(format!(
                "expected a time from each rank's entry to each rank's exit, n × n of them like 50ns/145ns/145ns/50ns, found {found}"
            ));
        }
        Ok(BarrierTimes { ranks: ranks as u32, until })
    }

    /// Reads the matrix from text such as `50ns/145ns/145ns/50ns`.
    ///
    /// # Errors
    /// Names what is no time, or fails if the times are no square.
    pub fn parse(text: &str) -> Result<BarrierTimes, String> {
        BarrierTimes::new(text.split('/').map(|time| read(time, "ns")).collect::<Result<_, _>>()?)
    }

    /// Number of ranks in the barrier.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Time from one rank's entry to the exit of another rank, or of itself, if all others entered long before.
    pub fn until(&self, entry: u32, exit: u32) -> Span {
        self.until[(entry * self.ranks + exit) as usize]
    }
}

impl fmt::Display for BarrierTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.until.iter().map(|&time| exact_span(time)).collect::<Vec<_>>().join("/"))
    }
}
