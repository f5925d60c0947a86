//! Exit skew: how far apart ranks leave a collective, from their finish times.

mod draw;
#[cfg(test)]
mod tests;

use super::Drawn;
use super::table::microseconds;
use crate::table::{Csv, Heads, Table};
use models::spread::Spread;
use models::time::Time;
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
}

impl Row {
    /// Of calls, at least one: when each rank, at least one, left it.
    pub fn of(algorithm: &str, noise: bool, calls: &[Vec<Time>]) -> Row {
        let (mut skews, mut delays) = (Vec::new(), Vec::new());
        for call in calls {
            let first = call.iter().copied().min().unwrap_or_default();
            let after_first = call.iter().map(|time| Time(time.since(first).0));
            skews.extend(after_first.clone().max());
            delays.extend(after_first);
        }
        Row { algorithm: algorithm.to_owned(), noise, skew: Spread::of(&mut skews), delay: Spread::of(&mut delays) }
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
        let columns = Heads("algorithm,noise,exits,min_us,median_us,mean_us,p99_us,max_us,count");
        Drawn {
            caption: "Last − first: one number for each realisation of the noise. Each − first: one for each rank and realisation.",
            svg: draw::draw(&self),
            csv: Csv::new(columns).rows(&rows).text(),
            tables: vec![Table::plain(heads, rows, |column| column >= 3)],
            remarks: Vec::new(),
            json: json!({ "title": self.title, "notes": self.notes, "rows": self.rows }),
            title: self.title,
            notes: self.notes,
        }
    }
}
