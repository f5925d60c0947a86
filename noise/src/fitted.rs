//! Delays of grains of work by recorded noise: the empirical distribution of the delay of one rank.

use models::closed_form::noise::slowest_recorded;
use models::noise::RecordedDelays;
use models::time::Span;
use render::columns;
use render::data::{Cell, Column, Filled, Known, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::significant;
use render::results::Results;
use render::table as laid_out;
use statistics::noise::Recording;

/// Shares of the delays for which quantiles are given.
const SHARES: [f64; 5] = [0.5, 0.9, 0.99, 0.999, 1.0];
/// Numbers of ranks for which the mean longest delay is given.
const RANKS: [u64; 4] = [1, 16, 256, 4_096];
/// Meaning of the table's columns.
const LEGEND: &str =
    "All but the first three columns are in µs. M of n: the mean of the longest delay of n independent ranks.";

/// Delays of grains of several lengths.
pub struct Fitted {
    grains: Vec<(Span, Option<RecordedDelays>)>,
}

impl Fitted {
    /// Computes the delays of grains that begin anywhere in the working time of a recording's ranks.
    pub fn from_recording(recording: &Recording, grains: &[Span]) -> Fitted {
        let delays = |&grain: &Span| (grain, RecordedDelays::from_delays(recording.delays(grain)));
        Fitted { grains: grains.iter().map(delays).collect() }
    }

    /// Returns the grains that fit into the recording, with their delays.
    fn known(&self) -> impl Iterator<Item = (Span, &RecordedDelays)> {
        self.grains.iter().filter_map(|(grain, delays)| Some((*grain, delays.as_ref()?)))
    }

    /// Whether no grain fits into the recording.
    pub fn is_empty(&self) -> bool {
        self.known().next().is_none()
    }

    /// Returns a table with a row for each grain and each item of a list that belongs to its delays.
    fn each<T: Copy + Into<Cell>>(
        &self,
        name: &'static str,
        columns: [Column; 3],
        list: impl Fn(&RecordedDelays) -> Vec<(T, f64)>,
    ) -> Table {
        let [grain, item, number] = columns;
        let rows: Vec<(Span, (T, f64))> =
            self.known().flat_map(|(grain, delays)| list(delays).into_iter().map(move |pair| (grain, pair))).collect();
        let columns: [Filled<(Span, (T, f64))>; 3] = [
            (grain, &|(grain, _)| grain.as_us().into()),
            (item, &|(_, (item, _))| (*item).into()),
            (number, &|(_, (_, number))| (*number).into()),
        ];
        Table::from_rows(name, &rows, &columns)
    }

    /// Returns the number of delays of each grain, the share of delayed grains and the mean delay.
    fn grains(&self) -> Table {
        let known: Vec<(Span, &RecordedDelays)> = self.known().collect();
        let columns: [Filled<(Span, &RecordedDelays)>; 4] = [
            (columns::GRAIN.column(), &|(grain, _)| grain.as_us().into()),
            (columns::DELAYS.column(), &|(_, delays)| delays.count().into()),
            (columns::DELAYED.column().shown(Style::Share), &|(_, delays)| delays.delayed().into()),
            (columns::MEAN.headed("mean").without_limits(), &|(_, delays)| (delays.mean_ps() / 1e6).into()),
        ];
        Table::from_rows("by_grain", &known, &columns)
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
        let view = View::new(&table).show([grain, Show::one("delays"), Show::one("delayed"), mean]);
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
        let columns = [&columns::GRAIN, &columns::DELAY, &columns::BEYOND].map(Known::column);
        // For each delay, the share of the grains that is delayed for longer.
        let survival = |delays: &RecordedDelays| {
            delays.survival().into_iter().map(|(delay, beyond)| (delay.as_us(), beyond)).collect()
        };
        self.each("delays", columns, survival)
    }

    fn others(&self) -> Vec<Table> {
        let quantiles = [&columns::GRAIN, &columns::SHARE, &columns::DELAY].map(Known::column);
        let longest = [columns::GRAIN.column(), columns::RANKS.column(), columns::MEAN.column().without_limits()];
        vec![
            self.grains(),
            self.each("quantiles", quantiles, |delays| {
                SHARES.map(|share| (share, quantile_us(delays, share))).to_vec()
            }),
            self.each("longest_of", longest, |delays| RANKS.map(|ranks| (ranks, longest_us(delays, ranks))).to_vec()),
        ]
    }
}

/// Returns the delay that a share of the grains does not exceed, in µs.
fn quantile_us(delays: &RecordedDelays, share: f64) -> f64 {
    delays.quantile(share).as_us()
}

/// Returns the mean of the longest delay of this number of independent ranks, in µs.
fn longest_us(delays: &RecordedDelays, ranks: u64) -> f64 {
    slowest_recorded(ranks, delays).mean_ps / 1e6
}
