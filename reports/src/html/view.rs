//! What the template is filled with: texts and pictures, all numbers already printed.

use super::clocks::Clocks;
use super::table::{self, Cell, Row, Rows};
use crate::comparison::{Report, SubjectComparison};
use crate::plots;
use crate::plots::numbers::{TimeUnit, bytes, significant};
use crate::timeline::{self, Which};
use models::collective::Collective;
use models::machine::{Estimate, Machine};
use models::observation::Carrier;
use serde::Serialize;

/// The whole page.
#[derive(Debug, Serialize)]
pub(super) struct Page<'a> {
    question: &'a str,
    name: &'a str,
    answer: &'a str,
    details: &'a [String],
    seed: u64,
    environment: &'a [(String, String)],
    reproduce: &'a [String],
    left_out: &'a [String],
    style: &'static str,
    version: &'static str,
    lead: Option<Lead>,
    columns: Vec<String>,
    subjects: Vec<Subject<'a>>,
    clocks: Option<Clocks>,
    machines: Vec<MachineView<'a>>,
    oversubscribed: bool,
}

/// The timelines at the top of the page.
#[derive(Debug, Serialize)]
struct Lead {
    title: String,
    story: &'static str,
    oversubscribed: bool,
    timelines: Vec<Timeline>,
}

/// One timeline with the sentences under it.
#[derive(Debug, Serialize)]
struct Timeline {
    svg: String,
    caption: String,
}

/// One subject.
#[derive(Debug, Serialize)]
struct Subject<'a> {
    id: String,
    title: String,
    oversubscribed: bool,
    facts: Vec<(&'static str, String)>,
    reasons: &'a [String],
    summary: Vec<Row>,
    columns: Vec<String>,
    per_rank: Vec<Rows>,
    ratios: String,
    times: String,
    /// Empty for the subject whose timelines lead the page.
    timelines: Vec<Timeline>,
    leads: bool,
}

/// One calibrated machine.
#[derive(Debug, Serialize)]
struct MachineView<'a> {
    machine: &'a Machine,
    confidence: String,
    send_rule: &'static str,
    /// Name, value with its interval, unit.
    parameters: Vec<(&'static str, Cell, &'static str)>,
    transfer: Option<String>,
}

impl<'a> Page<'a> {
    pub(super) fn of(report: &'a Report) -> Page<'a> {
        let lead = lead(&report.subjects);
        let unit = TimeUnit::fitting(table::times_us(&report.subjects));
        let subjects = report.subjects.iter().enumerate();
        Page {
            question: &report.question,
            name: &report.name,
            answer: &report.answer,
            details: &report.details,
            seed: report.seed,
            environment: &report.environment,
            reproduce: &report.reproduce,
            left_out: &report.left_out,
            style: include_str!("page.css"),
            version: env!("CARGO_PKG_VERSION"),
            lead: lead.map(|index| Lead::of(&report.subjects[index])),
            columns: table::columns(unit),
            subjects: subjects.map(|(index, subject)| Subject::of(index, subject, unit, lead == Some(index))).collect(),
            clocks: Clocks::of(&report.clock_checks),
            machines: report.machines.iter().map(MachineView::of).collect(),
            oversubscribed: report.subjects.iter().any(|subject| subject.oversubscribed),
        }
    }
}

/// The most telling subject with a timeline: a linear broadcast over an emulated network, or else the first.
fn lead(subjects: &[SubjectComparison]) -> Option<usize> {
    let telling = |subject: &SubjectComparison| subject.is_linear_bcast() && subject.carrier == Carrier::Emulated;
    let with_trace = || subjects.iter().enumerate().filter(|(_, subject)| timeline::is_traced(subject));
    with_trace().find(|(_, subject)| telling(subject)).or_else(|| with_trace().next()).map(|(index, _)| index)
}

fn timelines(subject: &SubjectComparison) -> Vec<Timeline> {
    let one = |&which: &Which| {
        let caption = timeline::caption(subject, which).unwrap_or_default();
        timeline::draw(subject, which).map(|svg| Timeline { svg, caption })
    };
    Which::BOTH.iter().filter_map(one).collect()
}

impl Lead {
    fn of(subject: &SubjectComparison) -> Lead {
        let story = if subject.is_linear_bcast() {
            "In a linear broadcast the root sends to the other ranks one after the other. The rank that is \
             served first is done first and enters the next call at once, while the root is still busy with the \
             last one. There it waits (hatched) for a message that cannot have been sent yet, and the loop \
             counts that wait as time of the call."
        } else {
            "Each rank enters its next call as soon as it has left the last one. Where it then waits (hatched) \
             for a message that another rank, still in an earlier call, has not sent yet, the loop counts that wait \
             as time of the call."
        };
        let (title, oversubscribed) = (subject.title(), subject.oversubscribed);
        Lead { title, story, oversubscribed, timelines: timelines(subject) }
    }
}

impl<'a> Subject<'a> {
    fn of(index: usize, subject: &'a SubjectComparison, unit: TimeUnit, leads: bool) -> Subject<'a> {
        let own_unit = TimeUnit::fitting(table::times_us([subject]));
        Subject {
            id: format!("subject-{}", index + 1),
            title: subject.title(),
            oversubscribed: subject.oversubscribed,
            facts: facts(subject),
            reasons: &subject.reasons,
            summary: table::summary(subject, unit),
            columns: table::columns(own_unit),
            per_rank: table::per_rank(subject, own_unit),
            ratios: plots::ratios(subject),
            times: plots::times(subject),
            timelines: if leads { Vec::new() } else { timelines(subject) },
            leads,
        }
    }
}

/// What stands behind a subject's numbers.
fn facts(subject: &SubjectComparison) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Message", format!("{}, root rank {}", bytes(subject.bytes), subject.root)),
        ("Calls per loop, k", subject.repetitions.to_string()),
        ("Predicted by", subject.predicted_by.clone()),
        ("Measured by", subject.measured_by.clone()),
    ];
    if subject.collective == Collective::Barrier {
        facts[0].1 = "none (barrier)".to_owned();
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

impl<'a> MachineView<'a> {
    fn of(machine: &'a Machine) -> MachineView<'a> {
        let hockney = &machine.hockney;
        let mut parameters = vec![
            ("α, time of an empty message", &hockney.alpha_us, "µs"),
            ("β, time per byte", &hockney.beta_ns_per_byte, "ns/B"),
        ];
        if let Some(loggp) = &machine.loggp {
            parameters.push(("L, latency", &loggp.latency_us, "µs"));
            parameters.push(("o, overhead of a send or a receive", &loggp.overhead_us, "µs"));
            parameters.push(("g, gap between messages", &loggp.gap_us, "µs"));
            parameters.push(("G, gap per byte", &loggp.gap_per_byte_ns, "ns/B"));
        }
        let printed = |(name, estimate, unit): (_, &Estimate, _)| (name, table::estimate(estimate), unit);
        let mut parameters: Vec<_> = parameters.into_iter().map(printed).collect();
        if machine.control_us > 0.0 {
            let cell = Cell { text: significant(machine.control_us), note: "–".to_owned(), class: "number" };
            parameters.push(("one way of the methods’ own messages", cell, "µs"));
        }
        MachineView {
            machine,
            confidence: format!("{:.0} %", machine.provenance.confidence * 100.0),
            send_rule: hockney.send_rule.name(),
            parameters,
            transfer: plots::transfer(machine),
        }
    }
}
