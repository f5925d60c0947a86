//! One side of a comparison: what one or more files say, case by case.

use super::quantity::Quantity;
use super::states::merged;
use crate::states::State;
use models::machine::{Estimate, Machine};
use scenario::axis::{Axis, Key, Value};
use std::collections::BTreeSet;

models::named! {
    /// What a side was read from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Kind {
        /// What Parallax measured or predicted.
        Campaign => "campaign",
        /// Samples that Parallax exported.
        Samples => "exported samples",
        /// The text of another benchmark.
        Imported => "text of another benchmark",
        /// Calibrated parameters.
        Machine => "machine file",
    }
    /// In words.
    fn words;
}

/// In which round of which campaign a launch ran. Launches of one round run next to each other: every world of a campaign is
/// launched once, then all of them again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Round {
    /// What the user calls the campaign.
    pub campaign: String,
    /// Which launch of the campaign's.
    pub launch: u32,
}

/// The numbers of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Which case.
    pub key: Key,
    /// What its numbers are.
    pub quantity: Quantity,
    /// For each launch of the ranks one number per sample, in the order of time: of times the slowest rank's.
    pub launches: Vec<Vec<f64>>,
    /// For each launch its round; empty where rounds are not known.
    pub rounds: Vec<Round>,
    /// Where there is but one number with an interval that somebody else computed, that.
    pub estimate: Option<Estimate>,
    /// Library and version, host and clock; empty where that is not known.
    pub ran_by: String,
    /// True where more ranks than cores shared the machine.
    pub oversubscribed: bool,
    /// Why its numbers are doubtful, if they are.
    pub doubt: Option<String>,
}

/// One side.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// What the user calls it.
    pub name: String,
    /// What it was read from.
    pub kind: Kind,
    /// Label and value of what is known of where it was measured.
    pub facts: Vec<(String, String)>,
    /// Its cases.
    pub cases: Vec<Sampled>,
    /// Its calibrated machines.
    pub machines: Vec<Machine>,
    /// The states of the machine in which its cases were measured, the most visited first; empty where the ranks did not look
    /// at the machine's state.
    pub states: Vec<State>,
    /// The rounds of all its launches, in the order of time; empty where they are not known.
    pub rounds: Vec<Round>,
    /// Why it has no case, where its file has rows, but not the number that is looked at.
    pub lacks: Option<String>,
    /// What it does not say of its cases.
    pub silent: BTreeSet<Axis>,
    /// By what its cases were chosen.
    pub chosen: BTreeSet<Axis>,
    /// What was left out, a sentence each.
    pub notes: Vec<String>,
}

/// The separator of several values of one fact.
const SEVERAL: &str = " | ";

/// Facts by which cases of texts are other cases, each with the axis in which that is told where texts differ in it.
const TOLD: [(&str, Axis); 2] = [(PRINTED_BY, Axis::Method), (SYSTEM, Axis::Form)];
/// The fact that says which tool printed a text, with its version.
pub(super) const PRINTED_BY: &str = "printed by";
/// The fact that says on which system published numbers were measured.
pub(super) const SYSTEM: &str = "system";

/// Tells apart the cases of texts that are put together although their tools, versions or systems differ.
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
            // Where there are several already, the cases say which.
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
    /// A side that says nothing yet.
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
                // Several numbers say more of each other than each one says of itself.
                case.estimate = None;
                case.oversubscribed |= launch.oversubscribed;
                case.doubt = case.doubt.take().or(launch.doubt);
            }
            Err(place) => self.cases.insert(place, launch),
        }
    }

    /// Several sides as one: the launches of all of them.
    ///
    /// # Errors
    /// Says so where there are none, where a machine file is among several, and where numbers of one case are not the same.
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

    /// Keeps the cases that lie there in an axis.
    ///
    /// # Errors
    /// Names what there is, if no case lies there.
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

    /// All values that its cases have in an axis, in order.
    pub fn values(&self, axis: Axis) -> Vec<&Value> {
        let all: BTreeSet<&Value> = self.cases.iter().filter_map(|case| case.key.get(axis)).collect();
        all.into_iter().collect()
    }
}
