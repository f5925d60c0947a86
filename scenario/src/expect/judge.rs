//! Comparison of numbers with expectations.

use super::exercise::listed;
use super::{Answer, Answered, Condition, Expect, ExpectedNumber, Over, Wanted};
use crate::axis::{Axis, AxisValue, Key};
use models::shared_broadcast::{Queued, Scheme};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Result of an expectation's judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// All numbers lie in the expected range.
    Met,
    /// Some numbers lie outside the expected range.
    Missed,
    /// There are no numbers to judge, because no such case was run.
    Untried,
}

/// Expectation, judged in one world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Expectation in words, as the file states it.
    pub says: String,
    /// World of the numbers. Empty where the numbers have none, or there are no numbers.
    pub world: String,
    /// Result of the judgement.
    pub outcome: Outcome,
    /// Count of the numbers that were judged.
    pub numbers: usize,
    /// Least and greatest of the numbers. `None` without any.
    pub range: Option<(f64, f64)>,
    /// Unit of the numbers, empty for ratios.
    pub unit: String,
    /// Expected range in words, such as `1.5 to 3`.
    pub wanted: String,
    /// Number with the largest deviation and its case, if one deviates.
    pub worst: Option<String>,
    /// Given and right answer of an exercise. `None` for other expectations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answered>,
    /// Answer to the file's question if the expectation is met. Empty if the expectation answers nothing.
    pub answers: String,
    /// Quantity in words: `exit skew`, `time per call over that with buffer same`.
    pub what: String,
    /// Judged numbers, each with its position on the axes.
    #[serde(skip)]
    pub taken: Vec<(Key, f64)>,
}

/// Judges every expectation in every world of the numbers that it selects.
pub fn judge(expects: &[Expect], numbers: &[ExpectedNumber]) -> Vec<Judgement> {
    expects.iter().flat_map(|expect| expect.judge(numbers)).collect()
}

/// Number to judge, as it is or divided by another.
struct Looked<'a> {
    number: &'a ExpectedNumber,
    value: f64,
}

