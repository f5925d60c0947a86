//! Answers of real ranks to tests: for readers, for programs, as a page, and as cases that are compared and stored.

use crate::clocks;
use crate::lines;
use crate::memory;
use crate::meters;
use crate::point_to_point;
use crate::point_to_point::Spoken;
use models::time::Span;
use noise::{collected, proved};
use programs::aggregation::OverRanks;
use programs::aggregation::over_ranks_us;
use programs::method::Method;
use programs::observation::{ClockCheck, RankRecord};
use programs::point_to_point::{Buffers, Exchanges, Record, Test};
use programs::sync::{Trial, TrialRank};
use render::columns;
use render::data::{Filled, Table, View};
use render::groups::{distinct, grouped};
use render::page::{Page, Section};
use render::summary::Summary;
use render::whence::Whence;
use scenario::axis::{Axis, Key};
use scenario::store::{CampaignLines, Line, TaskResult, Tested};

/// Summarises the answers in a campaign's lines; `None` where they hold none.
pub fn summary(campaign: &[Line]) -> Option<Summary> {
    let all: Vec<&Tested> = CampaignLines::from(campaign).tested().collect();
    // The first answer tells for which purpose recordings were made, where there is a proof.
    let first = proved::proof(&all).or(all.first().copied())?;
    let summary = match &first.found {
        TaskResult::Exchanged { .. } => return messages(campaign, Spoken::default()),
        TaskResult::Memory { .. } => memory::summary(&all),
        TaskResult::Synchronised { clock, sharing, .. } => clocks::trials(&all, *clock, *sharing),
        TaskResult::Clock(_) | TaskResult::Waits(_) => clocks::examined(&all),
        TaskResult::Checked { .. } => checked(&all),
        TaskResult::Noise { .. } | TaskResult::Worked { .. } => collected::summary(&all),
        TaskResult::Proved { points } => proved::summary(&all, first, points),
        TaskResult::Metered { .. } => meters::summary(&all),
        TaskResult::Lines { cores, for_s, looks } => {
            lines::summary(&lines::Lines::from_looks(cores.clone(), looks.clone(), *for_s))
        }
    };
    of_campaign(summary, campaign)
}

/// Completes a summary with the campaign's question, notes and environment.
fn of_campaign(mut summary: Summary, lines: &[Line]) -> Option<Summary> {
    let tested = || CampaignLines::from(lines).tested();
    let first = tested().next()?;
    let page = first_page(lines).unwrap_or_default();
    let notes = summary.page.details.into_iter().chain(tested().flat_map(|tested| tested.notes.clone()));
    summary.whence = Whence::from_facts(&page.environment);
    summary.facts.extend([("world", first.world.name().into()), ("date", first.date.as_str().into())]);
    let origin = format!("{}, {}", page.origin, first.date);
    let Page { answer, sections, .. } = summary.page;
    summary.page = Page { answer, details: distinct(notes), sections, origin, ..page };
    Some(summary)
}

/// Summarises the messages between ranks in a campaign's lines, with the latency of each pair by `spoken`; `None` where
/// they hold none.
pub fn messages(campaign: &[Line], spoken: Spoken) -> Option<Summary> {
    of_campaign(point_to_point::summary(&point_to_point::report(campaign)?, spoken), campaign)
}

/// Returns a page of a campaign's question and environment, without sections.
pub fn first_page(lines: &[Line]) -> Option<Page> {
    let lines = CampaignLines::from(lines);
    lines.question().map(|asked| Page {
        question: asked.question.to_owned(),
        origin: asked.name.to_owned(),
        reproduce: asked.reproduce.to_vec(),
        environment: lines.facts(),
        ..Page::default()
    })
}

