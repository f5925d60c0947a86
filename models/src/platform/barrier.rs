//! A library's barrier as it was measured (E5): when each rank may leave it, counted from when each rank entered it.
//!
//! Rank r leaves at max over q of (entry of q + until[q][r]): a barrier is a linear map of max-plus algebra (Baccelli, Cohen,
//! Olsder, Quadrat: Synchronization and Linearity, 1992), and a row of its matrix shows where one rank enters last.

use crate::network::{exact_span, read};
use crate::time::Span;
use std::fmt;

/// The matrix of as many ranks as have a row: from the entry of the row's rank to the exit of the column's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierTimes {
    ranks: u32,
    until: Vec<Span>,
}

impl BarrierTimes {
    /// Row after row.
    ///
    /// # Errors
    /// No square of two ranks or more.
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

    /// From text: `50ns/145ns/145ns/50ns`.
    ///
    /// # Errors
    /// What is no time, or no square.
    pub fn parse(text: &str) -> Result<BarrierTimes, String> {
        BarrierTimes::new(text.split('/').map(|time| read(time, "ns")).collect::<Result<_, _>>()?)
    }

    /// How many ranks.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// How long after one rank's entry another one, or itself, leaves, if all others entered long before.
    pub fn until(&self, entry: u32, exit: u32) -> Span {
        self.until[(entry * self.ranks + exit) as usize]
    }
}

impl fmt::Display for BarrierTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.until.iter().map(|&time| exact_span(time)).collect::<Vec<_>>().join("/"))
    }
}
