//! All rows as CSV: times in µs, shares of 1.

use super::Validation;
use crate::columns::csv_line;
use scenario::axis::{Axis, Key};

/// Heads of the columns.
const HEAD: &str = "model,predicted_us,predicted_low_us,predicted_high_us,\
                    measured_us,measured_low_us,measured_high_us,error,verdict,windows,starts,launches,oversubscribed,played,reference,line_ns,slower";

/// One line for each case under each model.
pub fn csv(validation: &Validation) -> String {
    let mut text = format!("{},{HEAD}\n", Axis::shared_heads());
    for row in &validation.rows {
        let (case, predicted, measured) = (&row.case, row.predicted_us, row.measured_us);
        let Some(of) = validation.measured_of(case) else { continue };
        let own = [
            row.model.clone(),
            predicted.value.to_string(),
            predicted.low.to_string(),
            predicted.high.to_string(),
            measured.value.to_string(),
            measured.low.to_string(),
            measured.high.to_string(),
            row.error.to_string(),
            row.verdict.name().to_owned(),
            of.windows.to_string(),
            of.starts.to_string(),
            of.launches.len().to_string(),
            u8::from(of.oversubscribed).to_string(),
            of.played.clone().unwrap_or_default(),
            case.conditions.buffer.name().to_owned(),
            validation.held_against.state.map(|state| format!("{:.1}", state.line_ns)).unwrap_or_default(),
            validation.held_against.state.map(|state| format!("{:.2}", state.slower)).unwrap_or_default(),
        ];
        text.push_str(&csv_line(Key::of_subject(case).shared_cells().into_iter().chain(own)));
        text.push('\n');
    }
    text
}
