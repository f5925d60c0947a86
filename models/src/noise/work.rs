//! Work that was done in intervals of time, as FTQ counts it.

use super::said;
use crate::time::{Span, Time};

/// What one CPU did, interval by interval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Where it comes from: the file's name.
    pub name: String,
    /// How long an interval is.
    pub interval: Span,
    /// When each began, in order, and how many units of work were done in it.
    pub counts: Vec<(Time, u64)>,
    /// What the header says: key and value, in the file's order.
    pub header: Vec<(String, String)>,
}

impl WorkCounts {
    /// What the header says under a key.
    pub fn says(&self, key: &str) -> Option<&str> {
        said(&self.header, key)
    }

    /// The most units that were done in one interval.
    pub fn most(&self) -> u64 {
        self.counts.iter().map(|&(_, units)| units).max().unwrap_or(0)
    }

    /// The share of the work that each interval lost, against the one with most.
    pub fn lost(&self) -> impl Iterator<Item = f64> {
        let most = self.most().max(1) as f64;
        self.counts.iter().map(move |&(_, units)| 1.0 - units as f64 / most)
    }
}
