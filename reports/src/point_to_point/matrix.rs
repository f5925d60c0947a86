//! Latency matrices: one number for each pair, as numbers, as a file that simulators take, as shades in a terminal.

use super::{Pairs, Report, Row};
use models::time::Span;
use render::table::Table;

models::named! {
    /// Which of a pair's ping-pongs speaks for it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Statistic {
        /// What is typical.
        Median => "median",
        /// The mean of all, as seeds/003.
        Mean => "mean",
        /// The least disturbed one.
        Min => "min",
    }
    /// The name used in flags and output.
    fn name;
}

impl Statistic {
    fn of(self, row: &Row) -> f64 {
        match self {
            Statistic::Median => row.median_us.value,
            Statistic::Mean => row.mean_us,
            Statistic::Min => row.min_us,
        }
    }
}

/// What is said of each pair of ranks.
#[derive(Clone, Copy, Debug)]
pub struct Spoken {
    /// Which of its ping-pongs speaks for it.
    pub statistic: Statistic,
    /// What is taken off.
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
    /// Which number speaks for a pair.
    pub statistic: Statistic,
    pairs: Pairs,
}

impl Matrix {
    /// The matrix of a report's pairs, symmetric, zero on its diagonal. With something taken off, each latency is
    /// at least 0: half a round trip holds both overheads of a message, the L of LogGP does not.
    pub fn of(report: &Report, Spoken { statistic, less }: Spoken) -> Matrix {
        let mut pairs = Pairs::new("rank", (0..report.ranks as usize).collect(), "µs", 3);
        for row in &report.rows {
            let us = (statistic.of(row) - less.as_us()).max(0.0);
            pairs.put(row.from as usize, row.to as usize, us);
        }
        Matrix { statistic, pairs }
    }

    /// Its numbers.
    pub fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Its rows.
    pub fn rows(&self) -> &[Vec<f64>] {
        self.pairs.rows()
    }

    /// The file's name: `latency_matrix4_measured.txt` for four ranks (seeds/003).
    pub fn file_name(&self) -> String {
        format!("latency_matrix{}_measured.txt", self.rows().len())
    }

    /// A line for each rank, µs with six decimals (whole picoseconds), blanks between.
    pub fn text(&self) -> String {
        let line = |row: &Vec<f64>| row.iter().map(|us| format!("{us:.6}")).collect::<Vec<_>>().join(" ") + "\n";
        self.rows().iter().map(line).collect()
    }

    /// Numbers with shades; none where there are too many ranks to show.
    pub fn laid_out(&self) -> Option<Table> {
        self.pairs.laid_out(|from, to| self.pairs.shade(from, to).to_string())
    }

    /// What the numbers are, and their range.
    pub fn caption(&self) -> String {
        let range = self.pairs.range().map_or_else(String::new, |(low, high)| format!(": {low:.3} to {high:.3} µs"));
        format!("half a round trip, {} of each pair{range}", self.statistic.name())
    }
}
