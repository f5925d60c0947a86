//! Texts of benchmarks, compared with references that are measured on this machine, in launches of their own.
//!
//! The launch that printed a text is gone: its number is that of one more launch, in an unknown state of the machine.
//! So it is divided by the reference of each launch, state by state, and the interval is a prediction interval for one
//! more launch.

use super::gather::{AuditRowKey, Number, in_order, said, summed_up};
use super::{Audit, AuditRow, CONFIDENCE, NOT_PAIRED, Texts};
use crate::enough::Deciding;
use crate::measures::Measure;
use crate::over::OverReference;
use calibration::states::{MetState, States, load};
use formats::import::Tool;
use models::collective::Collective;
use programs::aggregation::OverRanks;
use programs::budget::Configuration;
use programs::method::Buffer;
use programs::observation::{Case, Observation};
use scenario::store::{CampaignLines, Observed};
use std::collections::BTreeSet;

/// A number of a text, with its call.
#[derive(Clone, Debug, PartialEq)]
pub struct TextNumber {
    /// Name of the text, which is that of its file.
    pub text: String,
    /// Tool that printed the text.
    pub tool: Tool,
    /// The flags that the text states.
    pub flags: String,
    /// Head of the number's column.
    pub column: String,
    /// The number, in µs.
    pub printed_us: f64,
    /// Length in bytes, as the tool counts it.
    pub printed_bytes: u64,
    /// Configuration by which the number was obtained.
    pub configuration: Configuration,
    /// The call as a case of the window method, under usual conditions.
    pub subject: Case,
}

/// The windows of one launch.
struct Windows {
    reference: Observation,
    /// Windows on never rewritten buffers.
    same: Option<Observation>,
}

/// Compares the numbers of texts with a campaign of references.
pub fn audit_texts<'a>(lines: impl Into<CampaignLines<'a>>, numbers: &[TextNumber], reference: Buffer) -> Audit {
    let lines: CampaignLines = lines.into();
    let windows: Vec<&Observation> = lines.observations(Observed::Measured).collect();
    let states = States::from_observations(windows.iter().copied());
    let mut rows: Vec<AuditRow> = Vec::new();
    for state in states.reported_or_unknown() {
        let here: Vec<Observation> = windows
            .iter()
            .filter_map(|one| state.map_or_else(|| Some((*one).clone()), |state| states.only(state, one)))
            .collect();
        let mut found: Vec<AuditRow> =
            numbers.iter().filter_map(|number| row(number, &here, state, reference)).collect();
        in_order(&mut found);
        rows.extend(found);
    }
    let is_of = |row: &AuditRow, number: &TextNumber| row.text.as_ref() == Some(&number.text) && is_same(row, number);
    let unpaired = numbers.iter().filter(|number| !rows.iter().any(|row| is_of(row, number))).count();
    let load = load(windows.iter().copied()).and_then(|load| load.sentence());
    let mut audit = Audit { reference, rows, states, unpaired, load, ..said(lines) };
    let fact = |label: &str| audit.environment.iter().find(|(known, _)| known == label).map(|(_, value)| value.clone());
    let launches: BTreeSet<u32> = windows.iter().map(|one| one.occasion.launch).collect();
    audit.texts = Some(Texts {
        pairing: NOT_PAIRED,
        host: fact("host").unwrap_or_else(|| "an unknown host".to_owned()),
        started: fact("started").unwrap_or_default(),
        launches: launches.len(),
        remarks: Vec::new(),
    });
    audit
}

/// Whether a row is of this number, apart from its text.
fn is_same(row: &AuditRow, number: &TextNumber) -> bool {
    (row.ranks, row.collective, row.bytes, &row.column, &row.flags)
        == (
            number.subject.place.ranks,
            number.subject.subject.collective,
            number.printed_bytes,
            &number.column,
            &number.flags,
        )
}

/// A number over the references of all launches, in one state.
fn row(number: &TextNumber, here: &[Observation], state: Option<&MetState>, reference: Buffer) -> Option<AuditRow> {
    let is_usual = number.configuration.buffer == Buffer::Same;
    let beside = |windows: Windows| {
        let same = windows.same.as_ref().filter(|_| is_usual);
        Number::beside(number.printed_us, &windows.reference, same, counted(number.configuration.aggregation.ranks))
    };
    let numbers: Vec<Number> = launches(&number.subject, here, reference).into_iter().filter_map(beside).collect();
    let references = numbers.iter().map(|one| (one.launch, one.reference_us));
    let over = OverReference::of_another_launch(number.printed_us, references, CONFIDENCE)?;
    let subject = &number.subject;
    let reduction = if subject.subject.collective.combines() { ", MPI_SUM" } else { "" };
    let place = AuditRowKey {
        world: subject.place.world,
        ranks: subject.place.ranks,
        tool: number.tool.title().to_owned(),
        flags: number.flags.clone(),
        column: number.column.clone(),
        collective: subject.subject.collective,
        bytes: number.printed_bytes,
        element: format!("{}{reduction}", subject.subject.call.element.name()),
        text: Some(number.text.clone()),
    };
    summed_up(place, over, &numbers, state)
}

/// The windows of a call, launch by launch.
fn launches(subject: &Case, here: &[Observation], reference: Buffer) -> Vec<Windows> {
    let call = subject.without_conditions();
    let of_call = || here.iter().filter(|one| one.case.without_conditions() == call);
    let launches: BTreeSet<u32> = of_call().map(|one| one.occasion.launch).collect();
    let of_launch = |launch: u32| {
        let of = |buffer: Buffer| {
            let mut windows = of_call().filter(move |one| one.occasion.launch == launch);
            windows.find(move |one| one.case.timing.conditions.buffer == buffer)
        };
        let same = of(Buffer::Same).cloned();
        // A barrier has no buffers: its only windows are its reference.
        let reference =
            if subject.subject.collective == Collective::Barrier { same.clone() } else { of(reference).cloned() };
        Some(Windows { reference: reference?, same })
    };
    launches.into_iter().filter_map(of_launch).collect()
}

/// The measure of the ranks' times that a benchmark counts.
fn counted(ranks: OverRanks) -> Measure {
    match ranks {
        OverRanks::RankZero => Measure::Root,
        OverRanks::Mean => Measure::Mean,
        OverRanks::Min => Measure::Min,
        OverRanks::Max => Measure::LongestLocal,
    }
}

/// Ratios that decide on the number of launches: they show how well the references are known in states that were met
/// often. The variation of one more launch does not become smaller with more launches.
pub(super) fn deciding(audit: &Audit) -> Vec<Deciding> {
    let common = |row: &&AuditRow| row.state.is_none_or(|state| audit.states.is_common(&state));
    let mut all: Vec<Deciding> = Vec::new();
    for row in audit.rows.iter().filter(common) {
        let state = States::and_words(row.state.as_ref());
        let (collective, bytes, ranks) = (row.collective, row.bytes, row.ranks);
        let name = format!("the reference of {collective} at {bytes} B ({}, {ranks} ranks{state})", row.element);
        if all.iter().all(|(known, _)| *known != name) {
            all.extend(OverReference::from_logs(row.over.of_launches.clone(), CONFIDENCE).map(|over| (name, over)));
        }
    }
    all
}
