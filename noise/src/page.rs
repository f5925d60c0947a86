//! Recorded noise in pictures: times of detours on each rank, their durations, their periods, and their simultaneity.

use models::time::Span;
use render::columns;
use render::data::{self, Kind};
use render::page::{Cell, Figure, Section, Table};
use render::plots::canvas::HUES;
use render::plots::numbers::significant;
use render::plots::scatter::{Across, Plot, Series, bare};
use render::plots::strips::{Strip, Strips};
use statistics::noise::{Peak, Rank, Recording, Spectrum, coincidence};
use std::collections::BTreeMap;

/// Largest number of strips of an oscillogram, those of the ranks that lose most.
const STRIPS: usize = 8;
/// Largest number of detours of each rank beside the picture, the longest.
const MOST_ROWS: usize = 20_000;
/// Largest number of ranks in the table of coincidence.
const MOST_SQUARE: usize = 16;
/// Largest number of points of the line of the level.
const LEVELS: usize = 400;
/// Largest number of peaks of each rank.
pub(super) const PEAKS: usize = 6;
/// Least duration of detours in spectra: shorter ones are those of caches and pipelines.
const LEAST: Span = Span::from_us(1);
/// Heads of the table of peaks.
const PEAK_HEADS: [&str; 5] = ["rank", "detours from", "frequency, Hz", "period, ms", "power"];
/// Least duration of the long detours, which have a spectrum of their own.
const LONG: Span = Span::from_us(100);

/// Returns the sections with pictures of a recording.
pub(super) fn pictures(recording: &Recording) -> Vec<Section> {
    let ranks = noisiest(recording);
    let sections = [
        Some(over_time(recording, &ranks)),
        Some(durations(recording, &ranks)),
        spectra(recording, &ranks),
        together(recording),
    ];
    sections.into_iter().flatten().collect()
}

/// Returns the places of the ranks that lose most, the most first.
fn noisiest(recording: &Recording) -> Vec<usize> {
    let mut ranks: Vec<usize> = (0..recording.ranks().len()).collect();
    ranks.sort_by_key(|&rank| std::cmp::Reverse(recording.ranks()[rank].taken()));
    ranks.truncate(STRIPS);
    ranks
}

fn over_time(recording: &Recording, ranks: &[usize]) -> Section {
    let rows = ranks.iter().flat_map(|&rank| {
        let rank = &recording.ranks()[rank];
        let row =
            |(start, duration): (Span, Span)| vec![rank.number.into(), start.as_us().into(), duration.as_us().into()];
        longest(rank).into_iter().map(row)
    });
    let duration = columns::named("duration_us", Kind::Number);
    let numbers = data::Table::new("rows", [columns::RANK.column(), columns::START.column(), duration], rows);
    let strips = ranks.iter().map(|&rank| strip(&recording.ranks()[rank])).collect();
    let length_s = recording.length().as_seconds();
    let drawing = Strips { title: "Detours over time".to_owned(), y: "detour, µs", strips, length_s }.drawing();
    let caption = "When detours came and how long they were, a strip for each rank; the darker, the more";
    Section::new("Detours over time").with_figures([Figure::new("oscillogram", caption, drawing, numbers)])
}

/// Returns the longest detours of a rank, in the order of time: all of them are in its file.
fn longest(rank: &Rank) -> Vec<(Span, Span)> {
    let mut all: Vec<(Span, Span)> = rank.stretches().collect();
    if all.len() > MOST_ROWS {
        all.sort_by_key(|&(_, duration)| std::cmp::Reverse(duration));
        all.truncate(MOST_ROWS);
        all.sort_unstable();
    }
    all
}

fn strip(rank: &Rank) -> Strip {
    let points = rank.stretches().map(|(start, duration)| (start.as_seconds(), duration.as_us())).collect();
    let host = rank.host().map(|host| format!(", {host}")).unwrap_or_default();
    Strip { name: format!("rank {}{host}", rank.number), points }
}

/// Number of bins of durations in a factor of ten.
const BINS: f64 = 12.0;

fn durations(recording: &Recording, ranks: &[usize]) -> Section {
    let of = |rank: &Rank| {
        let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
        for (_, duration) in rank.stretches() {
            *counts.entry((duration.as_us().max(1e-6).log10() * BINS).floor() as i64).or_default() += 1;
        }
        counts
    };
    let middle = |bin: i64| 10_f64.powf((bin as f64 + 0.5) / BINS);
    let all: Vec<(u32, _)> =
        ranks.iter().map(|&rank| (recording.ranks()[rank].number, of(&recording.ranks()[rank]))).collect();
    let rows = all.iter().flat_map(|(number, counts)| {
        counts.iter().map(move |(&bin, &count)| {
            let [from, below] = [bin, bin + 1].map(|bin| 10_f64.powf(bin as f64 / BINS));
            vec![(*number).into(), from.into(), below.into(), count.into()]
        })
    });
    let [from, below] = ["from_us", "below_us"].map(|name| columns::named(name, Kind::Number));
    let numbers = data::Table::new("rows", [columns::RANK.column(), from, below, columns::DETOURS.column()], rows);
    let series = all.iter().take(HUES.len()).map(|(number, counts)| Series {
        name: format!("rank {number}"),
        points: counts.iter().map(|(&bin, &count)| (middle(bin), bare(count as f64))).collect(),
    });
    let plot = Plot {
        title: "How long detours are".to_owned(),
        x: "detour, µs",
        y: "number of detours in a twelfth of a factor of ten",
        across: Across::Log,
        series: series.collect(),
        line: None,
    };
    Section::new("Durations").with_figures([Figure::new(
        "durations",
        "How many detours have which duration",
        plot.drawing(),
        numbers,
    )])
}