impl Expect {
    fn judge(&self, numbers: &[ExpectedNumber]) -> Vec<Judgement> {
        let mut worlds: Vec<(String, Vec<Looked<'_>>)> = Vec::new();
        for looked in self.looked(numbers) {
            let world = looked.number.at.text(Axis::World);
            match worlds.iter_mut().find(|(known, _)| *known == world) {
                Some((_, all)) => all.push(looked),
                None => worlds.push((world, vec![looked])),
            }
        }
        if worlds.is_empty() {
            worlds.push((String::new(), Vec::new()));
        }
        worlds.into_iter().map(|(world, looked)| self.verdict(world, &looked)).collect()
    }

    fn looked<'a>(&self, numbers: &'a [ExpectedNumber]) -> Vec<Looked<'a>> {
        let picked = numbers.iter().filter(|number| number.quantity == self.quantity && picks(&self.of, number));
        let divided = |number: &'a ExpectedNumber| {
            let value = match &self.over {
                None => number.value,
                Some(over) => number.value / over.partner(number, numbers)?.value,
            };
            Some(Looked { number, value })
        };
        picked.filter_map(divided).collect()
    }

    /// Returns the quantity in words, with its divisor.
    fn what(&self) -> String {
        let words = self.quantity.words();
        match &self.over {
            None => words.to_owned(),
            Some(over) if over.quantity != self.quantity => format!("{words} over {}", over.quantity.words()),
            Some(over) => {
                let at: Vec<String> = over.at.iter().map(Condition::words).collect();
                format!("{words} over that with {}", at.join(", "))
            }
        }
    }

    fn verdict(&self, world: String, looked: &[Looked<'_>]) -> Judgement {
        let off = |looked: &Looked<'_>| self.wanted.off(looked);
        let worst = looked.iter().filter(|looked| off(looked) > 0.0).max_by(|a, b| off(a).total_cmp(&off(b)));
        let right = |answer: &Answer| self.right(answer, looked);
        let (is_met, worst) = match &self.answer {
            None => (Some(worst.is_none()), worst),
            Some(Answer::Number(given)) => (given.map(|_| worst.is_none()), None),
            Some(answer @ Answer::At(_, given)) => (given.as_ref().map(|given| same(given, &right(answer))), None),
        };
        let outcome = match is_met.filter(|_| !looked.is_empty()) {
            None => Outcome::Untried,
            Some(true) => Outcome::Met,
            Some(false) => Outcome::Missed,
        };
        let values = || looked.iter().map(|looked| looked.value);
        let range = (!looked.is_empty())
            .then(|| (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)));
        let answer = self.answer.as_ref().map(|answer| Answered {
            given: answer.given(),
            right: match (answer, range) {
                (Answer::At(..), Some(_)) => listed(&right(answer)),
                (Answer::Number(_), Some((low, high))) => Wanted::Within(tidy(low), tidy(high)).words(),
                (_, None) => String::new(),
            },
        });
        let wanted = match &answer {
            Some(Answered { given, .. }) => given.clone().unwrap_or_else(|| "an answer".to_owned()),
            None => self.wanted.words(),
        };
        Judgement {
            says: self.says.clone(),
            world,
            outcome,
            numbers: looked.len(),
            range,
            unit: if self.over.is_some() { String::new() } else { self.quantity.unit().to_owned() },
            wanted,
            worst: worst.map(|looked| format!("{:.6} at {}", looked.value, looked.number.at)),
            answer,
            answers: self.answers.clone(),
            what: self.what(),
            taken: looked.iter().map(|looked| (looked.number.at.clone(), looked.value)).collect(),
        }
    }

    /// Returns the values of the answer's axis at which all numbers are as expected, in their order.
    fn right(&self, answer: &Answer, looked: &[Looked<'_>]) -> Vec<AxisValue> {
        let Answer::At(axis, _) = answer else { return Vec::new() };
        let at = |looked: &Looked<'_>| looked.number.at.get(*axis).cloned();
        let all: BTreeSet<AxisValue> = looked.iter().filter_map(at).collect();
        let off: BTreeSet<AxisValue> =
            looked.iter().filter(|looked| self.wanted.off(looked) > 0.0).filter_map(at).collect();
        all.difference(&off).cloned().collect()
    }
}

/// Whether two lists have the same values, in any order.
fn same(one: &[AxisValue], other: &[AxisValue]) -> bool {
    one.iter().collect::<BTreeSet<_>>() == other.iter().collect()
}

/// Rounds a number to six significant digits.
fn tidy(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { format!("{number:.5e}").parse().unwrap_or(number) }
}

/// Whether a number meets all conditions. Numbers over all ranks count only if a condition names the axis `rank`. The
/// printed number of a benchmark for a case that a method times counts only if a condition names the benchmark.
fn picks(conditions: &[Condition], number: &ExpectedNumber) -> bool {
    let meets = |condition: &Condition| number.at.get(condition.axis).is_some_and(|at| condition.values.contains(at));
    let says = |axis: Axis| conditions.iter().any(|condition| condition.axis == axis);
    let single = says(Axis::Rank) || !matches!(number.at.get(Axis::Rank), Some(AxisValue::Text(_)));
    let printed = [Axis::Method, Axis::Benchmark].into_iter().all(|axis| number.at.get(axis).is_some());
    single && (says(Axis::Benchmark) || !printed) && conditions.iter().all(meets)
}

