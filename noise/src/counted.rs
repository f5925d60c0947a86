//! Work that CPUs did in intervals of time (FTQ): the share that each lost, its time, and its periods.

use super::page::{PEAKS, spectrum_figure};
use models::names::counted;
use models::noise::WorkCounts;
use models::time::Time;
use render::columns;
use render::data::{Column, Filled, Known, Show, Style, Table, View};
use render::page::{Figure, Page, Section};
use render::plots::numbers::significant;
use render::plots::scatter::{Across, Plot, Series, bare};
use render::results::Results;
use render::table as laid_out;
use statistics::noise::{Peak, Spectrum};

/// Largest number of points of a rank in the picture over time: of neighbouring intervals the one that lost most is
/// drawn.
const MOST_POINTS: usize = 800;
/// Largest number of ranks in a picture.
const MOST_RANKS: usize = 4;
/// Meaning of the table's columns.
const LEGEND: &str =
    "Units: pieces of work. Lost: the share of the work that an interval lacks against the one with most.";

/// Work that was counted on some ranks.
pub struct Counted {
    ranks: Vec<(u32, WorkCounts)>,
}

impl Counted {
    /// Takes files of counts with the numbers of their ranks.
    pub fn new(ranks: Vec<(u32, WorkCounts)>) -> Counted {
        Counted { ranks }
    }

    /// Returns a row for each interval of each rank.
    fn intervals(&self) -> Table {
        let columns = [&columns::RANK, &columns::START, &columns::UNITS, &columns::LOST].map(Known::column);
        let rows = self.ranks.iter().flat_map(|(rank, work)| {
            let each = work.counts.iter().zip(work.lost());
            each.map(|(&(start, units), lost)| {
                vec![(*rank).into(), start.since(Time::ZERO).as_us().into(), units.into(), lost.into()]
            })
        });
        Table::new("counts", columns, rows)
    }

    /// Returns a row for each rank with its strongest frequency.
    fn table(&self) -> Table {
        let share = |column: Column| column.shown(Style::Share);
        let columns: [Filled<(u32, WorkCounts)>; 9] = [
            (columns::RANK.column(), &|(rank, _)| (*rank).into()),
            (columns::FILE.column(), &|(_, work)| work.name.as_str().into()),
            (columns::HOST.column(), &|(_, work)| work.says("host").into()),
            (columns::INTERVALS.column(), &|(_, work)| work.counts.len().into()),
            (columns::INTERVAL.headed("each").shown(Style::Own), &|(_, work)| work.interval.as_us().into()),
            (columns::MOST_UNITS.headed("most units"), &|(_, work)| work.most().into()),
            (share(columns::LOST.column()), &|(_, work)| lost(work).0.into()),
            (share(columns::MOST_LOST.headed("most lost")), &|(_, work)| lost(work).1.into()),
            (columns::FREQUENCY.headed("periodic at").shown(Style::Fixed(1)), &|(_, work)| {
                peaks_of(work).first().map(|peak| peak.hz).into()
            }),
        ];
        Table::from_rows("ranks", &self.ranks, &columns)
    }

    /// Returns the peaks of the spectra of the first ranks, as many as `ranks`.
    fn peaks(&self, ranks: usize) -> Table {
        let columns = [
            columns::RANK.column(),
            columns::FREQUENCY.headed("frequency").shown(Style::Fixed(1)),
            columns::POWER.column(),
        ];
        let rows = self.ranks.iter().take(ranks).flat_map(|(rank, work)| {
            peaks_of(work).into_iter().map(|peak| vec![(*rank).into(), peak.hz.into(), peak.power.into()])
        });
        Table::new("peaks", columns, rows)
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
            self.intervals(),
        )
    }

    fn spectra(&self) -> Option<Section> {
        let one = |(rank, work): &(u32, WorkCounts)| Some((*rank, spectrum(work)?));
        let all: Vec<(u32, Spectrum)> = self.ranks.iter().take(MOST_RANKS).filter_map(one).collect();
        let title = "How periodic the work is";
        let figure = spectrum_figure(&all, title, "power of the work done (random counts: 1 on average)")?;
        let table = self.peaks(MOST_RANKS);
        let period = Show::made("period, ms", |row| {
            let hz = row.cell("frequency_hz").number();
            laid_out::Cell::number(hz.map(|hz| significant(1e3 / hz)).unwrap_or_default(), "")
        });
        let view = View::new(&table).captioned("Peaks above the level");
        let view = view.show([Show::one("rank"), Show::one("frequency_hz"), period, Show::one("power")]);
        let section = Section::new("Spectrum").with_figures([figure]);
        Some(if table.rows.is_empty() {
            section.with_paragraphs(["No frequency stands out."])
        } else {
            section.with_tables([view.laid_out()])
        })
    }
}

impl Results for Counted {
    fn answer(&self) -> String {
        let lost = self.ranks.iter().map(|(rank, work)| (*rank, lost(work).0));
        lost.max_by(|one, other| one.1.total_cmp(&other.1)).map_or_else(String::new, |(rank, lost)| {
            format!("Rank {rank} loses most: {} % of the work that its best intervals do.", significant(lost * 100.0))
        })
    }

    fn page(&self) -> Page {
        let (table, numbers) = (self.table(), ["intervals", "interval_us", "most_units", "lost", "most_lost"]);
        let view = View::new(&table).show([Show::one("rank")]).show(Show::all(numbers));
        let view = view.show(Show::all(["frequency_hz", "host", "file"])).laid_out().without_empty_columns();
        let section = Section::new("Work by intervals").with_paragraphs([LEGEND]);
        let section = section.with_tables([view]).with_figures([self.over_time()]);
        Page {
            question: "How much work do ranks lose, and when?".to_owned(),
            answer: self.answer(),
            origin: counted(self.ranks.len(), "rank"),
            sections: [section].into_iter().chain(self.spectra()).collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.intervals()
    }

    fn others(&self) -> Vec<Table> {
        vec![self.table(), self.peaks(self.ranks.len())]
    }
}

/// Returns the mean share that intervals lost, and the largest.
fn lost(work: &WorkCounts) -> (f64, f64) {
    let all: Vec<f64> = work.lost().collect();
    (all.iter().sum::<f64>() / all.len().max(1) as f64, all.iter().copied().fold(0.0, f64::max))
}

fn spectrum(work: &WorkCounts) -> Option<Spectrum> {
    let units: Vec<f64> = work.counts.iter().map(|&(_, units)| units as f64).collect();
    Spectrum::compute(&units, work.interval)
}

fn peaks_of(work: &WorkCounts) -> Vec<Peak> {
    spectrum(work).map(|spectrum| spectrum.peaks(PEAKS)).unwrap_or_default()
}
