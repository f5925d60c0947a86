//! The numbers behind the page's pictures, as CSV.

use render::table::{Csv, Heads};
use scenario::axis::{Axis, Key};
use study::compare::CONFIDENCE;
use study::comparison::SubjectComparison;
use study::plots::reporting;

/// Ratios and times of every rank under every method: both pictures of a subject.
pub(super) fn per_rank(subject: &SubjectComparison) -> String {
    let heads = Heads(
        "method,rank,predicted_us,predicted_low_us,predicted_high_us,measured_us,measured_low_us,measured_high_us,\
         predicted_ratio,predicted_ratio_low,predicted_ratio_high,measured_ratio,measured_ratio_low,measured_ratio_high,\
         confidence,closed_form_ratio,reference_us",
    );
    let mut csv = Csv::new((Heads(&Axis::shared_heads()), heads));
    let key = Key::of_subject(&subject.case);
    for method in reporting(subject) {
        for row in &method.rows {
            let estimates = [row.predicted_us, row.measured_us, row.predicted_ratio, row.measured_ratio];
            let truth = subject.reference_us.get(row.rank as usize).map(|truth| truth.value);
            let place = (key.shared_cells(), method.method.name(), row.rank);
            csv.row((place, estimates, CONFIDENCE, row.closed_form_ratio, truth));
        }
    }
    csv.text()
}
