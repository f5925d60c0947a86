//! One side of a comparison: the cases read from one or more files.

use super::quantity::Quantity;
use super::states::merged;
use calibration::states::MetState;
use programs::machine::{Estimate, Machine};
use scenario::axis::{Axis, AxisValue, Key};
use std::collections::BTreeSet;

models::named! {
    /// Kind of file that a side was read from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Kind {
        /// A campaign that Parallax measured or predicted.
        Campaign => "campaign",
        /// Samples that Parallax exported.
        Samples => "exported samples",
        /// The text of another benchmark.
        Imported => "text of another benchmark",
        /// Calibrated parameters of a machine.
        Machine => "machine file",
    }
    /// The kind in words.
    fn words;
}

/// The round of a campaign in which a launch ran. Launches of one round run next to each other: every world of a
/// campaign is launched once, then all of them again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Round {
    /// Name of the campaign, as the user gave it.
    pub campaign: String,
    /// Number of the launch within the campaign.
    pub launch: u32,
}

/// The numbers of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Key of the case.
    pub key: Key,
    /// Quantity that its numbers measure.
    pub quantity: Quantity,
    /// Numbers of each launch of the ranks, one per sample in the order of time. Of times, it is the slowest rank's.
    pub launches: Vec<Vec<f64>>,
    /// The round of each launch; empty where rounds are not known.
    pub rounds: Vec<Round>,
    /// The single number with an interval that another program computed, where the case has one.
    pub estimate: Option<Estimate>,
    /// Library and version, host and clock; empty where they are not known.
    pub ran_by: String,
    /// True where more ranks than cores shared the machine.
    pub oversubscribed: bool,
    /// Reason to doubt the numbers; `None` where there is none.
    pub doubt: Option<String>,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Name of the side, as the user gave it.
    pub name: String,
    /// Kind of file that it was read from.
    pub kind: Kind,
    /// Label and value of each known fact about the measurement.
    pub facts: Vec<(String, String)>,
    /// The cases of this side.
    pub cases: Vec<Sampled>,
    /// The calibrated machines of this side.
    pub machines: Vec<Machine>,
    /// The states of the machine in which its cases were measured, the most visited first; empty where the ranks did
    /// not look at the machine's state.
    pub states: Vec<MetState>,
    /// The rounds of all its launches, in the order of time; empty where they are not known.
    pub rounds: Vec<Round>,
    /// Reason why it has no case although its file has rows, which lack the number to be compared.
    pub lacks: Option<String>,
    /// Axes that the side does not state for its cases.
    pub silent: BTreeSet<Axis>,
    /// Axes by which its cases were chosen.
    pub chosen: BTreeSet<Axis>,
    /// Notes on parts that were left out, a sentence each.
    pub notes: Vec<String>,
}

/// The separator of several values of one fact.
const SEVERAL: &str = " | ";

/// Facts that tell cases of texts apart, each with the axis that states it where texts differ in it.
const TOLD: [(&str, Axis); 2] = [(PRINTED_BY, Axis::Method), (SYSTEM, Axis::Form)];
/// Label of the fact that names the tool, with its version, that printed a text.
pub(super) const PRINTED_BY: &str = "printed by";
/// Label of the fact that names the system on which published numbers were measured.
pub(super) const SYSTEM: &str = "system";

/// Gives different keys to the cases of texts that are put together although their tools, versions or systems differ.
fn tell_apart(parts: &mut [Side]) {
    for (label, axis) in TOLD {
        let said = |part: &Side| {
            let fact = part.facts.iter().find(|(known, _)| part.kind == Kind::Imported && known == label);
            fact.map(|(_, value)| value.clone())
        };
        if parts.iter().filter_map(said).collect::<BTreeSet<String>>().len() < 2 {
            continue;
        }
        for part in &mut *parts {
            // A part that has several values states them in its cases already.
            let Some(value) = said(part).filter(|value| !value.contains(SEVERAL)) else { continue };
            for case in &mut part.cases {
                let so_far = case.key.text(axis);
                let comma = if so_far.is_empty() { "" } else { ", " };
                case.key = std::mem::take(&mut case.key).named(axis, &format!("{so_far}{comma}{value}"));
            }
        }
    }
}

