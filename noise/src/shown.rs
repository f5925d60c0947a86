//! Recorded noise: figures of detours class by class and rank by rank.

use super::causes::Causes;
use super::over_ranks::{hosts, over_ranks};
use models::names::counted;
use models::time::Span;
use render::columns;
use render::data::{Cell, Column, Filled, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::significant;
use render::results::Results;
use render::table as laid_out;
use statistics::noise::{Class, Figures, Rank, Recording};
use std::cmp::Reverse;

/// Meaning of the letters in the table of classes.
const LEGEND: [&str; 2] = [
    "g: mean time between detours of one rank. C: share of the time in which some rank is inside a detour.",
    "S: simultaneity, 1 where all ranks have their detours at once, 1/p where no two have.",
];
/// Largest number of ranks in the table, those that lose most first.
const MOST_RANKS: usize = 16;

/// Figures of a recording, with the causes of its detours.
pub struct Shown {
    recording: Recording,
    /// Figures of each class on each number of ranks.
    rows: Vec<(Class, Figures)>,
    causes: Option<Causes>,
}

impl Shown {
    /// Computes the figures of these classes, and of all detours, on these numbers of ranks.
    pub fn from_recording(recording: Recording, classes: &[Class], ranks: &[usize]) -> Shown {
        let classes = classes.iter().copied().chain((classes.len() > 1).then_some(Class::ALL));
        let rows = classes.flat_map(|class| {
            let figures = |&ranks: &usize| (class, recording.figures(&class, ranks));
            ranks.iter().map(figures).collect::<Vec<_>>()
        });
        Shown { rows: rows.collect(), recording, causes: None }
    }

    /// Adds the causes of the detours, if they are known.
    #[must_use]
    pub fn with_causes(self, causes: Option<Causes>) -> Shown {
        Shown { causes, ..self }
    }

    /// Returns the causes of the detours, if they are known.
    pub fn causes(&self) -> Option<&Causes> {
        self.causes.as_ref()
    }

    /// Returns the figures of each class on each number of ranks.
    pub(super) fn rows(&self) -> &[(Class, Figures)] {
        &self.rows
    }

    /// Returns the recording of the detours.
    pub(super) fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Returns the sections with pictures: times of detours, their durations, their periods and their simultaneity.
    pub fn pictures(&self) -> Vec<Section> {
        super::page::pictures(&self.recording)
    }

    /// Returns a row for each class on each number of ranks.
    fn classes(&self) -> Table {
        let us = |span: Span| span.as_us();
        let own = |column: Column| column.shown(Style::Own);
        let columns: [Filled<(Class, Figures)>; 11] = [
            (columns::CLASS_FROM.column(), &|(class, _)| us(class.from).into()),
            (columns::CLASS_BELOW.column(), &|(class, _)| class.below.map(us).into()),
            (columns::RANKS.headed("ranks p"), &|(_, figures)| figures.ranks.into()),
            (columns::ACTIVE_RANKS.headed("active ranks"), &|(_, figures)| figures.active.into()),
            (columns::DETOURS.headed("detours n"), &|(_, figures)| figures.detours.into()),
            (own(columns::MEAN.headed("mean d").without_limits()), &|(_, figures)| figures.mean().map(us).into()),
            (own(columns::GAP.headed("apart g")), &|(_, figures)| figures.gap_us().into()),
            (columns::UNION.headed("union U"), &|(_, figures)| us(figures.union).into()),
            (columns::COVERAGE.headed("C").shown(Style::Share), &|(_, figures)| figures.coverage().into()),
            (columns::SIMULTANEITY.headed("S"), &|(_, figures)| figures.simultaneity().into()),
            (columns::SIMULTANEITY_OF_ACTIVE.headed("S of active"), &|(_, figures)| {
                figures.simultaneity_of_active().into()
            }),
        ];
        Table::from_rows("classes", &self.rows, &columns)
    }

    /// Returns a row for each rank, in the order of the recording.
    fn ranks(&self) -> Table {
        let share = |column: Column| column.shown(Style::Share);
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<f64>().ok());
        let columns: [Filled<Rank>; 9] = [
            (columns::RANK.column(), &|rank| rank.number.into()),
            (columns::FILE.column(), &|rank| rank.name.as_str().into()),
            (columns::HOST.column(), &|rank| rank.host().into()),
            (columns::DETOURS.column(), &|rank| rank.count().into()),
            (share(columns::SHARE.headed("of its time")), &|rank| self.share(rank).into()),
            (columns::LONGEST.headed("longest").shown(Style::Own), &|rank| rank.longest().as_us().into()),
            (columns::RECORDED_BY.column(), &|rank| rank.says("method").into()),
            (columns::THRESHOLD.headed("threshold").shown(Style::Exact), &|rank| threshold_ns(rank)),
            (share(columns::CPU_SHARE.headed("had of its CPU")), &|rank| number(rank.says("cpu_share")).into()),
        ];
        Table::from_rows("ranks", self.recording.ranks(), &columns)
    }

    /// Returns the table of ranks for readers, those that lose most first.
    fn seen(&self, table: &Table) -> laid_out::Table {
        let ranks = self.recording.ranks();
        let mut places: Vec<usize> = (0..ranks.len()).collect();
        places.sort_by_key(|&place| (Reverse(ranks[place].taken()), ranks[place].number));
        places.truncate(MOST_RANKS);
        let more = ranks.len() - places.len();
        let more = (more > 0).then(|| format!("… {more} more, which lose less: --format json lists all"));
        let view = View::new(table).captioned("Ranks").rows(places).noting(more.into_iter().collect());
        let view = view.show(Show::all(["rank", "detours", "share", "longest_us", "method", "threshold_ns"]));
        view.show(Show::all(["cpu_share", "host", "file"])).laid_out().without_empty_columns()
    }

    fn share(&self, rank: &Rank) -> f64 {
        rank.taken().0 as f64 / self.recording.length().0 as f64
    }
}

