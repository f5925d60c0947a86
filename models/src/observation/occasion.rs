//! When a case is measured, which is no part of the case: the same case is measured on many occasions.

use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// An occasion. The first one is not written into files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Occasion {
    /// In which of several launches of the same ranks, counted from 0.
    pub launch: u32,
}

impl Occasion {
    /// True if it is in the first launch.
    pub fn is_first(&self) -> bool {
        *self == Occasion::default()
    }

    /// What is met on this occasion, with the launch in words where it is not the first.
    pub fn beside(self, what: impl Display) -> String {
        match (what.to_string(), self.launch) {
            (what, 0) => what,
            (what, launch) if what.is_empty() => format!("launch {}", launch + 1),
            (what, launch) => format!("{what}, launch {}", launch + 1),
        }
    }
}