impl Side {
    /// Returns a side without cases or facts.
    pub fn new(name: &str, kind: Kind) -> Side {
        Side {
            name: name.to_owned(),
            kind,
            facts: Vec::new(),
            cases: Vec::new(),
            machines: Vec::new(),
            states: Vec::new(),
            rounds: Vec::new(),
            lacks: None,
            silent: BTreeSet::new(),
            chosen: BTreeSet::new(),
            notes: Vec::new(),
        }
    }

    /// Adds the times of one launch to its case; cases are in the order of their keys.
    pub(super) fn add(&mut self, launch: Sampled) {
        match self.cases.binary_search_by(|case| case.key.cmp(&launch.key)) {
            Ok(place) => {
                let case = &mut self.cases[place];
                case.launches.extend(launch.launches);
                case.rounds.extend(launch.rounds);
                // Several numbers give better information on their variation than the interval of each.
                case.estimate = None;
                case.oversubscribed |= launch.oversubscribed;
                case.doubt = case.doubt.take().or(launch.doubt);
            }
            Err(place) => self.cases.insert(place, launch),
        }
    }

    /// Joins several sides to one that has the launches of all of them.
    ///
    /// # Errors
    /// Fails where there are no parts, where a machine file is among several, and where the numbers of one case are of
    /// different quantities.
    pub fn together(name: &str, parts: Vec<Side>) -> Result<Side, String> {
        let mut parts = parts;
        tell_apart(&mut parts);
        let mut parts = parts.into_iter();
        let mut side = parts.next().ok_or("expected at least one file on each side")?;
        side.name = name.to_owned();
        side.cases.sort_by(|a, b| a.key.cmp(&b.key));
        for part in parts {
            if side.kind == Kind::Machine || part.kind == Kind::Machine {
                return Err(format!("{name}: a machine file cannot be put together with others; give it alone"));
            }
            let part = merged(&mut side, part);
            for case in part.cases {
                if let Some(known) = side.cases.iter().find(|known| known.key == case.key)
                    && known.quantity != case.quantity
                {
                    let (one, other) = (known.quantity.unit(), case.quantity.unit());
                    return Err(format!("{name}: {}: {one} and {other} cannot be put together", case.key));
                }
                side.add(case);
            }
            for (label, value) in part.facts {
                match side.facts.iter_mut().find(|(known, _)| *known == label) {
                    Some((_, known)) if known.split(SEVERAL).any(|one| one == value) => {}
                    Some((_, known)) => *known = format!("{known}{SEVERAL}{value}"),
                    None => side.facts.push((label, value)),
                }
            }
            side.rounds.extend(part.rounds);
            side.lacks = side.lacks.take().or(part.lacks);
            side.silent.extend(part.silent);
            side.notes.extend(part.notes);
        }
        Ok(side)
    }

    /// Keeps the cases whose value in an axis is the wanted one.
    ///
    /// # Errors
    /// Names the values that there are, if no case has the wanted one.
    pub fn choose(&mut self, axis: Axis, wanted: &str) -> Result<(), String> {
        let known = self.values(axis);
        if !known.iter().any(|value| value.to_string() == wanted) {
            let known: Vec<String> = known.iter().map(|value| value.to_string()).collect();
            let known =
                if known.is_empty() { "it states none".to_owned() } else { format!("there are: {}", known.join(", ")) };
            return Err(format!("{} has no case of {axis} '{wanted}'; {known}", self.name));
        }
        self.cases.retain(|case| case.key.text(axis) == wanted);
        self.chosen.insert(axis);
        Ok(())
    }

    /// Returns the side with the launches of these rounds only, by their numbers; without cases that have none of them.
    #[must_use]
    pub fn within_rounds(mut self, rounds: std::ops::Range<u32>) -> Side {
        for case in &mut self.cases {
            let mut kept = case.rounds.iter().map(|round| rounds.contains(&round.launch));
            case.launches.retain(|_| kept.next().unwrap_or(true));
            case.rounds.retain(|round| rounds.contains(&round.launch));
        }
        self.cases.retain(|case| !case.launches.is_empty());
        self.rounds.retain(|round| rounds.contains(&round.launch));
        self
    }

    /// All values that its cases have in an axis, in order.
    pub fn values(&self, axis: Axis) -> Vec<&AxisValue> {
        let all: BTreeSet<&AxisValue> = self.cases.iter().filter_map(|case| case.key.get(axis)).collect();
        all.into_iter().collect()
    }
}
