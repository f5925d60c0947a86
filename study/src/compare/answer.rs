//! The answer in one plain sentence and the sentences behind it, from the numbers of the report and nothing else.

use super::FEWEST;
use super::words::{capital, doing, place, rank_name, says, short, times, what};
use crate::answered::{origin, sentence};
use crate::comparison::{MethodComparison, RankRow, Report, SubjectComparison, Verdict};
use models::closed_form::linear_bcast_loop_ratio;
use programs::machine::Estimate;
use programs::method::Method;
use programs::observation::Carrier;
use scenario::expect::Outcome;

/// A method's number on one rank.
#[derive(Clone, Copy)]
struct Finding<'a> {
    subject: &'a SubjectComparison,
    method: &'a MethodComparison,
    row: &'a RankRow,
}

/// Returns the answer and its details: the expectations that answer the scenario's question, or the largest misreport.
pub(super) fn conclude(report: &Report) -> (String, Vec<String>) {
    match sentence(&report.judgements) {
        None => of_methods(report),
        // The largest error of a method would answer another question.
        Some(answer) => (answer, origin(&report.judgements).into_iter().chain(expectations(report)).collect()),
    }
}

/// Returns the largest misreport on the emulated subject with most ranks, or natively where none was emulated, in one
/// sentence. Further sentences state its certainty, its value under other methods, the range over all emulated
/// subjects, and the largest misreport natively.
fn of_methods(report: &Report) -> (String, Vec<String>) {
    let on = |carrier| report.subjects.iter().filter(move |subject| subject.case.place.carrier == carrier);
    let emulated = most_ranks(on(Carrier::EMULATED)).filter_map(largest_shift).max_by(by_shift);
    let native = on(Carrier::Native).filter_map(largest_shift).max_by(by_shift);
    let simulated = most_ranks(on(Carrier::Modelled)).filter_map(largest_shift).max_by(by_shift);
    let Some(told) = emulated.or(native).or(simulated) else {
        return without_misreport(report);
    };
    let mut details: Vec<String> = told.certainty().into_iter().chain(told.other_methods()).collect();
    details.extend(expectations(report));
    if emulated.is_some() {
        details.extend(range(on(Carrier::EMULATED), told.method.method));
        details.extend(native.map(|finding| finding.natively()));
    }
    details.extend(native.and_then(|finding| finding.reason()));
    (told.in_short(), details)
}

/// Returns the answer where no method is compared with the reference, from the expectations or the kinds of
/// measurements.
fn without_misreport(report: &Report) -> (String, Vec<String>) {
    let told = expectations(report);
    let answer = if !report.subjects.is_empty() {
        "Only windows were measured, so there is no other method to compare with them."
    } else if !report.clock_checks.is_empty() {
        "Only waits of known duration were timed: the table of clocks shows the errors."
    } else {
        "Nothing was measured that could be compared with a prediction, so there is no answer yet."
    };
    match told {
        Some(told) => (told, vec![answer.to_owned()]),
        None => (answer.to_owned(), Vec::new()),
    }
}

/// Sentence on the number of expectations that are met; `None` where none was tried.
fn expectations(report: &Report) -> Option<String> {
    let count = |outcome| report.judgements.iter().filter(|one| one.outcome == outcome).count();
    let (met, missed, untried) = (count(Outcome::Met), count(Outcome::Missed), count(Outcome::Untried));
    let tried = met + missed;
    let untried = if untried > 0 { format!("; {untried} could not be tried here") } else { String::new() };
    match (tried, missed) {
        (0, _) => None,
        (1, 0) => Some(format!("The scenario's expectation is met{untried}.")),
        (1, _) => Some(format!("The scenario's expectation is not met{untried}.")),
        (2, 0) => Some(format!("Both expectations of the scenario are met{untried}.")),
        (_, 0) => Some(format!("All {tried} expectations of the scenario are met{untried}.")),
        (_, 1) => Some(format!("Of {tried} expectations of the scenario one is not met{untried}.")),
        _ => Some(format!("Of {tried} expectations of the scenario {missed} are not met{untried}.")),
    }
}

