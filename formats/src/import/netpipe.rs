//! NetPIPE: the output of the running program, a line for each length.
//!
//! Source: src/netpipe.c of NetPIPE 3.7 (`0:       1 bytes   9000 times -->      4.58 Mbps in       1.67 usec`, an Mbit
//! being 2²⁰ bits) and of 5 (`0:       1  B    9000 times -->    4.790 Mbps  in    1.670 usecs`, of 10⁶ bits;
//! `bytestring`, `bitstring` and `timestring` choose the units). Times are one way: half a round trip.

use super::runs::{Reader, Said};
use super::text::TextPlace;
use super::{Column, ImportError, Imported, PrintedRow};

/// Whether a line is found in these texts alone.
pub(super) fn is_its_own(line: &str) -> bool {
    line.starts_with("Now starting the main loop")
        || line.starts_with("Start testing with ") && line.contains(" trials for each message size")
        || cells(line).is_some()
}

/// The words of a row behind its number, `1`, `bytes`, `9000`, `times`, `-->`, …, if a line is one.
fn cells(line: &str) -> Option<Vec<&str>> {
    let (number, rest) = line.split_once(':')?;
    number.trim().parse::<u32>().ok()?;
    let cells: Vec<&str> = rest.split_whitespace().collect();
    let is_row = matches!(cells.as_slice(), [size, _, _, "times", "-->", ..] if size.parse::<f64>().is_ok());
    is_row.then_some(cells)
}

#[derive(Default)]
pub(super) struct Netpipe {
    /// Number of rows so far.
    rows: usize,
}

impl Reader for Netpipe {
    fn begins(&self, line: &str) -> bool {
        let is_first = line.split(':').next().is_some_and(|number| number.trim() == "0");
        self.rows > 0 && is_its_own(line) && (cells(line).is_none() || is_first)
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        let Some(cells) = cells(line) else {
            if line.starts_with("Bidirectional mode") || line.starts_with("Streaming data") {
                run.fact("mode", line);
            }
            return if is_its_own(line) || line.is_empty() { Said::Its } else { Said::Foreign };
        };
        match row(place, &cells, run.said("mode").is_some()) {
            Ok(row) => run.rows.push(row),
            Err(error) => return Said::Broken(error.message),
        }
        self.rows += 1;
        Said::Its
    }
}

fn row(place: TextPlace, cells: &[&str], several: bool) -> Result<PrintedRow, ImportError> {
    let [size, unit, calls, "times", "-->", rate, rate_unit, "in", time, time_unit, ..] = cells else {
        return Err(place.error("expected a rate and a time behind '-->': the row was cut off"));
    };
    // Version 3 counts bytes, and bits in 2²⁰.
    let is_old = *unit == "bytes";
    let (rate_power, rate_name) = match (*rate_unit, is_old) {
        ("Mbps", true) => (0, "mibit_per_s"),
        ("Mbps", false) => (0, "mbit_per_s"),
        ("bps", false) => (-6, "mbit_per_s"),
        ("Kbps", false) => (-3, "mbit_per_s"),
        ("Gbps", false) => (3, "mbit_per_s"),
        ("Tbps", false) => (6, "mbit_per_s"),
        (other, _) => return Err(place.error(format!("expected Mbps, found '{other}'"))),
    };
    let time_power = match *time_unit {
        "usec" | "usecs" => 0,
        "nsecs" => -3,
        "msecs" => 3,
        "sec" | "secs" => 6,
        other => return Err(place.error(format!("expected usec, found '{other}'"))),
    };
    let column = |head: &str, name: &str, value| Column { head: head.to_owned(), name: name.to_owned(), value };
    Ok(PrintedRow {
        line: place.line,
        benchmark: if several { "PingPong, both ways or streaming" } else { "PingPong" }.to_owned(),
        ranks: Some(2),
        bytes: Some(bytes(place, size, unit)?),
        calls: Some(place.whole(calls, "round trips")?),
        columns: vec![
            column(time_unit, "time_us", place.number(time, time_power, "the time")?),
            column(rate_unit, rate_name, place.number(rate, rate_power, "the rate")?),
        ],
        ..PrintedRow::default()
    })
}

/// Returns the size in whole bytes: 1024 for 1.024 KB. Longer lengths are printed to a kB only, from which the size in
/// bytes does not follow.
fn bytes(place: TextPlace, size: &str, unit: &str) -> Result<u64, ImportError> {
    match unit {
        "bytes" | "B" => place.whole(size, "bytes"),
        "KB" => place.number(size, 3, "bytes").map(|bytes| bytes.map_or(0, |bytes| bytes.round() as u64)),
        _ => Err(place.error(format!("{size} {unit} is no whole number of bytes: np.out, the program's file, has it"))),
    }
}
