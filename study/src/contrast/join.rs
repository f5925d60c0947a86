//! Choice of the cases of two sides that are compared with each other.

use super::side::{Kind, Sampled, Side};
use programs::observation::Carrier;
use scenario::axis::{Axis, AxisValue, Key};
use std::collections::{BTreeMap, BTreeSet};

/// Options for joining cases and launches of the sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Axes that are left out of the key.
    pub ignore: Vec<Axis>,
    /// Axes of the key, where any are named: all others are left out, apart from the state of the machine.
    pub by: Vec<Axis>,
    /// True if the launches of the sides took turns: the first launch of each side is a pair, then the second, and so
    /// on.
    pub in_turn: bool,
}

/// Reason why sides are not compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Apart {
    /// The request is wrong for any sides.
    #[error("{0}")]
    Mistake(String),
    /// The sides can be read, but have no case in common: no test was made.
    #[error("{0}")]
    Nothing(String),
}

impl From<String> for Apart {
    fn from(mistake: String) -> Apart {
        Apart::Mistake(mistake)
    }
}

/// Returns the axes in which cases that are compared may differ: those that the user names, and those that a side does
/// not state or by which its cases were chosen. So are the place where the sides ran and the way in which clocks were
/// synchronised, where each side has only one value and these values differ. Every emulated network counts as another
/// one: times on two of them do not compare.
pub(super) fn left_out(sides: &[Side], choice: &Choice) -> BTreeSet<Axis> {
    if !choice.by.is_empty() {
        // States of the machine are mixed only on request.
        let chosen = || sides.iter().any(|side| side.chosen.contains(&Axis::State));
        let unsaid = |axis: &Axis| match axis {
            Axis::State => chosen(),
            other => !choice.by.contains(other),
        };
        return Axis::CASES.into_iter().filter(unsaid).collect();
    }
    let mut left_out: BTreeSet<Axis> = choice.ignore.iter().copied().collect();
    left_out.extend(sides.iter().flat_map(|side| side.silent.iter().chain(&side.chosen)));
    let mut tells_sides_apart = vec![Axis::World, Axis::Transport, Axis::Sync];
    if sides.iter().any(|side| side.kind == Kind::Imported) {
        tells_sides_apart.push(Axis::Method);
    }
    let differs = |axis: &Axis| {
        let mut values = sides.iter().map(|side| side.values(*axis));
        let first = values.next().unwrap_or_default();
        let others: Vec<Vec<&AxisValue>> = values.collect();
        first.len() <= 1 && others.iter().all(|other| other.len() <= 1) && others.iter().any(|other| *other != first)
    };
    let networks: BTreeSet<String> = sides
        .iter()
        .flat_map(|side| side.values(Axis::Transport))
        .map(AxisValue::to_string)
        .filter(|name| name.starts_with(Carrier::EMULATED.name()))
        .collect();
    let emulated = |axis: &Axis| *axis == Axis::Transport && networks.len() > 1;
    left_out.extend(tells_sides_apart.into_iter().filter(|axis| differs(axis) && !emulated(axis)));
    if left_out.contains(&Axis::Method) {
        // Whether a case has these axes depends on its method.
        left_out.extend([Axis::Calls, Axis::Sync, Axis::Barrier]);
    }
    left_out
}

/// Cases by the remaining axes of their keys.
pub(super) type Cases<'a> = BTreeMap<Key, &'a Sampled>;

/// Returns a side's cases by the remaining axes of their keys. Where several have the same remaining key and `other`
/// has no case of it, the last one stands for all.
///
/// # Errors
/// Names two cases with the same remaining key, and the axes in which they differ.
pub(super) fn cases<'a>(side: &'a Side, other: &Side, left_out: &BTreeSet<Axis>) -> Result<Cases<'a>, String> {
    let key_of = |case: &Sampled| case.key.within(|axis| !left_out.contains(&axis));
    let there: BTreeSet<Key> = other.cases.iter().map(key_of).collect();
    let mut cases: Cases = BTreeMap::new();
    for case in &side.cases {
        let key = key_of(case);
        let Some(same) = cases.insert(key.clone(), case).filter(|_| there.contains(&key)) else { continue };
        let differs = |axis: &Axis| same.key.get(*axis) != case.key.get(*axis);
        let in_what: Vec<Axis> = Axis::CASES.into_iter().filter(differs).collect();
        let words = in_what.iter().map(|&axis| format!("{axis} ({} and {})", same.key.text(axis), case.key.text(axis)));
        let words = words.collect::<Vec<_>>().join(", ");
        let first = in_what.first().copied().unwrap_or(Axis::Operation);
        let name = &side.name;
        return Err(format!(
            "{name} has several cases of '{key}' that differ in {words}; choose one, {name},{first}={}",
            same.key.text(first)
        ));
    }
    Ok(cases)
}

/// Returns the reason why no case is on both sides, with the axes in which the sides share no value.
pub(super) fn why_apart(a: &Side, b: &Side, left_out: &BTreeSet<Axis>) -> String {
    let apart = Axis::CASES.into_iter().filter(|axis| !left_out.contains(axis)).filter(|&axis| {
        let (of_a, of_b) = (a.values(axis), b.values(axis));
        of_a.iter().all(|value| !of_b.contains(value)) && !(of_a.is_empty() && of_b.is_empty())
    });
    let said = |side: &Side, axis| {
        let values: Vec<String> = side.values(axis).iter().take(5).map(|value| value.to_string()).collect();
        if values.is_empty() { "nothing".to_owned() } else { values.join(", ") }
    };
    let apart: Vec<Axis> = apart.collect();
    let words: Vec<String> =
        apart.iter().map(|&axis| format!("{axis} (A: {}; B: {})", said(a, axis), said(b, axis))).collect();
    let same = "compare campaigns of the same operations, ranks and bytes";
    if words.is_empty() {
        return format!("no combination of their keys is on both; {same}");
    }
    let what = [Axis::Operation, Axis::Ranks, Axis::Bytes];
    let cure = match apart.iter().any(|axis| what.contains(axis)) {
        true => same.to_owned(),
        false => {
            let names: Vec<&str> = apart.iter().map(|axis| axis.name()).collect();
            format!("--ignore {} compares them nevertheless", names.join(","))
        }
    };
    format!("they share no {}; {cure}", words.join(", no "))
}
