//! The effect between two cases, with its uncertainty and the verdict on it.

use super::quantity::Quantity;
use super::units::{Unit, Units};
use models::names::counted;
use programs::machine::Estimate;
use statistics::{Comparison, Design, Faster, launch_estimate, least_launches, least_p};

models::named! {
    /// Relation of B to A.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict {
        /// B takes longer, or its rate is lower, beyond chance, and by the smallest effect of interest or more.
        Slower => "slower",
        /// B takes less time, or its rate is higher, beyond chance, and by the smallest effect of interest or more.
        Faster => "faster",
        /// B's number is larger, where numbers are neither times nor rates.
        Larger => "larger",
        /// B's number is smaller, where numbers are neither times nor rates.
        Smaller => "smaller",
        /// The interval lies within the smallest effect of interest, both ways.
        Same => "same",
        /// Neither a difference nor its absence is shown.
        Undecided => "undecided",
    }
    /// The name used in files and output.
    fn name;
}

impl Verdict {
    /// Returns the verdict in terms of size, for numbers that are neither times nor rates: larger for slower, smaller
    /// for faster.
    #[must_use]
    pub fn of_size(self) -> Verdict {
        match self {
            Verdict::Slower => Verdict::Larger,
            Verdict::Faster => Verdict::Smaller,
            Verdict::Larger | Verdict::Smaller | Verdict::Same | Verdict::Undecided => self,
        }
    }

    /// Returns the relation of A to B.
    #[must_use]
    pub fn mirrored(self) -> Verdict {
        match self {
            Verdict::Slower => Verdict::Faster,
            Verdict::Faster => Verdict::Slower,
            Verdict::Larger => Verdict::Smaller,
            Verdict::Smaller => Verdict::Larger,
            Verdict::Same | Verdict::Undecided => self,
        }
    }
}

/// The effect of B against A.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Meaning of one number of the comparison.
    pub unit: Unit,
    /// Count of the numbers of A and of B.
    pub counts: (usize, usize),
    /// Quantity that the numbers measure, whose unit `a`, `b` and `difference` have.
    pub quantity: Quantity,
    /// Median of A's launches.
    pub a: f64,
    /// Median of B's launches.
    pub b: f64,
    /// B over A: the Hodges–Lehmann estimate (1963) with the interval that inverts the test. For launches it is the
    /// median of all ratios of B's numbers to A's, for rounds the median of all means of two rounds' log ratios. `None`
    /// where a number is not positive.
    pub ratio: Option<Estimate>,
    /// B − A, estimated like the ratio.
    pub difference: Estimate,
    /// The confidence that these intervals reach; 0 where there is no interval, both ends then being the value.
    pub reached: f64,
    /// Cliff's delta: the share of all pairs in which B's number is the larger one, minus the share in which it is the
    /// smaller one; `None` with a single number on a side.
    pub delta: Option<Estimate>,
    /// Two-sided p of this case alone: rank-sum test of launches (Mann and Whitney 1947), signed-rank test of rounds
    /// (Wilcoxon 1945); `None` where there is no test.
    pub p: Option<f64>,
    /// The p of this case adjusted for all cases that are compared (Holm 1979); `None` where the launches are too few
    /// to show anything.
    pub adjusted_p: Option<f64>,
    /// Launches on each side that could show a difference in one of all comparisons; `None` where the launches at hand
    /// suffice or the verdict is decided.
    pub needed: Option<usize>,
    /// The verdict on the effect.
    pub verdict: Verdict,
    /// Reason why there is no verdict, or doubts about it; else empty.
    pub note: String,
}

/// Confidence and size of effect that a verdict requires.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Confidence of every interval; one minus it is the risk of any false finding among all cases.
    pub confidence: f64,
    /// The smallest effect of interest, as a share: 0.02 is a factor of 1.02 either way.
    pub at_least: f64,
}

/// Number of launches on a side below which there is no interval.
const FEW: usize = 4;
/// Number of launches from which on an interval is not marked as one of few launches.
const ENOUGH: usize = 6;

