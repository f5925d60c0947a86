//! One number for each pair of ranks or cores: how far apart they are, as shades, as a table for a terminal.

use render::plots::numbers::significant;
use std::fmt::Write;

/// Shades from the least to the most.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
/// Larger tables are no longer shown as text.
const MOST_SHOWN: usize = 16;

/// A symmetric table of positive numbers, zero on its diagonal.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    /// Of what pairs are: rank or core.
    pub(super) of: &'static str,
    /// The number of each.
    pub(super) numbers: Vec<usize>,
    /// The unit of all values.
    pub(super) unit: &'static str,
    decimals: usize,
    rows: Vec<Vec<f64>>,
}

impl Pairs {
    /// Pairs of these, each of which has a number; values have a unit, and so many decimals in tables.
    pub fn new(of: &'static str, numbers: Vec<usize>, unit: &'static str, decimals: usize) -> Pairs {
        let rows = vec![vec![0.0; numbers.len()]; numbers.len()];
        Pairs { of, numbers, unit, decimals, rows }
    }

    /// Sets the value of a pair, by their places among all.
    pub fn put(&mut self, from: usize, to: usize, value: f64) {
        (self.rows[from][to], self.rows[to][from]) = (value, value);
    }

    /// All values, a row for each.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// The least and the largest value of two different ones.
    pub fn range(&self) -> Option<(f64, f64)> {
        let pairs = self.rows.iter().enumerate().flat_map(|(from, row)| &row[..from]);
        pairs.fold(None, |range, &value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        })
    }

    /// True if values are too far apart (a factor of 30) for shades in proportion to them: then those of logarithms.
    pub(super) fn is_log(&self) -> bool {
        self.range().is_some_and(|(low, high)| low > 0.0 && high / low > 30.0)
    }

    /// Where between the least (0) and the largest (1) a value lies; 0 where all are alike.
    pub(super) fn share(&self, value: f64) -> f64 {
        match self.range() {
            Some((low, high)) if self.is_log() => (value / low).ln() / (high / low).ln(),
            Some((low, high)) if high > low => (value - low) / (high - low),
            _ => 0.0,
        }
    }

    /// The shade of a pair, from blank to full.
    pub fn shade(&self, from: usize, to: usize) -> char {
        SHADES[((self.share(self.rows[from][to]) * SHADES.len() as f64) as usize).min(SHADES.len() - 1)]
    }

    /// A value with as many digits as tell it from the others.
    pub(super) fn print(&self, value: f64) -> String {
        match self.range() {
            Some((low, high)) if high > low && high < 1.5 * low => {
                let digits = (1.0 - (high - low).log10()).ceil().clamp(0.0, 6.0) as usize;
                format!("{value:.digits$}")
            }
            _ => significant(value),
        }
    }

    /// A table for a terminal: `mark` says what stands behind the value of a pair, by its places, the same width for all.
    /// Nothing where there are too many to show.
    pub fn terminal(&self, mark: impl Fn(usize, usize) -> String) -> String {
        let mut text = String::new();
        let Pairs { numbers, decimals, .. } = self;
        if numbers.len() > MOST_SHOWN || numbers.len() < 2 {
            return text;
        }
        let width = 10 + mark(0, 1).chars().count();
        let heads: String = numbers.iter().map(|number| format!("{number:>width$}")).collect();
        let _ = writeln!(text, "{:>4}{heads}", self.unit);
        for (from, row) in self.rows.iter().enumerate() {
            let _ = write!(text, "{:>4}", numbers[from]);
            for (to, &value) in row.iter().enumerate() {
                if from == to {
                    let _ = write!(text, "{:>width$}", "–");
                } else {
                    let _ = write!(text, "{value:>9.decimals$} {}", mark(from, to));
                }
            }
            text.push('\n');
        }
        text
    }
}
