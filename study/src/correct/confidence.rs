//! Verdict on a correction: refused, printed with doubts, or printed with confidence; and numbers that need no
//! correction.
//!
//! A correction is refused where the interval of the bias reaches the size of the printed number: then most of the
//! answer would be the model's and little of it the benchmark's. States of a machine that are corrected separately
//! belong here as well: each is a correction of its own, and where they differ by more than their intervals the number
//! has none in common.
//!
//! A correction whose interval contains the printed number does not show in which direction the number is wrong. Where
//! all of the interval lies close to the number, that is an answer of its own: the number may be used as it was
//! printed. Where it does not, nothing is known.

use super::{Corrected, CorrectedRow, Doubt, Refusal};
use crate::over::RIGHT;
use programs::machine::Estimate;

models::named! {
    /// Verdict on one printed number.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Verdict {
        /// Corrected, and nothing puts the correction in question.
        Confident => "confident",
        /// Right as it was printed, within [`RIGHT`]: the interval of the call's time lies within that of the printed
        /// number.
        AsPrinted => "right-as-printed",
        /// Corrected, with doubts that put the correction in question.
        Doubtful => "doubtful",
        /// Not corrected, for the reason of the refusal.
        Refused => "not-corrected",
    }
    /// The name used in files.
    fn name;
}

impl Verdict {
    /// The verdict on a correction or on its refusal.
    pub fn from_result(corrected: &Result<Corrected, Refusal>) -> Verdict {
        match corrected {
            Ok(done) if done.doubts.iter().any(|doubt| doubt.is_in_question()) => Verdict::Doubtful,
            Ok(done) if done.doubts.contains(&Doubt::AsPrinted) => Verdict::AsPrinted,
            Ok(_) => Verdict::Confident,
            Err(_) => Verdict::Refused,
        }
    }
}

/// Number of printed numbers that have each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of all printed numbers.
    pub numbers: usize,
    /// Numbers that are corrected with confidence.
    pub confident: usize,
    /// Numbers that are right as they were printed.
    pub as_printed: usize,
    /// Numbers that are corrected with doubts.
    pub doubtful: usize,
    /// Numbers that are not corrected.
    pub refused: usize,
}

impl Tally {
    /// Counts the verdicts of rows.
    pub fn count(rows: &[CorrectedRow]) -> Tally {
        let count = |verdict| rows.iter().filter(|row| row.verdict() == verdict).count();
        Tally {
            numbers: rows.len(),
            confident: count(Verdict::Confident),
            as_printed: count(Verdict::AsPrinted),
            doubtful: count(Verdict::Doubtful),
            refused: count(Verdict::Refused),
        }
    }

    /// The counts in a sentence. `host` is the host for which the corrections hold, if it is another one.
    pub fn sentence(self, host: Option<&str>) -> String {
        let Tally { numbers, confident, as_printed, doubtful, refused } = self;
        let host = host.map(|host| format!(" for host {host}")).unwrap_or_default();
        let percent = RIGHT * 100.0;
        format!(
            "{confident} of {numbers} numbers corrected with confidence{host}, {as_printed} right as printed within \
             {percent:.0} %; {doubtful} more corrected with doubts, {refused} not corrected."
        )
    }
}

/// True if all of an interval lies within [`RIGHT`] of the printed number, on logarithms, like ratios to a reference.
pub(super) fn is_as_printed(printed: Estimate, us: Estimate) -> bool {
    let within = |end: f64| (printed.value / end).ln().abs() <= RIGHT.ln_1p();
    within(us.low) && within(us.high)
}

/// The refusal of a correction whose bias is not known well enough, in µs.
pub(super) fn refusal(printed: Estimate, bias: Estimate) -> Option<Refusal> {
    let reach = bias.low.abs().max(bias.high.abs());
    let ns = |us: f64| (us * 1e3).round() as i64;
    (reach >= printed.value)
        .then(|| Refusal::BiasUnknown { bias_ns: (ns(bias.low), ns(bias.high)), printed_ns: ns(printed.value) })
}