fn most_ranks<'a>(
    subjects: impl Iterator<Item = &'a SubjectComparison> + Clone,
) -> impl Iterator<Item = &'a SubjectComparison> {
    let most = subjects.clone().map(|subject| subject.case.place.ranks).max();
    subjects.filter(move |subject| Some(subject.case.place.ranks) == most)
}

/// The most misreported rank of a subject by its first method that is not the window method.
fn largest_shift(subject: &SubjectComparison) -> Option<Finding<'_>> {
    let method = subject.methods.iter().find(|method| method.method != Method::Window)?;
    // A rank that truly takes no time has no meaningful error ratio, however long its wake-up lasted.
    let takes_time = |row: &&RankRow| subject.reference_us.get(row.rank as usize).is_none_or(|truth| truth.value > 0.0);
    let findings = method.rows.iter().filter(takes_time).map(|row| Finding { subject, method, row });
    // The first of equals, where `max_by` would take the last.
    findings.rev().max_by(by_shift)
}

fn by_shift(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    a.shift().total_cmp(&b.shift())
}

/// Sentence on the range over all ranks of several subjects by one method; `None` for a single subject.
fn range<'a>(subjects: impl Iterator<Item = &'a SubjectComparison> + Clone, method: Method) -> Option<String> {
    let count = subjects.clone().filter(|subject| subject.by(method).is_some()).count();
    let rows = subjects.flat_map(|subject| subject.by(method)).flat_map(|method| &method.rows);
    let ratios: Vec<f64> = rows.map(|row| row.measured_ratio.value).filter(|ratio| ratio.is_finite()).collect();
    let low = ratios.iter().copied().min_by(f64::total_cmp)?;
    let high = ratios.iter().copied().max_by(f64::total_cmp)?;
    let what = method.words();
    (count > 1).then(|| {
        format!(
            "Over the ranks of all {count} emulated cases {what} reports {} to {} times the reference.",
            short(low),
            short(high)
        )
    })
}

