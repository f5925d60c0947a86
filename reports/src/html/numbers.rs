//! The numbers behind the page's pictures, as CSV.

use crate::comparison::SubjectComparison;
use crate::plots::reporting;
use crate::table::{Csv, Heads};
use models::machine::Machine;

/// Ratios and times of every rank under every method: both pictures of a subject.
pub(super) fn per_rank(subject: &SubjectComparison) -> String {
    let mut csv = Csv::new(Heads(
        "method,rank,predicted_us,predicted_low_us,predicted_high_us,measured_us,measured_low_us,measured_high_us,\
         predicted_ratio,predicted_ratio_low,predicted_ratio_high,measured_ratio,measured_ratio_low,measured_ratio_high,\
         closed_form_ratio,true_us",
    ));
    for method in reporting(subject) {
        for row in &method.rows {
            let estimates = [row.predicted_us, row.measured_us, row.predicted_ratio, row.measured_ratio];
            let truth = subject.reference_us.get(row.rank as usize).map(|truth| truth.value);
            csv.row((method.method.name(), row.rank, estimates, row.closed_form_ratio, truth));
        }
    }
    csv.text()
}

/// The points behind a machine's fit.
pub(crate) fn transfer(machine: &Machine) -> String {
    let rows = machine.transfer.iter().map(|point| (point.bytes, point.half_round_trip_us, point.fitted_us));
    Csv::new(Heads("bytes,half_round_trip_us,low_us,high_us,fitted_us")).rows(rows).text()
}
