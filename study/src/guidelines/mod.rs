//! Self-consistent performance guidelines: they find calls of a library that take longer than an equivalent sequence of
//! its other calls, than the same call with more data, or than that on more ranks.
//!
//! A part of a mock-up is taken to begin when the one before has ended on all ranks. Called one after the other, the
//! parts overlap and take less time, so that a violation found here is a real one. A guideline is violated only where
//! chance would hardly show as much (one-sided test of Mann and Whitney, Holm over all guidelines and cases) and the
//! factor is of interest.

mod check;
mod find;
mod numbers;
mod rules;
mod show;
#[cfg(test)]
mod tests;

pub use rules::{MOCK_UPS, MockUp, Size};

use crate::contrast::{Demand, Quantity, Side, letter, untested};
use programs::machine::Estimate;
use render::whence::Whence;
use scenario::axis::Key;

models::named! {
    /// Kind of comparison that a guideline makes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Kind {
        /// A call against other calls that do the same.
        MockUp => "mock-up",
        /// A call with equal blocks against its form with a count for each rank.
        Regular => "regular",
        /// Fewer bytes against more.
        MonotoneInBytes => "monotone-in-bytes",
        /// One call against several with a part of the data each.
        SplitRobust => "split-robust",
        /// Fewer ranks against more.
        MonotoneInRanks => "monotone-in-ranks",
    }
    /// The name used in output.
    fn name;
}

models::named! {
    /// Verdict on one guideline.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict {
        /// The numbers show that it is violated.
        Violated => "violated",
        /// The numbers look like a violation, but chance might show as much.
        Suspected => "suspected",
        /// No number speaks for a violation.
        Kept => "kept",
    }
    /// The name used in files and output.
    fn name;
}

/// One guideline checked at one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Name of the guideline: `allreduce ≤ reduce + bcast`.
    pub guideline: String,
    /// Kind of the guideline's comparison.
    pub kind: Kind,
    /// The call that should not be slower.
    pub case: Key,
    /// The other side: `reduce(1024 B) + bcast(1024 B)`.
    pub other: String,
    /// Median of the call, in µs.
    pub call_us: f64,
    /// Median of the other side, in µs.
    pub other_us: f64,
    /// The call over the other side, with its interval; above 1 the call takes longer. `None` where a number is not
    /// positive.
    pub factor: Option<Estimate>,
    /// One-sided p, adjusted for all guidelines that are tested; `None` where there is no test.
    pub adjusted_p: Option<f64>,
    /// Verdict on the guideline at this case.
    pub verdict: Verdict,
    /// Whether the numbers could show a violation, whatever their values are.
    pub can_show: bool,
    /// Remedy where the guideline is violated, or the reason for doubt where that is suspected; else empty.
    pub advice: String,
}

/// All guidelines that can be checked on a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct Guidelines {
    /// Name of the campaign, as the user gave it.
    pub name: String,
    /// Confidence of every interval.
    pub confidence: f64,
    /// The smallest effect of interest, as a share.
    pub at_least: f64,
    /// The answer in a sentence.
    pub sentence: String,
    /// All checks, the violated ones first, those with the largest factor before the others.
    pub checks: Vec<Check>,
    /// Parts that could not be checked, a sentence each.
    pub notes: Vec<String>,
    /// Origin of the campaign's numbers.
    pub whence: Whence,
}

