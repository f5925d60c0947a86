//! What took the CPU in detours: class by class, and rank by rank.

use models::detours::causes::{CausesFile, Class, Entry};
use models::noise::{Detour, DetourTrace};
use models::time::Span;
use render::groups::grouped;
use render::page::Section;
use render::plots::numbers::significant;
use render::table::{Cell, Csv, Heads, Table};
use serde_json::{Value, json};
use statistics::median;
use statistics::noise::Recording;
use std::collections::BTreeMap;
use std::fmt::Write;

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

/// Several of them together.
struct Sum {
    detours: usize,
    taken: Span,
    traced: Span,
    median_us: Option<f64>,
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

    fn by_class(&self) -> Table {
        let row = |(class, all): &(Class, Vec<&Taken>)| {
            let sum = Sum::of(all);
            let numbers = [
                sum.detours.to_string(),
                significant(self.share(sum.taken, self.ranks.len()) * 100.0),
                sum.median_us.map_or("–".to_owned(), significant),
                significant(sum.traced.0 as f64 / sum.taken.0.max(1) as f64 * 100.0),
            ];
            let cells = numbers.map(|text| Cell::number(text, ""));
            let names = Cell::text(names(*class, all, sum.taken));
            [Cell::text(class.name())].into_iter().chain(cells).chain([names]).collect()
        };
        let head = ["taken by", "detours", "of the time, %", "median, µs", "traced, %", "most of it by"];
        Table::new("What took the CPU", head, self.classes().iter().map(row))
    }

    /// What each class took from each rank; none of one rank.
    fn by_rank(&self) -> Option<Table> {
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
            std::iter::once(rank.to_string()).chain(shares).map(|text| Cell::number(text, "")).collect()
        };
        let heads = classes.iter().map(|class| format!("{class}, %")).chain(["all, %".to_owned()]);
        let head = std::iter::once("rank".to_owned()).chain(heads);
        let is_telling = self.ranks.len() > 1 && !classes.is_empty();
        is_telling.then(|| Table::new("Of the time of each rank", head, ranks.iter().take(MOST_RANKS).map(row)))
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = format!("What took the CPU\n{}", self.by_class().text());
        if let Some(ranks) = self.by_rank() {
            let _ = write!(text, "\nOf the time of each rank\n{}", ranks.text());
        }
        LEGEND
            .iter()
            .copied()
            .chain(self.doubts.iter().map(String::as_str))
            .for_each(|line| _ = writeln!(text, "  {line}"));
        text
    }

    /// A part of the recording's page.
    pub(super) fn section(&self) -> Section {
        let tables = std::iter::once(self.by_class()).chain(self.by_rank());
        let words = std::iter::once(LEGEND.join(" ")).chain(self.doubts.iter().cloned());
        Section::new("What took the CPU").with_paragraphs(words).with_tables(tables)
    }

    /// What took something from a rank, a line each.
    pub fn csv(&self) -> String {
        let row = |one: &Taken| {
            let Sum { detours, taken, traced, median_us } = Sum::of(&[one]);
            let times = (taken.as_us(), self.share(taken, 1), median_us, traced.as_us());
            (one.rank, one.class.name(), one.what.clone(), detours, times)
        };
        let heads = Heads("rank,cause,what,detours,taken_us,taken_share,median_us,traced_us");
        Csv::new(heads).rows(self.taken.iter().map(row)).text()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let numbers = |all: &[&Taken], ranks: usize| {
            let Sum { detours, taken, traced, median_us } = Sum::of(all);
            json!({
                "detours": detours, "taken_us": taken.as_us(), "taken_share": self.share(taken, ranks),
                "median_us": median_us, "traced_us": traced.as_us(),
            })
        };
        let class = |(class, all): &(Class, Vec<&Taken>)| {
            let mut of = numbers(all, self.ranks.len());
            of["cause"] = class.name().into();
            of
        };
        let rank = |one: &Taken| {
            let mut of = numbers(&[one], 1);
            of["rank"] = one.rank.into();
            of["cause"] = one.class.name().into();
            of["what"] = one.what.clone().into();
            of
        };
        json!({
            "length_us": self.length.as_us(),
            "classes": self.classes().iter().map(class).collect::<Vec<Value>>(),
            "taken": self.taken.iter().map(rank).collect::<Vec<Value>>(),
            "doubts": self.doubts,
        })
    }
}

impl Sum {
    fn of(all: &[&Taken]) -> Sum {
        let detours: Vec<f64> = all.iter().flat_map(|taken| taken.detours_us.iter().copied()).collect();
        let sum = |of: fn(&Taken) -> Span| all.iter().map(|taken| of(taken)).sum();
        Sum {
            detours: detours.len(),
            taken: sum(|one| one.taken),
            traced: sum(|one| one.traced),
            median_us: median(&detours),
        }
    }
}

/// The names that took most of a class, with their shares of it.
fn names(class: Class, all: &[&Taken], taken: Span) -> String {
    if matches!(class, Class::None | Class::Unknown) {
        return "–".to_owned();
    }
    let by_name = grouped(all.iter().map(|taken| (taken.what.as_str(), taken.taken)));
    let mut names: Vec<(&str, Span)> = by_name.into_iter().map(|(name, all)| (name, all.into_iter().sum())).collect();
    names.sort_by_key(|&(name, taken)| (std::cmp::Reverse(taken), name));
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
