//! Two cases held against each other: the effect, how sure it is, and what it amounts to.

use super::units::{Unit, Units};
use crate::statistics::{Comparison, Faster};
use models::machine::Estimate;
use serde::Serialize;

/// What B is against A.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It takes longer, beyond chance, and by the smallest effect of interest or more.
    Slower,
    /// It takes less time, likewise.
    Faster,
    /// The interval lies within the smallest effect of interest, both ways.
    Same,
    /// Neither is shown.
    Undecided,
}

impl Verdict {
    /// The name used in files and output.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
            Verdict::Same => "same",
            Verdict::Undecided => "undecided",
        }
    }

    /// What A is against B.
    #[must_use]
    pub fn mirrored(self) -> Verdict {
        match self {
            Verdict::Slower => Verdict::Faster,
            Verdict::Faster => Verdict::Slower,
            Verdict::Same | Verdict::Undecided => self,
        }
    }
}

/// The effect of B against A.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// What one number of the test is.
    pub unit: Unit,
    /// How many numbers there are of A and of B.
    pub counts: (usize, usize),
    /// Median of A's, in µs: of launches, else of all repetitions.
    pub a_us: f64,
    /// Median of B's, in µs.
    pub b_us: f64,
    /// B over A: the median of all ratios of B's numbers to A's with the interval that inverts the test (Hodges and Lehmann
    /// 1963); none where a number is not positive.
    pub ratio: Option<Estimate>,
    /// B − A in µs, likewise.
    pub difference_us: Estimate,
    /// The confidence that these intervals reach; less than what was asked where there are too few numbers.
    pub reached: f64,
    /// Cliff's delta: in how many more of all pairs B's number is the larger one; none with a single number on a side.
    pub delta: Option<Estimate>,
    /// How often chance alone would show as much (Mann and Whitney 1947), and the same adjusted for all cases that are
    /// compared (Holm 1979); none where there is no test.
    pub p: Option<f64>,
    /// See `p`.
    pub adjusted_p: Option<f64>,
    /// So many numbers on each side could show a difference, where these are too few whatever they say.
    pub needed: Option<usize>,
    /// What it amounts to.
    pub verdict: Verdict,
    /// Why there is no verdict, or what is doubtful about it; else empty.
    pub note: String,
}

/// How sure a verdict must be, and about how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Confidence of every interval; the risk of any false finding among all cases is what it leaves.
    pub confidence: f64,
    /// The smallest effect of interest, as a share: 0.02 is a factor of 1.02 either way.
    pub at_least: f64,
}

impl Effect {
    /// The effect from a comparison of B's numbers (its `a`) with A's (its `b`).
    pub(crate) fn tested(units: &Units, found: &Comparison, demand: Demand, tests: usize) -> Effect {
        let shift = found.ratio.as_ref().unwrap_or(&found.shift);
        let mut effect = Effect {
            unit: units.unit,
            counts: (units.a.len(), units.b.len()),
            a_us: units.medians.0.unwrap_or(found.median_b),
            b_us: units.medians.1.unwrap_or(found.median_a),
            ratio: found.ratio.map(|ratio| ratio.estimate),
            difference_us: found.shift.estimate,
            reached: shift.reached,
            delta: found.delta,
            p: Some(found.test.p),
            adjusted_p: Some(found.adjusted_p),
            needed: None,
            verdict: Verdict::Undecided,
            note: String::new(),
        };
        let significant = found.faster() != Faster::NotShown;
        let (up, down) = effect.beyond(demand.at_least);
        effect.verdict = match significant {
            // Which way is for the test to say; with ties the estimate may lie at 1.
            true if up => Verdict::Slower,
            true if down => Verdict::Faster,
            _ if effect.is_within(demand) => Verdict::Same,
            _ => Verdict::Undecided,
        };
        if effect.verdict == Verdict::Undecided && !significant {
            effect.needed = needed(effect.counts, tests, demand.confidence, 2.0);
        }
        if effect.verdict == Verdict::Undecided {
            effect.note = why_undecided(&effect, significant, demand, tests);
        }
        effect
    }

    /// The effect from two numbers with intervals that somebody else computed: apart only where the intervals are. A
    /// number without an interval shows nothing.
    pub(crate) fn of_intervals(a: Estimate, b: Estimate, demand: Demand) -> Effect {
        let exact = |estimate: Estimate| estimate.low == estimate.high;
        Effect::of_limits(a, b, demand, exact(a) || exact(b))
    }

