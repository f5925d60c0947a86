//! The page of a calibration: every parameter, and the samples behind it.

use super::draw::{Across, Plot, Series, bare};
use super::{Findings, connect, parameters};
use crate::fit::exits;
use crate::html::numbers;
use crate::page::{Cell, Figure, Page, Section, Table};
use crate::plots::numbers::significant;
use crate::table::{Csv, Heads};
use models::calibration::Left;
use models::machine::{Estimate, LinesPoint, Machine};

/// More points than these are thinned where they are drawn; their data are whole.
const MOST_DRAWN: usize = 2_000;

/// The page; `reproduce` is the command, `environment` what ran where.
pub fn page(
    machine: &Machine,
    findings: &Findings,
    reproduce: Vec<String>,
    environment: Vec<(String, String)>,
) -> Page {
    let models = machine.models().join(", ");
    let sections = [
        Some(all_parameters(machine)),
        network(machine),
        connections(findings),
        memory(machine),
        idle(machine),
        barrier(&findings.left.iter().collect::<Vec<_>>()),
        noise(findings),
        clock(machine),
    ];
    Page {
        question: format!("What are the parameters of {}?", machine.name),
        answer: format!(
            "α is {} µs, β {} ns/B; models: {models}.",
            significant(machine.hockney.alpha_us.value),
            significant(machine.hockney.beta_ns_per_byte.value)
        ),
        details: machine.notes.clone(),
        origin: format!(
            "Calibrated {} on {}: {}",
            machine.provenance.date, machine.provenance.host, machine.provenance.ran_by
        ),
        sections: sections.into_iter().flatten().collect(),
        reproduce,
        environment,
    }
}

fn all_parameters(machine: &Machine) -> Section {
    let confidence = machine.provenance.confidence * 100.0;
    let rows = parameters(machine).into_iter().map(|parameter| {
        let value = if parameter.unit.is_empty() {
            Cell::text(parameter.value)
        } else {
            Cell::number(format!("{} {}", parameter.value, parameter.unit), parameter.interval)
        };
        vec![Cell::text(parameter.name), value, Cell::text(parameter.meaning)]
    });
    Section {
        heading: "Parameters".to_owned(),
        paragraphs: vec![format!("Intervals at {confidence:.0} %. {}", machine.provenance.how)],
        tables: vec![Table {
            caption: "Every parameter that was calibrated".to_owned(),
            head: ["parameter", "value", "what it means"].map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }],
        ..Section::default()
    }
}

fn network(machine: &Machine) -> Option<Section> {
    let svg = crate::plots::transfer(machine)?;
    let csv = numbers::transfer(machine);
    let transfer =
        Figure { name: "transfer".to_owned(), caption: "Time of one message by its length".to_owned(), svg, csv };
    let residuals = crate::plots::residuals(machine).map(|(svg, csv)| Figure {
        name: "residuals".to_owned(),
        caption: "What each model leaves of one message's time".to_owned(),
        svg,
        csv,
    });
    Some(Section {
        heading: "Messages".to_owned(),
        paragraphs: vec![
            "Half a round trip of each length against Hockney's line, and what each model leaves of it.".to_owned(),
        ],
        figures: std::iter::once(transfer).chain(residuals).collect(),
        ..Section::default()
    })
}

fn connections(findings: &Findings) -> Option<Section> {
    let samples = connect::samples_us(&findings.connect);
    let all =
        findings.connect.iter().enumerate().flat_map(|(launch, all)| all.iter().map(move |one| (launch + 1, one)));
    let rows = all.zip(&samples);
    let rows = rows.map(|((launch, meeting), longer)| (launch, meeting.peer, meeting.first.as_us(), *longer));
    let csv = Csv::new(Heads("launch,peer,first_us,longer_than_later_us")).rows(rows).text();
    let plot = Plot {
        title: "First messages of pairs".to_owned(),
        x: "pair, launch by launch",
        y: "first round trip less the median of later ones, µs",
        across: Across::Linear,
        series: vec![Series {
            name: "one pair".to_owned(),
            points: samples.iter().enumerate().map(|(index, &us)| ((index + 1) as f64, bare(us))).collect(),
        }],
        line: None,
    };
    (!samples.is_empty()).then(|| Section {
        heading: "First messages".to_owned(),
        paragraphs: vec![
            "Rank 0 with every other rank, in fresh launches, before anything else is exchanged. What a library connects \
             in MPI_Init costs nothing here; code and pages that are touched for the first time are part of it."
                .to_owned(),
        ],
        figures: vec![Figure {
            name: "connect".to_owned(),
            caption: "What first messages take longer".to_owned(),
            svg: plot.svg(),
            csv,
        }],
        ..Section::default()
    })
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
    let mut csv = Csv::new(Heads("touch,bytes,us,low_us,high_us"));
    let mut series = Vec::new();
    for (name, of) in touches {
        machine.lines.iter().for_each(|point| csv.row((name, point.bytes, of(point))));
        let whole = machine.lines.iter().filter(|point| point.bytes >= LINE);
        let points = whole.map(|point| (point.bytes as f64, of(point).times(1e3 * LINE as f64 / point.bytes as f64)));
        series.push(Series { name: name.to_owned(), points: points.collect() });
    }
    let plot = Plot {
        title: "What touching memory costs by who holds its cache lines".to_owned(),
        x: "bytes touched",
        y: "ns per cache line, beyond what it costs a rank that holds it alone",
        across: Across::Bytes,
        line: None,
        series,
    };
    (!machine.lines.is_empty()).then(|| Section {
        heading: "Memory".to_owned(),
        paragraphs: vec![
            "Fetch: reading what the other rank has written. Claim: writing what only the other rank holds. Load and fill: \
             reading and writing what no cache holds. Two ranks bring buffers into each state, by writing, reading and \
             flushing them; then one of them copies, and is timed. The parameters above have the other touches."
                .to_owned(),
        ],
        figures: vec![Figure {
            name: "memory".to_owned(),
            caption: "Touches of memory by the state of its lines".to_owned(),
            svg: plot.svg(),
            csv: csv.text(),
        }],
        ..Section::default()
    })
}

