//! Joins what was predicted with what was measured: from a campaign's lines to its report.
//!
//! Both sides are observations and are read by the same code: a loop's block, the mean of a
//! barrier-loop's block, or a valid window is one sample, and a rank's number is their median.

mod answer;
mod clocks;
mod row;
mod words;

pub(crate) use clocks::{bound_us as clock_bound_us, check as clock_check, window_us as waits_us};
pub(crate) use row::{samples_us, verdict};

use crate::comparison::{MethodComparison, Report, SubjectComparison, Verdict};
use crate::expectations;
use crate::fit::notes;
use crate::states::load;
use models::machine::{Bound, Estimate, Machine};
use models::method::Method;
use models::network::Network;
use models::observation::{Case, ClockCheck, Observation, World};
use models::time::Span;
use row::Joined;
use scenario::expect::judge;
use scenario::store::Line;
use scenario::{Scenario, machine_name};

/// Confidence of every interval of a measured number.
pub const CONFIDENCE: f64 = 0.99;

/// With fewer samples the least and the largest enclose the median with less than that confidence.
pub const FEWEST: usize = 8;
/// Values whose intervals are apart are close if they differ by at most this share of the measured one.
pub const CLOSE: f64 = 0.05;
/// The ends of the parameters' intervals.
const BOUNDS: [Bound; 3] = [Bound::Low, Bound::Best, Bound::High];

/// Why lines make no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// Nothing says what was asked.
    #[error(
        "no line says which campaign this is: the first line of its file must be a \"campaign\" line; run the scenario again"
    )]
    NoCampaign,
}

/// A simulated observation and what simulated it.
struct Prediction<'a> {
    bound: Bound,
    network: &'a Network,
    observation: &'a Observation,
}

/// The lines sorted by kind, in file order. Where a case appears twice its last line counts: it
/// was run again after an interruption.
#[derive(Default)]
struct Sorted<'a> {
    machines: Vec<&'a Machine>,
    clock_checks: Vec<&'a ClockCheck>,
    predicted: Vec<Prediction<'a>>,
    truths: Vec<(Case, Bound, &'a [Span])>,
    measured: Vec<&'a Observation>,
    left_out: Vec<(&'a str, &'a str)>,
}

/// Compares a campaign's predictions with its measurements.
///
/// Measured numbers are medians with order-statistic intervals at [`CONFIDENCE`]; fewer than 8
/// samples cannot reach it and give \[min, max\]. Predicted ones are the simulation's with the best
/// parameters, their ends those with all parameters at the ends of their intervals. What is there
/// on one side only is listed in [`Report::left_out`].
///
/// # Errors
/// [`CompareError::NoCampaign`].
pub fn compare(lines: &[Line]) -> Result<Report, CompareError> {
    let campaign = lines.iter().rev().find_map(|line| match line {
        Line::Campaign { question, name, seed, environment, reproduce, scenario_text, .. } => {
            Some((question, name, *seed, environment, reproduce, scenario_text))
        }
        _ => None,
    });
    let (question, name, seed, environment, reproduce, text) = campaign.ok_or(CompareError::NoCampaign)?;
    // A campaign's text was read when it began; one of another version is told without expectations.
    let told = Scenario::parse(name, text).map(|scenario| scenario.told).unwrap_or_default();
    let sorted = Sorted::new(lines);
    let mut left_out = sorted.left_out();
    let subjects = sorted.subjects().iter().filter_map(|key| sorted.subject(key, seed, &mut left_out)).collect();
    let mut report = Report {
        question: question.clone(),
        name: name.clone(),
        judgements: judge(&told.expects, &expectations::numbers(lines)),
        expectation: told.expectation,
        found: told.found,
        answer: String::new(),
        details: Vec::new(),
        seed,
        environment: environment.clone(),
        reproduce: reproduce.clone(),
        machines: sorted.machines.iter().map(|&machine| machine.clone()).collect(),
        clock_checks: sorted.clock_checks.iter().map(|check| clocks::check(check)).collect(),
        subjects,
        left_out,
    };
    (report.answer, report.details) = answer::answer(&report);
    // Ranks that outnumber the cores wait for each other: their rows say so.
    let own_cores = sorted.measured.iter().copied().filter(|observation| !observation.oversubscribed);
    let load = load(own_cores).and_then(|load| load.sentence());
    report.details.extend(load.map(|load| format!("{load}.")));
    Ok(report)
}

/// What cases that differ only by method have in common.
fn subject_of(case: &Case) -> Case {
    case.by(Method::Window)
}

