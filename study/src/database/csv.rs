//! Samples of a run as CSV: a line for each, units in the heads.

use super::samples::{Cell, columns};
use super::{Database, DatabaseError};
use render::table::{csv_writer, rounded};
use std::io::Write;

/// Writes the heads, then every sample of the run; missing values are empty.
///
/// # Errors
/// Fails where reading the store or writing to `out` fails.
pub fn csv(database: &Database, run: i64, out: &mut dyn Write) -> Result<(), DatabaseError> {
    let mut csv = csv_writer(out);
    csv.write_record(columns().into_iter().map(|(name, _)| name)).map_err(std::io::Error::from)?;
    database.samples(run, |case, sample| {
        let fields = sample.cells(run, case).map(|cell| cell.field());
        Ok(csv.write_record(fields.collect::<Vec<String>>()).map_err(std::io::Error::from)?)
    })?;
    Ok(csv.flush()?)
}

impl Cell<'_> {
    fn field(&self) -> String {
        match self {
            Cell::Text(text) => (*text).to_string(),
            Cell::Whole(number) => number.to_string(),
            Cell::Perhaps(number) => number.map(|number| number.to_string()).unwrap_or_default(),
            Cell::Number(number) => rounded(*number),
            Cell::Flag(flag) => flag.to_string(),
        }
    }
}
