//! Work that was done in intervals of time, as FTQ counts it.

use super::said;
use crate::time::{Span, Time};

/// Work of one CPU by intervals of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Name of the file from which the counts come.
    pub name: String,
    /// Duration of an interval.
    pub interval: Span,
    /// Start of each interval, in order, and units of work done in it.
    pub counts: Vec<(Time, u64)>,
    /// Keys and values of the header, in the file's order.
    pub header: Vec<(String, String)>,
}

impl WorkCounts {
    /// Value of a key in the header.
    pub fn says(&self, key: &str) -> Option<&str> {
        said(&self.header, key)
    }

    /// Largest number of units that were done in one interval.
    pub fn most(&self) -> u64 {
        self.counts.iter().map(|&(_, units)| units).max().unwrap_or(0)
    }

    /// Share of the work that each interval lost, against the one with most.
    pub fn lost(&self) -> impl Iterator<Item = f64> {
        let most = self.most().max(1) as f64;
        self.counts.iter().map(move |&(_, units)| 1.0 - units as f64 / most)
    }
}
