//! Reads samples that the store exported as CSV as a side: the stamps become records of ranks again, and are evaluated
//! like measured ones.

use crate::contrast::{Kind, Quantity, Sampled, Side};
use ::csv::StringRecord;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::time::Span;
use programs::aggregation::OverRanks;
use programs::aggregation::over_ranks_us;
use programs::method::Method;
use programs::observation::{RankRecord, Stamp};
use scenario::axis::{Axis, Key};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// One line of the export, without its case.
#[derive(Deserialize)]
struct Line {
    run: i64,
    case: i64,
    oversubscribed: bool,
    kind: String,
    rank: u32,
    sample: u32,
    block: u32,
    calls_in_sample: u32,
    due_ps: Option<i64>,
    start_ps: i64,
    end_ps: i64,
    valid: bool,
}

/// One case of the export.
struct Case {
    key: Key,
    method: Method,
    ranks: u32,
    oversubscribed: bool,
    /// Sum of the durations of all its stamps, in picoseconds.
    lasted_ps: i64,
    /// Timed and subtracted stamps, by rank and sample.
    timed: BTreeMap<(u32, u32), Line>,
    subtracted: BTreeMap<(u32, u32), Line>,
}

/// Whether a text begins like an export of samples.
pub fn is_samples(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    ["run", "case", "operation", "start_ps", "end_ps"].iter().all(|name| head.split(',').any(|cell| cell == *name))
}

/// Reads a side from exported samples. `name` is the user's name of the side, `text` the content of the file.
///
/// # Errors
/// Names the file, the line and the expected content.
pub fn samples(name: &str, text: &str) -> Result<Side, String> {
    let mut side = Side::new(name, Kind::Samples);
    let mut cases: BTreeMap<(i64, i64), Case> = BTreeMap::new();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().map_err(|error| format!("{name}: {error}"))?.clone();
    for (index, record) in reader.records().enumerate() {
        let cure = "expected samples as `parallax store export --format csv` writes them";
        let at = |message: String| format!("{name} line {}: {message}; {cure}", index + 2);
        let record = record.map_err(|error| at(error.to_string()))?;
        let line: Line = record.deserialize(Some(&heads)).map_err(|error| at(error.to_string()))?;
        let key = key(&heads, &record).map_err(at)?;
        let method = Method::find(&key.text(Axis::Method)).map_err(at)?;
        let ranks = key.number(Axis::Ranks).and_then(|ranks| u32::try_from(ranks).ok()).unwrap_or(0);
        if line.rank >= ranks {
            return Err(at(format!("rank {} is none of {ranks}", line.rank)));
        }
        let lasted_ps = line.end_ps.checked_sub(line.start_ps).filter(|lasted| *lasted >= 0);
        let lasted_ps = lasted_ps.ok_or_else(|| at("it ended before it started".to_owned()))?;
        let case = cases.entry((line.run, line.case)).or_insert_with(|| Case {
            key: key.clone(),
            method,
            ranks,
            oversubscribed: line.oversubscribed,
            lasted_ps: 0,
            timed: BTreeMap::new(),
            subtracted: BTreeMap::new(),
        });
        let sum = case.lasted_ps.checked_add(lasted_ps);
        case.lasted_ps = sum.ok_or_else(|| at("the case's calls last more than 106 days".to_owned()))?;
        let place = (line.rank, line.sample);
        match line.kind.as_str() {
            "timed" => case.timed.insert(place, line),
            "subtracted" => case.subtracted.insert(place, line),
            _ => None,
        };
    }
    for case in cases.into_values().filter(|case| case.method != Method::LoopTrace) {
        let ranks: BTreeSet<u32> = case.timed.keys().map(|(rank, _)| *rank).collect();
        if ranks.len() != case.ranks as usize {
            let (found, expected) = (ranks.len(), case.ranks);
            return Err(format!(
                "{name}: {}: lines of {found} ranks, expected {expected}; export the run again",
                case.key
            ));
        }
        match sampled(case) {
            Ok(sampled) => side.add(sampled),
            Err(note) => side.notes.push(note),
        }
    }
    if side.cases.is_empty() {
        return Err(format!("{name}: no case has a valid sample; export a run with measurements"));
    }
    Ok(side)
}

/// Returns the samples of a case.
///
/// # Errors
/// Says that the case has no valid sample.
fn sampled(case: Case) -> Result<Sampled, String> {
    let times = over_ranks_us(case.method, &records(&case), OverRanks::Max);
    if times.is_empty() {
        return Err(format!("{}: no valid sample", case.key));
    }
    let Case { key, oversubscribed, .. } = case;
    let (launches, ran_by) = (vec![times], String::new());
    let (quantity, rounds) = (Quantity::Time, Vec::new());
    Ok(Sampled { key, quantity, launches, rounds, estimate: None, ran_by, oversubscribed, doubt: None })
}

/// Returns the key of a line's case: the launches of one case have one key.
fn key(heads: &StringRecord, record: &StringRecord) -> Result<Key, String> {
    let mut key = Key::default();
    for axis in Axis::CASES {
        let place = heads.iter().position(|head| head == axis.name());
        let Some(text) = place.and_then(|place| record.get(place)).filter(|text| !text.is_empty()) else { continue };
        key = match axis.is_number() {
            true => key.counted(axis, Some(text.parse::<u64>().map_err(|error| format!("{axis} '{text}': {error}"))?)),
            false => key.named(axis, text),
        };
    }
    Ok(key)
}

/// Returns the case's stamps as records of ranks, on a clock of picoseconds that is the global one.
fn records(case: &Case) -> Vec<RankRecord> {
    let all = || case.timed.values().chain(case.subtracted.values());
    let zero = all().map(|line| line.due_ps.map_or(line.start_ps, |due| due.min(line.start_ps))).min().unwrap_or(0);
    let ticks = |ps: i64| Ticks(ps.abs_diff(zero));
    let stamp = |line: &Line| Stamp {
        block: line.block,
        calls: line.calls_in_sample.max(1),
        // Only windows are due at a common time.
        due: line.due_ps.filter(|_| case.method.is_synchronised()).map(ticks),
        start: ticks(line.start_ps),
        end: ticks(line.end_ps),
        valid: line.valid,
    };
    let clock = GlobalClock::constant(Timescale::PICOSECONDS, 0, Span::ZERO);
    let of = |stamps: &BTreeMap<(u32, u32), Line>, rank: u32| {
        stamps.range((rank, 0)..=(rank, u32::MAX)).map(|(_, line)| stamp(line)).collect::<Vec<Stamp>>()
    };
    let record = |rank: u32| RankRecord {
        subtracted: of(&case.subtracted, rank),
        ..RankRecord::new(rank, clock, of(&case.timed, rank))
    };
    (0..case.ranks).map(record).collect()
}