    /// The same of numbers whose limits hold even where they are equal, unless they are said to be unsure.
    pub(crate) fn of_limits(a: Estimate, b: Estimate, demand: Demand, unsure: bool) -> Effect {
        let positive = a.low > 0.0 && b.low > 0.0;
        let ratio = Estimate { value: b.value / a.value, low: b.low / a.high, high: b.high / a.low };
        let difference_us = Estimate { value: b.value - a.value, low: b.low - a.high, high: b.high - a.low };
        let mut effect = Effect {
            unit: Unit::Intervals,
            counts: (1, 1),
            a_us: a.value,
            b_us: b.value,
            ratio: positive.then_some(ratio),
            difference_us,
            reached: demand.confidence,
            delta: None,
            p: None,
            adjusted_p: None,
            needed: None,
            verdict: Verdict::Undecided,
            note: String::new(),
        };
        let apart = difference_us.low > 0.0 || difference_us.high < 0.0;
        let (up, down) = effect.beyond(demand.at_least);
        effect.verdict = match apart {
            _ if unsure => Verdict::Undecided,
            true if up => Verdict::Slower,
            true if down => Verdict::Faster,
            _ if effect.is_within(demand) => Verdict::Same,
            _ => Verdict::Undecided,
        };
        if effect.verdict == Verdict::Undecided {
            effect.note = match (unsure, apart) {
                (true, _) => "a number without an interval; several files of each side (A+A2+A3+…) are launches",
                (false, true) => "apart, but perhaps by less than what is of interest",
                (false, false) => "the intervals meet",
            }
            .to_owned();
        }
        effect
    }

    /// Whether B is longer, or shorter, by at least this share; a factor where there is a ratio, else of the smaller median.
    pub fn beyond(&self, at_least: f64) -> (bool, bool) {
        match self.ratio {
            Some(ratio) => (
                ratio.value >= 1.0 + at_least && ratio.value > 1.0,
                ratio.value <= 1.0 / (1.0 + at_least) && ratio.value < 1.0,
            ),
            None => {
                let least = at_least * self.smaller();
                let value = self.difference_us.value;
                (value >= least && value > 0.0, value <= -least && value < 0.0)
            }
        }
    }

    fn is_within(&self, demand: Demand) -> bool {
        let enough = self.reached >= demand.confidence;
        let within = match self.ratio {
            Some(ratio) => ratio.low >= 1.0 / (1.0 + demand.at_least) && ratio.high <= 1.0 + demand.at_least,
            None => {
                let most = demand.at_least * self.smaller();
                self.difference_us.low >= -most && self.difference_us.high <= most
            }
        };
        enough && within
    }

    fn smaller(&self) -> f64 {
        self.a_us.abs().min(self.b_us.abs())
    }
}

fn why_undecided(effect: &Effect, significant: bool, demand: Demand, tests: usize) -> String {
    if significant {
        return format!("differs, but perhaps by less than {} %", 100.0 * demand.at_least);
    }
    let too_few = effect.needed.map(|needed| {
        let what = effect.unit.words();
        let (m, n) = effect.counts;
        let tests = if tests == 1 { "one test".to_owned() } else { format!("one of {tests} tests") };
        format!("{m} and {n} {what} cannot show a difference in {tests}; {needed} on each side can")
    });
    too_few.unwrap_or_default()
}

/// How many numbers on each side could show something in one of so many tests, where these cannot whatever they say. A test has
/// one tail or two: the least p is that over all ways to deal the numbers out.
pub(crate) fn needed((m, n): (usize, usize), tests: usize, confidence: f64, tails: f64) -> Option<usize> {
    let shows = |m: usize, n: usize| tails / ways(m, n) * tests as f64 <= 1.0 - confidence;
    (!shows(m, n)).then(|| (2..100).find(|&each| shows(each, each)).unwrap_or(100))
}

/// In how many ways m + n numbers can be dealt out to the two sides; each is as likely where there is no difference.
fn ways(m: usize, n: usize) -> f64 {
    (1..=m.min(n)).map(|i| (m.max(n) + i) as f64 / i as f64).product()
}
