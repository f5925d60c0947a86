//! What real ranks answered to tests: for people, for programs, as a page, and as cases that are compared and stored.

use crate::contrast::Quantity;
use crate::measured::over_ranks_us;
use crate::noise::{collected, proved};
use crate::{clocks, lines, memory, meters, point_to_point};
use models::aggregation::OverRanks;
use models::method::Method;
use models::observation::{ClockCheck, RankRecord};
use models::point_to_point::{Buffers, Exchanges, Record, Test};
use models::sync::{Trial, TrialRank};
use models::time::Span;
use render::groups::{distinct, grouped};
use render::page::{Page, Section};
use render::table::Table;
use render::whence::Whence;
use scenario::axis::{Axis, Key};
use scenario::store::{Found, Line, Tested, facts};
use serde_json::{Map, Value, json};

/// What the answers amount to.
pub struct Summary {
    /// For people.
    pub text: String,
    /// In a sentence.
    pub answer: String,
    /// On a page.
    pub section: Section,
    /// For programs.
    pub json: Value,
    /// In files of their own: name and content.
    pub files: Vec<(String, String)>,
}

impl Summary {
    /// A table with sentences above and below it.
    pub(crate) fn new(answer: String, head: Vec<String>, table: Table, foot: Vec<String>, json: Value) -> Summary {
        let mut text: String = head.iter().map(|line| format!("{line}\n")).collect();
        text += &table.text();
        if !foot.is_empty() {
            text += &foot.iter().map(|line| format!("\n  {line}")).collect::<String>();
            text.push('\n');
        }
        let section = Section::new("All numbers").with_paragraphs(head).with_tables([table]).with_list(foot);
        Summary { text, answer, section, json, files: Vec::new() }
    }
}

/// What a campaign's lines hold of such answers; none where they hold none, or where ranks exchanged messages, of which more
/// is told.
pub fn summary(campaign: &[Line]) -> Option<Summary> {
    let all: Vec<&Tested> = tested(campaign).collect();
    // A proof says what its recordings were made for.
    let first = proved::proof(&all).or(all.first().copied())?;
    let mut summary = match &first.found {
        Found::Exchanged { .. } => return None,
        Found::Memory { .. } => memory::summary(&all),
        Found::Synchronised { clock, sharing, .. } => clocks::trials(&all, *clock, *sharing),
        Found::Clock(_) | Found::Waits(_) => clocks::examined(&all),
        Found::Checked { .. } => checked(&all),
        Found::Noise { .. } | Found::Worked { .. } => collected::summary(&all),
        Found::Proved { points } => proved::summary(&all, first, points),
        Found::Metered { .. } => meters::summary(&all),
        Found::Lines { cores, for_s, looks } => lines::summary(&lines::Lines::of(cores.clone(), looks.clone(), *for_s)),
    };
    let environment = first_page(campaign).map(|page| page.environment).unwrap_or_default();
    let whence = Whence::of(&environment);
    let tables = summary.files.iter_mut().filter(|(name, _)| name.ends_with(".csv"));
    tables.for_each(|(_, text)| *text = whence.stamped(text));
    let fact = |(label, value): &(String, String)| (label.clone(), json!(value));
    let common = json!({
        "world": first.world.name(),
        "date": first.date,
        "notes": distinct(all.iter().flat_map(|tested| &tested.notes)),
        "environment": environment.iter().map(fact).collect::<Map<String, Value>>(),
    });
    if let (Value::Object(all), Value::Object(common)) = (&mut summary.json, common) {
        all.extend(common);
    }
    Some(summary)
}

/// The answers, in the order in which they were given.
fn tested(campaign: &[Line]) -> impl Iterator<Item = &Tested> {
    campaign.iter().filter_map(|line| match line {
        Line::Tested(tested) => Some(&**tested),
        _ => None,
    })
}

/// What a campaign's first line says, the last time that it was begun or gone on with, on a page without sections.
pub(crate) fn first_page(lines: &[Line]) -> Option<Page> {
    lines.iter().rev().find_map(|line| match line {
        Line::Campaign { question, name, reproduce, .. } => Some(Page {
            question: question.clone(),
            origin: name.clone(),
            reproduce: reproduce.clone(),
            environment: facts(lines),
            ..Page::default()
        }),
        _ => None,
    })
}

/// The page of a campaign of tests; none of any other.
pub fn page(campaign: &[Line]) -> Option<Page> {
    let (first, page) = (tested(campaign).next()?, first_page(campaign)?);
    let page = Page { origin: format!("{}, {}", page.origin, first.date), ..page };
    if let Some(report) = point_to_point::report(campaign) {
        return Some(point_to_point::page(&report, page));
    }
    let Summary { answer, section, .. } = summary(campaign)?;
    let details = distinct(tested(campaign).flat_map(|tested| tested.notes.clone()));
    Some(Page { answer, details, sections: vec![section], ..page })
}

fn checked(all: &[&Tested]) -> Summary {
    let place = |tested: &&Tested| {
        let Tested { ranks, world, carrier, .. } = tested;
        format!("{ranks} ranks, {}, {} network", world.title(), carrier.name())
    };
    let calls = |tested: &Tested| match &tested.found {
        Found::Checked { calls, .. } => *calls,
        _ => 0,
    };
    let places = grouped(all.iter().map(|tested| (place(tested), calls(tested))));
    let places: Vec<(String, u32)> =
        places.into_iter().map(|(place, calls)| (place, calls.into_iter().sum::<u32>())).collect();
    let sentence = |(place, calls): &(String, u32)| format!("{place}: {calls} calls on every rank, every byte right");
    let sentences: Vec<String> = places.iter().map(sentence).collect();
    let one = |tested: &&&Tested| match &tested.found {
        Found::Checked { operations, calls } => {
            let operations = if operations.is_empty() { vec!["all".to_owned()] } else { operations.clone() };
            Some(json!({ "place": place(tested), "operations": operations, "calls": calls }))
        }
        _ => None,
    };
    let rows: Vec<Value> = all.iter().filter_map(|tested| one(&tested)).collect();
    let row = |(place, calls): &(String, u32)| [place.clone(), calls.to_string()];
    let table = Table::plain(["where", "calls on every rank"], places.iter().map(row), |column| column > 0);
    Summary {
        text: sentences.iter().map(|line| format!("{line}\n")).collect(),
        ..Summary::new(sentences.join("; ") + ".", Vec::new(), table, Vec::new(), json!({ "checked": rows }))
    }
}

