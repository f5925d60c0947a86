//! The systematic errors E1 … E10 by their labels and names, in the order of a budget.

use models::names::unknown;
use serde::{Deserialize, Serialize};
use std::fmt;

models::named! {
    /// Systematic error of a benchmark (E1–E7: Kurnosov 2012; E8 … E10: seen in today's tools), in the order in which a
    /// bias budget lists them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SystematicError {
        /// E1: connections are set up at the first use of a pair, and the first call is counted.
        LateInitialisation => "E1", "late-initialisation",
        /// E2: one rank's time is reported.
        OneRank => "E2", "one-rank",
        /// E3: the root changes over calls.
        RootChanges => "E3", "root-changes",
        /// E4: the buffer stays in cache.
        BufferReuse => "E4", "buffer-reuse",
        /// E5: ranks leave the barrier that starts a call at different times.
        BarrierSkew => "E5", "barrier-skew",
        /// E6: a call overlaps the one before.
        UnsynchronisedLoop => "E6", "unsynchronised-loop",
        /// E7: granularity, drift, offsets of the clocks.
        BadClock => "E7", "bad-clock",
        /// E8: ranks that waited for a start are slower to go.
        IdleGap => "E8", "idle-gap",
        /// E9: a barrier's time is reported with the call's.
        BarrierInside => "E9", "barrier-inside",
        /// E10: barrier and operation keep a skew that one delay has made.
        KeptSkew => "E10", "kept-skew",
    }
    /// Label of the error, `E1` … `E10`.
    fn label;
    /// The name used in files and output.
    fn name;
}

impl SystematicError {
    /// Finds the error of this label or name.
    ///
    /// # Errors
    /// Lists the known errors.
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
