//! Answers of real ranks to tests: for readers, for programs, and as a page.

use crate::clocks;
use crate::lines;
use crate::memory;
use crate::point_to_point;
use crate::point_to_point::Spoken;
use render::columns;
use render::data::{Filled, Table, View};
use render::groups::{distinct, grouped};
use render::page::{Page, Section};
use render::summary::Summary;
use render::whence::Whence;
use scenario::store::{CampaignLines, Line, TaskResult, Tested};

/// Function that summarises the answers to one kind of tests.
type Summarise = fn(&[&Tested]) -> Summary;

/// Recordings of noise, and work under it; `None` in builds without this feature.
#[cfg(feature = "noise")]
const RECORDED: Option<Summarise> = Some(noise::summary);
#[cfg(not(feature = "noise"))]
const RECORDED: Option<Summarise> = None;

/// Steps of meters; `None` in builds without this feature.
#[cfg(feature = "meters")]
const METERED: Option<Summarise> = Some(crate::meters::summary);
#[cfg(not(feature = "meters"))]
const METERED: Option<Summarise> = None;

/// Summarises the answers in a campaign's lines; `None` where they hold none, or answers that this build leaves out.
pub fn summary(campaign: &[Line]) -> Option<Summary> {
    let all: Vec<&Tested> = CampaignLines::from(campaign).tested().collect();
    let summary = match &all.first()?.found {
        TaskResult::Exchanged { .. } => return messages(campaign, Spoken::default()),
        TaskResult::Memory { .. } => memory::summary(&all),
        TaskResult::Synchronised { clock, sharing, .. } => clocks::trials(&all, *clock, *sharing),
        TaskResult::Clock(_) | TaskResult::Waits(_) => clocks::examined(&all),
        TaskResult::Checked { .. } => checked(&all),
        TaskResult::Noise { .. } | TaskResult::Worked { .. } | TaskResult::Proved { .. } => RECORDED?(&all),
        TaskResult::Metered { .. } => METERED?(&all),
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