impl Finding<'_> {
    /// The measured ratio, or the predicted one where there is none.
    fn ratio(&self) -> Estimate {
        let measured = self.row.measured_ratio;
        if measured.value.is_finite() { measured } else { self.row.predicted_ratio }
    }

    /// Distance of the ratio from 1 in either direction, as the absolute value of its logarithm.
    fn shift(&self) -> f64 {
        let ratio = self.ratio().value;
        if ratio > 0.0 && ratio.is_finite() { ratio.ln().abs() } else { 0.0 }
    }

    fn in_short(&self) -> String {
        let Finding { subject, method, row } = self;
        let place = match subject.case.place.carrier {
            Carrier::Native => format!(" {},", place(subject)),
            Carrier::Emulated(_) | Carrier::Modelled => String::new(),
        };
        let slowest = self.slowest().map(|row| format!(" and {} for the slowest rank", says(row))).unwrap_or_default();
        let evidence = self.evidence();
        let evidence = if evidence.is_empty() { evidence } else { format!(" ({evidence})") };
        format!(
            "On {} ranks{place} {} reports {} for {}{evidence}{slowest}.",
            subject.case.place.ranks,
            doing(subject, method.method),
            times(row),
            rank_name(subject, row.rank)
        )
    }

    /// The prediction and the closed form of the ratio, in words.
    fn evidence(&self) -> String {
        let mut parts = Vec::new();
        if self.row.verdict == Verdict::Unmeasured {
            // The simulated number is the number itself.
        } else if !self.row.measured_ratio.value.is_finite() {
            parts.push("predicted, no windows were measured".to_owned());
        } else if self.row.predicted_ratio.value.is_finite() {
            parts.push(format!("predicted {}", short(self.row.predicted_ratio.value)));
        }
        if self.row.closed_form_ratio.is_some() {
            let ratio =
                linear_bcast_loop_ratio(self.subject.case.place.ranks, self.row.rank, self.subject.case.timing.calls);
            parts.push(format!("closed form {}/{}", ratio.over, ratio.under));
        }
        parts.join(", ")
    }

    /// Sentence with the interval, and with the place of the measurement if the answer does not name it.
    fn certainty(&self) -> Option<String> {
        let Estimate { value, low, high } = self.row.measured_ratio;
        let (value, interval) =
            (value.is_finite().then(|| short(value))?, format!("{} to {}", short(low), short(high)));
        Some(match self.subject.case.place.carrier {
            _ if self.samples() < FEWEST => {
                let few = self.samples();
                format!(
                    "The {value} rests on {few} samples only, too few for a 99 % interval: take more samples or longer windows."
                )
            }
            Carrier::Emulated(_) => {
                format!("The {value} was measured {}; its 99 % interval is {interval}.", place(self.subject))
            }
            Carrier::Native => format!("The 99 % interval of the {value} is {interval}."),
            Carrier::Modelled => return None,
        })
    }

    /// The smaller number of samples of the two sides of the ratio.
    fn samples(&self) -> usize {
        let windows = self.subject.by(Method::Window).map_or(usize::MAX, |windows| windows.samples);
        self.method.samples.min(windows)
    }

    /// The row of the rank that takes longest, as windows measured it or else by the simulated reference,
    /// unless it is this one.
    fn slowest(&self) -> Option<&RankRow> {
        let truth = |row: &RankRow| self.subject.reference_us.get(row.rank as usize).map_or(0.0, |truth| truth.value);
        let simulated = || self.method.rows.iter().max_by(|a, b| truth(a).total_cmp(&truth(b)));
        let measured = self.subject.by(Method::Window).and_then(MethodComparison::slowest);
        let rank = measured.or_else(|| simulated().filter(|row| truth(row) > 0.0))?.rank;
        self.method.rows.iter().find(|row| row.rank == rank && rank != self.row.rank)
    }

    /// Sentences on the ratios that the subject's other methods report for the same rank.
    fn other_methods(&self) -> Vec<String> {
        let others = self
            .subject
            .methods
            .iter()
            .filter(|method| method.method != Method::Window && method.method != self.method.method);
        let rank = self.row.rank;
        let said = others.filter_map(|method| {
            let row = method.rows.iter().find(|row| row.rank == rank)?;
            let predicted = row.predicted_ratio.value;
            let predicted = if row.measured_ratio.value.is_finite() && predicted.is_finite() {
                format!(" (predicted {})", short(predicted))
            } else {
                String::new()
            };
            let words = method.method.words();
            Some(format!("With {words}, rank {rank} reports {}{predicted}.", says(row)))
        });
        said.collect()
    }

    fn natively(&self) -> String {
        let Finding { subject, method, row } = self;
        let ratio = self.ratio().value;
        // One call alone neither overlaps with another nor waits for one.
        let in_a_row = match method.method {
            Method::Loop | Method::RootRotation => subject.case.timing.calls > 1,
            Method::BarrierLoop
            | Method::BarrierSubtract
            | Method::Window
            | Method::RoundTime
            | Method::BarrierOwn
            | Method::BarrierInside
            | Method::LoopTrace => false,
        };
        let reading = match (self.shift() < 0.05, ratio < 1.0, in_a_row) {
            (true, _, _) => "hardly any error",
            (_, true, true) => "less than one call takes: calls overlap",
            (_, true, false) => "less than one call takes",
            (_, false, _) => "more than one call takes",
        };
        let evidence = self.evidence();
        let evidence = if evidence.is_empty() { evidence } else { format!(" ({evidence})") };
        format!(
            "{} {} has the largest error on {} ranks ({}): it reports {} for {}{evidence}, {reading}.",
            capital(&place(subject)),
            method.method.words(),
            subject.case.place.ranks,
            what(subject, false),
            times(row),
            rank_name(subject, row.rank)
        )
    }

    /// Reason why predictions of this case differ from measurements, if they do.
    fn reason(&self) -> Option<String> {
        let reason = self.subject.reasons.first()?;
        Some(format!("Predictions of that case differ from what was measured. One reason: {reason}"))
    }
}
