//! The page of a trace: the timeline, which zooms, and a table of the times of each rank in each activity.

use super::lanes::{Lanes, Sums, exits};
use super::picture::Picture;
use minijinja::value::Serde;
use models::time::{Span, Time};
use programs::trace::{Activity, Exchange, Trace};
use render::plots::Paper;
use render::plots::numbers::{TimeUnit, significant};
use render::template::Templates;
use serde::Serialize;
use std::collections::BTreeSet;

/// Largest number of ranks in the table; of more, only those of the picture are listed.
const MAX_ROWS: u32 = 256;

/// Values that the template needs.
#[derive(Serialize)]
struct View {
    title: String,
    /// The first sentence of the caption, above the picture: the exit skew, which a narrow window does not show, where
    /// there is one.
    said: String,
    caption: String,
    svg: String,
    unit: &'static str,
    columns: Vec<String>,
    rows: Vec<Row>,
    left_out: Option<String>,
    busy: &'static str,
    style: &'static str,
    script: &'static str,
}

#[derive(Serialize)]
struct Row {
    head: String,
    cells: Vec<String>,
    summary: bool,
}

pub(super) fn render(trace: &Trace) -> Result<String, minijinja::Error> {
    let page = Templates::new([("page.html", include_str!("page.html"))])?;
    Ok(page.fill("page.html", Serde(view(trace)))? + "\n")
}

fn view(trace: &Trace) -> View {
    let lanes = Lanes::from_trace(trace);
    let paper = Paper::default();
    let picture = Picture::lay_out(&lanes, &paper, None);
    let shown: BTreeSet<u32> = picture.shown.iter().map(|&lane| lanes.lanes[lane].rank).collect();
    let ranks = lanes.ranks();
    let all: Vec<[Span; COLUMNS]> = (0..ranks).map(|rank| numbers(&lanes, rank)).collect();
    let unit = TimeUnit::fitting([all.iter().flatten().copied().max().unwrap_or_default().as_us(), 10.0]);
    // Only a few networks have connections to set up.
    let connects = trace.intervals.iter().any(|interval| interval.activity == Activity::Connecting);
    let is_column = |column: usize| connects || Activity::ALL.get(column) != Some(&Activity::Connecting);
    let row = |head: String, spans: &[Span; COLUMNS], summary| {
        let columns = spans.iter().enumerate().filter(|(column, _)| is_column(*column));
        let cells = columns.map(|(_, span)| significant(unit.convert(span.as_us()))).collect();
        Row { head, cells, summary }
    };
    let listed = |rank: &u32| ranks <= MAX_ROWS || shown.contains(rank);
    let mut rows: Vec<Row> = Vec::new();
    if !all.is_empty() {
        rows.push(row(
            "all ranks, mean".to_owned(),
            &over(&all, |column| column.iter().copied().sum::<Span>().0 / column.len() as u64),
            true,
        ));
        rows.push(row(
            "all ranks, most".to_owned(),
            &over(&all, |column| column.iter().map(|span| span.0).max().unwrap_or(0)),
            true,
        ));
    }
    rows.extend((0..ranks).filter(listed).map(|rank| row(trace.name(rank), &all[rank as usize], false)));
    let left_out =
        (ranks > MAX_ROWS).then(|| format!("The table lists the {} ranks of the picture, of {ranks}.", shown.len()));
    let activities = Activity::ALL.iter().enumerate().filter(|(column, _)| is_column(*column));
    let activities = activities.map(|(_, &activity)| trace.exchange.name(activity).to_owned());
    let (said, others) = picture.caption.split_first().map_or(("", &[][..]), |(said, others)| (said.as_str(), others));
    let caption: Vec<&str> = others.iter().chain(&trace.about).map(String::as_str).collect();
    let others = ["idle", "enters at", "leaves at", "after the first exit"].map(str::to_owned);
    View {
        title: trace.title.clone(),
        said: said.to_owned(),
        caption: caption.join(" "),
        svg: picture.svg(false),
        unit: unit.symbol(),
        columns: activities.chain(others).collect(),
        rows,
        left_out,
        busy: match trace.exchange {
            Exchange::Messages => "Sending and receiving are the overheads that keep the CPU busy",
            Exchange::SharedMemory => "Notification is notifying others and taking note of it",
        },
        style: include_str!("page.css"),
        script: include_str!("zoom.js"),
    }
}

/// Number of columns: activities, idleness, entry, exit, and the time of the exit after the first one.
const COLUMNS: usize = Activity::ALL.len() + 4;

fn numbers(lanes: &Lanes, rank: u32) -> [Span; COLUMNS] {
    let trace = lanes.trace;
    let Sums { spans, idle } = lanes.sums(rank);
    let at = |times: &[Time]| times.get(rank as usize).copied();
    let since_begin = |time: Option<Time>| time.map(|time| time.since(lanes.begin)).unwrap_or_default();
    let (entry, finish) = (at(&trace.entry), at(&trace.finish));
    let first_exit =
        trace.part_of(rank).and_then(|(_, ranks)| exits(trace, &ranks)).map(|(first, _)| first).unwrap_or_default();
    let skew = finish.map(|finish| finish.since(first_exit)).unwrap_or_default();
    let others = [idle, since_begin(entry), since_begin(finish), skew];
    std::array::from_fn(|column| *spans.get(column).unwrap_or_else(|| &others[column - Activity::ALL.len()]))
}

/// Computes one number for each column.
fn over(all: &[[Span; COLUMNS]], of: impl Fn(&[Span]) -> u64) -> [Span; COLUMNS] {
    std::array::from_fn(|column| Span(of(&all.iter().map(|row| row[column]).collect::<Vec<Span>>())))
}