/// Checks a campaign against all guidelines of which it has both sides.
///
/// # Errors
/// Fails where no guideline can be checked, and where numbers are no times.
pub fn guidelines(side: &Side, demand: Demand) -> Result<Guidelines, String> {
    if let Some(why) = &side.lacks {
        return Err(why.clone());
    }
    if let Some(other) = side.cases.iter().map(|case| case.quantity).find(|quantity| *quantity != Quantity::Time) {
        return Err(format!("{}: guidelines compare times in µs, found numbers in {}", side.name, other.unit()));
    }
    let (pairs, mut notes) = find::pairs(side);
    if pairs.is_empty() {
        let name = &side.name;
        let cure = "measure several operations or several lengths, like bcast,reduce,allreduce --bytes 8..64KiB";
        return Err(format!("{name} has no two cases that a guideline compares; {cure}"));
    }
    let mut checks = check::checks(&pairs, demand);
    checks.sort_by(|a, b| {
        let factor = |check: &Check| check.factor.map_or(0.0, |factor| factor.value);
        a.verdict.cmp(&b.verdict).then(factor(b).total_cmp(&factor(a)))
    });
    notes.extend(side.notes.iter().cloned());
    Ok(Guidelines {
        name: side.name.clone(),
        whence: Whence::from_facts(&side.facts),
        confidence: demand.confidence,
        at_least: demand.at_least,
        sentence: sentence(&checks),
        checks,
        notes,
    })
}

fn sentence(checks: &[Check]) -> String {
    let count = |verdict| checks.iter().filter(|check| check.verdict == verdict).count();
    let (violated, suspected) = (count(Verdict::Violated), count(Verdict::Suspected));
    let all = checks.len();
    let checks_word = if all == 1 { "check" } else { "checks" };
    let worst = checks.iter().find(|check| check.verdict == Verdict::Violated);
    let worst = worst.and_then(|check| Some((check, check.factor?.value)));
    let worst = worst.map(|(check, factor)| {
        let bytes = check.case.text(scenario::axis::Axis::Bytes);
        format!("; the worst: {} at {bytes} bytes, by a factor of {factor:.2}", check.guideline)
    });
    let suspected = match suspected {
        0 => String::new(),
        suspected => format!("; {suspected} more suspected, possibly due to chance"),
    };
    match violated {
        0 => format!("No guideline is shown to be violated in {all} {checks_word}{suspected}."),
        _ => format!(
            "Guidelines are violated in {violated} of {all} {checks_word}{}{suspected}.",
            worst.unwrap_or_default()
        ),
    }
}

/// Reason why the campaign has not passed, where no check could have shown a violation, whatever its numbers are.
pub fn shows_nothing(guidelines: &Guidelines) -> Option<String> {
    let checks = &guidelines.checks;
    let why = || format!("no case of {} has launches or samples enough, or an interval", guidelines.name);
    checks.iter().all(|check| !check.can_show).then(|| untested(&why()))
}

/// Lists guidelines that a side violates and the first one does not, in words, and sides of which nothing could be
/// tested.
pub fn new_violations(sides: &[Side], demand: Demand) -> Vec<String> {
    let found: Vec<Result<Guidelines, String>> = sides.iter().map(|side| guidelines(side, demand)).collect();
    let violated = |guidelines: &Result<Guidelines, String>| -> Vec<Check> {
        let checks = guidelines.iter().flat_map(|guidelines| &guidelines.checks);
        checks.filter(|check| check.verdict == Verdict::Violated).cloned().collect()
    };
    let known = found.first().map(violated).unwrap_or_default();
    let mut new = Vec::new();
    for (place, other) in found.iter().enumerate().skip(1) {
        let nothing = match other {
            Ok(guidelines) => shows_nothing(guidelines),
            Err(why) => Some(untested(why)),
        };
        new.extend(nothing.map(|why| format!("guideline: {}: {why}", letter(place))));
        let is_new = |check: &&Check| {
            let same = |old: &Check| {
                use scenario::axis::Axis::{Bytes, Operation, Ranks};
                old.guideline == check.guideline
                    && [Operation, Ranks, Bytes].iter().all(|&axis| old.case.get(axis) == check.case.get(axis))
            };
            !known.iter().any(same)
        };
        let all = violated(other);
        new.extend(all.iter().filter(is_new).map(|check| {
            let factor = check.factor.map_or(f64::NAN, |factor| factor.value);
            format!("guideline: {}: {} at {}: factor {factor:.3}", letter(place), check.guideline, check.case)
        }));
    }
    new
}
