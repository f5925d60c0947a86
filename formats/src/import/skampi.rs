//! SKaMPI 5: named measurements, each a list of rows without heads.
//!
//! Source: `measure` at its end in src/measurement.c (5.0.4): the loop variables as `name= value`, bytes, time,
//! standard error, calls, then the times of the processes, or quantiles of them where there are too many processes to
//! print; parser.y and main.c print the rest. Early revisions print no bytes for barriers. Times are in µs.

use super::heads::{Head, Role, is_like_row, read_row};
use super::names::collective;
use super::runs::{Reader, Said};
use super::text::{TextPlace, comment};
use super::{ImportError, Imported, PrintedRow};

/// The version of a title like `# SKaMPI Version 5.0.4 rev. 355`.
pub(super) fn title(line: &str) -> Option<&str> {
    comment(line)?.strip_prefix("SKaMPI Version ")
}

/// The name of a measurement that begins: `# begin result "MPI_Bcast-length"`; early revisions print no `#`.
pub(super) fn begins(line: &str) -> Option<&str> {
    quoted(line, "begin result ")
}

fn quoted<'a>(line: &'a str, before: &str) -> Option<&'a str> {
    line.trim_start_matches(['#', ' ']).strip_prefix(before)?.strip_prefix('"')?.strip_suffix('"')
}

#[derive(Default)]
pub(super) struct Skampi {
    titled: bool,
    /// The measurement whose rows are being read.
    now: Option<PrintedRow>,
}

impl Reader for Skampi {
    fn begins(&self, line: &str) -> bool {
        self.titled && title(line).is_some()
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        if let Some(version) = title(line) {
            run.version = Some(version.trim().to_owned());
            self.titled = true;
        } else if let Some(name) = begins(line) {
            // The measured operation comes before the varied quantity: MPI_Bcast-procs-short.
            let operation = name.split('-').next().unwrap_or(name);
            self.titled = true;
            self.now = Some(PrintedRow {
                benchmark: name.to_owned(),
                collective: collective(operation),
                ..PrintedRow::default()
            });
        } else if quoted(line, "end result ").is_some() {
            self.now = None;
        } else if let Some(content) = comment(line) {
            if let Some((label @ ("Started" | "Finished"), value)) = content.split_once(" at ") {
                run.fact(label, value);
            }
        } else if !line.is_empty() {
            let Some(now) = self.now.as_ref().filter(|_| is_row(line)) else { return Said::Foreign };
            match row(place, line, now.clone()) {
                Ok(row) => run.rows.push(row),
                Err(error) => return Said::Broken(error.message),
            }
        }
        Said::Its
    }
}

/// Whether a line looks like a row: variables, then numbers.
fn is_row(line: &str) -> bool {
    let cells: Vec<&str> = line.split_whitespace().collect();
    is_like_row(&cells) || cells[0].ends_with('=')
}

fn row(place: TextPlace, content: &str, mut row: PrintedRow) -> Result<PrintedRow, ImportError> {
    let mut cells: Vec<&str> = content.split_whitespace().collect();
    while let Some(variable) = cells.first().and_then(|cell| cell.strip_suffix('=')) {
        let value =
            *cells.get(1).ok_or_else(|| place.error(format!("expected a value of {variable}; the row was cut off")))?;
        match variable {
            "procs" | "nodes" => row.ranks = Some(place.whole(value, variable)?),
            "count" => row.count = Some(place.whole(value, variable)?),
            _ => row.columns.push(super::Column {
                head: format!("{variable}="),
                name: variable.to_owned(),
                // Variables may be texts, too.
                value: place.number(value, 0, variable).unwrap_or(None),
            }),
        }
        cells.drain(..2);
    }
    let mut heads = vec![
        Head::new("bytes", Role::Bytes),
        Head::plain("time", "time_us"),
        Head::plain("standard error", "standard_error_us"),
        Head::new("calls", Role::Calls),
    ];
    if cells.first().is_some_and(|cell| cell.contains('.')) {
        heads.remove(0);
    }
    if cells.len() < heads.len() {
        let (expected, found) = (heads.len(), cells.len());
        return Err(place.error(format!(
            "expected at least {expected} values after the variables (bytes, time, standard error, calls), found {found}: the row was cut off"
        )));
    }
    let processes = cells.len() - heads.len();
    heads.extend(
        (0..processes).map(|process| Head::plain(&format!("process {process}"), &format!("process_{process}_us"))),
    );
    read_row(place, &heads, &cells, row)
}
