//! The answer as CSV: a line for each number, units in the heads.

use super::{Answer, Row};
use crate::table::{Csv, Fields, Heads};
use models::budget::SystematicError;

/// A line for each printed number; what is not known is empty.
pub fn csv(answer: &Answer) -> String {
    let errors = SystematicError::ALL.map(|error| format!("{}_us", error.name().replace('-', "_")));
    let heads = (
        Heads("file,line,tool,operation,algorithm,ranks,ranks_from,bytes,column"),
        Heads("printed_us,printed_low_us,printed_high_us,by,scale"),
        errors,
        Heads("remainder_us,bias_us,corrected_us,corrected_low_us,corrected_high_us,verdict,remarks"),
        Heads("machine,machine_host,machine_origin"),
    );
    let machine = (&answer.machine.name, &answer.machine.provenance.host, answer.origin.name());
    Csv::new(heads).rows(answer.rows.iter().map(|row| (line(row), machine))).text()
}

fn line(row: &Row) -> impl Fields + use<'_> {
    let reading = &row.reading;
    let done = row.corrected.as_ref().ok();
    let from = row.ranks_from.map(|from| from.name());
    let text = (&reading.file, reading.line, reading.tool.to_string());
    let call = (row.operation(), &row.algorithm, row.ranks, from, row.bytes, &reading.head);
    let corrected = done.map(|done| {
        let bars = SystematicError::ALL.map(|error| row.bar(error).unwrap_or(0.0));
        (done.source.name(), done.scale, bars, done.remainder_us, done.bias_us.value, done.us)
    });
    (text, call, reading.printed, corrected, row.verdict().name(), row.remarks().join("; "))
}