impl Effect {
    /// The effect from a comparison of B's numbers (its `a`) with A's (its `b`).
    pub(crate) fn tested(units: &Units, found: &Comparison, demand: Demand, tests: usize) -> Effect {
        let shift = found.ratio.as_ref().unwrap_or(&found.shift);
        let mut effect = Effect {
            unit: units.unit,
            quantity: units.quantity,
            counts: (units.a.len(), units.b.len()),
            a: found.median_b,
            b: found.median_a,
            ratio: found.ratio.map(|ratio| ratio.estimate),
            difference: found.shift.estimate,
            reached: shift.reached,
            delta: found.delta,
            p: Some(found.p),
            adjusted_p: testable(found.design, found.counts, demand).then_some(found.adjusted_p),
            needed: None,
            verdict: Verdict::Undecided,
            note: String::new(),
        };
        let launches = effect.counts.0.min(effect.counts.1);
        if launches < FEW {
            effect.drop_intervals();
        }
        let significant = found.faster() != Faster::NotShown;
        effect.verdict = effect.judged(significant, demand);
        let why = match effect.verdict {
            Verdict::Undecided if significant => {
                format!("differs, but perhaps by less than {} %", 100.0 * demand.at_least)
            }
            Verdict::Undecided => {
                effect.needed = needed(found.design, effect.counts, tests, demand);
                effect.needed.map(|needed| too_few(found.design, tests, needed)).unwrap_or_default()
            }
            Verdict::Slower | Verdict::Faster | Verdict::Larger | Verdict::Smaller | Verdict::Same => String::new(),
        };
        let mark = match launches {
            0..FEW => "3 launches or fewer on a side: no interval",
            FEW..ENOUGH => "few launches",
            _ => "",
        };
        effect.note = [why.as_str(), mark].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ");
        effect
    }

    /// The effect where a side has one launch only: the ratio of the medians, without interval, test or verdict.
    pub(crate) fn untested(units: &Units, demand: Demand, tests: usize) -> Option<Effect> {
        let middle =
            |numbers: &[f64]| statistics::median(numbers).map(|value| Estimate { value, low: value, high: value });
        let mut effect = Effect::of_limits(units.quantity, middle(&units.a)?, middle(&units.b)?, demand, true);
        effect.unit = units.unit;
        effect.counts = (units.a.len(), units.b.len());
        effect.needed = Some(least_launches(Design::Unpaired, tests.max(1), 1.0 - demand.confidence));
        effect.note = "one launch on a side: no interval and no test".to_owned();
        Some(effect)
    }

    /// Removes the widths of the intervals where there are too few numbers for any.
    fn drop_intervals(&mut self) {
        let alone = |estimate: Estimate| Estimate { low: estimate.value, high: estimate.value, ..estimate };
        self.ratio = self.ratio.map(alone);
        self.difference = alone(self.difference);
        self.reached = 0.0;
    }

    /// Returns the effect between two numbers with intervals that another program computed. They differ only where the
    /// intervals are disjoint, and a number without an interval shows nothing.
    pub(crate) fn of_intervals(quantity: Quantity, a: Estimate, b: Estimate, demand: Demand) -> Effect {
        let exact = |estimate: Estimate| estimate.low == estimate.high;
        Effect::of_limits(quantity, a, b, demand, exact(a) || exact(b))
    }

    /// Returns the effect between two numbers with limits. The limits hold even where both are equal, unless `unsure`
    /// says that the numbers have none.
    pub(crate) fn of_limits(quantity: Quantity, a: Estimate, b: Estimate, demand: Demand, unsure: bool) -> Effect {
        let positive = a.low > 0.0 && b.low > 0.0;
        let ratio = Estimate { value: b.value / a.value, low: b.low / a.high, high: b.high / a.low };
        let difference = Estimate { value: b.value - a.value, low: b.low - a.high, high: b.high - a.low };
        let mut effect = Effect {
            unit: Unit::Intervals,
            quantity,
            counts: (1, 1),
            a: a.value,
            b: b.value,
            ratio: positive.then_some(ratio),
            difference,
            reached: if unsure { 0.0 } else { demand.confidence },
            delta: None,
            p: None,
            adjusted_p: None,
            needed: None,
            verdict: Verdict::Undecided,
            note: String::new(),
        };
        let apart = difference.low > 0.0 || difference.high < 0.0;
        effect.verdict = if unsure { Verdict::Undecided } else { effect.judged(apart, demand) };
        if effect.verdict == Verdict::Undecided {
            effect.note = match (unsure, apart) {
                (true, _) => "a number without an interval; several files of each side (A+A2+A3+…) are launches",
                (false, true) => {
                    "the intervals do not overlap, but the difference may be below the smallest effect of interest"
                }
                (false, false) => "the intervals overlap",
            }
            .to_owned();
        }
        effect
    }

