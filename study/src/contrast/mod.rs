//! Comparison of two or more campaigns, case by case: which is slower, by how much, and how sure that is.
//!
//! A is the baseline. Cases are the same where their keys are ([`Axis`]); the facts that distinguish the sides
//! (library, version, machine, launch) are no part of a key. A launch is one number, the median of its samples. Where
//! the sides' launches belong to the same rounds of a campaign, they are compared in pairs (signed-rank test, Wilcoxon
//! 1945), else as two samples (rank-sum test, Mann and Whitney 1947). The effect is the Hodges–Lehmann estimate (1963)
//! of the ratio with the interval that inverts the test. The risk of any false finding among all cases is one minus the
//! confidence (Holm 1979). One launch on a side has neither test nor verdict. Exchanging the sides only reverses the
//! direction of a verdict.

mod cells;
mod draw;
mod facts;
mod gate;
mod join;
mod parameters;
mod quantity;
mod read;
mod sentence;
mod show;
mod side;
mod states;
mod units;
mod verdict;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use cells::spread;
pub use facts::Difference;
pub use gate::{Gate, GateKind, cannot_fail, failures, parse_share, untested};
pub use join::{Apart, Choice};
pub use parameters::{ParameterRow, Parameters};
pub(crate) use quantity::quantity_of_answer;
pub use quantity::{Better, Quantity};
pub use read::{campaign, imported, is_samples, machine, of_ranks, samples};
pub(crate) use read::{case_of_row, excluding};
pub use scenario::store::Observed;
pub use side::{Kind, Round, Sampled, Side};
pub use states::Partners;
pub use units::Unit;
pub use verdict::{Demand, Effect, Verdict};

use join::{cases, left_out, why_apart};
use programs::machine::Estimate;
use render::whence::Whence;
use scenario::axis::{Axis, Key};
use states::Alike;
use statistics::{Comparison, Design, compare_pairs, compare_samples, holm, least_launches};
use std::collections::BTreeSet;
use units::{Units, units};

/// Summary of one side.
#[derive(Clone, Debug, PartialEq)]
pub struct SideLine {
    /// Letter of the side: A, B, and so on.
    pub letter: String,
    /// Name of the side, as the user gave it.
    pub name: String,
    /// Kind of file that it was read from.
    pub kind: Kind,
    /// Number of cases of the side.
    pub cases: usize,
    /// Largest number of launches of any of its cases.
    pub launches: usize,
    /// Number of cases in which ranks had to share cores.
    pub oversubscribed: usize,
    /// Notes on parts that were left out, a sentence each.
    pub notes: Vec<String>,
    /// Origin of the side's numbers.
    pub whence: Whence,
}

/// One case on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct ContrastRow {
    /// The part of the key that both have in common.
    pub case: Key,
    /// Effect of B against A.
    pub effect: Effect,
    /// True where ranks had to share cores, of A and of B.
    pub oversubscribed: (bool, bool),
}

/// Comparison of B, or of a later side, with A.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Letter of the side that is compared with A.
    pub letter: String,
    /// The verdict in a sentence.
    pub sentence: String,
    /// The states of the machine that were compared with each other, A's most visited first; empty where no side has
    /// any.
    pub states: Vec<Partners>,
    /// The cases that are on both sides.
    pub rows: Vec<ContrastRow>,
    /// Comparison of the calibrated parameters.
    pub parameters: Parameters,
    /// Cases that only A has.
    pub only_a: Vec<Key>,
    /// Cases that only the other side has.
    pub only_b: Vec<Key>,
}

/// Comparison of all sides with A.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// Confidence of every interval.
    pub confidence: f64,
    /// The smallest effect of interest, as a share.
    pub at_least: f64,
    /// The sides, A first.
    pub sides: Vec<SideLine>,
    /// Axes whose values make up the key of a case.
    pub key: Vec<Axis>,
    /// Comparison of every other side with A.
    pub pairs: Vec<Pair>,
    /// Numbers of launches that the comparisons need.
    pub requirements: Vec<Requirement>,
    /// Facts that differ between the sides.
    pub differences: Vec<Difference>,
    /// Warnings that concern all verdicts, a sentence each.
    pub warnings: Vec<String>,
}

