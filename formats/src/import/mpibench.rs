//! mpiBench of LLNL: a line for each operation, communicator and size.
//!
//! Source: `Print_Timings` and `main` in mpiBench.c (1.5): labels with their values, tabs between. Times are in µs: the
//! mean over calls for each rank, and of these the mean, minimum and maximum over all ranks. Communicators other than
//! that of all ranks are a condition.

use super::conditions::say;
use super::names::collective;
use super::runs::{Reader, Said};
use super::text::TextPlace;
use super::{Column, ImportError, Imported, PrintedRow};

/// The version of a title like `START mpiBench v1.5`.
pub(super) fn title(line: &str) -> Option<&str> {
    line.strip_prefix("START mpiBench v")
}

/// The operation of a row, and the text behind it.
fn split(line: &str) -> Option<(&str, &str)> {
    let (operation, rest) = line.split_once("Bytes:").filter(|(operation, _)| !operation.trim().is_empty())?;
    rest.contains("Iters:").then_some((operation.trim(), rest))
}

#[derive(Default)]
pub(super) struct Mpibench {
    titled: bool,
}

impl Reader for Mpibench {
    fn begins(&self, line: &str) -> bool {
        self.titled && title(line).is_some()
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        if let Some(version) = title(line) {
            self.titled = true;
            run.version = Some(version.trim().to_owned());
        } else if split(line).is_some() {
            match row(place, line) {
                Ok(row) => run.rows.push(row),
                Err(error) => return Said::Broken(error.message),
            }
        } else if let Some((rank, host)) = line.split_once(" : ").filter(|(rank, _)| rank.parse::<u32>().is_ok()) {
            run.fact(&format!("process {rank}"), host);
        } else if let Some(size) = line.strip_prefix("Message buffers (KB):") {
            run.fact("message buffers in KiB", size);
        } else if !line.is_empty() && !line.starts_with("END mpiBench") {
            return Said::Foreign;
        }
        Said::Its
    }
}

fn row(place: TextPlace, line: &str) -> Result<PrintedRow, ImportError> {
    let (operation, rest) = split(line).unwrap_or_default();
    let words: Vec<&str> = rest.split_whitespace().collect();
    let behind = |label: &str| words.iter().position(|word| *word == label).and_then(|at| words.get(at + 1).copied());
    let needed = |label: &str| {
        behind(label).ok_or_else(|| place.error(format!("expected a value of {label} the row was cut off")))
    };
    let bytes = words.first().copied().ok_or_else(|| place.error("expected bytes: the row was cut off"))?;
    let mut row = PrintedRow {
        line: place.line,
        benchmark: operation.to_owned(),
        collective: collective(operation),
        bytes: Some(place.whole(bytes, "bytes")?),
        calls: Some(place.whole(needed("Iters:")?, "calls")?),
        ranks: Some(place.whole(needed("Ranks:")?, "ranks")?),
        ..PrintedRow::default()
    };
    for (label, name) in [("Avg:", "mean_us"), ("Min:", "min_us"), ("Max:", "max_us")] {
        let value = place.number(needed(label)?, 0, label)?;
        let head = label.trim_end_matches(':').to_owned();
        row.columns.push(Column { head, name: name.to_owned(), value });
    }
    let communicator = needed("Comm:")?;
    say(&mut row, "communicator", if communicator == "MPI_COMM_WORLD" { "" } else { communicator });
    Ok(row)
}
