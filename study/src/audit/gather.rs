//! From the launches of a campaign to ratios: only numbers of the same state are compared, launch by launch.

use super::pair::{PrintedPair, pairs};
use super::{Audit, AuditRow, CONFIDENCE, Parts};
use crate::measures::{Measure, columns};
use crate::over::OverReference;
use calibration::states::{MetState, States, load};
use models::call::Call;
use models::collective::Collective;
use programs::aggregation::slowest_us;
use programs::audit::AuditedLaunch;
use programs::audit::AuditedRow;
use programs::method::{Buffer, Method};
use programs::observation::{
    Carrier, Case, CasePlace, CaseSubject, CaseTiming, Conditions, Counted, Implementation, Observation, Occasion,
    World,
};
use render::groups::grouped;
use scenario::store::CampaignLines;
use statistics::median;

/// A launch with the numbers that it printed, and the count of printed rows without observed calls.
type Printed<'a> = (&'a AuditedLaunch, (Vec<PrintedPair<'a>>, usize));

/// Evaluates a campaign of audited benchmarks.
pub fn audit<'a>(lines: impl Into<CampaignLines<'a>>, reference: Buffer) -> Audit {
    let lines: CampaignLines = lines.into();
    let launches: Vec<&AuditedLaunch> = lines.audited().collect();
    let windows: Vec<Observation> = launches.iter().flat_map(|launch| references(launch)).collect();
    let states = States::from_observations(windows.iter());
    let printed: Vec<Printed> = launches.iter().map(|launch| (*launch, pairs(launch))).collect();
    let mut rows = Vec::new();
    let mut numbers = 0;
    for state in states.reported_or_unknown() {
        let (found, used) = in_one_state(&printed, &states, state, reference);
        rows.extend(found);
        numbers += used;
    }
    let all: usize = printed.iter().map(|(_, (pairs, _))| pairs.len()).sum();
    let unseen: usize = printed.iter().map(|(_, (_, unseen))| unseen).sum();
    let unpaired = unseen + all - numbers.min(all);
    let load = load(windows.iter()).and_then(|load| load.sentence());
    Audit { reference, rows, states, unpaired, load, ..said(lines) }
}

/// Returns an audit with the question, the environment and the omissions of a campaign, without rows.
pub(super) fn said(lines: CampaignLines<'_>) -> Audit {
    let (question, reproduce) =
        lines.question().map(|of| (of.question.to_owned(), of.reproduce.to_vec())).unwrap_or_default();
    let left_out = lines.left_out().map(|(what, why)| format!("{what}: {why}")).collect();
    Audit { question, reproduce, left_out, environment: lines.facts(), ..Audit::empty() }
}

/// The windows of all rows of a launch, as observations.
fn references(launch: &AuditedLaunch) -> impl Iterator<Item = Observation> {
    launch.rows.iter().flat_map(move |row| row.references.iter().filter_map(move |of| observed(launch, row, of.buffer)))
}

/// The windows of a row in one state of its buffers.
fn observed(launch: &AuditedLaunch, row: &AuditedRow, buffer: Buffer) -> Option<Observation> {
    let windows = row.references.iter().find(|reference| reference.buffer == buffer)?;
    let case = Case {
        place: CasePlace { world: launch.key.world, carrier: Carrier::Native, ranks: row.ranks },
        subject: CaseSubject {
            collective: row.collective,
            implementation: Implementation::Library,
            root: row.roots.last().copied().unwrap_or(0),
            bytes: row.bytes,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: Call::default(),
        },
        timing: CaseTiming {
            method: Method::Window,
            calls: 1,
            conditions: Conditions { buffer, ..Conditions::default() },
        },
    };
    let occasion = Occasion { launch: launch.key.launch };
    Some(Observation { occasion, ..Observation::new(case, &row.ran_by, windows.ranks.clone()) })
}

/// One printed number, with the reference of one launch.
pub(super) struct Number {
    pub launch: u32,
    pub printed_us: f64,
    pub reference_us: f64,
    never_rewritten: Option<f64>,
    ranks_counted: Option<f64>,
}

impl Number {
    /// Returns a number beside windows of a launch: those of the reference, and those on never rewritten buffers, whose
    /// ranks are counted by this measure of the column.
    pub(super) fn beside(
        printed_us: f64,
        reference: &Observation,
        same: Option<&Observation>,
        counted: Measure,
    ) -> Option<Number> {
        let slowest = |windows: &Observation| median(&slowest_us(windows)).filter(|us| *us > 0.0);
        let reference_us = slowest(reference)?;
        let same_us = same.and_then(slowest);
        let counted = same.and_then(|same| counted_us(same, counted));
        Some(Number {
            launch: reference.occasion.launch,
            printed_us,
            reference_us,
            never_rewritten: same_us.map(|same| (same / reference_us).ln()),
            ranks_counted: counted.zip(same_us).map(|(counted, same)| (counted / same).ln()),
        })
    }
}

