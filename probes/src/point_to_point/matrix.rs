//! Latency matrices: one number for each pair, as numbers, as a file that simulators read, as shades in a terminal.

use super::{PointToPointRow, Report};
use models::time::Span;
use render::plots::Pairs;
use render::table::Table;

models::named! {
    /// Statistic of a pair's ping-pongs that is its latency.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Statistic {
        /// Median, the typical latency.
        Median => "median",
        /// Mean of all ping-pongs, as in seeds/003.
        Mean => "mean",
        /// Least of all ping-pongs, the least disturbed one.
        Min => "min",
    }
    /// The name used in flags and output.
    fn name;
}

impl Statistic {
    fn value_us(self, row: &PointToPointRow) -> f64 {
        match self {
            Statistic::Median => row.median_us.value,
            Statistic::Mean => row.mean_us,
            Statistic::Min => row.min_us,
        }
    }
}

/// Rule by which each pair of ranks gets its latency.
#[derive(Clone, Copy, Debug)]
pub struct Spoken {
    /// Statistic of its ping-pongs that is taken.
    pub statistic: Statistic,
    /// Time that is subtracted from each latency.
    pub less: Span,
}

impl Default for Spoken {
    fn default() -> Spoken {
        Spoken { statistic: Statistic::Median, less: Span::ZERO }
    }
}

/// Half a round trip of every pair of ranks, in µs.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Statistic of a pair's ping-pongs that is its number.
    pub statistic: Statistic,
    pairs: Pairs,
}

impl Matrix {
    /// Makes the matrix of a report's pairs, symmetric, zero on its diagonal. Where `less` is subtracted, each latency
    /// is at least 0: half a round trip contains both overheads of a message, the L of LogGP does not.
    pub fn from_report(report: &Report, Spoken { statistic, less }: Spoken) -> Matrix {
        let mut pairs = Pairs::new("rank", (0..report.ranks as usize).collect(), "µs", 3);
        for row in &report.rows {
            let us = (statistic.value_us(row) - less.as_us()).max(0.0);
            pairs.put(row.from as usize, row.to as usize, us);
        }
        Matrix { statistic, pairs }
    }

    /// Returns the numbers of all pairs.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Returns the rows of the matrix.
    pub fn rows(&self) -> &[Vec<f64>] {
        self.pairs.rows()
    }

    /// Returns the file's name: `latency_matrix4_measured.txt` for four ranks (seeds/003).
    pub fn file_name(&self) -> String {
        format!("latency_matrix{}_measured.txt", self.rows().len())
    }

    /// Returns a line for each rank, µs with six decimals (whole picoseconds), blanks between.
    pub fn text(&self) -> String {
        let line = |row: &Vec<f64>| row.iter().map(|us| format!("{us:.6}")).collect::<Vec<_>>().join(" ") + "\n";
        self.rows().iter().map(line).collect()
    }

    /// Returns the numbers with shades; `None` where there are too many ranks to show.
    pub fn laid_out(&self) -> Option<Table> {
        self.pairs.laid_out(|from, to| self.pairs.shade(from, to).to_string())
    }

    /// Returns a caption with the meaning of the numbers and their range.
    pub fn caption(&self) -> String {
        let range = self.pairs.range().map_or_else(String::new, |(low, high)| format!(": {low:.3} to {high:.3} µs"));
        format!("half a round trip, {} of each pair{range}", self.statistic.name())
    }
}
