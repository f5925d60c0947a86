//! One number for each pair of ranks or cores, such as their distance, as shades and as a table for a terminal.

use crate::plots::numbers::significant;
use crate::table::{Cell, Table};

/// Shades from the least to the largest value.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
/// Largest number of rows of a table that is shown as text.
const MOST_SHOWN: usize = 16;

/// Symmetric table of positive numbers, zero on its diagonal.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    /// Kind of the members of pairs: rank or core.
    pub(super) of: &'static str,
    /// Number of each member.
    pub(super) numbers: Vec<usize>,
    /// Unit of all values.
    pub(super) unit: &'static str,
    decimals: usize,
    rows: Vec<Vec<f64>>,
}

impl Pairs {
    /// Makes the pairs of these numbered members; values have a unit, and `decimals` decimals in tables.
    pub fn new(of: &'static str, numbers: Vec<usize>, unit: &'static str, decimals: usize) -> Pairs {
        let rows = vec![vec![0.0; numbers.len()]; numbers.len()];
        Pairs { of, numbers, unit, decimals, rows }
    }

    /// Sets the value of a pair, by their places among all.
    pub fn put(&mut self, from: usize, to: usize, value: f64) {
        (self.rows[from][to], self.rows[to][from]) = (value, value);
    }

    /// Returns all values, a row for each member.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// Returns the least and the largest value of two different members.
    pub fn range(&self) -> Option<(f64, f64)> {
        let pairs = self.rows.iter().enumerate().flat_map(|(from, row)| &row[..from]);
        pairs.fold(None, |range, &value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        })
    }

    /// Whether values are too far apart (a factor of 30) for shades in proportion to them, so that shades follow their
    /// logarithms.
    pub fn is_log(&self) -> bool {
        self.range().is_some_and(|(low, high)| low > 0.0 && high / low > 30.0)
    }

    /// Returns the place of a value between the least (0) and the largest (1); 0 where all are alike.
    pub fn share(&self, value: f64) -> f64 {
        match self.range() {
            Some((low, high)) if self.is_log() => (value / low).ln() / (high / low).ln(),
            Some((low, high)) if high > low => (value - low) / (high - low),
            _ => 0.0,
        }
    }

    /// Returns the shade of a pair, from blank to full.
    pub fn shade(&self, from: usize, to: usize) -> char {
        SHADES[((self.share(self.rows[from][to]) * SHADES.len() as f64) as usize).min(SHADES.len() - 1)]
    }

    /// Prints a value with as many digits as distinguish it from the others.
    pub fn print(&self, value: f64) -> String {
        match self.range() {
            Some((low, high)) if high > low && high < 1.5 * low => {
                let digits = (1.0 - (high - low).log10()).ceil().clamp(0.0, 6.0) as usize;
                format!("{value:.digits$}")
            }
            _ => significant(value),
        }
    }

    /// Returns the table; `mark` returns the text behind the value of a pair, by its places. `None` where there are too
    /// many to show.
    pub fn laid_out(&self, mark: impl Fn(usize, usize) -> String) -> Option<Table> {
        let Pairs { numbers, decimals, .. } = self;
        if !(2..=MOST_SHOWN).contains(&numbers.len()) {
            return None;
        }
        let cell = |from: usize, (to, value): (usize, &f64)| match from == to {
            true => Cell::number("–", ""),
            false => Cell::number(format!("{value:.decimals$}"), mark(from, to)),
        };
        let row = |(from, row): (usize, &Vec<f64>)| {
            let cells = row.iter().enumerate().map(|pair| cell(from, pair));
            std::iter::once(Cell::number(numbers[from].to_string(), "")).chain(cells).collect()
        };
        let head = std::iter::once(self.unit.to_owned()).chain(numbers.iter().map(usize::to_string));
        Some(Table::new("", head, self.rows.iter().enumerate().map(row)))
    }
}
