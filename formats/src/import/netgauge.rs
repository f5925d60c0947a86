//! Netgauge's pattern `loggp`: LogGP's parameters after each round, which goes up to a longer length.
//!
//! Source: `printparams` in ptrn_loggp.c (2.4.6): L is half the round trip of the shortest message, including the
//! overheads; g and G are the line through all lengths so far, or since a change of protocol. Times are in µs, G in µs
//! per byte.

use super::runs::{Reader, Said};
use super::text::TextPlace;
use super::{Column, ImportError, Imported, PrintedRow, Tool};
use models::network::{Rendezvous, SendRule};
use programs::machine::{Estimate, HockneyEstimate, LogGopsEstimate, LogGpEstimate, Machine, Provenance};

/// Whether a line is found in these texts alone.
pub(super) fn is_its_own(line: &str) -> bool {
    values(line).is_some()
}

/// Labels, each with the name of its column and the power of ten that converts its values to µs, or to ns per byte.
const LABELS: [(&str, &str, i32); 6] = [
    ("L", "half_round_trip_us", 0),
    ("o_s", "overhead_send_us", 0),
    ("o_r", "overhead_receive_us", 0),
    ("g", "gap_us", 0),
    ("G", "gap_per_byte_ns", 3),
    ("lsqu(g,G)", "least_squares", 0),
];

/// The values of each label of a line, if it is one of parameters.
fn values(line: &str) -> Option<Vec<(&str, &str)>> {
    let pairs: Vec<(&str, &str)> = line.split_whitespace().filter_map(|word| word.split_once('=')).collect();
    let has = |label: &str| pairs.iter().any(|(found, _)| *found == label);
    (line.starts_with("L=") && ["s", "o_s", "o_r", "g", "G"].into_iter().all(has)).then_some(pairs)
}

#[derive(Default)]
pub(super) struct Netgauge {}

impl Reader for Netgauge {
    fn begins(&self, _line: &str) -> bool {
        false
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        if let Some(values) = values(line) {
            match row(place, &values) {
                Ok(row) => run.rows.push(row),
                Err(error) => return Said::Broken(error.message),
            }
        } else if let Some(last) = line.strip_prefix("we detected a protocol change at ") {
            run.fact("protocol changes behind", last.trim_end_matches(':'));
        } else if !line.is_empty() && !line.starts_with("Testing ") && !line.starts_with('#') {
            return Said::Foreign;
        }
        Said::Its
    }
}

fn row(place: TextPlace, values: &[(&str, &str)]) -> Result<PrintedRow, ImportError> {
    let behind = |label: &str| values.iter().find(|(found, _)| *found == label).map(|(_, value)| *value);
    let mut row =
        PrintedRow { line: place.line, benchmark: "LogGP".to_owned(), ranks: Some(2), ..PrintedRow::default() };
    row.bytes = behind("s").map(|bytes| place.whole(bytes, "bytes")).transpose()?;
    for (label, name, power) in LABELS {
        let Some(value) = behind(label) else { continue };
        let value = place.number(value, power, label)?;
        row.columns.push(Column { head: label.to_owned(), name: name.to_owned(), value });
    }
    Ok(row)
}

/// Returns the machine of a run's last round, which goes through the longest lengths. Its latency is L without the
/// overheads of its message, since the models here add them. Values have no intervals, as the text gives none.
///
/// # Errors
/// Fails where no run is Netgauge's, and where a parameter is missing or negative.
pub fn machine(name: &str, file: &str, runs: &[(String, Imported)]) -> Result<Machine, String> {
    let last = runs.iter().rev().find(|(_, run)| run.tool == Tool::Netgauge).and_then(|(_, run)| run.rows.last());
    let row =
        last.ok_or_else(|| format!("{file}: expected parameters that Netgauge printed (-x loggp), found none"))?;
    let at = |message: String| format!("{file} line {}: {message}; measure again, or more lengths", row.line);
    let value = |name: &str| {
        let value = row.value(name).ok_or_else(|| at(format!("expected a number of {name}, found none")))?;
        if value < 0.0 { Err(at(format!("expected {name} of 0 or more, found {value}"))) } else { Ok(value) }
    };
    let (half, send, receive) =
        (value("half_round_trip_us")?, value("overhead_send_us")?, value("overhead_receive_us")?);
    let latency = half - send - receive;
    if latency < 0.0 {
        return Err(at(format!(
            "half a round trip, {half} µs, is shorter than both overheads, {send} and {receive} µs"
        )));
    }
    let [latency_us, gap_us, gap_per_byte_ns] =
        [latency, value("gap_us")?, value("gap_per_byte_ns")?].map(Estimate::exactly);
    let provenance = Provenance {
        date: "not stated".to_owned(),
        host: "not stated".to_owned(),
        ran_by: "Netgauge".to_owned(),
        how: format!("parameters of Netgauge's pattern loggp in {file}, line {}, without intervals", row.line),
        confidence: 0.95,
    };
    let hockney = HockneyEstimate {
        alpha_us: Estimate::exactly(half),
        beta_ns_per_byte: gap_per_byte_ns,
        send_rule: SendRule::Eager,
    };
    let loggp =
        LogGpEstimate { latency_us, overhead_us: Estimate::exactly((send + receive) / 2.0), gap_us, gap_per_byte_ns };
    let loggops = LogGopsEstimate {
        eager_limit_bytes: None,
        rendezvous: Rendezvous::default(),
        latency_us,
        overhead_send_us: Estimate::exactly(send),
        overhead_receive_us: Estimate::exactly(receive),
        gap_us,
        gap_per_byte_ns,
        overhead_per_byte_ns: Estimate::exactly(0.0),
    };
    let (loggp, loggops) = (Some(loggp), Some(loggops));
    Ok(Machine { control_us: half, loggp, loggops, ..Machine::new(name, provenance, hockney) })
}
