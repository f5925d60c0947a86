//! Work that CPUs did in intervals of time (FTQ): what each lost, when, and how periodically.

use super::page::{peaks, spectrum_figure};
use models::names::counted;
use models::noise::WorkCounts;
use models::time::{Span, Time};
use render::page::{Cell, Figure, Page, Section, Table};
use render::plots::numbers::significant;
use render::plots::scatter::{Across, Plot, Series, bare};
use render::table::{Csv, Heads};
use serde_json::{Value, json};
use statistics::noise::{Peak, Spectrum};

/// Points of a rank in the picture over time: of neighbours the interval that lost most.
const MOST_POINTS: usize = 800;
/// Ranks in a picture.
const MOST_RANKS: usize = 4;
/// Peaks of each rank.
const PEAKS: usize = 6;
/// What the table means.
const LEGEND: &str =
    "Units: pieces of work. Lost: the share of the work that an interval lacks against the one with most.";

/// What was counted on some ranks.
pub struct Counted {
    ranks: Vec<(u32, WorkCounts)>,
}

impl Counted {
    /// Of these files, with the numbers of their ranks.
    pub fn of(ranks: Vec<(u32, WorkCounts)>) -> Counted {
        Counted { ranks }
    }

    fn table(&self) -> Table {
        let row = |(rank, work): &(u32, WorkCounts)| {
            let (mean, worst) = lost(work);
            let first = peaks_of(work).first().map_or("–".to_owned(), |peak| format!("{:.1}", peak.hz));
            let words = [work.says("host").unwrap_or("–").to_owned(), work.name.clone()].map(Cell::text);
            let numbers = [
                rank.to_string(),
                work.counts.len().to_string(),
                significant(work.interval.as_us()),
                work.most().to_string(),
                significant(mean * 100.0),
                significant(worst * 100.0),
                first,
            ];
            numbers.into_iter().map(|text| Cell::number(text, "")).chain(words).collect()
        };
        let head = [
            "rank",
            "intervals",
            "each, µs",
            "most units",
            "lost, %",
            "most lost, %",
            "periodic at, Hz",
            "host",
            "file",
        ];
        Table::new("", head, self.ranks.iter().map(row))
    }

    /// For people.
    pub fn text(&self) -> String {
        format!("Work of {}\n{}\n  {LEGEND}\n", counted(self.ranks.len(), "rank"), self.table().text())
    }

    /// The intervals, a line each.
    pub fn csv(&self) -> String {
        let rows = self.ranks.iter().flat_map(|(rank, work)| {
            let each = work.counts.iter().zip(work.lost());
            each.map(|(&(start, units), lost)| (*rank, start.since(Time::ZERO).as_us(), units, lost))
        });
        Csv::new(Heads("rank,start_us,units,lost")).rows(rows).text()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let rank = |(rank, work): &(u32, WorkCounts)| {
            let (mean, worst) = lost(work);
            let peaks: Vec<Value> =
                peaks_of(work).iter().map(|peak| json!({ "hz": peak.hz, "power": peak.power })).collect();
            json!({
                "rank": rank, "file": work.name, "host": work.says("host"), "intervals": work.counts.len(),
                "interval_us": work.interval.as_us(), "most_units": work.most(), "lost": mean, "most_lost": worst,
                "peaks": peaks,
            })
        };
        json!({ "ranks": self.ranks.iter().map(rank).collect::<Vec<Value>>() })
    }

    /// As a page, which says by which command it was made.
    pub fn page(&self, reproduce: String) -> Page {
        let worst =
            self.ranks.iter().map(|(rank, work)| (*rank, lost(work).0)).max_by(|one, other| one.1.total_cmp(&other.1));
        let answer = worst.map_or_else(String::new, |(rank, lost)| {
            format!("Rank {rank} loses most: {} % of the work that its best intervals do.", significant(lost * 100.0))
        });
        let sections = [
            Some(
                Section::new("Work by intervals")
                    .with_paragraphs([LEGEND.to_owned()])
                    .with_tables([self.table()])
                    .with_figures([self.over_time()]),
            ),
            self.spectra(),
        ];
        Page {
            question: "How much work do ranks lose, and when?".to_owned(),
            answer,
            origin: counted(self.ranks.len(), "rank"),
            sections: sections.into_iter().flatten().collect(),
            reproduce: vec![reproduce],
            ..Page::default()
        }
    }

    fn over_time(&self) -> Figure {
        let series = self.ranks.iter().take(MOST_RANKS).map(|(rank, work)| {
            let each: Vec<(f64, f64)> = work
                .counts
                .iter()
                .zip(work.lost())
                .map(|(&(start, _), lost)| (start.since(Time::ZERO).as_seconds(), lost * 100.0))
                .collect();
            let most = |part: &[(f64, f64)]| part.iter().copied().max_by(|one, other| one.1.total_cmp(&other.1));
            let points = each.chunks(each.len().div_ceil(MOST_POINTS).max(1)).filter_map(most);
            Series { name: format!("rank {rank}"), points: points.map(|(s, lost)| (s, bare(lost))).collect() }
        });
        let plot = Plot {
            title: "Work that intervals lost".to_owned(),
            x: "time, s",
            y: "lost, %",
            across: Across::Linear,
            series: series.collect(),
            line: None,
        };
        Figure::new(
            "work",
            "What each interval lost; of neighbours the one that lost most is drawn",
            plot.drawing(),
            self.csv(),
        )
    }

    fn spectra(&self) -> Option<Section> {
        let one = |(rank, work): &(u32, WorkCounts)| Some((*rank, spectrum(work)?));
        let all: Vec<(u32, Spectrum)> = self.ranks.iter().take(MOST_RANKS).filter_map(one).collect();
        let title = "How periodic the work is";
        let figure = spectrum_figure(&all, title, "power of the work done (random counts: 1 on average)")?;
        let rows: Vec<Vec<Cell>> = peaks(&all, Span::ZERO).collect();
        let section = Section::new("Spectrum").with_figures([figure]);
        Some(if rows.is_empty() {
            section.with_paragraphs(["No frequency stands out.".to_owned()])
        } else {
            section.with_tables([Table::new("Peaks above the level", super::page::PEAK_HEADS, rows)])
        })
    }
}

/// The mean share that intervals lost, and the largest.
fn lost(work: &WorkCounts) -> (f64, f64) {
    let all: Vec<f64> = work.lost().collect();
    (all.iter().sum::<f64>() / all.len().max(1) as f64, all.iter().copied().fold(0.0, f64::max))
}

fn spectrum(work: &WorkCounts) -> Option<Spectrum> {
    let units: Vec<f64> = work.counts.iter().map(|&(_, units)| units as f64).collect();
    Spectrum::of(&units, work.interval)
}

fn peaks_of(work: &WorkCounts) -> Vec<Peak> {
    spectrum(work).map(|spectrum| spectrum.peaks(PEAKS)).unwrap_or_default()
}
