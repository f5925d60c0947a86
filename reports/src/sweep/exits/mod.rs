//! Exit skew: how far apart ranks leave a collective, and in which order, from their finish times.

mod draw;
mod order;
#[cfg(test)]
mod tests;

use models::spread::Spread;
use models::time::Time;
use render::columns;
use render::data::{self, Filled, Known, Show, Style, View};
use render::drawn::Drawn;
use render::drawn::SIMULATED;
use render::plots::Drawing;
use render::table::{self, Table};

const AFTER_FIRST: Known =
    Known::number("after_first_us", "µs", "when a rank leaves after the first one, the mean over realisations", "1.5");

/// Exit skews of one algorithm under one set of circumstances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitsRow {
    /// The algorithm's name.
    pub algorithm: String,
    /// Whether its ranks were disturbed by noise.
    pub noise: bool,
    /// Spread of last exit − first exit over the realisations.
    pub skew: Spread,
    /// Spread of each rank's exit after the first one, over ranks and realisations.
    pub delay: Spread,
    /// Mean of each rank's exit after the first one over the realisations; empty for very many ranks.
    pub by_rank: Vec<Time>,
}

/// Largest number of ranks for which each rank's exit is kept.
const MOST_BY_RANK: usize = 1 << 16;

impl ExitsRow {
    /// Makes a row of calls: at least one, each with the time at which each of at least one rank leaves.
    pub fn from_calls(algorithm: &str, noise: bool, calls: &[Vec<Time>]) -> ExitsRow {
        let (mut skews, mut delays) = (Vec::new(), Vec::new());
        let ranks = calls.first().map_or(0, Vec::len);
        let mut sums = vec![0_u128; if ranks <= MOST_BY_RANK { ranks } else { 0 }];
        for call in calls {
            let first = call.iter().copied().min().unwrap_or_default();
            let after_first = call.iter().map(|time| Time(time.since(first).0));
            skews.extend(after_first.clone().max());
            sums.iter_mut().zip(after_first.clone()).for_each(|(sum, time)| *sum += u128::from(time.0));
            delays.extend(after_first);
        }
        let by_rank = sums.into_iter().map(|sum| Time((sum / calls.len().max(1) as u128) as u64)).collect();
        let (skew, delay) = (Spread::from_times(&mut skews), Spread::from_times(&mut delays));
        ExitsRow { algorithm: algorithm.to_owned(), noise, skew, delay, by_rank }
    }

    /// Returns the rank that leaves first and the one that leaves last; of several the one with the lowest number.
    fn ends(&self) -> Option<(usize, usize)> {
        let ranks = || self.by_rank.iter().enumerate();
        let first = ranks().min_by_key(|(_, time)| **time)?;
        let last = ranks().rev().max_by_key(|(_, time)| **time)?;
        Some((first.0, last.0))
    }
}

fn us(time: Time) -> f64 {
    time.0 as f64 / 1e6
}

/// Exit skews to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skew {
    /// Heading that says what is compared.
    pub title: String,
    /// Circumstances of the skews, one sentence each.
    pub notes: Vec<String>,
    /// One row per algorithm and circumstance; the quiet and the disturbed of one algorithm follow each other.
    pub rows: Vec<ExitsRow>,
}

impl Skew {
    /// Returns the skews in all forms: two lines for each algorithm and circumstance, in µs.
    pub fn drawn(self) -> Drawn {
        let rows = self.spreads();
        let exits = Show::made("exits", |row| table::Cell::text(row.cell("exits").text().replace('-', " − ")));
        let times = Show::all(["min_us", "median_us", "mean_us", "p99_us", "max_us", "exits_counted"]);
        let view = View::new(&rows).show(Show::all(["algorithm", "disturbed_by_noise"])).show([exits]).show(times);
        let tables = vec![view.laid_out(), self.order()];
        Drawn {
            question: "How far apart do ranks leave?",
            origin: SIMULATED,
            caption: "Last − first: one number for each realisation of the noise. Each − first: one for each rank and realisation. By rank: \
                      the mean over realisations.",
            drawing: {
                let skew = self.clone();
                Drawing::new(move |paper| draw::render_skew(&skew, paper))
            },
            rows: self.spreads(),
            others: vec![self.by_rank()],
            tables: tables.into_iter().filter(|table| !table.rows.is_empty()).collect(),
            remarks: Vec::new(),
            title: self.title,
            notes: self.notes,
        }
    }