/// Number of launches that is needed to find a difference in one of all comparisons, whatever the numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Whether launches are compared in pairs.
    pub design: Design,
    /// Number of comparisons in all: Holm's adjustment counts each.
    pub comparisons: usize,
    /// Number of launches that is needed on each side.
    pub launches: usize,
    /// Fewest launches on a side that a comparison of this design has.
    pub fewest: usize,
}

impl Requirement {
    /// Returns the requirement of this number of comparisons where a side has no more than `fewest` launches. `risk` is
    /// that of any false finding among all comparisons.
    pub fn new(design: Design, comparisons: usize, fewest: usize, risk: f64) -> Requirement {
        Requirement { design, comparisons, launches: least_launches(design, comparisons, risk), fewest }
    }

    /// `60 comparisons need at least 7 launches per side`.
    pub fn words(&self) -> String {
        verdict::too_few(self.design, self.comparisons, self.launches)
    }

    /// Whether every comparison of this design has enough launches.
    pub fn is_met(&self) -> bool {
        self.fewest >= self.launches
    }
}

/// Letter of a side by its place: A, B, … Z, then S27, S28, …
pub(crate) fn letter(place: usize) -> String {
    u8::try_from(place)
        .ok()
        .filter(|&place| place < 26)
        .map_or_else(|| format!("S{}", place + 1), |place| char::from(b'A' + place).to_string())
}

/// Compares every side with the first.
///
/// # Errors
/// Fails with fewer than two sides, with sides that have nothing in common or lack the number to be compared, and with
/// a key that several cases of a side share.
pub fn contrast(sides: &[Side], choice: &Choice, demand: Demand) -> Result<Contrast, Apart> {
    let [first, others @ ..] = sides else { return Err("expected two sides or more".to_owned().into()) };
    if others.is_empty() {
        return Err("expected two sides or more, found one".to_owned().into());
    }
    let lacking: Vec<&str> = sides.iter().filter_map(|side| side.lacks.as_deref()).collect();
    match lacking.first() {
        // A number that no side has was named by mistake.
        Some(why) if lacking.len() == sides.len() => return Err(Apart::Mistake((*why).to_owned())),
        Some(_) => return Err(Apart::Nothing(lacking.join("; "))),
        None => {}
    }
    let left_out = left_out(sides, choice);
    let mut found: Vec<Found> = Vec::new();
    for (place, other) in others.iter().enumerate() {
        found.push(joined(first, other, letter(place + 1), &left_out, choice, demand)?);
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
        whence: Whence::from_facts(&side.facts),
    };
    let requirements = requirements(&pairs, demand);
    let warnings = facts::unsaid(sides).into_iter().chain(warnings(&pairs, demand)).collect();
    Ok(Contrast {
        confidence: demand.confidence,
        at_least: demand.at_least,
        sides: sides.iter().enumerate().map(line).collect(),
        key: Axis::CASES.into_iter().filter(|axis| !left_out.contains(axis)).collect(),
        pairs,
        requirements,
        differences: facts::differences(sides),
        warnings,
    })
}

