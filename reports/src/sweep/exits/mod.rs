//! Exit skew: how far apart ranks leave a collective, and in which order, from their finish times.

mod draw;
mod order;
#[cfg(test)]
mod tests;

use super::Drawn;
use super::drawn::SIMULATED;
use super::table::microseconds;
use models::spread::Spread;
use models::time::Time;
use render::plots::Drawing;
use render::table::{Csv, Fields, Heads, Table};
use serde::Serialize;
use serde_json::json;

/// One algorithm under one set of circumstances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The algorithm's name.
    pub algorithm: String,
    /// True if its ranks were disturbed.
    pub noise: bool,
    /// Last exit − first exit, of each realisation.
    #[serde(rename = "skew_ps")]
    pub skew: Spread,
    /// Each rank's exit after the first one, of all realisations.
    #[serde(rename = "exit_after_first_ps")]
    pub delay: Spread,
    /// The same of each rank, the mean over realisations.
    #[serde(rename = "mean_exit_after_first_by_rank_ps")]
    pub by_rank: Vec<Time>,
}

/// Of more ranks than this it is not kept when each of them leaves: nobody looks at each.
const MOST_BY_RANK: usize = 1 << 16;

impl Row {
    /// Of calls, at least one: when each rank, at least one, left it.
    pub fn of(algorithm: &str, noise: bool, calls: &[Vec<Time>]) -> Row {
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
        let (skew, delay) = (Spread::of(&mut skews), Spread::of(&mut delays));
        Row { algorithm: algorithm.to_owned(), noise, skew, delay, by_rank }
    }

    /// Which rank leaves first and which one last; of several the one with the lowest number.
    fn ends(&self) -> Option<(usize, usize)> {
        let ranks = || self.by_rank.iter().enumerate();
        let first = ranks().min_by_key(|(_, time)| **time)?;
        let last = ranks().rev().max_by_key(|(_, time)| **time)?;
        Some((first.0, last.0))
    }

    /// The same for programs.
    fn numbers(&self) -> impl Iterator<Item = impl Fields> {
        [("last-first", self.skew), ("each-first", self.delay)].into_iter().map(|(exits, spread)| {
            let Spread { count, min, mean, max, quantiles } = spread;
            let times = [min, quantiles[3], mean, quantiles[6], max].map(|time| time.0 as f64 / 1e6);
            (self.algorithm.clone(), self.noise, exits, times, count)
        })
    }

    /// In µs.
    fn cells(&self) -> [[String; 9]; 2] {
        let noise = if self.noise { "yes" } else { "no" };
        [("last − first", self.skew), ("each − first", self.delay)].map(|(exits, spread)| {
            let Spread { count, min, mean, max, quantiles } = spread;
            let [min, median, mean, p99, max] = [min, quantiles[3], mean, quantiles[6], max].map(microseconds);
            let [algorithm, noise, exits] = [&self.algorithm, noise, exits].map(str::to_owned);
            [algorithm, noise, exits, min, median, mean, p99, max, count.to_string()]
        })
    }
}

fn us(time: Time) -> f64 {
    time.0 as f64 / 1e6
}

/// Exit skews to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skew {
    /// What is compared, for a heading.
    pub title: String,
    /// Under which circumstances: one sentence each.
    pub notes: Vec<String>,
    /// The quiet and the disturbed of one algorithm follow each other.
    pub rows: Vec<Row>,
}

impl Skew {
    /// All its forms: two lines for each algorithm and circumstance, in µs.
    pub fn drawn(self) -> Drawn {
        let heads = ["algorithm", "noise", "exits", "min", "median", "mean", "p99", "max", "count"];
        let rows: Vec<[String; 9]> = self.rows.iter().flat_map(Row::cells).collect();
        let columns = Heads("algorithm,disturbed_by_noise,exits,min_us,median_us,mean_us,p99_us,max_us,exits_counted");
        let csv = Csv::new(columns).rows(self.rows.iter().flat_map(Row::numbers)).text();
        let tables = vec![Table::plain(heads, rows, |column| column >= 3), self.order()];
        Drawn {
            origin: SIMULATED,
            caption: "Last − first: one number for each realisation of the noise. Each − first: one for each rank and realisation. By rank: \
                      the mean over realisations.",
            drawing: {
                let skew = self.clone();
                Drawing::new(move |paper| draw::draw(&skew, paper))
            },
            csv,
            tables: tables.into_iter().filter(|table| !table.rows.is_empty()).collect(),
            remarks: Vec::new(),
            json: json!({ "title": self.title, "notes": self.notes, "rows": self.rows }),
            title: self.title,
            notes: self.notes,
        }
    }

    /// The name of a row: its algorithm, and its noise if another row has the same algorithm.
    fn name(&self, row: &Row) -> String {
        let twice = self.rows.iter().filter(|other| other.algorithm == row.algorithm).count() > 1;
        match (twice, row.noise) {
            (false, _) => row.algorithm.clone(),
            (true, true) => format!("{}, noise", row.algorithm),
            (true, false) => format!("{}, no noise", row.algorithm),
        }
    }

    /// Which rank leaves first, which one last.
    fn order(&self) -> Table {
        let heads = ["algorithm", "noise", "first rank to leave", "last rank to leave"];
        let row = |row: &Row| {
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
