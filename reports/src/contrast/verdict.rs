//! Two cases held against each other: the effect, how sure it is, and what it amounts to.

use super::quantity::Quantity;
use super::units::{Unit, Units};
use models::machine::Estimate;
use models::names::counted;
use statistics::{Comparison, Design, Faster, launch_estimate, least_launches, least_p};

models::named! {
    /// What B is against A.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict {
        /// It takes longer, or its rate is lower, beyond chance, and by the smallest effect of interest or more.
        Slower => "slower",
        /// It takes less time, or its rate is higher, likewise.
        Faster => "faster",
        /// Its number is larger, where numbers are neither times nor rates.
        Larger => "larger",
        /// Its number is smaller, likewise.
        Smaller => "smaller",
        /// The interval lies within the smallest effect of interest, both ways.
        Same => "same",
        /// Neither is shown.
        Undecided => "undecided",
    }
    /// The name used in files and output.
    fn name;
}

impl Verdict {
    /// The same of numbers that are neither times nor rates, where slower is what takes longer.
    #[must_use]
    pub fn of_size(self) -> Verdict {
        match self {
            Verdict::Slower => Verdict::Larger,
            Verdict::Faster => Verdict::Smaller,
            Verdict::Larger | Verdict::Smaller | Verdict::Same | Verdict::Undecided => self,
        }
    }

    /// What A is against B.
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
    /// What one number of the comparison is.
    pub unit: Unit,
    /// How many numbers there are of A and of B.
    pub counts: (usize, usize),
    /// What the numbers are: in their unit are `a`, `b` and `difference`.
    pub quantity: Quantity,
    /// Median of A's launches.
    pub a: f64,
    /// Median of B's.
    pub b: f64,
    /// B over A: the Hodges–Lehmann estimate (1963) with the interval that inverts the test; of launches the median of all
    /// ratios of B's numbers to A's, of rounds that of all means of two rounds' log ratios. None where a number is not
    /// positive.
    pub ratio: Option<Estimate>,
    /// B − A, likewise.
    pub difference: Estimate,
    /// The confidence that these intervals reach; 0 where there is no interval, both ends then being the value.
    pub reached: f64,
    /// Cliff's delta: in how many more of all pairs B's number is the larger one; none with a single number on a side.
    pub delta: Option<Estimate>,
    /// Two-sided p of this case alone: rank-sum test of launches (Mann and Whitney 1947), signed-rank test of rounds (Wilcoxon
    /// 1945); none where there is no test.
    pub p: Option<f64>,
    /// The same adjusted for all cases that are compared (Holm 1979); none where so few launches can show nothing.
    pub adjusted_p: Option<f64>,
    /// Launches on each side that could show a difference in one of all comparisons, where these are too few whatever they say.
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

/// Fewer launches on a side have no interval.
const FEW: usize = 4;
/// From so many launches on, an interval is not marked as one of few launches.
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

    /// Takes the intervals for what they are where there are too few numbers: none.
    fn drop_intervals(&mut self) {
        let alone = |estimate: Estimate| Estimate { low: estimate.value, high: estimate.value, ..estimate };
        self.ratio = self.ratio.map(alone);
        self.difference = alone(self.difference);
        self.reached = 0.0;
    }

    /// The effect from two numbers with intervals that somebody else computed: apart only where the intervals are. A
    /// number without an interval shows nothing.
    pub(crate) fn of_intervals(quantity: Quantity, a: Estimate, b: Estimate, demand: Demand) -> Effect {
        let exact = |estimate: Estimate| estimate.low == estimate.high;
        Effect::of_limits(quantity, a, b, demand, exact(a) || exact(b))
    }

    /// The same of numbers whose limits hold even where they are equal, unless they are said to be unsure.
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

    /// What it amounts to, where the numbers are shown to differ or not. Which way is for the test to say; with ties the estimate
    /// may lie at 1.
    fn judged(&self, differs: bool, demand: Demand) -> Verdict {
        let [larger, smaller] = self.quantity.verdicts();
        match (differs, self.beyond(demand.at_least)) {
            (true, (true, _)) => larger,
            (true, (_, true)) => smaller,
            (true | false, _) if self.is_within(demand) => Verdict::Same,
            (true | false, _) => Verdict::Undecided,
        }
    }

    /// Whether such numbers could show a difference, whatever they are.
    pub fn can_show(&self) -> bool {
        match self.unit {
            Unit::Launches | Unit::Rounds => self.needed.is_none(),
            Unit::OneLaunch => false,
            Unit::Intervals => self.reached > 0.0,
        }
    }

    /// Whether B is worse, or better, by at least this share; neither where neither way of its numbers is better.
    pub fn worse_or_better(&self, at_least: f64) -> (bool, bool) {
        let (up, down) = self.beyond(at_least);
        match self.quantity.larger_is_worse() {
            Some(true) => (up, down),
            Some(false) => (down, up),
            None => (false, false),
        }
    }

    /// Whether B's number is larger, or smaller, by at least this share; a factor where there is a ratio, else of the smaller median.
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

/// One number for all launches of a side that stands against a number with an interval: their Hodges–Lehmann estimate, on
/// logarithms where that can be.
pub(crate) fn of_launches(medians: &[f64], demand: Demand) -> Option<Estimate> {
    if medians.iter().any(|median| *median <= 0.0) {
        return launch_estimate(medians, demand.confidence).map(|found| found.estimate());
    }
    let logarithms: Vec<f64> = medians.iter().map(|median| median.ln()).collect();
    let Estimate { value, low, high } = launch_estimate(&logarithms, demand.confidence)?.estimate();
    Some(Estimate { value: value.exp(), low: low.exp(), high: high.exp() })
}

/// Whether so many launches could show a difference if there were no other comparison.
pub(crate) fn testable(design: Design, counts: (usize, usize), demand: Demand) -> bool {
    needed(design, counts, 1, demand).is_none()
}

/// How many launches on each side could show a difference in one of so many comparisons, where these cannot whatever they say.
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