    /// Returns the spread of each row's exits as a table.
    fn spreads(&self) -> data::Table {
        let both = self.rows.iter().flat_map(|row| [(row, "last-first", row.skew), (row, "each-first", row.delay)]);
        let all: Vec<(&ExitsRow, &str, Spread)> = both.collect();
        let time =
            |known: Known, heading: &'static str| known.headed(heading).without_limits().shown(Style::Nanosecond);
        let columns: [Filled<(&ExitsRow, &str, Spread)>; 9] = [
            (columns::ALGORITHM.column(), &|(row, ..)| row.algorithm.clone().into()),
            (columns::DISTURBED_BY_NOISE.headed("noise"), &|(row, ..)| row.noise.into()),
            (columns::EXITS.column(), &|(_, exits, _)| (*exits).into()),
            (time(columns::MIN, "min"), &|(.., of)| us(of.min).into()),
            (time(columns::MEDIAN, "median"), &|(.., of)| us(of.quantiles[3]).into()),
            (time(columns::MEAN, "mean"), &|(.., of)| us(of.mean).into()),
            (time(columns::P99, "p99"), &|(.., of)| us(of.quantiles[6]).into()),
            (time(columns::MAX, "max"), &|(.., of)| us(of.max).into()),
            (columns::EXITS_COUNTED.headed("count"), &|(.., of)| of.count.into()),
        ];
        data::Table::from_rows("rows", &all, &columns)
    }

    /// Returns the mean exit of each rank as a table.
    fn by_rank(&self) -> data::Table {
        let ranks = |row: &ExitsRow| row.by_rank.iter().copied().enumerate().collect::<Vec<_>>();
        let all = self.rows.iter().flat_map(|row| ranks(row).into_iter().map(move |(rank, time)| (row, rank, time)));
        let all: Vec<(&ExitsRow, usize, Time)> = all.collect();
        let columns: [Filled<(&ExitsRow, usize, Time)>; 4] = [
            (columns::ALGORITHM.column(), &|(row, ..)| row.algorithm.clone().into()),
            (columns::DISTURBED_BY_NOISE.column(), &|(row, ..)| row.noise.into()),
            (columns::RANK.column(), &|(_, rank, _)| (*rank).into()),
            (AFTER_FIRST.column(), &|(.., time)| us(*time).into()),
        ];
        data::Table::from_rows("ranks", &all, &columns)
    }

    /// Returns the name of a row: its algorithm, and its noise if another row has the same algorithm.
    fn name(&self, row: &ExitsRow) -> String {
        let twice = self.rows.iter().filter(|other| other.algorithm == row.algorithm).count() > 1;
        match (twice, row.noise) {
            (false, _) => row.algorithm.clone(),
            (true, true) => format!("{}, noise", row.algorithm),
            (true, false) => format!("{}, no noise", row.algorithm),
        }
    }

    /// Returns a table of the first and the last rank to leave.
    fn order(&self) -> Table {
        let heads = ["algorithm", "noise", "first rank to leave", "last rank to leave"];
        let row = |row: &ExitsRow| {
            let (first, last) = row.ends()?;
            let noise = if row.noise { "yes" } else { "no" };
            let all_at_once = row.skew.max == Time::ZERO;
            let cells = if all_at_once {
                ["all at once".to_owned(), String::new()]
            } else {
                [first, last].map(|rank| rank.to_string())
            };
            let [first, last] = cells;
            Some([row.algorithm.clone(), noise.to_owned(), first, last])
        };
        Table::plain(heads, self.rows.iter().filter_map(row), |column| column >= 2)
    }
}