impl Results for Shown {
    fn answer(&self) -> String {
        let most = self.recording.ranks().iter().max_by_key(|rank| (rank.taken(), Reverse(rank.number)));
        most.map_or_else(String::new, |rank| {
            let (number, count, longest) = (rank.number, rank.count(), rank.longest());
            let share = significant(self.share(rank) * 100.0);
            format!("Rank {number} loses most: {share} % of its time to {count} detours, the longest of {longest}.")
        })
    }

    fn notes(&self) -> Vec<String> {
        self.causes.as_ref().map(Causes::notes).unwrap_or_default()
    }

    fn page(&self) -> Page {
        let (ranks, length) = (counted(self.recording.ranks().len(), "rank"), self.recording.length());
        let (classes, table) = (self.classes(), self.ranks());
        let of = Show::made("detours of", |row| laid_out::Cell::text(named(&self.rows[row.place()].0)));
        let view =
            View::new(&classes).show([of]).show(Show::all(["ranks", "detours", "mean_us", "gap_us", "union_us"]));
        let view = view.show(Show::all(["coverage", "simultaneity", "simultaneity_of_active", "active_ranks"]));
        let tables = [Some(view.laid_out()), hosts(self), Some(self.seen(&table))];
        let numbers = Section::new(format!("Classes of detours of {ranks} in {length}"))
            .with_paragraphs(LEGEND)
            .with_tables(tables.into_iter().flatten())
            .with_figures(over_ranks(self));
        Page {
            question: "What takes the CPU from ranks, when, and for how long?".to_owned(),
            answer: self.answer(),
            details: self.notes(),
            origin: format!("{ranks}, {length}"),
            sections: [numbers].into_iter().chain(self.causes.as_ref().map(Causes::section)).collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.classes()
    }

    fn others(&self) -> Vec<Table> {
        let causes =
            self.causes.iter().flat_map(|causes| [Table { name: "causes", ..causes.by_class() }, causes.by_name()]);
        [self.ranks()].into_iter().chain(causes).collect()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("length_us", self.recording.length().as_us().into())]
    }
}

/// Returns the threshold of a recording, which is a whole number where its file has one.
fn threshold_ns(rank: &Rank) -> Cell {
    let text = rank.says("threshold_ns");
    let whole = text.and_then(|ns| ns.parse().ok()).map(Cell::Count);
    whole.unwrap_or_else(|| text.and_then(|ns| ns.parse::<f64>().ok()).into())
}

/// Prints the bounds of a class: `10 µs to 100 µs`.
pub(super) fn named(class: &Class) -> String {
    match (class.from, class.below) {
        (Span::ZERO, None) => "all".to_owned(),
        (from, None) => format!("{from} and more"),
        (Span::ZERO, Some(below)) => format!("less than {below}"),
        (from, Some(below)) => format!("{from} to {below}"),
    }
}
