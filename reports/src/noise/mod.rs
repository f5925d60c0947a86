//! Recorded noise as text, CSV and JSON: what detours amount to class by class and rank by rank, and what grains of work take
//! under them.

pub(crate) mod collected;
mod injected;

pub use injected::{Disturbed, Injected};

use crate::plots::numbers::{TimeUnit, significant};
use crate::table::{Cell, Csv, Heads, Table};
use models::time::Span;
use serde_json::{Value, json};
use statistics::noise::{Class, Elongation, Figures, Launches, Rank, Recording, Refused, elongation};
use std::fmt::Write;

/// Ranks in the table, those that lose most first.
const MOST_RANKS: usize = 16;

/// What a recording says.
pub struct Shown {
    recording: Recording,
    /// Each class on each number of ranks.
    rows: Vec<(Class, Figures)>,
}

impl Shown {
    /// Of these classes, and of all detours, on these numbers of ranks.
    pub fn of(recording: Recording, classes: &[Class], ranks: &[usize]) -> Shown {
        let classes = classes.iter().copied().chain((classes.len() > 1).then_some(Class::ALL));
        let rows = classes.flat_map(|class| {
            let figures = |&ranks: &usize| (class, recording.figures(&class, ranks));
            ranks.iter().map(figures).collect::<Vec<_>>()
        });
        Shown { rows: rows.collect(), recording }
    }

    /// For people.
    pub fn text(&self) -> String {
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
        let classes = Table::new("", head, self.rows.iter().map(row)).text();
        let (ranks, length) = (self.recording.ranks().len(), self.recording.length());
        let mut text = format!("Noise of {ranks} rank{} in {length}\n{classes}\n", if ranks == 1 { "" } else { "s" });
        let _ = writeln!(text, "{}", self.ranks_text());
        text.push_str(
            "  g: mean time between detours of one rank. C: share of the time in which some rank is inside a detour.\n  \
             S: simultaneity, 1 where all ranks have their detours at once, 1/p where no two have.\n",
        );
        text
    }

    fn ranks_text(&self) -> String {
        let mut ranks: Vec<&Rank> = self.recording.ranks().iter().collect();
        ranks.sort_by_key(|rank| (std::cmp::Reverse(rank.taken()), rank.number));
        let row = |rank: &&Rank| {
            let numbers =
                [rank.count().to_string(), significant(self.share(rank) * 100.0), significant(rank.longest().as_us())];
            let cells = numbers.into_iter().map(|text| Cell::number(text, ""));
            let words = [rank.host.clone().unwrap_or_else(|| "–".to_owned()), rank.name.clone()].map(Cell::text);
            [Cell::number(rank.number.to_string(), "")].into_iter().chain(cells).chain(words).collect()
        };
        let head = ["rank", "detours", "of its time, %", "longest, µs", "host", "file"];
        let mut text = Table::new("", head, ranks.iter().take(MOST_RANKS).map(row)).text();
        if ranks.len() > MOST_RANKS {
            let _ = writeln!(text, "  … {} more, which lose less: --format json lists all", ranks.len() - MOST_RANKS);
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
                "rank": rank.number, "file": rank.name, "host": rank.host, "detours": rank.count(), "share": self.share(rank),
                "longest_us": rank.longest().as_us(),
            })
        };
        json!({
            "length_us": self.recording.length().as_us(),
            "classes": self.rows.iter().map(class).collect::<Vec<Value>>(),
            "ranks": self.recording.ranks().iter().map(rank).collect::<Vec<Value>>(),
        })
    }
}

fn named(class: &Class) -> String {
    match (class.from, class.below) {
        (Span::ZERO, None) => "all".to_owned(),
        (from, None) => format!("{from} and more"),
        (Span::ZERO, Some(below)) => format!("less than {below}"),
        (from, Some(below)) => format!("{from} to {below}"),
    }
}

/// What grains take on some ranks.
struct Predicted {
    ranks: usize,
    launches: Launches,
    /// Efficiency by the closed form, with the simultaneity of all ranks and of the active ones; why not, for a class.
    closed: [Result<f64, Refused>; 2],
}

/// What grains take on several numbers of ranks, played over the recording and by the closed form.
pub struct Grains {
    grains: Vec<Span>,
    rows: Vec<Predicted>,
}

impl Grains {
    /// On the first ranks of a recording.
    pub fn of(recording: &Recording, grains: Vec<Span>, classes: &[Class], ranks: &[usize]) -> Grains {
        let row = |&ranks: &usize| {
            let all: Vec<usize> = (0..ranks).collect();
            let figures: Vec<Figures> = classes.iter().map(|class| recording.figures(class, ranks)).collect();
            let closed =
                [Figures::simultaneity, Figures::simultaneity_of_active].map(|of| closed(&figures, of, &grains));
            Predicted { ranks, launches: recording.launches(&all, &grains), closed }
        };
        let rows = ranks.iter().map(row).collect();
        Grains { grains, rows }
    }

