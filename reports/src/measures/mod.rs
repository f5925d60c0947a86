//! One measurement, every column: from the stamps of one repetition come all the numbers that other tools print.

mod columns;
#[cfg(test)]
mod tests;

pub use columns::{Column, Columns, Repetition, columns};

use serde::{Deserialize, Serialize};
use std::fmt;

/// One number of one repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Last end − common start that was due, on the global clock, per call.
    FromDue,
    /// Last end − first start, on the global clock, per call: the time of the collective.
    FromFirstStart,
    /// The longest of the ranks' own durations, each by its own clock.
    LongestLocal,
    /// The root's time.
    Root,
    /// The mean of the ranks' times: what OSU prints quantiles of.
    Mean,
    /// The least of the ranks' times.
    Min,
    /// Last start − first start, on the global clock; not per call.
    StartSkew,
    /// Last end − first end, on the global clock; not per call.
    ExitSkew,
}

impl Measure {
    /// All of them, in the order of their columns.
    pub const ALL: [Measure; 8] = [
        Measure::FromDue,
        Measure::FromFirstStart,
        Measure::LongestLocal,
        Measure::Root,
        Measure::Mean,
        Measure::Min,
        Measure::StartSkew,
        Measure::ExitSkew,
    ];

    /// The name used in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Measure::FromDue => "from-due",
            Measure::FromFirstStart => "from-first-start",
            Measure::LongestLocal => "longest-local",
            Measure::Root => "root",
            Measure::Mean => "mean",
            Measure::Min => "min",
            Measure::StartSkew => "start-skew",
            Measure::ExitSkew => "exit-skew",
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
