//! Two or more campaigns held against each other, case by case: which is slower, by how much, and how sure that is.
//!
//! A is the baseline. Cases are the same where their keys are ([`Dimension`]); what tells the sides apart (library, version, machine,
//! launch) is no part of a key. Where there are several launches on both sides, a launch is one number; else repetitions
//! are, in batches where they resemble each other. The effect is the median of all ratios with the interval that inverts the
//! rank test (Hodges and Lehmann 1963), the test Mann and Whitney's, the risk of any false finding among all cases what the
//! confidence leaves (Holm 1979). No verdict depends on which side is called A, but for its direction.

mod cells;
mod csv;
mod draw;
mod facts;
mod gate;
mod join;
mod key;
mod page;
mod parameters;
mod read;
mod sentence;
mod show;
mod side;
mod units;
mod verdict;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use cells::spread;
pub use csv::csv;
pub use facts::Difference;
pub use gate::{Gate, Kind as GateKind, failures, parse_share};
pub use join::Choice;
pub use key::{Dimension, Key, Value};
pub use page::page;
pub use parameters::{ParameterRow, Parameters};
pub use read::{Observed, campaign, imported, is_samples, machine, samples};
pub use show::{markdown, table};
pub use side::{Kind, Sampled, Side};
pub use units::Unit;
pub(crate) use units::{Units, together, units};
pub(crate) use verdict::can_show;
pub use verdict::{Demand, Effect, Verdict};

use crate::statistics::{Comparison, compare_samples, holm};
use join::{cases, left_out, why_apart};
use models::machine::Estimate;
use serde::Serialize;
use std::collections::BTreeSet;

/// One side in a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideLine {
    /// A, B, …
    pub letter: String,
    /// What the user calls it.
    pub name: String,
    /// What it was read from.
    pub kind: Kind,
    /// How many cases it has.
    pub cases: usize,
    /// The most launches that a case of it has.
    pub launches: usize,
    /// Cases in which ranks had to share cores.
    pub oversubscribed: usize,
    /// What was left out, a sentence each.
    pub notes: Vec<String>,
}

/// One case on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What is common to both.
    pub case: Key,
    /// B against A.
    pub effect: Effect,
    /// True where ranks had to share cores, of A and of B.
    pub oversubscribed: (bool, bool),
}

/// B, or a later side, against A.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// Its letter.
    pub letter: String,
    /// The verdict in a sentence.
    pub sentence: String,
    /// The cases that are on both sides.
    pub rows: Vec<Row>,
    /// Calibrated parameters.
    pub parameters: Parameters,
    /// Cases that only A has.
    pub only_a: Vec<Key>,
    /// Cases that only it has.
    pub only_b: Vec<Key>,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contrast {
    /// Confidence of every interval.
    pub confidence: f64,
    /// The smallest effect of interest, as a share.
    pub at_least: f64,
    /// The sides, A first.
    pub sides: Vec<SideLine>,
    /// By what cases are recognised.
    pub key: Vec<Dimension>,
    /// Every other side against A.
    pub pairs: Vec<Pair>,
    /// Facts that differ between the sides.
    pub differences: Vec<Difference>,
    /// What must be known of all verdicts, a sentence each.
    pub warnings: Vec<String>,
}

/// A, B, … Z, then S27, S28, …
pub(crate) fn letter(place: usize) -> String {
    u8::try_from(place)
        .ok()
        .filter(|&place| place < 26)
        .map_or_else(|| format!("S{}", place + 1), |place| char::from(b'A' + place).to_string())
}

/// Holds every side against the first.
///
/// # Errors
/// Fewer than two sides; sides of which nothing is the same; a key by which several cases of a side are the same.
pub fn contrast(sides: &[Side], choice: &Choice, demand: Demand) -> Result<Contrast, String> {
    let [first, others @ ..] = sides else { return Err("expected two sides or more".to_owned()) };
    if others.is_empty() {
        return Err("expected two sides or more, found one".to_owned());
    }
    let left_out = left_out(sides, choice);
    let of_first = cases(first, &left_out)?;
    let mut found: Vec<Found> = Vec::new();
    for (place, other) in others.iter().enumerate() {
        let of_other = cases(other, &left_out)?;
        let common = of_first.iter().filter_map(|(key, &a)| Some((key, a, *of_other.get(key)?)));
        let joined = common.map(|(key, a, b)| Joined {
            key: key.clone(),
            units: units(a, b),
            estimates: (estimate(a), estimate(b)),
            oversubscribed: (a.oversubscribed, b.oversubscribed),
            doubts: [a.doubt.as_ref().map(|why| format!("A: {why}")), b.doubt.clone()].into_iter().flatten().collect(),
        });
        let joined: Vec<Joined> = joined.collect();
        let parameters = parameters::parameters(&first.machines, &other.machines, demand);
        if joined.is_empty() && parameters.rows.is_empty() {
            return Err(format!(
                "{} and {} have nothing in common: {}",
                first.name,
                other.name,
                nothing(first, other, &left_out)
            ));
        }
        let only = |of: &join::Cases, in_other: &join::Cases| {
            of.keys().filter(|key| !in_other.contains_key(key)).cloned().collect::<Vec<Key>>()
        };
        found.push(Found {
            letter: letter(place + 1),
            only_a: only(&of_first, &of_other),
            only_b: only(&of_other, &of_first),
            joined,
            parameters,
        });
    }
    let pairs = judged(found, demand);
    let line = |(place, side): (usize, &Side)| SideLine {
        letter: letter(place),
        name: side.name.clone(),
        kind: side.kind,
        cases: side.cases.len(),
        launches: side.cases.iter().map(|case| case.launches.len()).max().unwrap_or(0),
        oversubscribed: side.cases.iter().filter(|case| case.oversubscribed).count(),
        notes: side.notes.clone(),
    };
    let warnings = warnings(&pairs);
    Ok(Contrast {
        confidence: demand.confidence,
        at_least: demand.at_least,
        sides: sides.iter().enumerate().map(line).collect(),
        key: Dimension::ALL.into_iter().filter(|dimension| !left_out.contains(dimension)).collect(),
        pairs,
        differences: facts::differences(sides),
        warnings,
    })
}

