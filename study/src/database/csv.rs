//! Samples of a run as CSV: a line for each, units in the heads.

use super::samples::{Cell, columns};
use super::{Database, DatabaseError};
use ::csv::StringRecord;
use render::table::{Csv, Fields};
use std::io::Write;

/// Writes the heads, then every sample of the run; missing values are empty.
///
/// # Errors
/// Fails where reading the store or writing to `out` fails.
pub fn csv(database: &Database, run: i64, out: &mut dyn Write) -> Result<(), DatabaseError> {
    let mut csv = Csv::to(out);
    csv.put(&columns().into_iter().map(|(name, _)| name).collect::<Vec<_>>())?;
    database.samples(run, |case, sample| Ok(csv.put(&sample.cells(run, case).collect::<Vec<_>>())?))?;
    Ok(csv.end()?)
}

impl Fields for Cell<'_> {
    fn put(&self, row: &mut StringRecord) {
        match self {
            Cell::Text(text) => text.put(row),
            Cell::Whole(number) => number.put(row),
            Cell::Perhaps(number) => number.put(row),
            Cell::Number(number) => number.put(row),
            Cell::Flag(flag) => flag.put(row),
        }
    }
}