fn spectra(recording: &Recording, ranks: &[usize]) -> Option<Section> {
    let of = |least: Span| -> Vec<(u32, Spectrum)> {
        let one = |&rank: &usize| Some((recording.ranks()[rank].number, recording.spectrum(rank, least.0)?));
        ranks.iter().take(HUES.len()).filter_map(one).collect()
    };
    let all = of(LEAST);
    let title = "How periodic detours of 1 µs and more are";
    let figure = spectrum_figure(&all, title, "power of the starts (random starts: 1 on average)")?;
    // Long detours may have a period of their own, which is lost among the short ones.
    let rows: Vec<Vec<Cell>> = peaks(&all, LEAST).chain(peaks(&of(LONG), LONG)).collect();
    let none = rows.is_empty();
    let table = Table::new("Peaks above the level", PEAK_HEADS, rows);
    let words = if none {
        "No frequency stands out: detours come at random.".to_owned()
    } else {
        "Above the level a frequency is one at which detours come, and no chance: the highest of all frequencies exceeds it in one of \
         a hundred recordings without anything periodic. Multiples of a listed frequency are left out unless they are much stronger."
            .to_owned()
    };
    Some(Section::new("Spectrum").with_paragraphs([words]).with_figures([figure]).with_tables(if none {
        Vec::new()
    } else {
        vec![table]
    }))
}

/// Draws the spectra of some ranks, with the level of chance; `None` without a spectrum.
pub(super) fn spectrum_figure(all: &[(u32, Spectrum)], title: &str, y: &'static str) -> Option<Figure> {
    let (_, first) = all.first()?;
    let rows = all.iter().flat_map(|(number, spectrum)| {
        largest_by_decade(spectrum).into_iter().map(move |(hz, power)| vec![(*number).into(), hz.into(), power.into()])
    });
    let heads = [columns::RANK, columns::FREQUENCY, columns::POWER].map(|known| known.column());
    let numbers = data::Table::new("rows", heads, rows);
    let level = (0..first.power.len()).step_by(first.power.len().div_ceil(LEVELS).max(1));
    let level: Vec<(f64, f64)> = level.map(|place| (first.hz(place), first.level_at(place))).collect();
    let plot = Plot {
        title: title.to_owned(),
        x: "frequency, Hz",
        y,
        across: Across::Log,
        series: all
            .iter()
            .map(|(number, spectrum)| Series {
                name: format!("rank {number}"),
                points: largest_by_decade(spectrum).into_iter().map(|(hz, power)| (hz, bare(power))).collect(),
            })
            .collect(),
        line: Some(("level: exceeded by chance in 1 %", level)),
    };
    let caption = format!("{title}: power over frequency; of neighbours the largest is drawn");
    Some(Figure::new("spectrum", caption, plot.drawing(), numbers))
}

/// Returns the peaks of the spectra of some ranks' detours of at least this duration.
fn peaks(spectra: &[(u32, Spectrum)], least: Span) -> impl Iterator<Item = Vec<Cell>> {
    spectra.iter().flat_map(move |(number, spectrum)| {
        let row = |peak: Peak| {
            let numbers = [format!("{:.1}", peak.hz), significant(1e3 / peak.hz), significant(peak.power)];
            let place = [Cell::number(number.to_string(), ""), Cell::text(least.to_string())];
            place.into_iter().chain(numbers.map(|text| Cell::number(text, ""))).collect()
        };
        spectrum.peaks(PEAKS).into_iter().map(row).collect::<Vec<_>>()
    })
}

/// Returns the largest power in each hundredth of a factor of ten.
fn largest_by_decade(spectrum: &Spectrum) -> Vec<(f64, f64)> {
    let mut largest: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for (place, &power) in spectrum.power.iter().enumerate() {
        let hz = spectrum.hz(place);
        let best = largest.entry((hz.log10() * 100.0).floor() as i64).or_insert((hz, power));
        if power > best.1 {
            *best = (hz, power);
        }
    }
    largest.into_values().collect()
}

fn together(recording: &Recording) -> Option<Section> {
    let ranks = recording.ranks();
    if !(2..=MOST_SQUARE).contains(&ranks.len()) {
        return None;
    }
    let head = std::iter::once("of rank".to_owned()).chain(ranks.iter().map(|rank| format!("within {}", rank.number)));
    let rows = ranks.iter().zip(coincidence(recording)).map(|(rank, shares)| {
        let cells = shares.into_iter().map(|share| share.map_or("–".to_owned(), |share| significant(share * 100.0)));
        std::iter::once(rank.number.to_string()).chain(cells).map(|text| Cell::number(text, "")).collect()
    });
    let words = ["The share of one rank's time inside detours in which the other is inside one, too, in %."];
    let table = Table::new("Coincidence, %", head, rows);
    Some(Section::new("Ranks together").with_paragraphs(words).with_tables([table]))
}
