//! The answer as CSV: a line for each number, units in the heads.

use super::{Answer, Row};
use crate::columns::quoted;
use models::budget::SystematicError;

/// A line for each printed number; what is not known is empty.
pub fn csv(answer: &Answer) -> String {
    let mut heads: Vec<String> =
        ["file", "line", "tool", "operation", "algorithm", "ranks", "ranks_from", "bytes", "column"]
            .map(str::to_owned)
            .to_vec();
    heads.extend(["printed_us", "printed_low_us", "printed_high_us", "by", "scale"].map(str::to_owned));
    heads.extend(SystematicError::ALL.map(|error| format!("{}_us", error.name().replace('-', "_"))));
    heads.extend(
        ["remainder_us", "bias_us", "corrected_us", "corrected_low_us", "corrected_high_us", "verdict", "remarks"]
            .map(str::to_owned),
    );
    heads.extend(["machine", "machine_host", "machine_origin"].map(str::to_owned));
    let machine = [&answer.machine.name, &answer.machine.provenance.host].map(|text| quoted(text));
    let machine = format!("{},{}", machine.join(","), answer.origin.name());
    let lines = answer.rows.iter().map(|row| format!("{},{machine}", line(row).join(",")));
    std::iter::once(heads.join(",")).chain(lines).map(|line| line + "\n").collect()
}

fn line(row: &Row) -> Vec<String> {
    let reading = &row.reading;
    let us = |us: Option<f64>| us.map(|us| us.to_string()).unwrap_or_default();
    let done = row.corrected.as_ref().ok();
    let mut cells = vec![
        quoted(&reading.file),
        reading.line.to_string(),
        reading.tool.to_string(),
        quoted(&row.operation()),
        row.algorithm.clone().unwrap_or_default(),
        row.ranks.map(|ranks| ranks.to_string()).unwrap_or_default(),
        row.ranks_from.map(|from| from.name().to_owned()).unwrap_or_default(),
        row.bytes.map(|bytes| bytes.to_string()).unwrap_or_default(),
        quoted(&reading.head),
        us(reading.printed.map(|of| of.value)),
        us(reading.printed.map(|of| of.low)),
        us(reading.printed.map(|of| of.high)),
        done.map(|done| done.source.name().to_owned()).unwrap_or_default(),
        us(done.map(|done| done.scale)),
    ];
    cells.extend(SystematicError::ALL.map(|error| us(done.map(|_| row.bar(error).unwrap_or(0.0)))));
    cells.extend([
        us(done.map(|done| done.remainder_us)),
        us(done.map(|done| done.bias_us.value)),
        us(done.map(|done| done.us.value)),
        us(done.map(|done| done.us.low)),
        us(done.map(|done| done.us.high)),
        row.verdict().name().to_owned(),
        quoted(&row.remarks().join("; ")),
    ]);
    cells
}