/// Repetitions of one launch say nothing of the next one.
fn warnings(pairs: &[Pair]) -> Vec<String> {
    let units = || pairs.iter().flat_map(|pair| &pair.rows).map(|row| row.effect.unit);
    let once = units().filter(|unit| matches!(unit, Unit::Repetitions | Unit::Batches)).count();
    let all = units().count();
    let which = if once == all { String::new() } else { format!(" in {once} of {all} cases") };
    let warning = format!(
        "One launch on a side{which}: what varies from launch to launch is not in the intervals, and may be all that differs; \
         measure with --launches 6, or give several campaigns of a side as A+A2+A3"
    );
    (once > 0).then_some(warning).into_iter().collect()
}

/// One case on both sides, not yet judged.
struct Joined {
    key: Key,
    units: Units,
    estimates: (Option<Estimate>, Option<Estimate>),
    oversubscribed: (bool, bool),
    doubts: Vec<String>,
}

struct Found {
    letter: String,
    joined: Vec<Joined>,
    parameters: Parameters,
    only_a: Vec<Key>,
    only_b: Vec<Key>,
}

fn nothing(a: &Side, b: &Side, left_out: &BTreeSet<Dimension>) -> String {
    match (a.cases.is_empty(), b.cases.is_empty()) {
        (false, false) => why_apart(a, b, left_out),
        (true, true) if a.machines.is_empty() && b.machines.is_empty() => "nothing was measured".to_owned(),
        (true, true) => "their machines have other names".to_owned(),
        (true, false) => format!("{} has no cases", a.name),
        (false, true) => format!("{} has no cases", b.name),
    }
}

/// A number that others computed, with its interval; or the only number there is.
pub(crate) fn estimate(case: &Sampled) -> Option<Estimate> {
    let alone = || match case.launches.as_slice() {
        [launch] if launch.len() == 1 => Some(Estimate { value: launch[0], low: launch[0], high: launch[0] }),
        _ => None,
    };
    case.estimate.or_else(alone)
}

/// All pairs' cases are tested together.
fn judged(found: Vec<Found>, demand: Demand) -> Vec<Pair> {
    let compared: Vec<Vec<Option<Comparison>>> = found
        .iter()
        .map(|pair| pair.joined.iter().map(|case| compare(&case.units, demand.confidence)).collect())
        .collect();
    // Too few numbers can show nothing: whether a test is made does not depend on what they say.
    let p = |one: &Option<Comparison>| one.filter(|one| can_show(one.counts, demand.confidence)).map(|one| one.test.p);
    let ps: Vec<f64> = compared.iter().flatten().map(|one| p(one).unwrap_or(f64::NAN)).collect();
    let mut adjusted = holm(&ps).into_iter();
    let tests = compared.iter().flatten().flatten().count();
    let judge = |(pair, compared): (Found, Vec<Option<Comparison>>)| {
        let Found { letter, joined, parameters, only_a, only_b } = pair;
        let rows = joined.into_iter().zip(compared).map(|(case, comparison)| {
            let adjusted = adjusted.next().filter(|p| !p.is_nan());
            row(case, comparison, adjusted, demand, tests)
        });
        let rows: Vec<Row> = rows.flatten().collect();
        let sentence = sentence::sentence(&letter, &rows, &parameters, demand.at_least);
        Pair { letter, sentence, rows, parameters, only_a, only_b }
    };
    found.into_iter().zip(compared).map(judge).collect()
}

/// B against A, so that a ratio above 1 is slower; none where there is no test.
fn compare(units: &Units, confidence: f64) -> Option<Comparison> {
    match units.unit {
        Unit::Intervals => None,
        Unit::Launches | Unit::Batches | Unit::Repetitions => compare_samples(&units.b, &units.a, confidence, 1),
    }
}

fn row(case: Joined, found: Option<Comparison>, adjusted: Option<f64>, demand: Demand, tests: usize) -> Option<Row> {
    let effect = match (found, case.estimates) {
        // A single number on each side is no sample.
        (_, (Some(a), Some(b))) => Effect::of_intervals(a, b, demand),
        (Some(found), _) => {
            let found = Comparison { adjusted_p: adjusted.unwrap_or(1.0), ..found };
            Effect::tested(&case.units, &found, demand, tests)
        }
        (None, (a, b)) => {
            let or_median = |estimate: Option<Estimate>, samples: &[f64]| {
                estimate.or_else(|| {
                    crate::statistics::median_with_interval(samples, demand.confidence).map(|median| median.estimate)
                })
            };
            Effect::of_intervals(or_median(a, &case.units.a)?, or_median(b, &case.units.b)?, demand)
        }
    };
    let notes = [vec![effect.note.clone()], case.doubts].concat();
    let note = notes.into_iter().filter(|note| !note.is_empty()).collect::<Vec<_>>().join("; ");
    Some(Row { case: case.key, effect: Effect { note, ..effect }, oversubscribed: case.oversubscribed })
}
