//! Known differences between the conditions under which two sides were measured.

use super::letter;
use super::side::Side;
use render::groups::distinct;
use scenario::axis::Axis;
use std::collections::BTreeSet;

/// Facts that differ from run to run and explain nothing.
const PASSING: [&str; 6] = ["campaign", "started", "calibrated", "memory available", "seed", LOAD];
/// The load counts as a difference from one busy processor on.
const LOAD: &str = "load before the run";

/// A fact that is not the same on all sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Label of the fact.
    pub fact: String,
    /// Values on all sides, in the order of the sides; `None` where a side does not state the fact.
    pub values: Vec<Option<String>>,
}

/// Returns the facts that sides state differently, in the order in which they are first stated, followed by the
/// libraries that ran the cases and by whether ranks had to share cores.
pub(super) fn differences(sides: &[Side]) -> Vec<Difference> {
    let labels = distinct(sides.iter().flat_map(|side| &side.facts).map(|(label, _)| label.as_str()));
    let value = |side: &Side, label: &str| side.facts.iter().find(|fact| fact.0 == label).map(|fact| fact.1.clone());
    let said = labels.into_iter().map(|label| Difference {
        fact: label.to_owned(),
        values: sides.iter().map(|side| value(side, label)).collect(),
    });
    let crowded = Difference { fact: "more ranks than cores".to_owned(), values: sides.iter().map(crowded).collect() };
    let ran_by = Difference { fact: "ran by".to_owned(), values: sides.iter().map(ran_by).collect() };
    said.chain([ran_by, crowded]).filter(Difference::matters).collect()
}

/// Returns a warning where some sides do not state their number of ranks, so that they may hold cases of any number.
pub(super) fn unsaid(sides: &[Side]) -> Option<String> {
    let said = |side: &Side| side.values(Axis::Ranks).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let (mut silent, mut saying) = (Vec::new(), Vec::new());
    for (place, side) in sides.iter().enumerate().filter(|(_, side)| !side.cases.is_empty()) {
        match said(side) {
            ranks if ranks.is_empty() => silent.push(letter(place)),
            ranks => saying.push(format!("{} has {ranks}", letter(place))),
        }
    }
    let (silent, saying) = (silent.join(", "), saying.join(", "));
    (!silent.is_empty() && !saying.is_empty()).then(|| {
        format!(
            "The number of ranks is not stated by {silent}, and {saying}: these may not be the same cases; name files like \
             osu.np8.txt, or give the command above the table"
        )
    })
}

/// Libraries and hosts that ran the side's cases; other kinds of sides have them among their facts.
fn ran_by(side: &Side) -> Option<String> {
    let all: BTreeSet<&str> =
        side.cases.iter().map(|case| case.ran_by.as_str()).filter(|ran_by| !ran_by.is_empty()).collect();
    let all = all.into_iter().collect::<Vec<_>>().join(" | ");
    (!all.is_empty()).then_some(all)
}

fn crowded(side: &Side) -> Option<String> {
    let crowded = side.cases.iter().filter(|case| case.oversubscribed).count();
    (!side.cases.is_empty()).then(|| match crowded {
        0 => "no".to_owned(),
        _ if crowded == side.cases.len() => "in all cases".to_owned(),
        _ => format!("in {crowded} of {} cases", side.cases.len()),
    })
}

impl Difference {
    fn matters(&self) -> bool {
        let said: Vec<&String> = self.values.iter().flatten().collect();
        let load = |text: &String| text.split(' ').next().and_then(|first| first.parse::<f64>().ok());
        match said.as_slice() {
            [first, rest @ ..] if self.fact == LOAD => {
                rest.iter().any(|other| load(first).zip(load(other)).is_some_and(|(a, b)| (a - b).abs() >= 1.0))
            }
            _ if PASSING.contains(&self.fact.as_str()) => false,
            [first, rest @ ..] => rest.iter().any(|other| other != first) || said.len() < self.values.len(),
            [] => false,
        }
    }
}
