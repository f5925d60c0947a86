//! The page of a calibration: every parameter, and the samples behind it.

use super::{Findings, Parameters, connect};
use crate::fit::exits;
use programs::calibration::Left;
use programs::machine::{Estimate, LinesPoint, Machine};
use render::columns::{self, named};
use render::data::{Kind, Table};
use render::page::{self, Cell, Figure, Page, Section};
use render::plots::numbers::significant;
use render::plots::scatter::{Across, Plot, Series, bare};
use render::results::Results;

/// Largest number of points in a picture: more are thinned where they are drawn, and their data are whole.
const MOST_DRAWN: usize = 2_000;

/// Returns the page; `reproduce` is the command, `environment` describes the machine and the software.
pub fn page(
    machine: &Machine,
    findings: &Findings,
    reproduce: Vec<String>,
    environment: Vec<(String, String)>,
) -> Page {
    let parameters = Parameters(machine);
    let sections = [
        Some(parameters.section()),
        network(machine),
        connections(findings),
        memory(machine),
        idle(machine),
        barrier(&findings.left.iter().collect::<Vec<_>>()),
        noise(findings),
        clock(machine),
    ];
    Page { sections: sections.into_iter().flatten().collect(), reproduce, environment, ..parameters.page() }
}

fn network(machine: &Machine) -> Option<Section> {
    let drawing = crate::plots::transfer(machine)?;
    let points = crate::plots::transfer_points(machine);
    let transfer = Figure::new("transfer", "Time of one message by its length", drawing, points);
    let errors = crate::plots::residuals(machine).map(|(drawing, numbers)| {
        Figure::new(
            "residuals",
            "Error of each model for one message: (predicted − measured) ÷ measured",
            drawing,
            numbers,
        )
    });
    Some(
        Section::new("Messages")
            .with_paragraphs(["Half a round trip of each length against Hockney's line, and the error of each model."])
            .with_figures(std::iter::once(transfer).chain(errors)),
    )
}

/// Returns a section with one picture, its name and caption, and its numbers; `None` where there is nothing to show.
fn section(
    is_there: bool,
    heading: &str,
    words: &str,
    [name, caption]: [&str; 2],
    (plot, numbers): (Plot, Table),
) -> Option<Section> {
    let figure = || Figure::new(name, caption, plot.drawing(), numbers);
    is_there.then(|| Section::new(heading).with_paragraphs([words]).with_figures([figure()]))
}

fn connections(findings: &Findings) -> Option<Section> {
    let samples = connect::samples_us(&findings.connect);
    let all =
        findings.connect.iter().enumerate().flat_map(|(launch, all)| all.iter().map(move |one| (launch + 1, one)));
    let rows = all.zip(&samples);
    let rows = rows.map(|((launch, meeting), longer)| {
        vec![launch.into(), meeting.peer.into(), meeting.first.as_us().into(), (*longer).into()]
    });
    let (peer, longer) = (named("peer", Kind::Integer), named("longer_than_later_us", Kind::Number));
    let numbers = Table::new("rows", [columns::LAUNCH.column(), peer, columns::FIRST.column(), longer], rows);
    let plot = Plot {
        title: "First messages of pairs".to_owned(),
        x: "pair, launch by launch",
        y: "first round trip minus the median of later ones, µs",
        across: Across::Linear,
        series: vec![Series {
            name: "one pair".to_owned(),
            points: samples.iter().enumerate().map(|(index, &us)| ((index + 1) as f64, bare(us))).collect(),
        }],
        line: None,
    };
    let words = "Rank 0 with every other rank, in fresh launches, before anything else is exchanged. What a library connects \
        in MPI_Init costs nothing here; code and pages that are touched for the first time are part of it.";
    let figure = ["connect", "Additional time of first messages"];
    section(!samples.is_empty(), "First messages", words, figure, (plot, numbers))
}

/// Bytes of a cache line.
const LINE: u64 = 64;

fn memory(machine: &Machine) -> Option<Section> {
    type Cost = fn(&LinesPoint) -> &Estimate;
    let touches: [(&str, Cost); 4] = [
        ("fetch", |point| &point.fetch_us),
        ("claim", |point| &point.claim_us),
        ("load", |point| &point.load_us),
        ("fill", |point| &point.fill_us),
    ];
    let confidence = machine.provenance.confidence;
    let mut rows = Vec::new();
    let mut series = Vec::new();
    for (name, of) in touches {
        let row = |point: &LinesPoint| vec![name.into(), point.bytes.into(), (*of(point)).into(), confidence.into()];
        rows.extend(machine.lines.iter().map(row));
        let whole = machine.lines.iter().filter(|point| point.bytes >= LINE);
        let points = whole.map(|point| (point.bytes as f64, of(point).times(1e3 * LINE as f64 / point.bytes as f64)));
        series.push(Series { name: name.to_owned(), points: points.collect() });
    }
    let plot = Plot {
        title: "Cost of touching memory, by the owner of the cache lines".to_owned(),
        x: "bytes touched",
        y: "ns per cache line, beyond the cost for a rank that holds the line alone",
        across: Across::Bytes,
        line: None,
        series,
    };
    let words = "Fetch: reading lines that the other rank has written. Claim: writing lines that only the other \
        rank holds. Load and fill: reading and writing lines that are in no cache. Two ranks bring buffers into \
        each state, by writing, reading and flushing them; then one of them copies, and is timed. The parameters \
        above have the other touches.";
    let time = columns::TIME.column().with_limits();
    let heads = [named("touch", Kind::Text), columns::BYTES.column(), time, columns::CONFIDENCE.column()];
    let figure = ["memory", "Touches of memory by the state of its lines"];
    section(!machine.lines.is_empty(), "Memory", words, figure, (plot, Table::new("rows", heads, rows)))
}

