//! From the launches of a campaign to ratios: like with like, launch by launch.

use super::pair::{Pair, pairs};
use super::{Audit, AuditedLaunch, Parts, Row};
use crate::measured::slowest_us;
use crate::measures::{Measure, columns};
use crate::over::OverReference;
use crate::states::{State, States, load};
use crate::statistics::median;
use crate::store::Line;
use models::audit::AuditedRow;
use models::call::Call;
use models::collective::Collective;
use models::method::{Buffer, Method};
use models::observation::{Carrier, Case, Conditions, Counted, Implementation, Observation, World};

/// A launch with what it printed, number by number, and how many printed rows no call was seen for.
type Printed<'a> = (&'a AuditedLaunch, (Vec<Pair<'a>>, usize));

/// What a campaign of audited benchmarks found.
pub fn audit(lines: &[Line], reference: Buffer) -> Audit {
    let launches: Vec<&AuditedLaunch> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Audited(launch) => Some(&**launch),
            _ => None,
        })
        .collect();
    let windows: Vec<Observation> = launches.iter().flat_map(|launch| references(launch)).collect();
    let states = States::of(windows.iter());
    let printed: Vec<Printed> = launches.iter().map(|launch| (*launch, pairs(launch))).collect();
    let mut rows = Vec::new();
    let mut numbers = 0;
    let told: Vec<Option<&State>> =
        if states.met.is_empty() { vec![None] } else { states.told().into_iter().map(Some).collect() };
    for state in told {
        let (found, used) = in_one_state(&printed, &states, state, reference);
        rows.extend(found);
        numbers += used;
    }
    let all: usize = printed.iter().map(|(_, (pairs, _))| pairs.len()).sum();
    let unseen: usize = printed.iter().map(|(_, (_, unseen))| unseen).sum();
    let unpaired = unseen + all - numbers.min(all);
    let load = load(windows.iter()).and_then(|load| load.sentence());
    let mut audit = Audit { reference, rows, states, unpaired, load, ..Audit::empty() };
    for line in lines {
        match line {
            Line::Campaign { question, environment, reproduce, .. } => {
                audit.question.clone_from(question);
                audit.environment.clone_from(environment);
                audit.reproduce.clone_from(reproduce);
            }
            Line::LeftOut { what, why } => audit.left_out.push(format!("{what}: {why}")),
            _ => {}
        }
    }
    audit
}

/// The windows of all rows of a launch, as observations.
fn references(launch: &AuditedLaunch) -> impl Iterator<Item = Observation> {
    launch.rows.iter().flat_map(move |row| row.references.iter().filter_map(move |of| observed(launch, row, of.buffer)))
}

/// The windows of a row in one state of its buffers.
fn observed(launch: &AuditedLaunch, row: &AuditedRow, buffer: Buffer) -> Option<Observation> {
    let windows = row.references.iter().find(|reference| reference.buffer == buffer)?;
    let case = Case {
        world: launch.key.world,
        carrier: Carrier::Native,
        ranks: row.ranks,
        collective: row.collective,
        implementation: Implementation::Library,
        root: row.roots.last().copied().unwrap_or(0),
        bytes: row.bytes,
        segment_bytes: None,
        fanout: None,
        counts: None,
        call: Call::default(),
        method: Method::Window,
        repetitions: 1,
        conditions: Conditions { launch: launch.key.launch, buffer, ..Conditions::default() },
    };
    Some(Observation { case, ran_by: row.ran_by.clone(), oversubscribed: false, ranks: windows.ranks.clone() })
}

/// One number of one launch, with its reference.
struct Number {
    launch: u32,
    printed_us: f64,
    reference_us: f64,
    never_rewritten: Option<f64>,
    ranks_counted: Option<f64>,
}

/// All rows in one state of the machine, and how many printed numbers they are made of.
fn in_one_state(printed: &[Printed], states: &States, state: Option<&State>, reference: Buffer) -> (Vec<Row>, usize) {
    let mut rows: Vec<(Place, Vec<Number>)> = Vec::new();
    let mut used = 0;
    for (launch, (pairs, _)) in printed {
        for pair in pairs {
            let Some(number) = number(launch, pair, states, state, reference) else { continue };
            used += 1;
            let place = Place::of(launch, pair);
            match rows.iter_mut().find(|(known, _)| *known == place) {
                Some((_, numbers)) => numbers.push(number),
                None => rows.push((place, vec![number])),
            }
        }
    }
    let mut rows: Vec<Row> =
        rows.into_iter().filter_map(|(place, numbers)| summed_up(place, &numbers, state)).collect();
    rows.sort_by_cached_key(|row| (row.world, row.ranks, row.collective, row.run_as(), row.column.clone(), row.bytes));
    (rows, used)
}

