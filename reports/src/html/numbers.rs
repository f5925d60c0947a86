//! The numbers behind the page's pictures.

use programs::machine::Estimate;
use programs::method::Method;
use render::columns;
use render::data::{Filled, Kind, Table};
use scenario::axis::{Axis, Key};
use study::compare::CONFIDENCE;
use study::comparison::{RankRow, SubjectComparison};
use study::plots::reporting;

/// Ratios and times of every rank under every method: both pictures of a subject.
pub(super) fn per_rank(subject: &SubjectComparison) -> Table {
    let interval = |name: &'static str| columns::named(name, Kind::Interval);
    let truth = |rank: u32| subject.reference_us.get(rank as usize).map(|truth: &Estimate| truth.value);
    let columns: [Filled<(Method, &RankRow)>; 9] = [
        (columns::named(Axis::Method.name(), Kind::Text), &|(method, _)| method.name().into()),
        (columns::RANK.column(), &|(_, row)| row.rank.into()),
        (columns::PREDICTED.column(), &|(_, row)| row.predicted_us.into()),
        (columns::MEASURED.column(), &|(_, row)| row.measured_us.into()),
        (interval("predicted_ratio"), &|(_, row)| row.predicted_ratio.into()),
        (interval("measured_ratio"), &|(_, row)| row.measured_ratio.into()),
        (columns::CONFIDENCE.column(), &|_| CONFIDENCE.into()),
        (columns::named("closed_form_ratio", Kind::Number), &|(_, row)| row.closed_form_ratio.into()),
        (columns::REFERENCE.column().without_limits(), &|(_, row)| truth(row.rank).into()),
    ];
    let rows: Vec<(Method, &RankRow)> =
        reporting(subject).flat_map(|method| method.rows.iter().map(|row| (method.method, row))).collect();
    columns::of_cases(Table::from_rows("rows", &rows, &columns), rows.iter().map(|_| Key::of_subject(&subject.case)))
}
