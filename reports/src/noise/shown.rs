//! Recorded noise as text, CSV and JSON: what detours amount to class by class and rank by rank.

use super::causes::Causes;
use models::names::counted;
use models::time::Span;
use render::page::Page;
use render::plots::numbers::{TimeUnit, significant};
use render::table::{Cell, Csv, Heads, Table};
use serde_json::{Value, json};
use statistics::noise::{Class, Figures, Rank, Recording};
use std::fmt::Write;

/// What the letters above the table of classes mean.
pub(super) const LEGEND: [&str; 2] = [
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

    /// The classes, on each number of ranks.
    pub(super) fn classes(&self) -> Table {
        let unit = TimeUnit::fitting(self.rows.iter().map(|(_, figures)| figures.union.as_us()));
        let head = ["detours of", "ranks p", "detours n", "mean d, µs", "apart g, µs"].map(str::to_owned);
        let union = format!("union U, {}", unit.symbol());
        let others = ["C, %", "S", "S of active", "active ranks"].map(str::to_owned);
        let head = head.into_iter().chain([union]).chain(others);
        let row = |(class, figures): &(Class, Figures)| {
            let or_none = |value: Option<f64>| value.map_or("–".to_owned(), significant);
            let numbers = [
                figures.ranks.to_string(),
                figures.detours.to_string(),
                or_none(figures.mean().map(Span::as_us)),
                or_none(figures.gap_us()),
                significant(unit.of(figures.union.as_us())),
                significant(figures.coverage() * 100.0),
                or_none(figures.simultaneity()),
                or_none(figures.simultaneity_of_active()),
                figures.active.to_string(),
            ];
            let cells = numbers.into_iter().map(|text| Cell::number(text, ""));
            [Cell::text(named(class))].into_iter().chain(cells).collect()
        };
        Table::new("", head, self.rows.iter().map(row))
    }

    /// Each class on each number of ranks.
    pub(super) fn rows(&self) -> &[(Class, Figures)] {
        &self.rows
    }

    /// What was recorded.
    pub(super) fn recording(&self) -> &Recording {
        &self.recording
    }

    /// As a page, which says by which command it was made.
    pub fn page(&self, reproduce: String) -> Page {
        super::page::page(self, reproduce)
    }

    /// For people.
    pub fn text(&self) -> String {
        let classes = self.classes().text();
        let (ranks, length) = (counted(self.recording.ranks().len(), "rank"), self.recording.length());
        let mut text = format!("Noise of {ranks} in {length}\n{classes}\n");
        if let Some(hosts) = super::over_ranks::hosts(self) {
            let _ = writeln!(text, "{}", hosts.text());
        }
        let _ = writeln!(text, "{}", self.ranks_text());
        LEGEND.iter().for_each(|line| _ = writeln!(text, "  {line}"));
        self.causes.iter().for_each(|causes| _ = write!(text, "\n{}", causes.text()));
        text
    }

    /// The ranks, those that lose most first.
    pub(super) fn ranks(&self) -> Table {
        let mut ranks: Vec<&Rank> = self.recording.ranks().iter().collect();
        ranks.sort_by_key(|rank| (std::cmp::Reverse(rank.taken()), rank.number));
        let row = |rank: &&Rank| {
            let numbers =
                [rank.count().to_string(), significant(self.share(rank) * 100.0), significant(rank.longest().as_us())];
            let cells = numbers.into_iter().map(|text| Cell::number(text, ""));
            let said = |key: &str| rank.says(key).unwrap_or("–").to_owned();
            let had = rank.says("cpu_share").and_then(|share| share.parse::<f64>().ok());
            let had = had.map_or("–".to_owned(), |share| significant(share * 100.0));
            let recorded = [said("method"), said("threshold_ns"), had, said("host"), rank.name.clone()].map(Cell::text);
            [Cell::number(rank.number.to_string(), "")].into_iter().chain(cells).chain(recorded).collect()
        };
        let head = [
            "rank",
            "detours",
            "of its time, %",
            "longest, µs",
            "method",
            "threshold, ns",
            "had of its CPU, %",
            "host",
            "file",
        ];
        Table::new("", head, ranks.iter().take(MOST_RANKS).map(row))
    }

    fn ranks_text(&self) -> String {
        let mut text = self.ranks().text();
        if self.recording.ranks().len() > MOST_RANKS {
            let more = self.recording.ranks().len() - MOST_RANKS;
            let _ = writeln!(text, "  … {more} more, which lose less: --format json lists all");
        }
        text
    }

    fn share(&self, rank: &Rank) -> f64 {
        rank.taken().0 as f64 / self.recording.length().0 as f64
    }

    /// The classes, a line each.
    pub fn csv(&self) -> String {
        let heads = Heads(
            "class_from_us,class_below_us,ranks,active_ranks,detours,mean_us,gap_us,union_us,coverage,simultaneity,\
             simultaneity_of_active",
        );
        let row = |(class, figures): &(Class, Figures)| {
            let us = |span: Span| span.as_us();
            let class = (us(class.from), class.below.map(us));
            let counts = (figures.ranks, figures.active, figures.detours);
            let times = (figures.mean().map(us), figures.gap_us(), us(figures.union));
            (class, counts, times, (figures.coverage(), figures.simultaneity(), figures.simultaneity_of_active()))
        };
        Csv::new(heads).rows(self.rows.iter().map(row)).text()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let class = |(class, figures): &(Class, Figures)| {
            json!({
                "class": { "from_us": class.from.as_us(), "below_us": class.below.map(Span::as_us) },
                "ranks": figures.ranks, "active_ranks": figures.active, "detours": figures.detours,
                "mean_us": figures.mean().map(Span::as_us), "gap_us": figures.gap_us(), "union_us": figures.union.as_us(),
                "coverage": figures.coverage(), "simultaneity": figures.simultaneity(),
                "simultaneity_of_active": figures.simultaneity_of_active(),
            })
        };
        let rank = |rank: &Rank| {
            json!({
                "rank": rank.number, "file": rank.name, "host": rank.host(), "detours": rank.count(), "share": self.share(rank),
                "longest_us": rank.longest().as_us(),
            })
        };
        let mut all = json!({
            "length_us": self.recording.length().as_us(),
            "classes": self.rows.iter().map(class).collect::<Vec<Value>>(),
            "ranks": self.recording.ranks().iter().map(rank).collect::<Vec<Value>>(),
        });
        if let Some(causes) = &self.causes {
            all["causes"] = causes.json();
        }
        all
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