/// What the numbers of a row have in common.
#[derive(PartialEq)]
struct Place {
    world: World,
    ranks: u32,
    tool: String,
    flags: String,
    column: String,
    collective: Collective,
    bytes: u64,
    element: String,
}

impl Place {
    fn of(launch: &AuditedLaunch, pair: &Pair) -> Place {
        let (key, seen) = (&launch.key, pair.seen);
        let reduction = seen.reduction.as_ref().map(|reduction| format!(", {reduction}")).unwrap_or_default();
        Place {
            world: key.world,
            ranks: key.ranks,
            tool: key.tool.clone(),
            flags: key.flags.clone(),
            column: pair.column.clone(),
            collective: seen.collective,
            bytes: pair.bytes,
            element: format!("{}{reduction}", seen.element),
        }
    }
}

/// A printed number with the references that were taken in the same state as its calls; none in another state.
fn number(
    launch: &AuditedLaunch,
    pair: &Pair,
    states: &States,
    state: Option<&State>,
    reference: Buffer,
) -> Option<Number> {
    let looks = pair.seen.looks_before.iter().chain(&pair.seen.looks_after);
    if let Some(state) = state
        && states.state_of(looks) != Some(state)
    {
        return None;
    }
    let windows = |buffer| {
        let all = observed(launch, pair.seen, buffer)?;
        state.map_or(Some(all.clone()), |state| states.only(state, &all))
    };
    let slowest = |buffer| median(&slowest_us(&windows(buffer)?)).filter(|us| *us > 0.0);
    let reference_us = slowest(reference)?;
    let same_us = slowest(Buffer::Same);
    let counted = windows(Buffer::Same).and_then(|same| counted_us(&same, &pair.column));
    Some(Number {
        launch: launch.key.launch,
        printed_us: pair.printed_us,
        reference_us,
        never_rewritten: same_us.map(|same| (same / reference_us).ln()),
        ranks_counted: counted.zip(same_us).map(|(counted, same)| (counted / same).ln()),
    })
}

/// The time of the ranks that a column counts, each by its own clock, in windows.
fn counted_us(windows: &Observation, column: &str) -> Option<f64> {
    let head = column.to_lowercase();
    let measure = if head.contains("max") {
        Measure::LongestLocal
    } else if head.contains("min") {
        Measure::Min
    } else {
        Measure::Mean
    };
    let all = columns(&windows.ranks, windows.case.root, Counted::FromOwnStart);
    median(all.values_us(measure)?).filter(|us| *us > 0.0)
}

fn summed_up(place: Place, numbers: &[Number], state: Option<&State>) -> Option<Row> {
    let each = |of: &dyn Fn(&Number) -> f64| numbers.iter().map(of).collect::<Vec<f64>>();
    let pairs = numbers.iter().map(|number| (number.launch, number.printed_us, number.reference_us));
    let over = OverReference::of_pairs(pairs)?;
    let part = |of: &dyn Fn(&Number) -> Option<f64>| {
        let all: Option<Vec<f64>> = numbers.iter().map(of).collect();
        median(&all?)
    };
    let never_rewritten = part(&|number| number.never_rewritten);
    let ranks_counted = part(&|number| number.ranks_counted);
    let rest = over.log_ratio.value - never_rewritten.unwrap_or(0.0) - ranks_counted.unwrap_or(0.0);
    Some(Row {
        world: place.world,
        ranks: place.ranks,
        tool: place.tool,
        flags: place.flags,
        column: place.column,
        collective: place.collective,
        bytes: place.bytes,
        element: place.element,
        state: state.copied(),
        printed_us: median(&each(&|number| number.printed_us))?,
        reference_us: median(&each(&|number| number.reference_us))?,
        over,
        parts: Parts { never_rewritten, ranks_counted, rest },
    })
}