/// Joins the cases that a side shares with the first, state by state of the machine where both know theirs.
fn joined(
    first: &Side,
    other: &Side,
    letter: String,
    left_out: &BTreeSet<Axis>,
    choice: &Choice,
    demand: Demand,
) -> Result<Found, Apart> {
    let alike = Alike::from_sides(first, other, !left_out.contains(&Axis::State));
    let (of_first, of_other) = (cases(&alike.a, &alike.b, left_out)?, cases(&alike.b, &alike.a, left_out)?);
    let turns = choice.in_turn.then_some([first.rounds.as_slice(), other.rounds.as_slice()]);
    let common = of_first.iter().filter_map(|(key, &a)| Some((key, a, *of_other.get(key)?)));
    let common = common.map(|(key, a, b)| Joined::join(key, a, b, turns));
    let mut common: Vec<Joined> = common.collect::<Result<_, _>>()?;
    common.sort_by_key(|case| alike.place(&case.key));
    let parameters = parameters::parameters(&first.machines, &other.machines, demand);
    if common.is_empty() && parameters.rows.is_empty() {
        let why = alike.why_apart().unwrap_or_else(|| nothing(&alike.a, &alike.b, left_out));
        return Err(Apart::Nothing(format!("{} and {} have nothing in common: {why}", first.name, other.name)));
    }
    // A case that the other side met in another state is not missing there.
    let only = |of: &join::Cases, in_other: &join::Cases| {
        let stateless = |key: &Key| key.within(|axis| axis != Axis::State);
        let there: BTreeSet<Key> = in_other.keys().map(stateless).collect();
        of.keys().filter(|key| !there.contains(&stateless(key))).cloned().collect::<Vec<Key>>()
    };
    Ok(Found {
        letter,
        only_a: only(&of_first, &of_other),
        only_b: only(&of_other, &of_first),
        states: alike.partners,
        joined: common,
        parameters,
    })
}

/// Returns the launches that are needed to find a difference in pairs of launches and in separate launches, where there
/// are such.
fn requirements(pairs: &[Pair], demand: Demand) -> Vec<Requirement> {
    let effects = || pairs.iter().flat_map(|pair| &pair.rows).map(|row| &row.effect);
    let tested = |effect: &&Effect| effect.unit != Unit::Intervals;
    let comparisons = effects().filter(tested).count();
    let of = |design: Design| {
        let same = |effect: &&Effect| (effect.unit == Unit::Rounds) == (design == Design::Paired);
        let fewest = effects().filter(tested).filter(same).map(|effect| effect.counts.0.min(effect.counts.1)).min()?;
        Some(Requirement::new(design, comparisons, fewest, 1.0 - demand.confidence))
    };
    [Design::Unpaired, Design::Paired].into_iter().filter_map(of).collect()
}

