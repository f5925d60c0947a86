//! The causes of detours: their shares of the CPU, class by class and rank by rank.

use models::names::counted;
use models::noise::{Detour, DetourTrace};
use models::time::Span;
use programs::detours::causes::{CausesFile, Class, Entry};
use render::columns;
use render::data::{Cell, Filled, Known, Show, Style, Table, View};
use render::groups::grouped;
use render::page::{Page, Section};
use render::plots::numbers::significant;
use render::results::Results;
use render::table as laid_out;
use statistics::median;
use statistics::noise::Recording;
use std::collections::BTreeMap;

/// Meaning of the words in the tables.
const LEGEND: [&str; 3] = [
    "A detour is taken by what had the largest part of it: another task (preemption), an interrupt, a softirq.",
    "none: nothing that the kernel traces, as a hypervisor; unknown: the kernel's events of that time are missing.",
    "traced: how much of these detours the kernel's events cover.",
];
/// Largest number of names of a class in the table.
const MOST_NAMES: usize = 3;
/// Largest number of ranks in the table, those that lose most first.
const MOST_RANKS: usize = 16;

/// Causes of the detours of some ranks, with the time that they took.
pub struct Causes {
    length: Span,
    ranks: Vec<u32>,
    /// Causes by rank and class, those that took most first.
    taken: Vec<Taken>,
    doubts: Vec<String>,
}

/// Time that one task or interrupt took from one rank.
struct Taken {
    rank: u32,
    class: Class,
    what: String,
    /// Durations of its detours, in µs.
    detours_us: Vec<f64>,
    taken: Span,
    traced: Span,
}

impl Causes {
    /// Adds up the causes on the ranks of one collection between two times of their common recording; `None` without
    /// files.
    ///
    /// # Errors
    /// Fails where the ranks have no time in common, or a header holds no number where one is due.
    pub fn from_files(mut files: Vec<CausesFile>, from: Span, to: Option<Span>) -> Result<Option<Causes>, String> {
        let number = |file: &CausesFile| file.of.rank().ok().flatten();
        files.sort_by_key(number);
        let mut kinds: BTreeMap<(Class, &str), Vec<Vec<Entry>>> = BTreeMap::new();
        for (place, file) in files.iter().enumerate() {
            for same in file.entries.chunk_by(|one, next| (one.class, one.what) == (next.class, next.what)) {
                let of = kinds.entry((same[0].class, file.names[same[0].what as usize].as_str()));
                of.or_insert_with(|| vec![Vec::new(); files.len()])[place].extend(same);
            }
        }
        let recording = |entries: &[Vec<Entry>], of: fn(&Entry) -> Detour| {
            let traces = files.iter().zip(entries).map(|(file, entries)| {
                let detours = entries.iter().map(of).collect();
                DetourTrace { detours, ..file.of.clone() }
            });
            Recording::from_traces(&traces.collect::<Vec<_>>())?.between(from, to)
        };
        let whole = |entry: &Entry| entry.detour;
        let traced = |entry: &Entry| Detour { duration: entry.traced, ..entry.detour };
        if files.is_empty() {
            return Ok(None);
        }
        let none = recording(&vec![Vec::new(); files.len()], whole)?;
        let mut taken = Vec::new();
        for ((class, what), entries) in &kinds {
            let all = recording(entries, whole)?;
            let parts = recording(entries, traced)?;
            taken.extend(all.ranks().iter().zip(parts.ranks()).filter(|(rank, _)| rank.count() > 0).map(
                |(rank, part)| {
                    let detours_us = rank.stretches().map(|(_, duration)| duration.as_us()).collect();
                    let (class, what, taken, traced) = (*class, (*what).to_owned(), rank.taken(), part.taken());
                    Taken { rank: rank.number, class, what, detours_us, taken, traced }
                },
            ));
        }
        taken.sort_by_key(|one| (one.rank, one.class, std::cmp::Reverse(one.taken)));
        let ranks = none.ranks().iter().map(|rank| rank.number).collect();
        let doubts = files.iter().flat_map(doubts).collect();
        Ok(Some(Causes { length: none.length(), ranks, taken, doubts }))
    }

