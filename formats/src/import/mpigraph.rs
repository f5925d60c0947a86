//! mpiGraph of LLNL: matrices of the rates at which each rank sends to and receives from each other one, while all do.
//!
//! Source: `main` and `code` in mpiGraph.c (1.5): settings, a matrix with the head `Send`, one with the head `Recv`. A
//! row has the rates between one rank and each other rank, and 0 for itself. MB are 2²⁰ bytes. In each step every rank
//! sends to the rank at one distance, the same for all.

use super::conditions::say;
use super::runs::{Reader, Said};
use super::text::TextPlace;
use super::{Column, ImportError, Imported, PrintedRow};

/// The version of a title like `START mpiGraph v1.5`.
pub(super) fn title(line: &str) -> Option<&str> {
    line.strip_prefix("START mpiGraph v")
}

#[derive(Default)]
pub(super) struct Mpigraph {
    titled: bool,
    now: PrintedRow,
    /// Names of the columns of the matrix that is read: `host:rank`.
    partners: Vec<String>,
}

impl Reader for Mpigraph {
    fn begins(&self, line: &str) -> bool {
        self.titled && title(line).is_some()
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let number = |cell: &str| cell.parse::<u64>().ok();
        match cells.as_slice() {
            _ if title(line).is_some() => {
                self.titled = true;
                run.version = title(line).map(|version| version.trim().to_owned());
            }
            ["MsgSize", bytes] => self.now.bytes = number(bytes),
            ["Times", times] => self.now.calls = number(times),
            ["Window", window] => say(&mut self.now, "window_size", window),
            ["Procs", ranks] => self.now.ranks = ranks.parse().ok(),
            [way @ ("Send" | "Recv"), what @ ("max" | "avg"), value] => {
                run.fact(&format!("{way} {what} in MiB/s"), value)
            }
            [way @ ("Send" | "Recv"), partners @ ..] if partners.iter().all(|partner| partner.contains(':')) => {
                (*way).clone_into(&mut self.now.benchmark);
                self.partners = partners.iter().map(|partner| (*partner).to_owned()).collect();
            }
            [rank, "to" | "from", numbers @ ..] if rank.contains(':') && !self.partners.is_empty() => {
                match self.rows(place, rank, numbers) {
                    Ok(rows) => run.rows.extend(rows),
                    Err(error) => return Said::Broken(error.message),
                }
            }
            [_, "of", ..] | ["Gathering", "results"] | ["END", "mpiGraph"] | [] => {}
            _ => return Said::Foreign,
        }
        Said::Its
    }
}

impl Mpigraph {
    /// Returns a row for each other rank.
    fn rows(&self, place: TextPlace, own: &str, numbers: &[&str]) -> Result<Vec<PrintedRow>, ImportError> {
        let (expected, found) = (self.partners.len(), numbers.len());
        if found != expected {
            return Err(place.error(format!("expected {expected} values as in the head of the matrix, found {found}")));
        }
        let of_rank = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
        let mut rows = Vec::new();
        for (partner, number) in self.partners.iter().zip(numbers).filter(|(partner, _)| *partner != own) {
            let value = place.number(number, 0, &self.now.benchmark)?;
            let mut row = PrintedRow { line: place.line, ..self.now.clone() };
            let (from, to) = if row.benchmark == "Send" { (own, partner.as_str()) } else { (partner.as_str(), own) };
            say(&mut row, "pair", &format!("{} to {}", of_rank(from), of_rank(to)));
            row.columns.push(Column { head: self.now.benchmark.clone(), name: "mib_per_s".to_owned(), value });
            rows.push(row);
        }
        Ok(rows)
    }
}
