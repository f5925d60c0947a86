//! Sections of the subjects: facts behind the numbers, pictures, every rank, timelines.

use super::{numbers, table};
use crate::timeline::{self, Which};
use models::collective::Collective;
use render::page::{Figure, Section};
use render::plots::numbers::{TimeUnit, bytes};
use study::comparison::SubjectComparison;
use study::plots;

const LINEAR: &str = "In a linear broadcast the root sends to the other ranks one after the other. The rank that is served first \
                      is done first and enters the next call at once, while the root is still busy with the last one. There it \
                      waits (hatched) for a message that cannot have been sent yet, and the loop counts that wait as time of the \
                      call.";
const ANY: &str = "Each rank enters its next call as soon as it has left the last one. Where it then waits (hatched) for a message \
                   that another rank, still in an earlier call, has not sent yet, the loop counts that wait as time of the call.";

/// Returns the identifier of the subject with this index on the page.
pub(super) fn id(index: usize) -> String {
    format!("subject-{}", index + 1)
}

/// Returns the section of the timelines at the top of the page.
pub(super) fn lead(index: usize, subject: &SubjectComparison) -> Section {
    let story = if subject.is_linear_bcast() { LINEAR } else { ANY };
    let crowded = "The measured ranks were oversubscribed.".to_owned();
    Section::new("What the ranks did")
        .with_paragraphs([story.to_owned()])
        .with_warnings(subject.oversubscribed.then_some(crowded))
        .with_figures(timelines(index, subject))
        .with_id("timeline")
}

/// Returns the section of all subjects; the one whose timelines lead the page does not repeat them.
pub(super) fn section(subjects: &[SubjectComparison], lead: Option<usize>) -> Section {
    let all = subjects.iter().enumerate();
    let parts = all.map(|(index, subject)| part(index, subject, lead == Some(index)));
    Section::new("Subject by subject").with_id("subjects").with_parts(parts)
}

fn part(index: usize, subject: &SubjectComparison, leads: bool) -> Section {
    let unit = TimeUnit::fitting(table::times_us([subject]));
    let every = Section::new("Every rank under every method").folded().with_tables([table::per_rank(subject, unit)]);
    let timelines = if leads { Vec::new() } else { timelines(index, subject) };
    let timelines = (!timelines.is_empty())
        .then(|| Section::new("Timelines: what the ranks did in the loop").folded().with_figures(timelines));
    let mut paragraphs = Vec::new();
    if leads {
        paragraphs.push("Its timelines are at the top.".to_owned());
    }
    if !subject.reasons.is_empty() {
        paragraphs.push("Predictions and measurements differ here. Reasons that the calibration shows:".to_owned());
    }
    let mut section = Section::new(subject.title())
        .with_paragraphs(paragraphs)
        .with_figures(pictures(index, subject))
        .with_id(id(index))
        .with_facts(facts(subject))
        .with_list(&subject.reasons)
        .with_parts([every].into_iter().chain(timelines));
    if subject.oversubscribed {
        section.more.flag = "oversubscribed".to_owned();
    }
    section
}

fn pictures(index: usize, subject: &SubjectComparison) -> Vec<Figure> {
    let numbers = numbers::per_rank(subject);
    let title = subject.title();
    let ratios = || {
        Figure::new(
            format!("ratios-{}", index + 1),
            format!("What each method reports over the reference, {title}."),
            plots::ratios(subject),
            numbers.clone(),
        )
    };
    let times = Figure::new(
        format!("times-{}", index + 1),
        format!("Time per call as each method reports it, {title}."),
        plots::times(subject),
        numbers.clone(),
    );
    // Windows that nothing predicts have themselves alone as their reference.
    let ratios = (!subject.is_told_beside()).then(ratios);
    ratios.into_iter().chain([times]).collect()
}

fn timelines(index: usize, subject: &SubjectComparison) -> Vec<Figure> {
    let one = |&which: &Which| {
        let drawing = timeline::draw_timeline(subject, which)?;
        Some(Figure::new(
            format!("timeline-{}-{}", index + 1, which.title().to_lowercase()),
            timeline::caption(subject, which).unwrap_or_else(|| "What each rank did in the loop.".to_owned()),
            drawing,
            timeline::numbers(subject, which).unwrap_or_default(),
        ))
    };
    Which::ALL.iter().filter_map(one).collect()
}

/// Returns the facts behind a subject's numbers.
fn facts(subject: &SubjectComparison) -> Vec<(&'static str, String)> {
    let message = match subject.case.subject.collective {
        Collective::Barrier => "none (barrier)".to_owned(),
        _ => format!("{}, root rank {}", bytes(subject.case.subject.bytes), subject.case.subject.root),
    };
    let mut facts = vec![
        ("Message", message),
        ("Calls per loop, k", subject.case.timing.calls.to_string()),
        subject
            .unpredicted()
            .map_or(("Predicted by", subject.predicted_by.clone()), |why| ("Prediction", format!("None, {why}."))),
    ];
    if !subject.measured_by.is_empty() {
        facts.push(("Measured by", subject.measured_by.clone()));
    }
    if subject.window_us > 0.0 {
        let us = |value: f64| TimeUnit::fitting([value]).print(value);
        let (before, after) = subject.clock_bound_us;
        let (median, most) = subject.start_skew_us;
        facts.push(("Clocks agree within", format!("± {} before, ± {} after", us(before), us(after))));
        if median.is_finite() && most.is_finite() {
            let skew = format!("{} (median), {} (99 % of windows)", us(median), us(most));
            facts.push(("Ranks enter a window within", skew));
        }
        facts.push(("Last window", us(subject.window_us)));
    }
    facts
}