    /// Returns the share of the time of this number of ranks.
    fn share(&self, taken: Span, ranks: usize) -> f64 {
        taken.0 as f64 / (self.length.0 as f64 * ranks.max(1) as f64)
    }

    /// Returns the classes that took something, each with its causes.
    fn classes(&self) -> Vec<(Class, Vec<&Taken>)> {
        let mut classes = grouped(self.taken.iter().map(|taken| (taken.class, taken)));
        classes.sort_by_key(|(class, _)| *class);
        classes
    }

    /// Returns the sums of each group of causes as shares of the time of this number of ranks, without the columns that
    /// name the groups.
    fn sums<'a>(&self, name: &'static str, all: impl IntoIterator<Item = &'a Vec<&'a Taken>>, ranks: usize) -> Table {
        let sum = |all: &[&Taken], of: fn(&Taken) -> Span| -> Span { all.iter().map(|one| of(one)).sum() };
        let detours_us = |all: &[&Taken]| all.iter().flat_map(|one| one.detours_us.clone()).collect::<Vec<f64>>();
        let taken = |all: &[&Taken]| sum(all, |one| one.taken);
        let columns: [Filled<Vec<&Taken>>; 5] = [
            (columns::DETOURS.column(), &|all| detours_us(all).len().into()),
            (columns::TAKEN.column(), &|all| taken(all).as_us().into()),
            (columns::TAKEN_SHARE.headed("of the time").shown(Style::Share), &|all| {
                self.share(taken(all), ranks).into()
            }),
            (columns::MEDIAN.headed("median").without_limits().shown(Style::Own), &|all| {
                median(&detours_us(all)).into()
            }),
            (columns::TRACED.column(), &|all| sum(all, |one| one.traced).as_us().into()),
        ];
        Table::from_rows(name, all, &columns)
    }

    /// Returns a row for each cause on each rank.
    pub(super) fn by_name(&self) -> Table {
        let columns = [&columns::RANK, &columns::CAUSE, &columns::WHAT].map(Known::column);
        let which = |one: &Taken| vec![one.rank.into(), one.class.name().into(), one.what.as_str().into()];
        let alone: Vec<Vec<&Taken>> = self.taken.iter().map(|one| vec![one]).collect();
        self.sums("taken", &alone, 1).with_columns(0, columns, self.taken.iter().map(which))
    }

    /// Returns the time that each class took from all ranks.
    pub(super) fn by_class(&self) -> Table {
        let classes = self.classes();
        let names = classes.iter().map(|(class, _)| vec![class.name().into()]);
        let sums = self.sums("classes", classes.iter().map(|(_, all)| all), self.ranks.len());
        sums.with_columns(0, [columns::CAUSE.headed("taken by")], names)
    }

    /// Returns the share that each class took from each rank; `None` where there is one rank or one class.
    fn by_rank(&self) -> Option<laid_out::Table> {
        let classes: Vec<Option<Class>> = self.classes().iter().map(|(class, _)| Some(*class)).chain([None]).collect();
        let taken = |rank: u32, class: Option<Class>| -> Span {
            let of = self.taken.iter().filter(|taken| taken.rank == rank);
            of.filter(|taken| class.is_none_or(|class| class == taken.class)).map(|taken| taken.taken).sum()
        };
        let mut ranks = self.ranks.clone();
        ranks.sort_by_cached_key(|&rank| (std::cmp::Reverse(taken(rank, None)), rank));
        ranks.truncate(MOST_RANKS);
        let each: Vec<(u32, Option<Class>)> =
            ranks.iter().flat_map(|&rank| classes.iter().map(move |&class| (rank, class))).collect();
        let columns: [Filled<(u32, Option<Class>)>; 3] = [
            (columns::RANK.column(), &|(rank, _)| (*rank).into()),
            (columns::CAUSE.column(), &|(_, class)| class.map_or("all", Class::name).into()),
            (columns::TAKEN_SHARE.column().shown(Style::Share), &|&(rank, class)| {
                self.share(taken(rank, class), 1).into()
            }),
        ];
        let table = Table::from_rows("ranks", &each, &columns);
        let view = View::new(&table).captioned("Of the time of each rank").show([Show::one("rank")]);
        let is_telling = self.ranks.len() > 1 && classes.len() > 1;
        is_telling
            .then(|| view.across(|row| format!("{}, %", row.cell("cause").text()), |row| row.laid_out("taken_share")))
    }

    /// Returns the causes as a section of the recording's page.
    pub(super) fn section(&self) -> Section {
        let (table, classes) = (self.by_class(), self.classes());
        let traced = Show::made("traced, %", |row| {
            let us = |name| row.cell(name).number().unwrap_or(0.0);
            laid_out::Cell::number(significant(us("traced_us") / us("taken_us").max(1e-6) * 100.0), "")
        });
        let most = Show::made("most of it by", |row| {
            let (class, all) = &classes[row.place()];
            laid_out::Cell::text(names(*class, all))
        });
        let seen = Show::all(["cause", "detours", "taken_share", "median_us"]);
        let view = View::new(&table).show(seen).show([traced, most]).laid_out();
        let tables = std::iter::once(view).chain(self.by_rank());
        Section::new("What took the CPU").with_paragraphs(LEGEND).with_tables(tables)
    }
}

