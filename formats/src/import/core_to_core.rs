//! core-to-core-latency: time of a cache line from one core to another, as CSV.
//!
//! Source: `run_bench` in src/bench.rs (1.2.0, option `--csv`): a row for each core, a cell for each other one, empty
//! where nothing was measured, without heads. By symmetry only cores before the row's own have numbers. Times are in
//! ns, one way: half of a round trip (src/bench/cas.rs). The cores are numbered in the order of the rows.

use super::conditions::say;
use super::runs::{Reader, Said};
use super::text::TextPlace;
use super::{Column, ImportError, Imported, PrintedRow, Tool};
use render::plots::Drawing;
use render::plots::{Pairs, heat_map};

/// Whether a matrix begins with this line: its first core has no number with itself.
pub(super) fn begins(line: &str) -> bool {
    let cells = || line.split(',').map(str::trim);
    line.starts_with(',')
        && line.len() > 1
        && cells().all(|cell| cell.is_empty() || cell.parse::<f64>().is_ok_and(|ns| ns > 0.0))
}

/// Draws the last matrix of several texts as a heat map; each text comes with the name of its file.
///
/// # Errors
/// Fails where no text has a matrix.
pub fn core_matrix(texts: &[(String, Imported)]) -> Result<Drawing, String> {
    let (file, text) =
        texts.iter().rev().find(|(_, text)| text.tool == Tool::CoreToCore).ok_or_else(|| {
            format!("--out: expected a matrix of {} to draw, found none in the files", Tool::CoreToCore)
        })?;
    let pairs = || text.rows.iter().filter_map(|row| Some((cores(row)?, row.value("time_us")?)));
    let count = pairs().map(|((_, last), _)| last + 1).max().unwrap_or_default();
    let mut matrix = Pairs::new("core", (0..count).collect(), "ns", 1);
    pairs().for_each(|((first, last), us)| matrix.put(first, last, 1e3 * us));
    Ok(heat_map(&matrix, "A cache line from core to core", &[format!("{file}, {}", text.printed_by())]))
}

/// The two cores of a row, the lower number first.
fn cores(row: &PrintedRow) -> Option<(usize, usize)> {
    let (first, last) = row.word(CORES).split_once(" and ")?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// Word of a row for the two cores that it is about.
const CORES: &str = "cores";

/// The matrix that is being read.
#[derive(Default)]
pub(super) struct CoreToCore {
    /// Number of cores, known from the first row.
    cores: usize,
    /// Number of cores whose rows were read.
    read: usize,
}

impl Reader for CoreToCore {
    fn begins(&self, line: &str) -> bool {
        self.cores > 0 && self.read == self.cores && begins(line)
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let is_row = cells.len() > 1 && cells.iter().all(|cell| cell.is_empty() || cell.parse::<f64>().is_ok());
        if !is_row || self.read > 0 && self.read == self.cores {
            return if line.is_empty() { Said::Its } else { Said::Foreign };
        }
        if self.cores == 0 {
            self.cores = cells.len();
        }
        let own = self.read;
        self.read += 1;
        match self.rows(place, own, &cells) {
            Ok(rows) => run.rows.extend(rows),
            Err(error) => return Said::Broken(error.message),
        }
        Said::Its
    }
}

impl CoreToCore {
    fn rows(&self, place: TextPlace, own: usize, cells: &[&str]) -> Result<Vec<PrintedRow>, ImportError> {
        if cells.len() != self.cores {
            let (expected, found) = (self.cores, cells.len());
            return Err(place.error(format!("expected {expected} cells as in the first row, found {found}")));
        }
        let mut rows = Vec::new();
        for (other, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let value = place.number(cell, -3, "a latency in ns")?;
            let column = Column { head: "ns".to_owned(), name: "time_us".to_owned(), value };
            let mut row = PrintedRow {
                line: place.line,
                benchmark: "cache line".to_owned(),
                ranks: Some(2),
                columns: vec![column],
                ..PrintedRow::default()
            };
            say(&mut row, CORES, &format!("{} and {}", own.min(other), own.max(other)));
            rows.push(row);
        }
        Ok(rows)
    }
}
