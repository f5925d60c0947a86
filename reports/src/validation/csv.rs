//! All rows as CSV: times in µs, shares of 1.

use super::{CONFIDENCE, Row, Validation};
use render::table::{Csv, Heads};
use render::whence::Whence;
use scenario::axis::{Axis, Key};

/// Heads of the columns.
const HEAD: &str = "model,predicted_us,predicted_low_us,predicted_high_us,\
                    measured_us,measured_low_us,measured_high_us,confidence,error,verdict,windows,starts,launches,\
                    oversubscribed,played,reference,line_ns,slower";

/// One line for each case under each model.
pub fn csv(validation: &Validation) -> String {
    let row = |row: &Row| {
        let of = validation.measured_of(&row.case)?;
        let counts = (of.windows, of.starts, of.launches.len(), of.oversubscribed, of.played.clone());
        let estimates = (row.predicted_us, row.measured_us, CONFIDENCE);
        let numbers = (row.model.clone(), estimates, row.error, row.verdict.name());
        let place = (row.case.timing.conditions.buffer.name(), validation.held_against.state);
        Some((Key::of_subject(&row.case).shared_cells(), numbers, counts, place))
    };
    let heads = (Heads(&Axis::shared_heads()), Heads(HEAD));
    let text = Csv::new(heads).rows(validation.rows.iter().filter_map(row)).text();
    Whence::of(&validation.environment).stamped(&text)
}