fn checked(all: &[&Tested]) -> Summary {
    let calls = |tested: &Tested| match &tested.found {
        TaskResult::Checked { calls, .. } => *calls,
        _ => 0,
    };
    let place = |tested: &Tested| {
        let Tested { ranks, world, carrier, .. } = tested;
        format!("{ranks} ranks, {}, {} network", world.title(), carrier.name())
    };
    let places = grouped(all.iter().map(|tested| (place(tested), calls(tested))));
    let sentence = |(place, calls): (String, Vec<u32>)| {
        format!("{place}: {} calls on every rank, every byte right", calls.iter().sum::<u32>())
    };
    let sentences: Vec<String> = places.into_iter().map(sentence).collect();
    let operations = |tested: &Tested| match &tested.found {
        TaskResult::Checked { operations, .. } if !operations.is_empty() => operations.join(","),
        _ => "all".to_owned(),
    };
    let columns: [Filled<Tested>; 5] = [
        (columns::WORLD.column(), &|tested| tested.world.name().into()),
        (columns::TRANSPORT.column(), &|tested| tested.carrier.name().into()),
        (columns::RANKS.column(), &|tested| tested.ranks.into()),
        (columns::OPERATIONS.column(), &|tested| operations(tested).into()),
        (columns::CALLS_CHECKED.headed("calls on every rank"), &|tested| calls(tested).into()),
    ];
    let table = Table::from_rows("checked", all.iter().copied(), &columns);
    let section = Section::new("All numbers").with_tables([View::new(&table).whole().laid_out()]);
    Summary::new(sentences.join("; ") + ".", Vec::new(), section, [table])
}

/// Operation of cases whose numbers are in KiB.
pub const MEMORY: &str = "memory";

/// Operation of cases of trials of synchronisations.
pub const SYNCHRONISATION: &str = "synchronisation";
/// Forms of a trial's numbers besides its duration: the bound of a clock's error, and the error.
pub const OF_CLOCKS: [&str; 2] = ["bound", "error"];

/// Returns the cases of an answer with their numbers, in the quantity of its test.
pub fn cases(tested: &Tested) -> Vec<(Key, Vec<f64>)> {
    match &tested.found {
        TaskResult::Exchanged { test, record } => exchanged(tested, test, record),
        TaskResult::Memory { test, ranks } => {
            let resident = ranks.iter().flatten().filter_map(|probe| {
                let key = tested.key(MEMORY, &probe.moment.to_string()).counted(Axis::Bytes, Some(test.bytes));
                Some((key, probe.resident?.rss_kib as f64))
            });
            grouped(resident)
        }
        TaskResult::Synchronised { trials, .. } => synchronised(tested, trials),
        TaskResult::Clock(card) => {
            vec![(tested.key("clock", &format!("{}, read", card.name)), vec![card.read_ns / 1e3])]
        }
        TaskResult::Waits(check) => waits(tested, check),
        TaskResult::Checked { .. } | TaskResult::Worked { .. } => Vec::new(),
        TaskResult::Proved { points } => proved::cases(tested, points),
        TaskResult::Noise { collection, ranks } => collected::cases(tested, collection, ranks),
        TaskResult::Metered { ranks, .. } => meters::cases(tested, ranks),
        TaskResult::Lines { looks, .. } => grouped(looks.iter().map(|look| {
            let [one, other] = look.cores;
            (tested.key("cache line", &format!("cores {one} and {other}")), look.line_ns / 1e3)
        })),
    }
}

/// Returns the exchanges as cases. The way of the messages is the operation; ranks other than 0 and 1 are named.
fn exchanged(tested: &Tested, test: &Test, record: &Record) -> Vec<(Key, Vec<f64>)> {
    let buffers = test.buffers();
    let of = |of: &Exchanges| {
        let pair = if (of.from, of.to) == (0, 1) { String::new() } else { format!("ranks {} and {}", of.from, of.to) };
        let key = tested.key(of.way.name(), &pair).counted(Axis::Bytes, Some(of.bytes));
        (key.named(Axis::Buffer, if buffers == Buffers::Same { "" } else { buffers.name() }), of.times_us())
    };
    record.exchanges.iter().filter(|of| !of.round_trips.is_empty()).map(of).collect()
}

/// Returns for each algorithm its duration, its bound and, where it is known, its error, each of the worst rank.
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

/// Returns the waits of known duration, as windows timed them.
fn waits(tested: &Tested, check: &ClockCheck) -> Vec<(Key, Vec<f64>)> {
    let clock = check.conditions.clock;
    let all: [(&str, &[RankRecord]); 3] = [("null", &check.null), ("up", &check.up), ("down", &check.down)];
    let key = |wait| tested.key("wait", &format!("{clock}, {wait}")).named(Axis::Sync, check.conditions.sync.name());
    let all = all.map(|(wait, records)| (key(wait), over_ranks_us(Method::Window, records, OverRanks::Max)));
    all.into_iter().filter(|(_, times)| !times.is_empty()).collect()
}

#[cfg(test)]
pub(crate) fn fixture(ranks: u32, found: TaskResult) -> Tested {
    use programs::observation::{Carrier, World};
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
