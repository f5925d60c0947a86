//! Every ratio in a line of its own, for other programs.

use super::{Audit, NOT_PAIRED, Row};

/// The first line.
const HEADS: [&str; 25] = [
    "world",
    "ranks",
    "tool",
    "flags",
    "column",
    "operation",
    "bytes",
    "element",
    "text",
    "pairing",
    "line_ns",
    "slower",
    "reference",
    "printed_us",
    "reference_us",
    "ratio",
    "ratio_low",
    "ratio_high",
    "log_ratio_standard_error",
    "launches",
    "modes",
    "never_rewritten_factor",
    "ranks_counted_factor",
    "rest_factor",
    "firm",
];

/// All rows.
///
/// # Errors
/// If a row cannot be written, which memory always can.
pub fn csv(audit: &Audit) -> Result<String, ::csv::Error> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADS)?;
    for row in &audit.rows {
        writer.write_record(cells(audit, row))?;
    }
    let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn cells(audit: &Audit, row: &Row) -> Vec<String> {
    let number = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
    let (ratio, interval) = row.over.ratio();
    let factor = |log: Option<f64>| number(log.map(f64::exp));
    vec![
        row.world.name().to_owned(),
        row.ranks.to_string(),
        row.tool.clone(),
        row.flags.clone(),
        row.column.clone(),
        row.collective.to_string(),
        row.bytes.to_string(),
        row.element.clone(),
        row.text.clone().unwrap_or_default(),
        if row.text.is_some() { NOT_PAIRED } else { "one launch" }.to_owned(),
        row.state.map(|state| format!("{:.1}", state.line_ns)).unwrap_or_default(),
        row.state.map(|state| format!("{:.2}", state.slower)).unwrap_or_default(),
        audit.reference.name().to_owned(),
        number(Some(row.printed_us)),
        number(Some(row.reference_us)),
        number(Some(ratio)),
        number(interval.map(|(low, _)| low)),
        number(interval.map(|(_, high)| high)),
        number(row.over.log_ratio.standard_error),
        row.over.log_ratio.launches.to_string(),
        if row.over.modes.is_some() { "2" } else { "1" }.to_owned(),
        factor(row.parts.never_rewritten),
        factor(row.parts.ranks_counted),
        factor(Some(row.parts.rest)),
        u8::from(row.over.is_firm()).to_string(),
    ]
}
