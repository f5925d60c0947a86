//! The numbers behind the page's pictures, as CSV. Floating numbers read back as they were; what is none is empty.

use crate::comparison::SubjectComparison;
use crate::plots::reporting;
use models::machine::Estimate;

/// Ratios and times of every rank under every method: both pictures of a subject.
pub(super) fn per_rank(subject: &SubjectComparison) -> String {
    let mut csv =
        "method,rank,predicted_us,predicted_low_us,predicted_high_us,measured_us,measured_low_us,measured_high_us,\
                   predicted_ratio,predicted_ratio_low,predicted_ratio_high,measured_ratio,measured_ratio_low,\
                   measured_ratio_high,closed_form_ratio,true_us\n"
            .to_owned();
    for method in reporting(subject) {
        for row in &method.rows {
            let mut cells = vec![method.method.name().to_owned(), row.rank.to_string()];
            for estimate in [&row.predicted_us, &row.measured_us, &row.predicted_ratio, &row.measured_ratio] {
                cells.extend(estimates(estimate));
            }
            cells.push(row.closed_form_ratio.map(number).unwrap_or_default());
            cells
                .push(subject.reference_us.get(row.rank as usize).map(|truth| number(truth.value)).unwrap_or_default());
            csv += &line(&cells);
        }
    }
    csv
}

/// Value, lower and upper end.
pub(super) fn estimates(estimate: &Estimate) -> [String; 3] {
    [estimate.value, estimate.low, estimate.high].map(number)
}

/// Cells as a line.
pub(super) fn line(cells: &[String]) -> String {
    cells.join(",") + "\n"
}

fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}
