//! Size of the errors of each model on each collective: median, 90 % quantile, bias.

use super::{CONFIDENCE, Place, ValidationRow};
use crate::comparison::Verdict;
use models::collective::Collective;
use programs::machine::Estimate;
use statistics::{median, median_with_interval, quantile_with_interval};

/// Errors of a model on the cases of one collective, or on all cases of a place.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorRow {
    /// Place of the predicted cases.
    pub place: Place,
    /// Collective of the cases; `None` for all of them.
    pub collective: Option<Collective>,
    /// Name of the model.
    pub model: String,
    /// Number of predicted cases.
    pub cases: usize,
    /// Median of |error| with its interval.
    pub median: Estimate,
    /// 90 % quantile of |error| with its interval.
    pub ninety: Estimate,
    /// Median of the signed error: below 0 the model predicts too short times.
    pub bias: f64,
    /// Number of cases whose intervals overlap.
    pub agree: usize,
}

/// Returns the errors on every collective of each place under every model, then on all collectives together.
pub(super) fn all(rows: &[ValidationRow], models: &[String]) -> Vec<ErrorRow> {
    let mut places: Vec<Place> = rows.iter().map(ValidationRow::place).collect();
    places.sort_unstable();
    places.dedup();
    let mut all = Vec::new();
    for place in places {
        let of_place = || rows.iter().filter(move |row| row.place() == place);
        let known = |collective: &Collective| of_place().any(|row| row.case.subject.collective == *collective);
        let collectives: Vec<Collective> = Collective::ALL.into_iter().filter(known).collect();
        let together = (collectives.len() > 1).then_some(None);
        for collective in collectives.into_iter().map(Some).chain(together) {
            for model in models {
                let chosen = of_place()
                    .filter(|row| row.model == *model && collective.is_none_or(|of| row.case.subject.collective == of));
                all.extend(error_row(place, collective, model, &chosen.collect::<Vec<_>>()));
            }
        }
    }
    all
}

fn error_row(place: Place, collective: Option<Collective>, model: &str, rows: &[&ValidationRow]) -> Option<ErrorRow> {
    let signed: Vec<f64> = rows.iter().map(|row| row.error).collect();
    let sizes: Vec<f64> = signed.iter().map(|error| error.abs()).collect();
    Some(ErrorRow {
        place,
        collective,
        model: model.to_owned(),
        cases: rows.len(),
        median: median_with_interval(&sizes, CONFIDENCE)?.estimate,
        ninety: quantile_with_interval(&sizes, 0.9, CONFIDENCE)?.estimate,
        bias: median(&signed)?,
        agree: rows.iter().filter(|row| row.verdict == Verdict::Agrees).count(),
    })
}
