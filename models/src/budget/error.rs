//! The systematic errors E1 … E9 by their labels and names, in the order of a budget.

use crate::names::unknown;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What benchmarks do wrong (E1–E7: Kurnosov 2012; E8, E9: seen in today's tools), in the order in which a bias
/// budget lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SystematicError {
    /// E1: connections are set up at the first use of a pair, and the first call is counted.
    LateInitialisation,
    /// E2: one rank's time is reported.
    OneRank,
    /// E3: the root changes over repetitions.
    RootChanges,
    /// E4: the buffer stays in cache.
    BufferReuse,
    /// E5: ranks leave the barrier that starts a call at different times.
    BarrierSkew,
    /// E6: a repetition overlaps the one before.
    UnsynchronisedLoop,
    /// E7: granularity, drift, offsets of the clocks.
    BadClock,
    /// E8: ranks that waited for a start are slower to go.
    IdleGap,
    /// E9: a barrier's time is reported with the call's.
    BarrierInside,
}

impl SystematicError {
    /// All, in their documented order.
    pub const ALL: [SystematicError; 9] = [
        SystematicError::LateInitialisation,
        SystematicError::OneRank,
        SystematicError::RootChanges,
        SystematicError::BufferReuse,
        SystematicError::BarrierSkew,
        SystematicError::UnsynchronisedLoop,
        SystematicError::BadClock,
        SystematicError::IdleGap,
        SystematicError::BarrierInside,
    ];

    /// `E1` … `E9`.
    pub fn label(self) -> &'static str {
        match self {
            SystematicError::LateInitialisation => "E1",
            SystematicError::OneRank => "E2",
            SystematicError::RootChanges => "E3",
            SystematicError::BufferReuse => "E4",
            SystematicError::BarrierSkew => "E5",
            SystematicError::UnsynchronisedLoop => "E6",
            SystematicError::BadClock => "E7",
            SystematicError::IdleGap => "E8",
            SystematicError::BarrierInside => "E9",
        }
    }

    /// The name used in files and output.
    pub fn name(self) -> &'static str {
        match self {
            SystematicError::LateInitialisation => "late-initialisation",
            SystematicError::OneRank => "one-rank",
            SystematicError::RootChanges => "root-changes",
            SystematicError::BufferReuse => "buffer-reuse",
            SystematicError::BarrierSkew => "barrier-skew",
            SystematicError::UnsynchronisedLoop => "unsynchronised-loop",
            SystematicError::BadClock => "bad-clock",
            SystematicError::IdleGap => "idle-gap",
            SystematicError::BarrierInside => "barrier-inside",
        }
    }
}

impl SystematicError {
    /// The error of this label or name.
    ///
    /// # Errors
    /// Lists the known ones.
    pub fn find(name: &str) -> Result<SystematicError, String> {
        let is_it = |error: &SystematicError| error.label().eq_ignore_ascii_case(name) || error.name() == name;
        let known = || SystematicError::ALL.iter().map(ToString::to_string);
        SystematicError::ALL.into_iter().find(is_it).ok_or_else(|| unknown("error", name, known()))
    }
}

impl fmt::Display for SystematicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.label(), self.name())
    }
}
