//! The page of a scenario's campaign: its question and answer, what was expected, what the ranks did, all numbers,
//! subject by subject, clocks, machines, and how to read it.

#[cfg(test)]
pub(crate) mod fixture;
mod judged;
mod machines;
pub(crate) mod numbers;
mod over;
#[cfg(test)]
mod picture_tests;
#[cfg(test)]
mod queue_tests;
mod reading;
mod subjects;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use judged::section as judged_section;

use crate::timeline;
use programs::method::Method;
use render::page::{Page, Section};
use render::plots::numbers::TimeUnit;
use study::answered;
use study::comparison::{Report, SubjectComparison};

/// Why some numbers have no prediction.
const MEASURED_ONLY: &str = "Broadcasts through queues in shared memory are measured only: they exchange no messages, so that the \
                             network models that predict the others say nothing of them.";

/// Least error ratio, in either direction, that is worth a picture.
const MISREPORTED: f64 = 1.05;

/// Returns the page of a report.
pub fn page(report: &Report) -> Page {
    let lead = lead(&report.subjects);
    let mut sections = Vec::new();
    sections.extend(answered::section(&report.judgements));
    sections.extend(judged::section(&report.expectation, &report.found, &report.judgements));
    sections.extend(lead.map(|index| subjects::lead(index, &report.subjects[index])));
    sections.extend(report.queues_section());
    sections.extend(over::section(&report.subjects));
    sections.push(summary(report));
    sections.push(subjects::section(&report.subjects, lead));
    sections.extend(study::clock_checks::section(&report.clock_checks));
    sections.push(machines::section(&report.machines));
    sections.push(left_out(report));
    sections.push(reading::section(report.seed));
    Page {
        question: report.question.clone(),
        answer: report.answer.clone(),
        details: report.details.clone(),
        origin: format!("Campaign {}, seed {}", report.name, report.seed),
        sections,
        reproduce: report.reproduce.clone(),
        environment: report.environment.clone(),
    }
}

/// Returns the index of the most informative subject with a timeline of the loop, where the loop is one of the methods:
/// a linear broadcast over an emulated network, or else the first that the loop misreports, or else the first.
fn lead(subjects: &[SubjectComparison]) -> Option<usize> {
    let telling = |subject: &SubjectComparison| subject.is_linear_bcast() && subject.case.place.carrier.is_emulated();
    let is_told = |subject: &SubjectComparison| timeline::is_traced(subject) && subject.by(Method::Loop).is_some();
    let with_trace = || subjects.iter().enumerate().filter(|(_, subject)| is_told(subject));
    let found = with_trace().find(|(_, subject)| telling(subject)).or_else(|| {
        with_trace().find(|(_, subject)| {
            let looped = subject.by(Method::Loop).and_then(|looped| looped.most_misreported());
            looped.is_some_and(|row| row.shift() > MISREPORTED.ln())
        })
    });
    found.or_else(|| with_trace().next()).map(|(index, _)| index)
}

fn summary(report: &Report) -> Section {
    let unit = TimeUnit::fitting(table::times_us(&report.subjects));
    let crowded = report.subjects.iter().any(|subject| subject.oversubscribed);
    let warning = "Marked subjects were measured oversubscribed: more ranks than cores.".to_owned();
    Section::new("All numbers at a glance")
        .with_paragraphs([
            "For each method the slowest rank, whose time is the time of the collective, and the rank that the method \
             misreports most. Brackets contain intervals; a number without them is exact. The error ratio is the \
             number reported over the reference: 1 is right, 2 is twice too slow.",
        ])
        .with_paragraphs(report.queues.is_some().then_some(MEASURED_ONLY))
        .with_warnings(crowded.then_some(warning))
        .with_tables([table::summary(&report.subjects, unit)])
        .with_id("summary")
}

fn left_out(report: &Report) -> Section {
    let nothing = "Nothing: all that the scenario asks for was run.";
    Section::left_out(&report.left_out).with_paragraphs(report.left_out.is_empty().then_some(nothing))
}