    /// Returns the verdict, given whether the numbers are shown to differ. The direction is that of the estimate, which
    /// with ties may lie at 1.
    fn judged(&self, differs: bool, demand: Demand) -> Verdict {
        let [larger, smaller] = self.quantity.verdicts();
        match (differs, self.beyond(demand.at_least)) {
            (true, (true, _)) => larger,
            (true, (_, true)) => smaller,
            (true | false, _) if self.is_within(demand) => Verdict::Same,
            (true | false, _) => Verdict::Undecided,
        }
    }

    /// Whether the numbers could show a difference, whatever their values are.
    pub fn can_show(&self) -> bool {
        match self.unit {
            Unit::Launches | Unit::Rounds => self.needed.is_none(),
            Unit::OneLaunch => false,
            Unit::Intervals => self.reached > 0.0,
        }
    }

    /// Whether B is worse, or better, by at least this share; both false where neither direction of its numbers is
    /// better.
    pub fn worse_or_better(&self, at_least: f64) -> (bool, bool) {
        let (up, down) = self.beyond(at_least);
        match self.quantity.larger_is_worse() {
            Some(true) => (up, down),
            Some(false) => (down, up),
            None => (false, false),
        }
    }

    /// Whether B's number is larger, or smaller, by at least this share: as a factor where there is a ratio, else as a
    /// share of the smaller median.
    pub fn beyond(&self, at_least: f64) -> (bool, bool) {
        match self.ratio {
            Some(ratio) => (
                ratio.value >= 1.0 + at_least && ratio.value > 1.0,
                ratio.value <= 1.0 / (1.0 + at_least) && ratio.value < 1.0,
            ),
            None => {
                let least = at_least * self.smaller();
                let value = self.difference.value;
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
                self.difference.low >= -most && self.difference.high <= most
            }
        };
        enough && within
    }

    fn smaller(&self) -> f64 {
        self.a.abs().min(self.b.abs())
    }
}

/// Returns one number for all launches of a side that is compared with a number with an interval: their Hodges–Lehmann
/// estimate, on logarithms where all are positive.
pub(crate) fn of_launches(medians: &[f64], demand: Demand) -> Option<Estimate> {
    if medians.iter().any(|median| *median <= 0.0) {
        return launch_estimate(medians, demand.confidence).map(|found| found.estimate());
    }
    let logarithms: Vec<f64> = medians.iter().map(|median| median.ln()).collect();
    let Estimate { value, low, high } = launch_estimate(&logarithms, demand.confidence)?.estimate();
    Some(Estimate { value: value.exp(), low: low.exp(), high: high.exp() })
}

/// Whether this number of launches could show a difference if there were no other comparison.
pub(crate) fn testable(design: Design, counts: (usize, usize), demand: Demand) -> bool {
    needed(design, counts, 1, demand).is_none()
}

/// Returns the number of launches on each side that could show a difference in one of `tests` comparisons; `None` where
/// the `counts` at hand suffice.
pub(crate) fn needed(design: Design, counts: (usize, usize), tests: usize, demand: Demand) -> Option<usize> {
    let risk = 1.0 - demand.confidence;
    let shows = least_p(design, counts) * tests as f64 <= risk;
    (!shows).then(|| least_launches(design, tests, risk))
}

/// `60 comparisons need at least 7 launches per side`.
pub(crate) fn too_few(design: Design, tests: usize, needed: usize) -> String {
    let comparisons = format!("{} {}", comparisons(tests), if tests == 1 { "needs" } else { "need" });
    match design {
        Design::Unpaired => format!("{comparisons} at least {needed} launches per side"),
        Design::Paired => format!("{comparisons} at least {needed} rounds with a launch of each side"),
    }
}

/// `1 comparison`, `60 comparisons`.
pub(crate) fn comparisons(count: usize) -> String {
    counted(count, "comparison")
}
