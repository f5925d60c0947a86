//! What took the CPU in detours: class by class, and rank by rank.

use crate::columns;
use models::detours::causes::{CausesFile, Class, Entry};
use models::names::counted;
use models::noise::{Detour, DetourTrace};
use models::time::Span;
use render::data::{Cell, Column, Known, Show, Style, Table, View};
use render::groups::grouped;
use render::page::{Page, Section};
use render::plots::numbers::significant;
use render::results::Results;
use render::table as laid_out;
use statistics::median;
use statistics::noise::Recording;
use std::collections::BTreeMap;

/// What the words of the tables mean.
const LEGEND: [&str; 3] = [
    "A detour is taken by what had the largest part of it: another task (preemption), an interrupt, a softirq.",
    "none: nothing that the kernel traces, as a hypervisor; unknown: the kernel's events of that time are missing.",
    "traced: how much of these detours the kernel's events cover.",
];
/// Names of a class in the table.
const MOST_NAMES: usize = 3;
/// Ranks in the table, those that lose most first.
const MOST_RANKS: usize = 16;

/// What took the CPU.
pub struct Causes {
    length: Span,
    ranks: Vec<u32>,
    /// Rank by rank, class by class, what took most first.
    taken: Vec<Taken>,
    doubts: Vec<String>,
}

/// What one task or interrupt took from one rank.
struct Taken {
    rank: u32,
    class: Class,
    what: String,
    /// How long each detour was, in µs.
    detours_us: Vec<f64>,
    taken: Span,
    traced: Span,
}

impl Causes {
    /// Of the ranks of one collection, from one time to another of what all of them recorded; none of no file.
    ///
    /// # Errors
    /// Ranks without a time in common; headers that say no numbers.
    pub fn of(mut files: Vec<CausesFile>, from: Span, to: Option<Span>) -> Result<Option<Causes>, String> {
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
            Recording::of(&traces.collect::<Vec<_>>())?.between(from, to)
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

    /// The share of the time of so many ranks.
    fn share(&self, taken: Span, ranks: usize) -> f64 {
        taken.0 as f64 / (self.length.0 as f64 * ranks.max(1) as f64)
    }

    /// Classes that took something, with what of them.
    fn classes(&self) -> Vec<(Class, Vec<&Taken>)> {
        let mut classes = grouped(self.taken.iter().map(|taken| (taken.class, taken)));
        classes.sort_by_key(|(class, _)| *class);
        classes
    }

    /// What of them together took from so many ranks: the cells below [`sums`].
    fn sum(&self, all: &[&Taken], ranks: usize) -> [Cell; 5] {
        let detours: Vec<f64> = all.iter().flat_map(|taken| taken.detours_us.iter().copied()).collect();
        let sum = |of: fn(&Taken) -> Span| -> Span { all.iter().map(|taken| of(taken)).sum() };
        let (taken, traced) = (sum(|one| one.taken), sum(|one| one.traced));
        let share = self.share(taken, ranks);
        [detours.len().into(), taken.as_us().into(), share.into(), median(&detours).into(), traced.as_us().into()]
    }

    /// What took something from a rank, a row each.
    pub(super) fn by_name(&self) -> Table {
        let columns = [&columns::RANK, &columns::CAUSE, &columns::WHAT].map(Known::column);
        let row = |one: &Taken| {
            let named: [Cell; 3] = [one.rank.into(), one.class.name().into(), one.what.clone().into()];
            named.into_iter().chain(self.sum(&[one], 1)).collect()
        };
        Table::new("taken", columns.into_iter().chain(sums()), self.taken.iter().map(row))
    }

    /// What each class took from all ranks.
    pub(super) fn by_class(&self) -> Table {
        let row = |(class, all): &(Class, Vec<&Taken>)| {
            [class.name().into()].into_iter().chain(self.sum(all, self.ranks.len())).collect()
        };
        let columns = [columns::CAUSE.headed("taken by")].into_iter().chain(sums());
        Table::new("classes", columns, self.classes().iter().map(row))
    }

    /// What each class took from each rank; none of one rank.
    fn by_rank(&self) -> Option<laid_out::Table> {
        let classes: Vec<Class> = self.classes().iter().map(|(class, _)| *class).collect();
        let taken = |rank: u32, class: Option<Class>| -> Span {
            let of = self.taken.iter().filter(|taken| taken.rank == rank);
            of.filter(|taken| class.is_none_or(|class| class == taken.class)).map(|taken| taken.taken).sum()
        };
        let mut ranks: Vec<(u32, Span)> = self.ranks.iter().map(|&rank| (rank, taken(rank, None))).collect();
        ranks.sort_by_key(|&(rank, all)| (std::cmp::Reverse(all), rank));
        let row = |&(rank, all): &(u32, Span)| {
            let of_classes = classes.iter().map(|&class| taken(rank, Some(class)));
            let shares = of_classes.chain([all]).map(|taken| significant(self.share(taken, 1) * 100.0));
            std::iter::once(rank.to_string()).chain(shares).map(|text| laid_out::Cell::number(text, "")).collect()
        };
        let heads = classes.iter().map(|class| format!("{class}, %")).chain(["all, %".to_owned()]);
        let head = std::iter::once("rank".to_owned()).chain(heads);
        let is_telling = self.ranks.len() > 1 && !classes.is_empty();
        is_telling
            .then(|| laid_out::Table::new("Of the time of each rank", head, ranks.iter().take(MOST_RANKS).map(row)))
    }

    /// A part of the recording's page.
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
        let view = View::of(&table).show(seen).show([traced, most]).laid_out();
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

/// What detours amount to.
fn sums() -> [Column; 5] {
    [
        columns::DETOURS.column(),
        columns::TAKEN.column(),
        columns::TAKEN_SHARE.headed("of the time").shown(Style::Share),
        columns::MEDIAN.headed("median").without_limits().shown(Style::Own),
        columns::TRACED.column(),
    ]
}

/// The names that took most of a class, with their shares of it.
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

/// What must be known before the classes of a rank are believed.
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
