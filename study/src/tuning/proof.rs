//! Proof of tunings: the tuned library against its own choice, in launches of their own, by the reference and by what a
//! benchmark prints.

use super::choose::calls;
use super::{By, Call, Tried, Tuning, same_call};
use crate::contrast::{Demand, Kind, Quantity, Round, Sampled, Side, Verdict};
use programs::aggregation::reported_us;
use programs::method::Preset;
use programs::observation::{Implementation, Observation};
use render::groups::grouped;
use scenario::axis::Key;
use scenario::store::{CampaignLines, Observed};

/// Calls of a proof by one kind of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Proved {
    /// Name of the numbers: `reference`, or that of a benchmark.
    pub by: String,
    /// Calls; their ways are the tunings, by name.
    pub calls: Vec<Call>,
}

/// Tunings held against the library's own choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The reference first, then what a benchmark prints.
    pub by: Vec<Proved>,
    /// Confidence of the verdict on each call.
    pub confidence: f64,
}

/// Verdicts on a tuning by one kind of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted<'a> {
    /// Name of the tuning.
    pub tuning: String,
    /// Name of the numbers.
    pub by: String,
    /// Calls that the tuning's table changes, and all others, with their numbers.
    pub changed: Vec<(&'a Call, &'a Tried)>,
    /// Calls that it leaves to the library's own choice.
    pub left: Vec<(&'a Call, &'a Tried)>,
}

impl Proof {
    /// Returns the verdicts on each tuning, by each kind of numbers.
    pub fn counted<'a>(&'a self, tunings: &[(&str, &Tuning)]) -> Vec<Counted<'a>> {
        let mut all = Vec::new();
        for (name, tuning) in tunings {
            for proved in &self.by {
                let of = |call: &'a Call| Some((call, call.tried.iter().find(|tried| tried.way.algorithm == *name)?));
                let (changed, left): (Vec<_>, Vec<_>) =
                    proved.calls.iter().filter_map(of).partition(|(call, _)| tuning.changes(&call.at));
                if !changed.is_empty() || !left.is_empty() {
                    all.push(Counted { tuning: (*name).to_owned(), by: proved.by.clone(), changed, left });
                }
            }
        }
        all
    }
}

/// Returns the verdicts of a tuning's own numbers on the ways that another tuning takes.
pub(super) fn judged<'a>(by: &'a Tuning, (name, tuning): (&str, &Tuning)) -> Counted<'a> {
    let numbers = |changed: &Call| {
        let call = by.calls.iter().find(|call| same_call(&call.at) == same_call(&changed.at))?;
        Some((call, call.tried.iter().find(|tried| Some(&tried.way) == changed.chosen.as_ref())?))
    };
    let changed = tuning.changed().filter_map(numbers).collect();
    Counted { tuning: name.to_owned(), by: by.by.word().to_owned(), changed, left: Vec::new() }
}

/// Returns the number of calls with this verdict.
pub(super) fn with(verdict: Verdict, calls: &[(&Call, &Tried)]) -> usize {
    calls.iter().filter(|(_, tried)| tried.verdict == verdict).count()
}

impl Counted<'_> {
    /// Returns all calls that are shown to be slower than by the library's own choice.
    pub fn slower(&self) -> impl Iterator<Item = &(&Call, &Tried)> {
        self.changed.iter().chain(&self.left).filter(|(_, tried)| tried.verdict == Verdict::Slower)
    }
}

/// Returns the proof from the reference's numbers and from those that a benchmark prints; `None` where there are none of
/// any tuning.
///
/// # Errors
/// Fails on sides that cannot be compared.
pub fn proof(reference: &Side, (printed, benchmark): (&Side, &str), demand: Demand) -> Result<Option<Proof>, String> {
    let mut by = Vec::new();
    for (side, name) in [(reference, By::Reference.word()), (printed, benchmark)] {
        let calls = calls(side, demand, Implementation::TUNED)?;
        if !calls.is_empty() {
            by.push(Proved { by: name.to_owned(), calls });
        }
    }
    Ok((!by.is_empty()).then_some(Proof { by, confidence: demand.confidence }))
}

/// Returns a side of the numbers that a benchmark would print of a campaign's calls: one for each launch.
pub fn printed(name: &str, lines: CampaignLines<'_>, preset: Preset) -> Side {
    let column = &preset.columns()[0];
    let timed = lines.observations(Observed::Measured).filter(|one| {
        let timing = one.case.timing;
        timing.method == preset.method() && !timing.conditions.reference && timing.conditions.window.is_none()
    });
    let number = |one: &Observation| {
        let us = reported_us(&one.ranks, &column.aggregation).filter(|us| *us > 0.0)?;
        let round = Round { campaign: name.to_owned(), launch: one.occasion.launch };
        Some((Key::from_case(&one.case), (us, round, one.oversubscribed)))
    };
    let cases = grouped(timed.filter_map(number)).into_iter().map(|(key, launches)| Sampled {
        key,
        quantity: Quantity::Time,
        launches: launches.iter().map(|(us, ..)| vec![*us]).collect(),
        rounds: launches.iter().map(|(_, round, _)| round.clone()).collect(),
        estimate: None,
        ran_by: String::new(),
        oversubscribed: launches.iter().any(|(_, _, oversubscribed)| *oversubscribed),
        doubt: None,
    });
    Side { cases: cases.collect(), facts: lines.facts(), ..Side::new(name, Kind::Campaign) }
}
