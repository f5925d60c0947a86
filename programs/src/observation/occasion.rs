//! Occasions of a measurement, which are no part of a case: the same case is measured on many occasions.

use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// Occasion of a measurement. The first one is not written into files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Occasion {
    /// Number of the launch of the same ranks, counted from 0.
    pub launch: u32,
}

impl Occasion {
    /// Returns true for the first launch.
    pub fn is_first(&self) -> bool {
        *self == Occasion::default()
    }

    /// Returns the given words with the launch behind them, where it is not the first.
    pub fn beside(self, what: impl Display) -> String {
        match (what.to_string(), self.launch) {
            (what, 0) => what,
            (what, launch) if what.is_empty() => format!("launch {}", launch + 1),
            (what, launch) => format!("{what}, launch {}", launch + 1),
        }
    }
}