impl<'a> Sorted<'a> {
    fn new(lines: &'a [Line]) -> Sorted<'a> {
        let mut sorted = Sorted::default();
        for line in lines {
            match line {
                Line::Machine(machine) => replace(&mut sorted.machines, &**machine, |a, b| a.name == b.name),
                Line::ClockCheck(check) => {
                    let group =
                        |check: &ClockCheck| (check.world, check.carrier, check.conditions, clocks::ranks(check));
                    replace(&mut sorted.clock_checks, check, |a, b| group(a) == group(b));
                }
                Line::Predicted { bound, network, observation } => {
                    let same =
                        |a: &Prediction, b: &Prediction| a.bound == b.bound && a.observation.case == b.observation.case;
                    replace(&mut sorted.predicted, Prediction { bound: *bound, network, observation }, same);
                }
                Line::Truth { case, bound, spans } => {
                    let truth = (subject_of(case), *bound, spans.as_slice());
                    replace(&mut sorted.truths, truth, |a, b| (&a.0, a.1) == (&b.0, b.1));
                }
                Line::Measured(observation) => {
                    replace(&mut sorted.measured, observation, |a, b| a.case == b.case);
                }
                Line::LeftOut { what, why } => {
                    replace(&mut sorted.left_out, (what.as_str(), why.as_str()), |a, b| a.0 == b.0);
                }
                Line::Campaign { .. }
                | Line::ReportCard { .. }
                | Line::Memory(_)
                | Line::Round(_)
                | Line::Budget(_)
                | Line::Audited(_)
                | Line::Tested(_)
                | Line::Finished => {}
            }
        }
        sorted
    }

    /// What was asked but is not there to be compared.
    fn left_out(&self) -> Vec<String> {
        let measured = |name: &str| self.measured.iter().any(|observation| observation.case.to_string() == name);
        let said = self.left_out.iter().filter(|(what, _)| !measured(what));
        let mut left_out: Vec<String> = said.map(|(what, why)| format!("{what}: {why}")).collect();
        let best = self.predicted.iter().filter(|prediction| prediction.bound == Bound::Best);
        for case in best.map(|prediction| &prediction.observation.case) {
            let name = case.to_string();
            let excused = self.left_out.iter().any(|(what, _)| name.starts_with(what));
            let real = case.world != World::Simulated;
            if real && case.method != Method::LoopTrace && !measured(&name) && !excused {
                left_out.push(format!("{name}: predicted but not measured, the campaign was interrupted; resume it"));
            }
        }
        left_out
    }

    /// What was observed of ranks that are simulated alone.
    fn simulated(&self) -> impl Iterator<Item = &'a Observation> {
        let best = self.predicted.iter().filter(|prediction| prediction.bound == Bound::Best);
        best.map(|prediction| prediction.observation).filter(|observation| observation.case.world == World::Simulated)
    }

    /// The subjects that were measured, or simulated alone, in order of appearance.
    fn subjects(&self) -> Vec<Case> {
        let mut subjects: Vec<Case> = Vec::new();
        for observation in self.measured.iter().copied().chain(self.simulated()) {
            let subject = subject_of(&observation.case);
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        }
        subjects
    }

    fn predictions(&self, case: &Case) -> [Option<&Prediction<'a>>; 3] {
        let of = |bound| self.predicted.iter().find(|p| p.bound == bound && p.observation.case == *case);
        BOUNDS.map(of)
    }

    /// Everything about one subject; `None` if none of its methods can be compared.
    fn subject(&self, key: &Case, seed: u64, left_out: &mut Vec<String>) -> Option<SubjectComparison> {
        let of_key = |observation: &&Observation| subject_of(&observation.case) == *key;
        let alone = key.world == World::Simulated;
        let observed: Vec<&Observation> = if alone {
            self.simulated().filter(of_key).collect()
        } else {
            self.measured.iter().copied().filter(of_key).collect()
        };
        let by = |method| observed.iter().copied().find(|observation| observation.case.method == method);
        let truths = BOUNDS.map(|bound| self.truths.iter().find(|t| t.0 == *key && t.1 == bound).map(|t| t.2));
        let windows = by(Method::Window);
        let mut methods: Vec<MethodComparison> = Vec::new();
        for &seen in observed.iter().filter(|observation| observation.case.method != Method::LoopTrace) {
            let predicted = self.predictions(&seen.case);
            let measured = (!alone).then_some(seen);
            match (Joined { seen, measured, predicted, truths, windows, seed }).method() {
                Ok(method) => methods.push(method),
                Err(why) => left_out.push(format!("{}: {why}", seen.case)),
            }
        }
        let any = observed.first().filter(|_| !methods.is_empty())?;
        let best = |method| self.predictions(&key.by(method))[1];
        let predicted_by = methods.first().and_then(|method| best(method.method));
        Some(SubjectComparison {
            case: key.clone(),
            reasons: predicted_by.map(|p| self.reasons(key, p.network, &methods)).unwrap_or_default(),
            predicted_by: predicted_by.map(|p| p.observation.ran_by.clone()).unwrap_or_default(),
            measured_by: if alone { String::new() } else { any.ran_by.clone() },
            oversubscribed: observed.iter().any(|observation| observation.oversubscribed),
            reference_us: reference_us(truths, key.ranks),
            clock_bound_us: clocks::bound_us(observed.iter().flat_map(|observation| &observation.ranks)),
            start_skew_us: clocks::start_skew_us(windows.map_or(&[], |observation| &observation.ranks)),
            window_us: window_us(windows),
            methods,
            predicted_trace: best(Method::LoopTrace).map(|p| p.observation.clone()),
            measured_trace: by(Method::LoopTrace).filter(|_| !alone).cloned(),
        })
    }

    /// What the calibration knows against the model that predicted, where a number differs.
    fn reasons(&self, key: &Case, network: &Network, methods: &[MethodComparison]) -> Vec<String> {
        let differs = methods.iter().flat_map(|method| &method.rows).any(|row| row.verdict == Verdict::Differs);
        let name = machine_name(key.world, key.carrier, key.ranks);
        let machine = self.machines.iter().find(|machine| machine.name == name).filter(|_| differs);
        machine.map(|machine| notes::about(machine, network)).unwrap_or_default()
    }
}

/// Appends `new`, or puts it in the place of the one that is the same.
fn replace<T>(all: &mut Vec<T>, new: T, same: impl Fn(&T, &T) -> bool) {
    match all.iter().position(|old| same(old, &new)) {
        Some(place) => all[place] = new,
        None => all.push(new),
    }
}

/// The value with the best parameters, and the range over all three; `None` without the best.
fn over_bounds(values: [Option<f64>; 3]) -> Option<Estimate> {
    let value = values[1]?;
    let known = || values.iter().flatten().copied();
    Some(Estimate { value, low: known().fold(value, f64::min), high: known().fold(value, f64::max) })
}

/// The truth of each rank; empty if it was not simulated.
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
