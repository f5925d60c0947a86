//! How grains of work are delayed by recorded noise: the empirical distribution of the delay of one rank.

use crate::columns;
use models::closed_form::noise::slowest_recorded;
use models::noise::RecordedDelays;
use models::time::Span;
use render::data::{Cell, Column, Known, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::significant;
use render::results::Results;
use render::table as laid_out;
use statistics::noise::Recording;

/// Shares of the delays that are no longer.
const SHARES: [f64; 5] = [0.5, 0.9, 0.99, 0.999, 1.0];
/// Numbers of ranks of which the mean longest delay is told.
const RANKS: [u64; 4] = [1, 16, 256, 4_096];
/// What the columns mean.
const LEGEND: &str =
    "All but the first three columns are in µs. M of n: the mean of the longest delay of n independent ranks.";

/// The delays of grains of several lengths.
pub struct Fitted {
    grains: Vec<(Span, Option<RecordedDelays>)>,
}

impl Fitted {
    /// Of grains that begin anywhere in the working time of a recording's ranks.
    pub fn of(recording: &Recording, grains: &[Span]) -> Fitted {
        let delays = |&grain: &Span| (grain, RecordedDelays::of(recording.delays(grain)));
        Fitted { grains: grains.iter().map(delays).collect() }
    }

    /// Grains that fit into the recording, with their delays.
    fn known(&self) -> impl Iterator<Item = (Span, &RecordedDelays)> {
        self.grains.iter().filter_map(|(grain, delays)| Some((*grain, delays.as_ref()?)))
    }

    /// Whether no grain fits into the recording.
    pub fn is_empty(&self) -> bool {
        self.known().next().is_none()
    }

    /// The distributions: of each delay, which share of the grains is delayed for longer.
    fn distributions(&self) -> Table {
        let columns = [&columns::GRAIN, &columns::DELAY, &columns::BEYOND].map(Known::column);
        let rows = self.known().flat_map(|(grain, delays)| {
            let survival = delays.survival().into_iter();
            survival.map(move |(delay, beyond)| vec![grain.as_us().into(), delay.as_us().into(), beyond.into()])
        });
        Table::new("delays", columns, rows)
    }

    /// What the delays of each grain amount to.
    fn grains(&self) -> Table {
        let columns = [
            columns::GRAIN.column(),
            columns::DELAYS.column(),
            columns::DELAYED.column().shown(Style::Share),
            columns::MEAN.headed("mean").without_limits(),
        ];
        let row = |(grain, delays): (Span, &RecordedDelays)| -> Vec<Cell> {
            let mean_us = delays.mean_ps() / 1e6;
            vec![grain.as_us().into(), delays.count().into(), delays.delayed().into(), mean_us.into()]
        };
        Table::new("by_grain", columns, self.known().map(row))
    }

    /// A table with a row for each grain and each item of a list.
    fn each<T: Copy + Into<Cell>>(
        &self,
        name: &'static str,
        columns: [Column; 3],
        list: &[T],
        of: fn(&RecordedDelays, T) -> f64,
    ) -> Table {
        let row = |(grain, delays): (Span, &RecordedDelays)| {
            list.iter().map(|&one| vec![grain.as_us().into(), one.into(), of(delays, one).into()]).collect::<Vec<_>>()
        };
        Table::new(name, columns, self.known().flat_map(row))
    }
}

impl Results for Fitted {
    fn answer(&self) -> String {
        self.known().next().map_or_else(String::new, |(grain, delays)| {
            let (mean, delayed) = (significant(delays.mean_ps() / 1e6), significant(delays.delayed() * 100.0));
            format!("Grains of {grain} take {mean} µs longer on average; {delayed} % of them are delayed.")
        })
    }

    fn notes(&self) -> Vec<String> {
        let too_long = self.grains.iter().filter(|(_, delays)| delays.is_none());
        too_long.map(|(grain, _)| format!("{grain}: longer than the recording")).collect()
    }

    fn page(&self) -> Page {
        let known: Vec<(Span, &RecordedDelays)> = self.known().collect();
        let us = |heading: String, of: Box<dyn Fn(&RecordedDelays) -> f64>| {
            let known = &known;
            Show::made(heading, move |row| laid_out::Cell::number(significant(of(known[row.place()].1)), ""))
        };
        let grain = Show::made("grain", |row| laid_out::Cell::text(known[row.place()].0.to_string()));
        let mean = us("mean".to_owned(), Box::new(|delays| delays.mean_ps() / 1e6));
        let shares = SHARES.map(|share| {
            let heading = if share < 1.0 { format!("p{}", share * 100.0) } else { "longest".to_owned() };
            us(heading, Box::new(move |delays| quantile_us(delays, share)))
        });
        let longest = RANKS.map(|ranks| us(format!("M of {ranks}"), Box::new(move |delays| longest_us(delays, ranks))));
        let table = self.grains();
        let view = View::of(&table).show([grain, Show::one("delays"), Show::one("delayed"), mean]);
        let view = view.show(shares).show(longest).noting(vec![LEGEND.to_owned()]);
        Page {
            question: "How does the recorded noise delay grains of work?".to_owned(),
            answer: self.answer(),
            details: self.notes(),
            sections: vec![Section::default().with_tables([view.laid_out()])],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.distributions()
    }

    fn others(&self) -> Vec<Table> {
        let quantiles = [&columns::GRAIN, &columns::SHARE, &columns::DELAY].map(Known::column);
        let longest = [columns::GRAIN.column(), columns::RANKS.column(), columns::MEAN.column().without_limits()];
        vec![
            self.grains(),
            self.each("quantiles", quantiles, &SHARES, quantile_us),
            self.each("longest_of", longest, &RANKS, longest_us),
        ]
    }
}

/// The delay that is exceeded by no more than the rest of the grains, in µs.
fn quantile_us(delays: &RecordedDelays, share: f64) -> f64 {
    delays.quantile(share).as_us()
}

/// The mean of the longest delay of so many independent ranks, in µs.
fn longest_us(delays: &RecordedDelays, ranks: u64) -> f64 {
    slowest_recorded(ranks, delays).mean_ps / 1e6
}
