//! Samples of a run as CSV: a line for each, units in the heads.

use super::samples::{COLUMNS, Cell};
use super::{Database, DatabaseError};
use crate::columns::quoted;
use std::fmt::Write as _;
use std::io::Write;

/// Writes the heads, then every sample of the run; nothing stands for what is missing, 0 and 1 for no and yes.
///
/// # Errors
/// What the store or `out` say.
pub fn csv(database: &Database, run: i64, out: &mut dyn Write) -> Result<(), DatabaseError> {
    writeln!(out, "{}", COLUMNS.map(|(name, _)| name).join(","))?;
    let mut line = String::new();
    database.samples(run, |case, sample| {
        line.clear();
        for cell in sample.cells(run, case) {
            let comma = if line.is_empty() { "" } else { "," };
            let _ = match cell {
                Cell::Text(text) => write!(line, "{comma}{}", quoted(text)),
                Cell::Whole(number) | Cell::Perhaps(Some(number)) => write!(line, "{comma}{number}"),
                Cell::Perhaps(None) => write!(line, "{comma}"),
                Cell::Number(number) => write!(line, "{comma}{number}"),
                Cell::Flag(flag) => write!(line, "{comma}{}", u8::from(flag)),
            };
        }
        Ok(writeln!(out, "{line}")?)
    })
}
