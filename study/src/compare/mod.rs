//! Joins predictions with measurements: from a campaign's lines to its report.
//!
//! Both sides are observations and are read by the same code. A loop's block, the mean of a barrier-loop's block, or a
//! valid window is one sample, and a rank's number is the median of its samples.

mod answer;
mod clocks;
mod row;
mod words;

pub(crate) use clocks::check as clock_check;
pub(crate) use probes::clocks::waits::{bound_us as clock_bound_us, window_us as waits_us};
pub(crate) use row::verdict;
pub use words::capital;

use crate::comparison::{MethodComparison, Report, SubjectComparison, Verdict};
use crate::expectations;
use crate::measured::measured;
use calibration::fit::notes;
use calibration::states::load;
use models::network::Network;
use models::time::Span;
use programs::machine::{Bound, Estimate, Machine};
use programs::method::Method;
use programs::observation::{Case, CaseKey, ClockCheck, Observation, Occasion, World};
use render::groups::{distinct, grouped, latest};
use row::Joined;
use scenario::expect::judge;
use scenario::store::{CampaignLines, Line, Observed, Predicted, Question, StoreError};
use scenario::{Scenario, machine_name};
use std::collections::{BTreeMap, BTreeSet};

/// Confidence of every interval of a measured number.
pub use probes::clocks::waits::CONFIDENCE;

/// Number of samples below which the least and the largest enclose the median with less than that confidence.
pub const FEWEST: usize = 8;
/// Largest difference, as a share of the measured value, at which values with disjoint intervals are close.
pub const CLOSE: f64 = 0.05;
/// The ends of the parameters' intervals.
const BOUNDS: [Bound; 3] = [Bound::Low, Bound::Best, Bound::High];

/// Reason why lines make no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// No line states the question of the campaign.
    #[error("the campaign is not identified: its file must begin with a \"campaign\" line; run the scenario again")]
    NoCampaign,
    /// The records of ranks cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

impl From<StoreError> for CompareError {
    fn from(error: StoreError) -> CompareError {
        CompareError::Unreadable(error.to_string())
    }
}