fn idle(machine: &Machine) -> Option<Section> {
    let rows = machine
        .idle
        .iter()
        .map(|point| vec![point.idle_us.into(), point.cost_us.into(), machine.provenance.confidence.into()]);
    let (idle, cost) = (named("idle_us", Kind::Number), named("cost_us", Kind::Interval));
    let numbers = Table::new("rows", [idle, cost, columns::CONFIDENCE.column()], rows);
    let points: Vec<_> =
        machine.idle.iter().filter(|point| point.idle_us > 0.0).map(|point| (point.idle_us, point.cost_us)).collect();
    let line = points.iter().map(|(x, cost)| (*x, cost.value.max(0.0))).collect();
    let plot = Plot {
        title: "What idle time costs afterwards".to_owned(),
        x: "idle time, µs",
        y: "a round trip after it minus one right after another, µs",
        across: Across::Log,
        line: Some(("what simulations take", line)),
        series: vec![Series { name: "difference of medians".to_owned(), points }],
    };
    let words = "Two ranks wait on their clocks, then exchange a byte each way.";
    section(!machine.idle.is_empty(), "Idle time", words, ["idle", "Cost of idle time"], (plot, numbers))
}

fn barrier(left: &[&Left]) -> Option<Section> {
    let mut skews = exits::skews_us(left);
    let rows = skews.iter().enumerate().map(|(index, us)| vec![(index + 1).into(), (*us).into()]);
    let numbers = Table::new("rows", [named("sample", Kind::Integer), named("exit_skew_us", Kind::Number)], rows);
    skews.sort_unstable_by(f64::total_cmp);
    let count = skews.len() as f64;
    let points = thinned(&skews).map(|(index, &us)| ((index as f64 + 0.5) / count * 100.0, bare(us))).collect();
    let plot = Plot {
        title: "How far apart ranks leave a barrier".to_owned(),
        x: "share of barriers, %",
        y: "last exit minus first, µs",
        across: Across::Linear,
        series: vec![Series { name: "one barrier".to_owned(), points }],
        line: None,
    };
    let words = format!("On synchronised clocks that agree within ± {} µs.", significant(exits::bound_us(left)));
    section(!skews.is_empty(), "Barrier exits", &words, ["exits", "Exit skews, sorted"], (plot, numbers))
}

fn noise(findings: &Findings) -> Option<Section> {
    let detours = findings.noise.iter().flat_map(|rank| rank.kept.iter().map(move |detour| (rank.rank, detour)));
    let rows =
        detours.map(|(rank, detour)| vec![rank.into(), detour.after().as_us().into(), detour.duration.as_us().into()]);
    let duration = named("duration_us", Kind::Number);
    let numbers = Table::new("rows", [columns::RANK.column(), columns::START.column(), duration], rows);
    let series = findings.noise.iter().take(4).map(|rank| Series {
        name: format!("rank {}", rank.rank),
        points: thinned(&rank.kept)
            .map(|(_, detour)| (detour.after().as_seconds(), bare(detour.duration.as_us())))
            .collect(),
    });
    let plot = Plot {
        title: "What took the CPU from ranks".to_owned(),
        x: "time, s",
        y: "detour, µs",
        across: Across::Linear,
        series: series.collect(),
        line: None,
    };
    let words = "Ranks did nothing but read their clocks; whatever came between two reads is a detour.";
    let is_there = findings.noise.iter().any(|rank| rank.detours > 0);
    section(is_there, "Noise", words, ["noise", "Detours over time"], (plot, numbers))
}

fn clock(machine: &Machine) -> Option<Section> {
    let card = machine.clock.as_ref()?;
    let rows = [
        ("verdict", card.verdict().to_string()),
        ("why", card.remarks()),
        ("step", format!("{} ns", significant(card.granularity_ns))),
        ("a read", format!("{} ns", significant(card.read_ns))),
        ("steps back", format!("{} in {} reads", card.backwards, card.reads)),
        ("against the raw clock", format!("{:+.2} ± {:.2} ppm", card.against_raw_ppm, card.against_raw_error_ppm)),
    ];
    Some(Section::new("Clock").with_tables([page::Table::new(
        format!("Report card of {} on {}", card.name, card.host),
        ["what", "found"],
        rows.into_iter().map(|(what, found)| vec![Cell::text(what), Cell::text(found)]),
    )]))
}

/// Returns evenly spaced items, few enough for a small picture, with their indices.
fn thinned<T>(all: &[T]) -> impl Iterator<Item = (usize, &T)> {
    all.iter().enumerate().step_by(all.len().div_ceil(MOST_DRAWN).max(1))
}
