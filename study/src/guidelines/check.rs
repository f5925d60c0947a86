//! Checks whether pairs of calls keep their guidelines.

use super::find::Pair;
use super::numbers::together;
use super::{Check, Kind, Verdict};
use crate::contrast::{Demand, Sampled, estimate};
use programs::machine::Estimate;
use scenario::axis::Axis;
use statistics::{Comparison, Design, Faster, compare_samples, holm, least_launches, least_p, median};

/// Returns all checks, which are tested together.
pub(super) fn checks(pairs: &[Pair], demand: Demand) -> Vec<Check> {
    let compared: Vec<Option<Comparison>> = pairs.iter().map(|pair| compare(pair, demand.confidence)).collect();
    // One-sided: only a call that takes longer violates anything. (A one-sided p is half the two-sided one.)
    let p = |found: &Comparison| {
        if found.leaning == Faster::B { found.p / 2.0 } else { 1.0 - found.p / 2.0 }
    };
    let testable = |found: &Comparison| needed(found.counts, 1, demand).is_none();
    let ps: Vec<f64> = compared.iter().map(|found| found.filter(testable).as_ref().map_or(f64::NAN, p)).collect();
    let tests = compared.iter().flatten().count();
    let judge = |((pair, found), p): ((&Pair, Option<Comparison>), f64)| match found {
        Some(found) => tested(pair, &found, (Some(p).filter(|p| !p.is_nan()), tests), demand),
        None => by_intervals(pair, demand),
    };
    pairs.iter().zip(compared).zip(holm(&ps)).map(judge).collect()
}

/// Compares the call's numbers with the sums of the others'; `None` where there are only numbers with intervals.
fn compare(pair: &Pair, confidence: f64) -> Option<Comparison> {
    let cases: Vec<&Sampled> = [pair.call].into_iter().chain(pair.others.iter().map(|(_, case)| *case)).collect();
    if cases.iter().any(|case| estimate(case).is_some()) {
        return None;
    }
    let numbers = together(&cases);
    let (call, others) = numbers.split_first()?;
    let shortest = others.iter().map(Vec::len).min().unwrap_or(0);
    let sum = |index: usize| others.iter().zip(&pair.others).map(|(of, (times, _))| of[index] * *times as f64).sum();
    let others: Vec<f64> = (0..shortest).map(sum).collect();
    compare_samples(call, &others, confidence, 1)
}

/// Returns the number of values of each call that could show a violation in one of `tests` checks; `None` where the
/// `counts` at hand suffice. A one-sided p is half of a two-sided one, so that twice the risk is its limit.
fn needed(counts: (usize, usize), tests: usize, demand: Demand) -> Option<usize> {
    let risk = 2.0 * (1.0 - demand.confidence);
    let too_few = least_p(Design::Unpaired, counts) * tests as f64 > risk;
    too_few.then(|| least_launches(Design::Unpaired, tests, risk))
}

fn tested(pair: &Pair, found: &Comparison, (adjusted, tests): (Option<f64>, usize), demand: Demand) -> Check {
    let factor = found.ratio.map(|ratio| ratio.estimate);
    let shown = adjusted.is_some_and(|p| p <= 1.0 - demand.confidence);
    let matters = factor.map_or(found.shift.estimate.value > 0.0, |factor| factor.value >= 1.0 + demand.at_least);
    let (m, n) = found.counts;
    let doubt = match needed(found.counts, tests, demand) {
        Some(needed) => {
            format!("{tests} checks need at least {needed} launches, or samples of one launch; found {m} and {n}")
        }
        None => "this may be due to chance; measure more".to_owned(),
    };
    let can_show = needed(found.counts, tests, demand).is_none();
    Check { can_show, ..check(pair, (found.median_a, found.median_b), factor, adjusted, (shown, matters), &doubt) }
}

/// Checks single numbers: a guideline is violated only where the intervals are disjoint.
fn by_intervals(pair: &Pair, demand: Demand) -> Check {
    let of = |case: &Sampled| {
        let alone = || median(&case.launches.concat()).map(|us| Estimate { value: us, low: us, high: us });
        estimate(case).or_else(alone).unwrap_or(Estimate::UNKNOWN)
    };
    let call = of(pair.call);
    let mut others = Estimate { value: 0.0, low: 0.0, high: 0.0 };
    let mut exact = call.low == call.high;
    for (times, case) in &pair.others {
        let (one, times) = (of(case), *times as f64);
        exact |= one.low == one.high;
        others.value += times * one.value;
        others.low += times * one.low;
        others.high += times * one.high;
    }
    let factor = (call.low > 0.0 && others.low > 0.0).then(|| Estimate {
        value: call.value / others.value,
        low: call.low / others.high,
        high: call.high / others.low,
    });
    let shown = !exact && call.low > others.high;
    let matters = factor.is_some_and(|factor| factor.value >= 1.0 + demand.at_least);
    let doubt = if exact { "a number without an interval" } else { "the intervals overlap" };
    let can_show = !exact;
    Check { can_show, ..check(pair, (call.value, others.value), factor, None, (shown, matters), doubt) }
}

fn check(
    pair: &Pair,
    (call_us, other_us): (f64, f64),
    factor: Option<Estimate>,
    adjusted_p: Option<f64>,
    (shown, matters): (bool, bool),
    doubt: &str,
) -> Check {
    let verdict = match (shown, matters) {
        (true, true) => Verdict::Violated,
        (false, true) => Verdict::Suspected,
        (_, false) => Verdict::Kept,
    };
    let advice = match verdict {
        Verdict::Violated => pair.advice.clone(),
        Verdict::Suspected => doubt.to_owned(),
        Verdict::Kept => String::new(),
    };
    let other = |(times, case): &(u64, &Sampled)| {
        let often = if *times == 1 { String::new() } else { format!("{times} × ") };
        let (operation, bytes) = (case.key.text(Axis::Operation), case.key.text(Axis::Bytes));
        let ranks = match pair.kind {
            Kind::MonotoneInRanks => format!(", {} ranks", case.key.text(Axis::Ranks)),
            Kind::MockUp | Kind::Regular | Kind::MonotoneInBytes | Kind::SplitRobust => String::new(),
        };
        format!("{often}{operation}({bytes} B{ranks})")
    };
    Check {
        guideline: pair.guideline.clone(),
        kind: pair.kind,
        case: pair.call.key.clone(),
        other: pair.others.iter().map(other).collect::<Vec<_>>().join(" + "),
        call_us,
        other_us,
        factor,
        adjusted_p,
        verdict,
        can_show: true,
        advice,
    }
}