fn idle(machine: &Machine) -> Option<Section> {
    let rows = machine.idle.iter().map(|point| (point.idle_us, point.cost_us));
    let csv = Csv::new(Heads("idle_us,cost_us,low_us,high_us")).rows(rows).text();
    let points: Vec<_> =
        machine.idle.iter().filter(|point| point.idle_us > 0.0).map(|point| (point.idle_us, point.cost_us)).collect();
    let line = points.iter().map(|(x, cost)| (*x, cost.value.max(0.0))).collect();
    let plot = Plot {
        title: "What idle time costs afterwards".to_owned(),
        x: "idle time, µs",
        y: "a round trip after it less one right after another, µs",
        across: Across::Log,
        line: Some(("what simulations take", line)),
        series: vec![Series { name: "difference of medians".to_owned(), points }],
    };
    (!machine.idle.is_empty()).then(|| Section {
        heading: "Idle time".to_owned(),
        paragraphs: vec!["Two ranks wait on their clocks, then exchange a byte each way.".to_owned()],
        figures: vec![Figure {
            name: "idle".to_owned(),
            caption: "Cost of idle time".to_owned(),
            svg: plot.svg(),
            csv,
        }],
        ..Section::default()
    })
}

fn barrier(left: &[&Left]) -> Option<Section> {
    let mut skews = exits::skews_us(left);
    let rows = skews.iter().enumerate().map(|(index, us)| (index + 1, *us));
    let csv = Csv::new(Heads("barrier,skew_us")).rows(rows).text();
    skews.sort_unstable_by(f64::total_cmp);
    let count = skews.len() as f64;
    let points = thinned(&skews).map(|(index, &us)| ((index as f64 + 0.5) / count * 100.0, bare(us))).collect();
    let plot = Plot {
        title: "How far apart ranks leave a barrier".to_owned(),
        x: "share of barriers, %",
        y: "last exit less first, µs",
        across: Across::Linear,
        series: vec![Series { name: "one barrier".to_owned(), points }],
        line: None,
    };
    let bound = exits::bound_us(left);
    (!skews.is_empty()).then(|| Section {
        heading: "Barrier exits".to_owned(),
        paragraphs: vec![format!("On synchronised clocks that agree within ± {} µs.", significant(bound))],
        figures: vec![Figure {
            name: "exits".to_owned(),
            caption: "Exit skews, sorted".to_owned(),
            svg: plot.svg(),
            csv,
        }],
        ..Section::default()
    })
}

fn noise(findings: &Findings) -> Option<Section> {
    let detours = findings.noise.iter().flat_map(|rank| rank.kept.iter().map(move |detour| (rank.rank, detour)));
    let rows = detours.map(|(rank, detour)| (rank, detour.start.as_us(), detour.duration.as_us()));
    let csv = Csv::new(Heads("rank,start_us,duration_us")).rows(rows).text();
    let series = findings.noise.iter().take(4).map(|rank| Series {
        name: format!("rank {}", rank.rank),
        points: thinned(&rank.kept)
            .map(|(_, detour)| (detour.start.as_seconds(), bare(detour.duration.as_us())))
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
    findings.noise.iter().any(|rank| rank.detours > 0).then(|| Section {
        heading: "Noise".to_owned(),
        paragraphs: vec![
            "Ranks did nothing but read their clocks; whatever came between two reads is a detour.".to_owned(),
        ],
        figures: vec![Figure {
            name: "noise".to_owned(),
            caption: "Detours over time".to_owned(),
            svg: plot.svg(),
            csv,
        }],
        ..Section::default()
    })
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
    Some(Section {
        heading: "Clock".to_owned(),
        tables: vec![Table {
            caption: format!("Report card of {} on {}", card.name, card.host),
            head: vec!["what".to_owned(), "found".to_owned()],
            rows: rows.into_iter().map(|(what, found)| vec![Cell::text(what), Cell::text(found)]).collect(),
        }],
        ..Section::default()
    })
}

/// So many of them that a picture stays small, evenly.
fn thinned<T>(all: &[T]) -> impl Iterator<Item = (usize, &T)> {
    all.iter().enumerate().step_by(all.len().div_ceil(MOST_DRAWN).max(1))
}
