//! Latency matrices: one number for each pair, as numbers, as a file that simulators take, as shades in a terminal.

use super::{Report, Row};
use crate::plots::numbers::significant;
use models::time::Span;
use std::fmt::Write;

/// Which of a pair's ping-pongs speaks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// What is typical.
    Median,
    /// The mean of all, as seeds/003.
    Mean,
    /// The least disturbed one.
    Min,
}

impl Statistic {
    /// All three.
    pub const ALL: [Statistic; 3] = [Statistic::Median, Statistic::Mean, Statistic::Min];

    /// The name used in flags and output.
    pub fn name(self) -> &'static str {
        match self {
            Statistic::Median => "median",
            Statistic::Mean => "mean",
            Statistic::Min => "min",
        }
    }

    fn of(self, row: &Row) -> f64 {
        match self {
            Statistic::Median => row.median_us.value,
            Statistic::Mean => row.mean_us,
            Statistic::Min => row.min_us,
        }
    }
}

/// Half a round trip of every pair of ranks, in µs.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// Which number speaks for a pair.
    pub statistic: Statistic,
    rows: Vec<Vec<f64>>,
}

/// Shades from the least to the most.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
/// Larger matrices are no longer shown as text.
const MOST_SHOWN: usize = 16;

impl Matrix {
    /// The matrix of a report's pairs, symmetric, zero on its diagonal. `less` is taken off each latency, which then is
    /// at least 0: half a round trip holds both overheads of a message, the L of LogGP does not.
    pub fn of(report: &Report, statistic: Statistic, less: Span) -> Matrix {
        let ranks = report.ranks as usize;
        let mut rows = vec![vec![0.0; ranks]; ranks];
        for row in &report.rows {
            let us = (statistic.of(row) - less.as_us()).max(0.0);
            let (from, to) = (row.from as usize, row.to as usize);
            (rows[from][to], rows[to][from]) = (us, us);
        }
        Matrix { statistic, rows }
    }

    /// Its rows.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// The file's name: `latency_matrix4_measured.txt` for four ranks (seeds/003).
    pub fn file_name(&self) -> String {
        format!("latency_matrix{}_measured.txt", self.rows.len())
    }

    /// A line for each rank, µs with six decimals (whole picoseconds), blanks between.
    pub fn text(&self) -> String {
        let line = |row: &Vec<f64>| row.iter().map(|us| format!("{us:.6}")).collect::<Vec<_>>().join(" ") + "\n";
        self.rows.iter().map(line).collect()
    }

    /// The least and the largest latency of two different ranks.
    pub fn range(&self) -> Option<(f64, f64)> {
        let pairs = self.rows.iter().enumerate().flat_map(|(from, row)| &row[..from]);
        pairs.fold(None, |range, &us| {
            let (low, high) = range.unwrap_or((us, us));
            Some((low.min(us), high.max(us)))
        })
    }

    /// True if latencies are too far apart (a factor of 30) for shades in proportion to them: then those of logarithms.
    pub(super) fn is_log(&self) -> bool {
        self.range().is_some_and(|(low, high)| low > 0.0 && high / low > 30.0)
    }

    /// Where between the least (0) and the largest (1) a latency lies; 0 where all are alike.
    pub(super) fn share(&self, us: f64) -> f64 {
        match self.range() {
            Some((low, high)) if self.is_log() => (us / low).ln() / (high / low).ln(),
            Some((low, high)) if high > low => (us - low) / (high - low),
            _ => 0.0,
        }
    }

    /// A latency with as many digits as tell it from the others.
    pub(super) fn print(&self, us: f64) -> String {
        match self.range() {
            Some((low, high)) if high > low && high < 1.5 * low => {
                let digits = (1.0 - (high - low).log10()).ceil().clamp(0.0, 6.0) as usize;
                format!("{us:.digits$}")
            }
            _ => significant(us),
        }
    }

    /// Numbers with shades for a terminal; only the range where there are too many ranks to show.
    pub fn terminal(&self) -> String {
        let mut text = String::new();
        let ranks = self.rows.len();
        if let Some((low, high)) = self.range() {
            let name = self.statistic.name();
            let _ = writeln!(text, "half a round trip, {name} of each pair: {low:.3} to {high:.3} µs");
        }
        if ranks > MOST_SHOWN {
            return text;
        }
        let heads: String = (0..ranks).map(|rank| format!("{rank:>11}")).collect();
        let _ = writeln!(text, "  µs{heads}");
        for (from, row) in self.rows.iter().enumerate() {
            let _ = write!(text, "{from:>4}");
            for (to, &us) in row.iter().enumerate() {
                if from == to {
                    let _ = write!(text, "{:>11}", "–");
                } else {
                    let shade = SHADES[((self.share(us) * SHADES.len() as f64) as usize).min(SHADES.len() - 1)];
                    let _ = write!(text, "{us:>9.3} {shade}");
                }
            }
            text.push('\n');
        }
        text
    }
}