impl Over {
    /// Returns the number that differs from this one on the named axes and on no other. If only one of the two has a
    /// value on an axis, that is no difference where the quantities differ (a rank's time may be divided by the skew of
    /// all ranks, not by a benchmark's printed time), nor where the method decides whether there is a value: a loop may
    /// be divided by windows, whose clocks are synchronised and which call no barrier, and windows of fixed length by
    /// windows that adapt. A queue's name includes its fragment and other numbers, so naming one fixes both.
    fn partner<'a>(&self, number: &ExpectedNumber, numbers: &'a [ExpectedNumber]) -> Option<&'a ExpectedNumber> {
        let told = |axis: Axis| self.at.iter().find(|condition| condition.axis == axis);
        let other = self.quantity != number.quantity;
        numbers.iter().filter(|candidate| candidate.quantity == self.quantity).find(|candidate| {
            let follows = |axis: Axis| told(axis).is_none() && self.follows(axis, number, candidate);
            let others = Axis::ALL.into_iter().filter(|axis| !follows(*axis));
            others.into_iter().all(|axis| match (told(axis), number.at.get(axis), candidate.at.get(axis)) {
                (Some(condition), _, Some(at)) => condition.values.contains(at),
                (Some(_), _, None) => false,
                (None, Some(here), Some(there)) => here == there,
                (None, None, None) => true,
                (None, Some(_), None) => other || matches!(axis, Axis::Window | Axis::Sync | Axis::Barrier),
                (None, None, Some(_)) => (other && axis != Axis::Benchmark) || axis == Axis::Sync,
            })
        })
    }
}

impl Over {
    /// Whether an axis without a condition is determined for two queues by the conditions and the other axes. A
    /// condition on the name determines all numbers. With a condition on one of the numbers, the names need only agree
    /// in their design and tree.
    fn follows(&self, axis: Axis, number: &ExpectedNumber, candidate: &ExpectedNumber) -> bool {
        let told = |axis: &Axis| self.at.iter().any(|condition| condition.axis == *axis);
        match axis {
            _ if Axis::QUEUES.contains(&axis) => told(&Axis::Algorithm) || axis == Axis::Queue,
            Axis::Algorithm if Axis::QUEUES.iter().any(told) => {
                let words = |number: &ExpectedNumber| {
                    let Scheme { design, tree, .. } = Queued::parse(&number.at.text(Axis::Algorithm)).ok()?.scheme();
                    Some((design, tree))
                };
                words(number).is_some_and(|one| words(candidate) == Some(one))
            }
            _ => false,
        }
    }
}

impl Condition {
    /// Returns the condition in words, such as `buffer same`, `512 ranks` or `no noise`.
    fn words(&self) -> String {
        let values: Vec<String> = self.values.iter().map(AxisValue::to_string).collect();
        match (self.axis, &values.join(" or ")[..]) {
            (axis, "none") => format!("no {axis}"),
            (Axis::Ranks | Axis::Calls | Axis::Buffers, values) => format!("{values} {}", self.axis),
            (axis, values) => format!("{axis} {values}"),
        }
    }
}

impl Wanted {
    /// Returns the distance of a number from the range, 0 inside. For a number that is NaN it is infinite.
    fn off(&self, looked: &Looked<'_>) -> f64 {
        let value = looked.value;
        let (low, high) = match self {
            Wanted::Within(low, high) => (*low, *high),
            Wanted::ClosedForm { form, tolerance } => {
                let Some(exact) = form.value(looked.number) else { return f64::INFINITY };
                (exact - exact.abs() * tolerance, exact + exact.abs() * tolerance)
            }
        };
        if value.is_nan() { f64::INFINITY } else { (low - value).max(value - high).max(0.0) }
    }

    /// Returns the range in words.
    fn words(&self) -> String {
        match self {
            Wanted::Within(low, high) if low == high => format!("{low}"),
            Wanted::Within(low, high) if *high == f64::INFINITY => format!("at least {low}"),
            Wanted::Within(low, high) if *low == f64::NEG_INFINITY => format!("at most {high}"),
            Wanted::Within(low, high) => format!("{low} to {high}"),
            Wanted::ClosedForm { form, tolerance } if *tolerance <= 1e-6 => format!("closed form {}", form.name()),
            Wanted::ClosedForm { form, tolerance } => {
                format!("closed form {} within {} %", form.name(), tolerance * 100.0)
            }
        }
    }
}
