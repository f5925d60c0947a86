//! The summary that a terminal shows: the most telling subject's loop rank by rank, all subjects at a glance, the
//! quality of the clocks, counts, and the answer; or everything, rank by rank.
//!
//! An en dash stands in place of a missing number, never 0.

mod glance;
mod judged;
mod table;

pub(crate) use glance::mood;
pub use judged::answers;
pub(crate) use judged::section as judged_section;

use programs::observation::Carrier;
use render::page::{Page, Section};
use statistics::median;
use study::answered;
use study::cells::percent;
use study::comparison::{PREDICTED_BY_TUNING, RankRow, Report, SubjectComparison, Verdict};

/// Amount of detail of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The numbers of the answer, subjects at a glance, and counts that fit a line: for a screen.
    Glance,
    /// Every subject under every method rank by rank, with the reasons where predictions differ, and counts with the
    /// numbers' origin.
    Full,
}

/// Returns the summary as sections of text and tables. The answer comes last, where a terminal shows it.
pub fn page(report: &Report, detail: Detail) -> Page {
    let expected = (!report.expectation.is_empty()).then(|| format!("Expected: {}", report.expectation));
    let question = Section::new(report.question.clone())
        .with_paragraphs([format!("scenario {}, seed {}", report.name, report.seed)])
        .with_paragraphs(expected);
    let numbers = answered::tables(&report.judgements);
    // Ranks of the first subject are less informative than the numbers of the answer.
    let lead = lead(&report.subjects).filter(|_| numbers.is_empty()).and_then(table::first_method);
    let mut sections = vec![question, Section::default().with_tables(numbers)];
    match detail {
        Detail::Glance => sections.extend(lead.into_iter().chain(glance::section(report))),
        Detail::Full => sections.extend(report.subjects.iter().map(table::section)),
    }
    sections.extend(report.queues_section());
    let clocks = study::clock_checks::terminal::brief(&report.clock_checks);
    sections.push(Section::default().with_tables(clocks));
    let left_out = (!report.left_out.is_empty()).then(|| Section::new("Left out").with_paragraphs(&report.left_out));
    sections.extend(left_out.into_iter().chain(judged::section(&report.judgements)));
    sections.push(Section::default().with_paragraphs(counted(report, detail)));
    sections.push(Section::new(report.answer.clone()).with_paragraphs(&report.details));
    Page { sections, ..Page::default() }
}

/// Returns the subject that is shown rank by rank: the first emulated linear broadcast, or else the first without a
/// table of its own.
fn lead(subjects: &[SubjectComparison]) -> Option<&SubjectComparison> {
    let telling = |subject: &&SubjectComparison| subject.is_linear_bcast() && subject.case.place.carrier.is_emulated();
    subjects.iter().find(telling).or(subjects.iter().find(|subject| !subject.is_told_beside()))
}

/// Counts the numbers of each carrier, and compares them with predictions.
fn counted(report: &Report, detail: Detail) -> Vec<String> {
    let on = |carrier| report.subjects.iter().filter(move |subject| subject.case.place.carrier == carrier);
    let simulated: usize =
        on(Carrier::Modelled).flat_map(|subject| &subject.methods).map(|method| method.rows.len()).sum();
    let mut all = Vec::new();
    // Where ranks are only simulated, nothing is compared.
    let nothing = report.subjects.is_empty() && !report.clock_checks.is_empty();
    if !nothing && simulated == 0 || on(Carrier::EMULATED).next().is_some() || on(Carrier::Native).next().is_some() {
        let carriers = [("Emulated network", Carrier::EMULATED), ("Native transport", Carrier::Native)];
        let told: Vec<String> =
            carriers.iter().filter_map(|(name, carrier)| counts(report, name, *carrier, detail)).collect();
        all.extend(if told.is_empty() { vec!["Nothing was compared with a prediction.".to_owned()] } else { told });
    }
    if simulated > 0 {
        all.push(format!("Simulated ranks: {simulated} numbers, each against the exact reference; nothing to compare"));
    }
    all.extend(measured_only(report, detail));
    all
}

/// Returns the number of numbers without a prediction, and the reason; `None` where all have one.
fn measured_only(report: &Report, detail: Detail) -> Option<String> {
    let rows = report.subjects.iter().flat_map(|subject| &subject.methods).flat_map(|method| &method.rows);
    let count = rows.filter(|row| row.verdict == Verdict::Unpredicted).count();
    let more = match detail {
        Detail::Glance => ". Rank by rank they are in summary.txt and on the page",
        Detail::Full => "",
    };
    (count > 0).then(|| {
        format!(
            "Queues in shared memory: {count} numbers, measured only, as network models do not have such memory; \
             {PREDICTED_BY_TUNING}{more}"
        )
    })
}

/// Returns the number of numbers that agree, and the distance of prediction and measurement; `None` if none is
/// compared.
fn counts(report: &Report, name: &str, carrier: Carrier, detail: Detail) -> Option<String> {
    let subjects = || report.subjects.iter().filter(|subject| subject.case.place.carrier == carrier);
    let rows: Vec<(&SubjectComparison, &RankRow)> = subjects()
        .flat_map(|subject| subject.methods.iter().flat_map(|method| &method.rows).map(move |row| (subject, row)))
        .filter(|(_, row)| !matches!(row.verdict, Verdict::Unpredicted | Verdict::Idle))
        .collect();
    let of = |verdict| rows.iter().filter(|(_, row)| row.verdict == verdict).count();
    let apart = |row: &RankRow| row.relative_difference().abs();
    let differences: Vec<f64> = rows.iter().map(|(_, row)| apart(row)).collect();
    let furthest = rows.iter().max_by(|a, b| apart(a.1).total_cmp(&apart(b.1)));
    let differ = rows.iter().filter(|(_, row)| row.verdict != Verdict::Agrees);
    let furthest_that_differs = differ.max_by(|a, b| apart(a.1).total_cmp(&apart(b.1)));
    let (Some(middle), Some((subject, row))) = (median(&differences), furthest) else {
        return None;
    };
    let [agree, close, differ] = [Verdict::Agrees, Verdict::Close, Verdict::Differs].map(of);
    let counts = match (agree == rows.len(), rows.len()) {
        (true, 1) => format!("{name}: the one number agrees with its prediction within their intervals"),
        (true, all) => format!("{name}: all {all} numbers agree with their predictions within their intervals"),
        (false, all) => format!("{name}: of {all} numbers {agree} agree, {close} are close, {differ} differ"),
    };
    let middle = percent(middle);
    let most = |row: &RankRow| percent(apart(row));
    Some(match detail {
        // Numbers that agree differ by no more than their intervals allow, which are wide where samples are few.
        Detail::Glance => match furthest_that_differs {
            None => counts,
            Some((_, row)) => {
                format!("{counts}; {middle} off in the median, {} at most where they do not agree", most(row))
            }
        },
        Detail::Full => format!(
            "{counts}; relative difference {middle} in the median, {} at most ({}, rank {})",
            most(row),
            subject.title(),
            row.rank
        ),
    })
}

#[cfg(test)]
mod tests;
