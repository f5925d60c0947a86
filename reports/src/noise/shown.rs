//! Recorded noise: what detours amount to class by class and rank by rank.

use super::causes::Causes;
use super::over_ranks::{hosts, over_ranks};
use crate::columns;
use models::names::counted;
use models::time::Span;
use render::data::{Cell, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::significant;
use render::results::Results;
use render::table as laid_out;
use statistics::noise::{Class, Figures, Rank, Recording};
use std::cmp::Reverse;

/// What the letters above the table of classes mean.
const LEGEND: [&str; 2] = [
    "g: mean time between detours of one rank. C: share of the time in which some rank is inside a detour.",
    "S: simultaneity, 1 where all ranks have their detours at once, 1/p where no two have.",
];
/// Ranks in the table, those that lose most first.
const MOST_RANKS: usize = 16;

/// What a recording says.
pub struct Shown {
    recording: Recording,
    /// Each class on each number of ranks.
    rows: Vec<(Class, Figures)>,
    causes: Option<Causes>,
}

impl Shown {
    /// Of these classes, and of all detours, on these numbers of ranks.
    pub fn of(recording: Recording, classes: &[Class], ranks: &[usize]) -> Shown {
        let classes = classes.iter().copied().chain((classes.len() > 1).then_some(Class::ALL));
        let rows = classes.flat_map(|class| {
            let figures = |&ranks: &usize| (class, recording.figures(&class, ranks));
            ranks.iter().map(figures).collect::<Vec<_>>()
        });
        Shown { rows: rows.collect(), recording, causes: None }
    }

    /// The same with what took the CPU, if that is known.
    #[must_use]
    pub fn with_causes(self, causes: Option<Causes>) -> Shown {
        Shown { causes, ..self }
    }

    /// What took the CPU, if that is known.
    pub fn causes(&self) -> Option<&Causes> {
        self.causes.as_ref()
    }

    /// Each class on each number of ranks.
    pub(super) fn rows(&self) -> &[(Class, Figures)] {
        &self.rows
    }

    /// What was recorded.
    pub(super) fn recording(&self) -> &Recording {
        &self.recording
    }

    /// What its page has beside: when detours came, how long they were, how periodic, and how simultaneous.
    pub fn pictures(&self) -> Vec<Section> {
        super::page::pictures(&self.recording)
    }

    /// The classes, on each number of ranks.
    fn classes(&self) -> Table {
        let columns = [
            columns::CLASS_FROM.column(),
            columns::CLASS_BELOW.column(),
            columns::RANKS.headed("ranks p"),
            columns::ACTIVE_RANKS.headed("active ranks"),
            columns::DETOURS.headed("detours n"),
            columns::MEAN.headed("mean d").without_limits().shown(Style::Own),
            columns::GAP.headed("apart g").shown(Style::Own),
            columns::UNION.headed("union U"),
            columns::COVERAGE.headed("C").shown(Style::Share),
            columns::SIMULTANEITY.headed("S"),
            columns::SIMULTANEITY_OF_ACTIVE.headed("S of active"),
        ];
        let row = |(class, figures): &(Class, Figures)| -> Vec<Cell> {
            let us = |span: Span| span.as_us();
            vec![
                us(class.from).into(),
                class.below.map(us).into(),
                figures.ranks.into(),
                figures.active.into(),
                figures.detours.into(),
                figures.mean().map(us).into(),
                figures.gap_us().into(),
                us(figures.union).into(),
                figures.coverage().into(),
                figures.simultaneity().into(),
                figures.simultaneity_of_active().into(),
            ]
        };
        Table::new("classes", columns, self.rows.iter().map(row))
    }

    /// The ranks, as they were recorded.
    fn ranks(&self) -> Table {
        let columns = [
            columns::RANK.column(),
            columns::FILE.column(),
            columns::HOST.column(),
            columns::DETOURS.column(),
            columns::SHARE.headed("of its time").shown(Style::Share),
            columns::LONGEST.headed("longest").shown(Style::Own),
            columns::RECORDED_BY.column(),
            columns::THRESHOLD.headed("threshold").shown(Style::Exact),
            columns::CPU_SHARE.headed("had of its CPU").shown(Style::Share),
        ];
        let row = |rank: &Rank| -> Vec<Cell> {
            let threshold = rank.says("threshold_ns");
            let whole = threshold.and_then(|ns| ns.parse().ok()).map(Cell::Count);
            vec![
                rank.number.into(),
                rank.name.clone().into(),
                rank.host().into(),
                rank.count().into(),
                self.share(rank).into(),
                rank.longest().as_us().into(),
                rank.says("method").into(),
                whole.unwrap_or_else(|| threshold.and_then(|ns| ns.parse::<f64>().ok()).into()),
                rank.says("cpu_share").and_then(|share| share.parse::<f64>().ok()).into(),
            ]
        };
        Table::new("ranks", columns, self.recording.ranks().iter().map(row))
    }

    /// The ranks as people see them, those that lose most first.
    fn seen(&self, table: &Table) -> laid_out::Table {
        let ranks = self.recording.ranks();
        let mut places: Vec<usize> = (0..ranks.len()).collect();
        places.sort_by_key(|&place| (Reverse(ranks[place].taken()), ranks[place].number));
        places.truncate(MOST_RANKS);
        let more = ranks.len() - places.len();
        let more = (more > 0).then(|| format!("… {more} more, which lose less: --format json lists all"));
        let view = View::of(table).captioned("Ranks").rows(places).noting(more.into_iter().collect());
        let view = view.show(Show::all(["rank", "detours", "share", "longest_us", "method", "threshold_ns"]));
        view.show(Show::all(["cpu_share", "host", "file"])).laid_out().without_empty_columns()
    }

    fn share(&self, rank: &Rank) -> f64 {
        rank.taken().0 as f64 / self.recording.length().0 as f64
    }

    fn answer(&self) -> String {
        let most = self.recording.ranks().iter().max_by_key(|rank| (rank.taken(), Reverse(rank.number)));
        most.map_or_else(String::new, |rank| {
            let (number, count, longest) = (rank.number, rank.count(), rank.longest());
            let share = significant(self.share(rank) * 100.0);
            format!("Rank {number} loses most: {share} % of its time to {count} detours, the longest of {longest}.")
        })
    }
}

impl Results for Shown {
    fn page(&self) -> Page {
        let (ranks, length) = (counted(self.recording.ranks().len(), "rank"), self.recording.length());
        let (classes, table) = (self.classes(), self.ranks());
        let of = Show::made("detours of", |row| laid_out::Cell::text(named(&self.rows[row.place()].0)));
        let view = View::of(&classes).show([of]).show(Show::all(["ranks", "detours", "mean_us", "gap_us", "union_us"]));
        let view = view.show(Show::all(["coverage", "simultaneity", "simultaneity_of_active", "active_ranks"]));
        let tables = [Some(view.laid_out()), hosts(self), Some(self.seen(&table))];
        let numbers = Section::new(format!("Classes of detours of {ranks} in {length}"))
            .with_paragraphs(LEGEND)
            .with_tables(tables.into_iter().flatten())
            .with_figures(over_ranks(self));
        Page {
            question: "What takes the CPU from ranks, when, and for how long?".to_owned(),
            answer: self.answer(),
            details: self.causes.iter().flat_map(Causes::doubts).cloned().collect(),
            origin: format!("{ranks}, {length}"),
            sections: [numbers].into_iter().chain(self.causes.as_ref().map(Causes::section)).collect(),
            ..Page::default()
        }
    }

    fn tables(&self) -> Vec<Table> {
        let causes =
            self.causes.iter().flat_map(|causes| [Table { name: "causes", ..causes.by_class() }, causes.by_name()]);
        [self.classes(), self.ranks()].into_iter().chain(causes).collect()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("length_us", self.recording.length().as_us().into())]
    }
}

/// `10 µs to 100 µs`.
pub(super) fn named(class: &Class) -> String {
    match (class.from, class.below) {
        (Span::ZERO, None) => "all".to_owned(),
        (from, None) => format!("{from} and more"),
        (Span::ZERO, Some(below)) => format!("less than {below}"),
        (from, Some(below)) => format!("{from} to {below}"),
    }
}