    /// For people.
    pub fn text(&self) -> String {
        let alone: Span = self.grains.iter().copied().sum();
        let count = self.grains.len();
        let mut text = format!("{count} grain{}, {alone} without noise\n", if count == 1 { "" } else { "s" });
        let unit = TimeUnit::fitting(self.rows.iter().filter_map(|row| row.launches.mean_us()));
        let symbol = unit.symbol();
        let head = ["ranks p".to_owned(), "launches".to_owned()].into_iter();
        let times = ["T_p", "least", "most"].map(|name| format!("{name}, {symbol}"));
        let efficiencies = ["E_p, %", "E_pmin, %", "E_pmax, %", "closed form, %", "S of active, %"].map(str::to_owned);
        let row = |row: &Predicted| {
            let Launches { took, .. } = &row.launches;
            let time = |us: Option<f64>| us.map_or("–".to_owned(), |us| significant(unit.of(us)));
            let share = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.2}", share * 100.0));
            let end = |span: Option<&Span>| time(span.map(|span| span.as_us()));
            let numbers = [
                row.ranks.to_string(),
                took.len().to_string(),
                time(row.launches.mean_us()),
                end(took.iter().min()),
                end(took.iter().max()),
                share(row.launches.efficiency()),
                share(row.launches.least_efficiency()),
                share(row.launches.largest_efficiency()),
                share(row.closed[0].ok()),
                share(row.closed[1].ok()),
            ];
            numbers.into_iter().map(|text| Cell::number(text, "")).collect()
        };
        text.push_str(&Table::new("", head.chain(times).chain(efficiencies), self.rows.iter().map(row)).text());
        text.push_str(&self.remarks());
        text
    }

    fn remarks(&self) -> String {
        let mut text = String::new();
        if self.rows.iter().any(|row| row.launches.took.is_empty()) {
            text.push_str("  –: no launch fits into the recording; expected fewer or shorter grains\n");
        }
        let refused = self.rows.iter().flat_map(|row| &row.closed).filter_map(|closed| closed.err());
        let most = refused.map(|refused| refused.detours_per_grain).max_by(f64::total_cmp);
        if let Some(most) = most {
            let _ = writeln!(
                text,
                "  no closed form: a rank has {} detours of one class in a grain, and the form is for less than one",
                significant(most)
            );
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let row = |row: &Predicted| {
            let took = &row.launches.took;
            json!({
                "ranks": row.ranks, "launches": took.len(), "mean_us": row.launches.mean_us(),
                "least_us": took.iter().min().map(|span| span.as_us()), "most_us": took.iter().max().map(|span| span.as_us()),
                "efficiency": row.launches.efficiency(), "least_efficiency": row.launches.least_efficiency(),
                "largest_efficiency": row.launches.largest_efficiency(),
                "closed_form": row.closed[0].ok(), "closed_form_of_active": row.closed[1].ok(),
            })
        };
        let alone: Span = self.grains.iter().copied().sum();
        json!({ "grains": self.grains.len(), "without_noise_us": alone.as_us(), "rows": self.rows.iter().map(row).collect::<Vec<Value>>() })
    }
}

/// Efficiency by the closed form: each grain is prolonged by every class.
fn closed(
    figures: &[Figures],
    simultaneity: impl Fn(&Figures) -> Option<f64>,
    grains: &[Span],
) -> Result<f64, Refused> {
    let (mut alone, mut took) = (0.0, 0.0);
    // Most grains are as long as the one before.
    for run in grains.chunk_by(|one, next| one == next) {
        let added: Vec<Elongation> = figures
            .iter()
            .map(|class| elongation(class, simultaneity(class), run[0]))
            .collect::<Result<_, Refused>>()?;
        let longer: f64 = added.iter().map(Elongation::mean_us).sum();
        let times = run.len() as f64;
        alone += run[0].as_us() * times;
        took += (run[0].as_us() + longer) * times;
    }
    Ok(alone / took)
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::noise::{Detour, DetourTrace};
    use models::time::Time;

    fn recording() -> Recording {
        let ranks: [&[(u64, u64)]; 3] = [&[(100, 20), (400, 50)], &[(110, 20), (600, 10)], &[(415, 30)]];
        let traces = (0..).zip(ranks).map(|(rank, detours)| DetourTrace {
            name: format!("traces/rank-{rank}.detours"),
            length: Span::from_us(1_000),
            detours: detours
                .iter()
                .map(|&(start, duration)| Detour {
                    start: Time::ZERO + Span::from_us(start),
                    duration: Span::from_us(duration),
                })
                .collect(),
            header: vec![("host".to_owned(), format!("node{}", rank / 2))],
        });
        Recording::of(&traces.collect::<Vec<_>>()).expect("traces")
    }

    #[test]
    fn three_ranks_are_told_class_by_class_and_played() {
        let classes = Class::between(&[Span::ZERO, Span::from_us(25)]);
        let shown = Shown::of(recording(), &classes, &[1, 3]);
        let grains = |list: &[u64]| {
            let grains = list.iter().copied().map(Span::from_us).collect();
            Grains::of(&recording(), grains, &classes, &[1, 3])
        };
        let (some, long) = (grains(&[80, 40, 60]), grains(&[1_800]));
        insta::assert_snapshot!([shown.text(), shown.csv(), some.text(), long.text()].join("\n"));
        assert_eq!(shown.json()["classes"].as_array().map(Vec::len), Some(6));
        assert_eq!(some.json()["rows"][1]["mean_us"], 196.0);
        // The same grains alone, as by hand.
        let sixty = grains(&[60]).json();
        let closed = |key: &str| sixty["rows"][1][key].as_f64().expect("a number");
        assert!((closed("closed_form") - 0.919_576_52).abs() < 1e-7);
        assert!((closed("closed_form_of_active") - 0.943_977_11).abs() < 1e-7);
    }
}