/// All rows in one state of the machine, and the count of printed numbers in them.
fn in_one_state(
    printed: &[Printed],
    states: &States,
    state: Option<&MetState>,
    reference: Buffer,
) -> (Vec<AuditRow>, usize) {
    let pairs = printed.iter().flat_map(|(launch, (pairs, _))| pairs.iter().map(move |pair| (launch, pair)));
    let numbers = pairs.filter_map(|(launch, pair)| {
        Some((AuditRowKey::from_launch(launch, pair), number(launch, pair, states, state, reference)?))
    });
    let rows = grouped(numbers);
    let used = rows.iter().map(|(_, numbers)| numbers.len()).sum();
    let over = |numbers: &[Number]| {
        OverReference::of_pairs(numbers.iter().map(|one| (one.launch, one.printed_us, one.reference_us)), CONFIDENCE)
    };
    let mut rows: Vec<AuditRow> =
        rows.into_iter().filter_map(|(place, numbers)| summed_up(place, over(&numbers)?, &numbers, state)).collect();
    in_order(&mut rows);
    (rows, used)
}

/// Sorts rows into the order of tables.
pub(super) fn in_order(rows: &mut [AuditRow]) {
    rows.sort_by_cached_key(|row| (row.world, row.ranks, row.collective, row.run_as(), row.column.clone(), row.bytes));
}

/// Key of a row: the properties that its numbers share.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AuditRowKey {
    pub world: World,
    pub ranks: u32,
    pub tool: String,
    pub flags: String,
    pub column: String,
    pub collective: Collective,
    pub bytes: u64,
    pub element: String,
    pub text: Option<String>,
}

impl AuditRowKey {
    fn from_launch(launch: &AuditedLaunch, pair: &PrintedPair) -> AuditRowKey {
        let (key, seen) = (&launch.key, pair.seen);
        let reduction = seen.reduction.as_ref().map(|reduction| format!(", {reduction}")).unwrap_or_default();
        AuditRowKey {
            world: key.world,
            ranks: key.ranks,
            tool: key.tool.clone(),
            flags: key.flags.clone(),
            column: pair.column.clone(),
            collective: seen.collective,
            bytes: pair.bytes,
            element: format!("{}{reduction}", seen.element),
            text: None,
        }
    }
}

/// A printed number with the references that were taken in the same state as its calls; `None` in another state.
fn number(
    launch: &AuditedLaunch,
    pair: &PrintedPair,
    states: &States,
    state: Option<&MetState>,
    reference: Buffer,
) -> Option<Number> {
    let looks = [&pair.seen.looks_before[..], &pair.seen.looks_after[..]];
    if let Some(state) = state
        && states.state_of(looks) != Some(state)
    {
        return None;
    }
    let windows = |buffer| {
        let all = observed(launch, pair.seen, buffer)?;
        state.map_or(Some(all.clone()), |state| states.only(state, &all))
    };
    Number::beside(pair.printed_us, &windows(reference)?, windows(Buffer::Same).as_ref(), counted(&pair.column))
}

/// The measure of the ranks' times that a column counts, judged by its head.
fn counted(column: &str) -> Measure {
    let head = column.to_lowercase();
    if head.contains("max") {
        Measure::LongestLocal
    } else if head.contains("min") {
        Measure::Min
    } else {
        Measure::Mean
    }
}

/// The time of the counted ranks in windows, each by its own clock, in µs.
fn counted_us(windows: &Observation, measure: Measure) -> Option<f64> {
    let all = columns(&windows.ranks, windows.case.subject.root, Counted::FromOwnStart);
    median(all.values_us(measure)?).filter(|us| *us > 0.0)
}

/// Summarises the launches of a row, given its ratio `over` them.
pub(super) fn summed_up(
    place: AuditRowKey,
    over: OverReference,
    numbers: &[Number],
    state: Option<&MetState>,
) -> Option<AuditRow> {
    let each = |of: &dyn Fn(&Number) -> f64| numbers.iter().map(of).collect::<Vec<f64>>();
    let part = |of: &dyn Fn(&Number) -> Option<f64>| {
        // The launches of references are not those of a text: values that only some launches have hold for all.
        let known: Vec<f64> = numbers.iter().filter_map(of).collect();
        (known.len() == numbers.len() || place.text.is_some()).then_some(known).and_then(|known| median(&known))
    };
    let never_rewritten = part(&|number| number.never_rewritten);
    let ranks_counted = part(&|number| number.ranks_counted);
    let rest = over.log_ratio.value - never_rewritten.unwrap_or(0.0) - ranks_counted.unwrap_or(0.0);
    Some(AuditRow {
        world: place.world,
        ranks: place.ranks,
        tool: place.tool,
        flags: place.flags,
        column: place.column,
        collective: place.collective,
        bytes: place.bytes,
        element: place.element,
        text: place.text,
        state: state.copied(),
        printed_us: median(&each(&|number| number.printed_us))?,
        reference_us: median(&each(&|number| number.reference_us))?,
        over,
        parts: Parts { never_rewritten, ranks_counted, rest },
    })
}