/// Warns where a side has only one launch of a case: its samples say nothing about the next launch.
fn warnings(pairs: &[Pair], demand: Demand) -> Vec<String> {
    let units = || pairs.iter().flat_map(|pair| &pair.rows).map(|row| row.effect.unit);
    let once = units().filter(|unit| *unit == Unit::OneLaunch).count();
    let all = units().count();
    let which = if once == all { String::new() } else { format!(" in {once} of {all} cases") };
    let launches = least_launches(Design::Unpaired, all.max(1), 1.0 - demand.confidence).max(6);
    let warning = format!(
        "One launch on a side{which}: how much times vary from launch to launch is unknown, so nothing is tested; \
         measure with --launches {launches}, or give several campaigns or texts of a side as A+A2+A3"
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

impl Joined {
    fn join(key: &Key, a: &Sampled, b: &Sampled, in_turn: Option<[&[Round]; 2]>) -> Result<Joined, Apart> {
        if a.quantity != b.quantity {
            let (one, other) = (a.quantity.unit(), b.quantity.unit());
            let what = format!("{key}: the numbers of one side are {one}, of the other {other}");
            return Err(Apart::Nothing(format!("{what}; choose the same --column of both")));
        }
        Ok(Joined {
            key: key.clone(),
            units: units(a, b, in_turn)?,
            estimates: (estimate(a), estimate(b)),
            oversubscribed: (a.oversubscribed, b.oversubscribed),
            doubts: [a.doubt.as_ref().map(|why| format!("A: {why}")), b.doubt.clone()].into_iter().flatten().collect(),
        })
    }
}

struct Found {
    letter: String,
    states: Vec<Partners>,
    joined: Vec<Joined>,
    parameters: Parameters,
    only_a: Vec<Key>,
    only_b: Vec<Key>,
}

fn nothing(a: &Side, b: &Side, left_out: &BTreeSet<Axis>) -> String {
    match (a.cases.is_empty(), b.cases.is_empty()) {
        (false, false) => why_apart(a, b, left_out),
        (true, true) if a.machines.is_empty() && b.machines.is_empty() => "nothing was measured".to_owned(),
        (true, true) => "their machines have other names".to_owned(),
        (true, false) => format!("{} has no cases", a.name),
        (false, true) => format!("{} has no cases", b.name),
    }
}

/// The number with an interval that another program computed, or else the only number that there is.
pub(crate) fn estimate(case: &Sampled) -> Option<Estimate> {
    let alone = || match case.launches.as_slice() {
        [launch] if launch.len() == 1 => Some(Estimate { value: launch[0], low: launch[0], high: launch[0] }),
        _ => None,
    };
    case.estimate.or_else(alone)
}

/// Judges the cases of all pairs, which are tested together.
fn judged(found: Vec<Found>, demand: Demand) -> Vec<Pair> {
    let compared: Vec<Vec<Option<Comparison>>> = found
        .iter()
        .map(|pair| pair.joined.iter().map(|case| compare(&case.units, demand.confidence)).collect())
        .collect();
    // Too few launches can show nothing: whether a test is made does not depend on their numbers.
    let p = |one: &Option<Comparison>| {
        one.filter(|one| verdict::testable(one.design, one.counts, demand)).map_or(f64::NAN, |one| one.p)
    };
    let ps: Vec<f64> = compared.iter().flatten().map(p).collect();
    let mut adjusted = holm(&ps).into_iter();
    let joined = found.iter().flat_map(|pair| &pair.joined);
    let tests = joined.filter(|case| case.units.unit != Unit::Intervals).count();
    let judge = |(pair, compared): (Found, Vec<Option<Comparison>>)| {
        let Found { letter, states, joined, parameters, only_a, only_b } = pair;
        let rows = joined.into_iter().zip(compared).map(|(case, comparison)| {
            let adjusted = adjusted.next().filter(|p| !p.is_nan());
            row(case, comparison, adjusted, demand, tests)
        });
        let rows: Vec<ContrastRow> = rows.flatten().collect();
        let sentence = sentence::sentence(&letter, &rows, &parameters, demand.at_least);
        Pair { letter, sentence, states, rows, parameters, only_a, only_b }
    };
    found.into_iter().zip(compared).map(judge).collect()
}

/// Compares B with A, so that a ratio above 1 is slower; `None` where there is no test.
fn compare(units: &Units, confidence: f64) -> Option<Comparison> {
    match units.unit {
        Unit::Intervals | Unit::OneLaunch => None,
        Unit::Launches => compare_samples(&units.b, &units.a, confidence, 1),
        Unit::Rounds => compare_pairs(&units.b, &units.a, confidence, 1),
    }
}

fn row(
    case: Joined,
    found: Option<Comparison>,
    adjusted: Option<f64>,
    demand: Demand,
    tests: usize,
) -> Option<ContrastRow> {
    let effect = match found {
        Some(found) => {
            let found = Comparison { adjusted_p: adjusted.unwrap_or(1.0), ..found };
            Effect::tested(&case.units, &found, demand, tests)
        }
        None if case.units.unit == Unit::OneLaunch => Effect::untested(&case.units, demand, tests)?,
        None => {
            let number = |estimate: Option<Estimate>, medians: &[f64]| {
                estimate.or_else(|| verdict::of_launches(medians, demand))
            };
            let (a, b) = (number(case.estimates.0, &case.units.a)?, number(case.estimates.1, &case.units.b)?);
            Effect::of_intervals(case.units.quantity, a, b, demand)
        }
    };
    let notes = [vec![effect.note.clone()], case.doubts].concat();
    let note = notes.into_iter().filter(|note| !note.is_empty()).collect::<Vec<_>>().join("; ");
    Some(ContrastRow { case: case.key, effect: Effect { note, ..effect }, oversubscribed: case.oversubscribed })
}