/// The lines of a campaign sorted by kind, in file order. Where a case appears twice its last line counts: it was run
/// again after an interruption.
#[derive(Default)]
struct Sorted<'a> {
    machines: Vec<&'a Machine>,
    clock_checks: Vec<&'a ClockCheck>,
    predicted: Vec<Predicted<'a>>,
    measured: Vec<&'a Observation>,
    left_out: Vec<(&'a str, &'a str)>,
    /// Place of a case's prediction among the predicted ones.
    prediction_of: BTreeMap<(Bound, (&'a Case, Occasion)), usize>,
    truths: BTreeMap<(Bound, Subject), &'a [Span]>,
    /// Observations of each subject, measured ones and those of ranks that are only simulated.
    observed: BTreeMap<Subject, Vec<&'a Observation>>,
}

/// Compares a campaign's predictions with its measurements.
///
/// Measured numbers are medians with order-statistic intervals at [`CONFIDENCE`]; fewer than 8 samples cannot reach it
/// and give \[min, max\]. Predicted numbers are those of the simulation with the best parameters; their ends are those
/// with all parameters at the ends of their intervals. Numbers that only one side has are listed in
/// [`Report::left_out`].
///
/// # Errors
/// [`CompareError::NoCampaign`] without a question, and [`CompareError::Unreadable`] where records of queues cannot be
/// read.
pub fn compare(lines: &[Line]) -> Result<Report, CompareError> {
    let all = CampaignLines::from(lines);
    let Question { question, name, seed, text, reproduce } = all.question().ok_or(CompareError::NoCampaign)?;
    // A campaign's text was read when it began; one of another version is shown without expectations.
    let scenario = Scenario::parse(name, text).ok();
    let (told, factors) = scenario.map(|scenario| (scenario.told, scenario.factors)).unwrap_or_default();
    let sorted = Sorted::new(all);
    let mut left_out = sorted.left_out();
    let subjects = sorted.subjects().iter().filter_map(|key| sorted.subject(key, seed, &mut left_out)).collect();
    let has_queues = sorted.measured.iter().any(|seen| seen.case.subject.implementation.queued().is_some());
    let queues = if has_queues { Some(measured(lines)?) } else { None };
    let mut report = Report {
        question: question.to_owned(),
        name: name.to_owned(),
        judgements: judge(&told.expects, &expectations::numbers(all, &factors, &told.expects)),
        expectation: told.expectation,
        found: told.found,
        answer: String::new(),
        details: Vec::new(),
        seed,
        environment: all.facts(),
        reproduce: reproduce.to_vec(),
        machines: sorted.machines.iter().map(|&machine| machine.clone()).collect(),
        clock_checks: sorted.clock_checks.iter().map(|check| clocks::check(check, CONFIDENCE)).collect(),
        subjects,
        left_out,
        queues,
    };
    (report.answer, report.details) = answer::conclude(&report);
    // Oversubscribed ranks wait for each other, which their rows state.
    let own_cores = sorted.measured.iter().copied().filter(|observation| !observation.oversubscribed);
    let load = load(own_cores).and_then(|load| load.sentence());
    report.details.extend(load.map(|load| format!("{load}.")));
    Ok(report)
}

/// The parts of a case that observations share if they differ only by method.
type Subject = (CaseKey, Occasion);

fn subject_of((case, occasion): (&Case, Occasion)) -> Subject {
    (case.without_method(), occasion)
}

impl<'a> Sorted<'a> {
    fn new(lines: CampaignLines<'a>) -> Sorted<'a> {
        let of_prediction = |of: Predicted<'a>| ((of.bound, of.observation.key()), of);
        let predicted = latest(lines.predicted().map(of_prediction));
        let places = predicted.iter().enumerate();
        let prediction_of = places.map(|(place, of)| ((of.bound, of.observation.key()), place)).collect();
        let mut sorted = Sorted {
            machines: latest(lines.machines().map(|machine| (&machine.name, machine))),
            clock_checks: latest(lines.clock_checks().map(|of| ((of.place(), of.conditions, of.occasion), of))),
            predicted,
            measured: latest(lines.observations(Observed::Measured).map(|seen| (seen.key(), seen))),
            left_out: latest(lines.left_out().map(|of| (of.0, of))),
            prediction_of,
            truths: lines.truths().map(|of| ((of.bound, subject_of((of.case, of.occasion))), of.spans)).collect(),
            observed: BTreeMap::new(),
        };
        let all = sorted.measured.iter().copied().chain(sorted.simulated());
        sorted.observed = grouped(all.map(|seen| (subject_of(seen.key()), seen))).into_iter().collect();
        sorted
    }

    /// Reasons for cases that were requested and cannot be compared.
    fn left_out(&self) -> Vec<String> {
        let names: BTreeSet<String> = self.measured.iter().map(|observation| observation.name()).collect();
        let measured = |name: &str| names.contains(name);
        let said = self.left_out.iter().filter(|(what, _)| !measured(what));
        let mut left_out: Vec<String> = said.map(|(what, why)| format!("{what}: {why}")).collect();
        let best = self.predicted.iter().filter(|prediction| prediction.bound == Bound::Best);
        for observation in best.map(|prediction| prediction.observation) {
            let (case, name) = (&observation.case, observation.name());
            let excused = self.left_out.iter().any(|(what, _)| name.starts_with(what));
            let real = case.place.world != World::Simulated;
            if real && case.timing.method != Method::LoopTrace && !measured(&name) && !excused {
                left_out.push(format!("{name}: predicted but not measured, the campaign was interrupted; resume it"));
            }
        }
        left_out
    }

    /// Observations of ranks that are only simulated.
    fn simulated(&self) -> impl Iterator<Item = &'a Observation> {
        let best = self.predicted.iter().filter(|prediction| prediction.bound == Bound::Best);
        best.map(|prediction| prediction.observation)
            .filter(|observation| observation.case.place.world == World::Simulated)
    }

    /// The subjects that were measured or only simulated, in order of appearance.
    fn subjects(&self) -> Vec<Subject> {
        distinct(self.measured.iter().copied().chain(self.simulated()).map(|observation| subject_of(observation.key())))
    }

    fn predictions(&self, key: (&Case, Occasion)) -> [Option<&Predicted<'a>>; 3] {
        BOUNDS.map(|bound| self.predicted.get(*self.prediction_of.get(&(bound, key))?))
    }

    /// Compares one subject; `None` if none of its methods can be compared.
    fn subject(&self, key: &Subject, seed: u64, left_out: &mut Vec<String>) -> Option<SubjectComparison> {
        let (shared, occasion) = key;
        let case = &shared.by(Method::Window);
        let alone = case.place.world == World::Simulated;
        let observed = self.observed.get(key)?;
        let by = |method| observed.iter().copied().find(|observation| observation.case.timing.method == method);
        let truths = BOUNDS.map(|bound| self.truths.get(&(bound, key.clone())).copied());
        let windows = by(Method::Window).or_else(|| self.windows_without_barrier(key));
        let mut methods: Vec<MethodComparison> = Vec::new();
        for &seen in observed.iter().filter(|observation| observation.case.timing.method != Method::LoopTrace) {
            let predicted = self.predictions(seen.key());
            let measured = (!alone).then_some(seen);
            match (Joined { seen, measured, predicted, truths, windows, seed }).method() {
                Ok(method) => methods.push(method),
                Err(why) => left_out.push(format!("{}: {why}", seen.name())),
            }
        }
        let any = observed.first().filter(|_| !methods.is_empty())?;
        let best = |method| self.predictions((&case.by(method), *occasion))[1];
        let predicted_by = methods.first().and_then(|method| best(method.method));
        Some(SubjectComparison {
            case: case.clone(),
            occasion: *occasion,
            reasons: predicted_by.map(|p| self.reasons(case, p.network, &methods)).unwrap_or_default(),
            predicted_by: predicted_by.map(|p| p.observation.ran_by.clone()).unwrap_or_default(),
            measured_by: if alone { String::new() } else { any.ran_by.clone() },
            oversubscribed: observed.iter().any(|observation| observation.oversubscribed),
            reference_us: reference_us(truths, case.place.ranks),
            clock_bound_us: clock_bound_us(observed.iter().flat_map(|observation| &observation.ranks)),
            start_skew_us: probes::clocks::waits::start_skew_us(windows.map_or(&[], |observation| &observation.ranks)),
            window_us: window_us(windows),
            methods,
            predicted_trace: best(Method::LoopTrace).map(|p| p.observation.clone()),
            measured_trace: by(Method::LoopTrace).filter(|_| !alone).cloned(),
        })
    }

    /// The windows of a subject whose windows call no barrier and are a subject of their own.
    fn windows_without_barrier(&self, (case, occasion): &Subject) -> Option<&'a Observation> {
        let subject = (case.clone().without_barrier(), *occasion);
        self.observed.get(&subject)?.iter().copied().find(|seen| seen.case.timing.method == Method::Window)
    }

    /// The calibration's notes on the model of the prediction, where a number differs.
    fn reasons(&self, case: &Case, network: &Network, methods: &[MethodComparison]) -> Vec<String> {
        let differs = methods.iter().flat_map(|method| &method.rows).any(|row| row.verdict == Verdict::Differs);
        let name = machine_name(case.place);
        let machine = self.machines.iter().find(|machine| machine.name == name).filter(|_| differs);
        machine.map(|machine| notes::about(machine, network)).unwrap_or_default()
    }
}

/// The value with the best parameters, with the range over all three sets; `None` without the best.
fn over_bounds(values: [Option<f64>; 3]) -> Option<Estimate> {
    let value = values[1]?;
    let known = || values.iter().flatten().copied();
    Some(Estimate { value, low: known().fold(value, f64::min), high: known().fold(value, f64::max) })
}

/// The reference time of each rank, in µs; empty if it was not simulated.
fn reference_us(truths: [Option<&[Span]>; 3], ranks: u32) -> Vec<Estimate> {
    let of = |rank: usize| over_bounds(truths.map(|spans| Some(spans?.get(rank)?.as_us())));
    (0..ranks as usize).map(of).collect::<Option<_>>().unwrap_or_default()
}

fn window_us(windows: Option<&Observation>) -> f64 {
    let record = windows.and_then(|observation| observation.ranks.first()?.window.as_ref());
    record.and_then(|window| window.deltas.last()).map_or(0.0, |delta| delta.as_us())
}

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