/// The operation of numbers that are KiB.
const MEMORY: &str = "memory";

/// The operation of trials of synchronisations.
const SYNCHRONISATION: &str = "synchronisation";
/// What a trial says besides the time that it took: by how much a clock may be wrong, and by how much it was.
const OF_CLOCKS: [&str; 2] = ["bound", "error"];

/// What a case's numbers are.
pub(crate) fn quantity(key: &Key) -> Quantity {
    match key.text(Axis::Operation).as_str() {
        MEMORY => Quantity::Memory,
        collected::NOISE => Quantity::Spread,
        SYNCHRONISATION if OF_CLOCKS.contains(&key.text(Axis::Form).as_str()) => Quantity::Spread,
        _ => Quantity::Time,
    }
}

/// The cases of an answer with their numbers, which are what [`quantity`] says.
pub(crate) fn cases(tested: &Tested) -> Vec<(Key, Vec<f64>)> {
    match &tested.found {
        Found::Exchanged { test, record } => exchanged(tested, test, record),
        Found::Memory { test, ranks } => {
            let resident = ranks.iter().flatten().filter_map(|probe| {
                let key = tested.key(MEMORY, &probe.moment.to_string()).counted(Axis::Bytes, Some(test.bytes));
                Some((key, probe.resident?.rss_kib as f64))
            });
            grouped(resident)
        }
        Found::Synchronised { trials, .. } => synchronised(tested, trials),
        Found::Clock(card) => vec![(tested.key("clock", &format!("{}, read", card.name)), vec![card.read_ns / 1e3])],
        Found::Waits(check) => waits(tested, check),
        Found::Checked { .. } | Found::Worked { .. } => Vec::new(),
        Found::Proved { points } => proved::cases(tested, points),
        Found::Noise { collection, ranks } => collected::cases(tested, collection, ranks),
        Found::Metered { ranks, .. } => meters::cases(tested, ranks),
        Found::Lines { looks, .. } => grouped(looks.iter().map(|look| {
            let [one, other] = look.cores;
            (tested.key("cache line", &format!("cores {one} and {other}")), look.line_ns / 1e3)
        })),
    }
}

/// The way of the messages is the operation; ranks other than 0 and 1 are named.
fn exchanged(tested: &Tested, test: &Test, record: &Record) -> Vec<(Key, Vec<f64>)> {
    let buffers = test.buffers();
    let of = |of: &Exchanges| {
        let pair = if (of.from, of.to) == (0, 1) { String::new() } else { format!("ranks {} and {}", of.from, of.to) };
        let key = tested.key(of.way.name(), &pair).counted(Axis::Bytes, Some(of.bytes));
        (key.named(Axis::Buffer, if buffers == Buffers::Same { "" } else { buffers.name() }), of.times_us())
    };
    record.exchanges.iter().filter(|of| !of.round_trips.is_empty()).map(of).collect()
}

/// Of each algorithm how long it took, what it promised and, where that is known, by how much it was wrong: of the worst rank.
fn synchronised(tested: &Tested, trials: &[Trial]) -> Vec<(Key, Vec<f64>)> {
    let worst = |trial: &Trial, of: fn(&TrialRank) -> Option<Span>| trial.ranks.iter().filter_map(of).max();
    let each = trials.iter().flat_map(|trial| {
        let key = |form| tested.key(SYNCHRONISATION, form).named(Axis::Sync, trial.sync.name());
        let [bound, error] = OF_CLOCKS;
        let numbers = [
            ("time", worst(trial, |rank| Some(rank.took))),
            (bound, worst(trial, |rank| Some(rank.clock.bound))),
            (error, worst(trial, |rank| Some(Span(rank.error_ps?.unsigned_abs())))),
        ];
        numbers.map(|(form, span)| Some((key(form), span?.as_us())))
    });
    grouped(each.flatten())
}

/// Waits of known duration, as windows timed them.
fn waits(tested: &Tested, check: &ClockCheck) -> Vec<(Key, Vec<f64>)> {
    let clock = check.conditions.clock;
    let all: [(&str, &[RankRecord]); 3] = [("null", &check.null), ("up", &check.up), ("down", &check.down)];
    let key = |wait| tested.key("wait", &format!("{clock}, {wait}")).named(Axis::Sync, check.conditions.sync.name());
    let all = all.map(|(wait, records)| (key(wait), over_ranks_us(Method::Window, records, OverRanks::Max)));
    all.into_iter().filter(|(_, times)| !times.is_empty()).collect()
}

/// An answer of so many ranks on two cores.
#[cfg(test)]
pub(crate) fn fixture(ranks: u32, found: Found) -> Tested {
    use models::observation::{Carrier, World};
    Tested {
        number: 0,
        world: World::MPICH,
        carrier: Carrier::Native,
        ranks,
        cores: 2,
        ran_by: "a library".to_owned(),
        date: "2026-11-25".to_owned(),
        launch: Some("mpiexec -n 2".to_owned()),
        notes: vec!["another program used a core".to_owned()],
        found,
    }
}