impl Results for Causes {
    fn answer(&self) -> String {
        let taken = |(class, all): (Class, Vec<&Taken>)| (all.iter().map(|one| one.taken).sum::<Span>(), class);
        let most = self.classes().into_iter().map(taken).max_by_key(|&(taken, _)| taken);
        most.map_or_else(
            || "There was no detour.".to_owned(),
            |(taken, class)| {
                let share = significant(self.share(taken, self.ranks.len()) * 100.0);
                format!("Class {class} took most: {share} % of the time of {}.", counted(self.ranks.len(), "rank"))
            },
        )
    }

    fn notes(&self) -> Vec<String> {
        self.doubts.clone()
    }

    fn page(&self) -> Page {
        Page {
            question: "What takes the CPU from ranks?".to_owned(),
            answer: self.answer(),
            details: self.notes(),
            sections: vec![self.section()],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.by_name()
    }

    fn others(&self) -> Vec<Table> {
        vec![self.by_class()]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("length_us", self.length.as_us().into())]
    }
}

/// Returns the names that took most of a class, with their shares of it.
fn names(class: Class, all: &[&Taken]) -> String {
    if matches!(class, Class::None | Class::Unknown) {
        return "–".to_owned();
    }
    let by_name = grouped(all.iter().map(|taken| (taken.what.as_str(), taken.taken)));
    let mut names: Vec<(&str, Span)> = by_name.into_iter().map(|(name, all)| (name, all.into_iter().sum())).collect();
    names.sort_by_key(|&(name, taken)| (std::cmp::Reverse(taken), name));
    let taken: Span = all.iter().map(|taken| taken.taken).sum();
    let share = |part: Span| significant(part.0 as f64 / taken.0.max(1) as f64 * 100.0);
    let said = names.iter().take(MOST_NAMES).map(|(name, part)| format!("{name} {} %", share(*part)));
    said.collect::<Vec<_>>().join(", ")
}

/// Returns the warnings that qualify the classes of a rank.
fn doubts(file: &CausesFile) -> Vec<String> {
    let rank = file.of.says("rank").unwrap_or("?");
    let mut said = Vec::new();
    if let Some(lost) = file.of.says("lost_events").filter(|lost| *lost != "0") {
        said.push(format!("rank {rank}: the kernel lost {lost} events; detours in between are unknown"));
    }
    if let Some(known) = file.of.says("known_ns").and_then(|known| known.parse::<f64>().ok()) {
        let known = Span((known * 1e3) as u64);
        said.push(format!("rank {rank}: what its CPU did is known for the first {known}; --most keeps more"));
    }
    said
}
