//! Choice of the best model by comparing models case by case, with a test of whether it is best by more than chance.

use super::{CONFIDENCE, Place, QUEUES, ValidationRow};
use models::collective::Collective;
use programs::machine::Estimate;
use statistics::{median, median_with_interval};

/// Best model on one collective of a place, or on all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Place of the compared cases.
    pub place: Place,
    /// Collective of the cases; `None` for all of them.
    pub collective: Option<Collective>,
    /// Name of the model with the least median |error|.
    pub model: String,
    /// Median |error| of that model.
    pub median: f64,
    /// All other models, best first.
    pub rivals: Vec<Rival>,
}

/// Another model on the same cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Rival {
    /// Name of the model.
    pub model: String,
    /// Median |error| of the model.
    pub median: f64,
    /// Excess of its |error| over the best one's, case by case: the median of the differences, with the interval of
    /// order statistics that inverts the sign test. All intervals of one [`Best`] hold together at [`CONFIDENCE`]
    /// (Bonferroni).
    pub excess: Estimate,
    /// Number of cases that both predict.
    pub cases: usize,
    /// Whether that number of cases suffices to reach the confidence.
    pub enough: bool,
}

impl Rival {
    /// True if it is worse by more than chance.
    pub fn is_worse(&self) -> bool {
        self.enough && self.excess.low > 0.0
    }
}

impl Best {
    /// True if every other model is worse by more than chance.
    pub fn is_clear(&self) -> bool {
        !self.rivals.is_empty() && self.rivals.iter().all(Rival::is_worse)
    }
}

/// Returns the best model of every collective of each place, then of all collectives together.
pub(super) fn all(rows: &[ValidationRow], models: &[String]) -> Vec<Best> {
    let mut places: Vec<Place> = rows.iter().map(ValidationRow::place).collect();
    places.sort_unstable();
    places.dedup();
    let mut all = Vec::new();
    for place in places {
        let of_place: Vec<&ValidationRow> = rows.iter().filter(|row| row.place() == place).collect();
        let known = |collective: &Collective| of_place.iter().any(|row| row.case.subject.collective == *collective);
        let collectives: Vec<Collective> = Collective::ALL.into_iter().filter(known).collect();
        let together = (collectives.len() > 1).then_some(None);
        for collective in collectives.into_iter().map(Some).chain(together) {
            let chosen: Vec<&ValidationRow> = of_place
                .iter()
                .copied()
                .filter(|row| collective.is_none_or(|of| row.case.subject.collective == of))
                .collect();
            // No case is predicted by both.
            let (queues, networks): (Vec<&ValidationRow>, Vec<&ValidationRow>) =
                chosen.into_iter().partition(|row| row.model == QUEUES);
            all.extend([networks, queues].iter().filter_map(|rows| best(place, collective, rows, models)));
        }
    }
    all
}

/// Returns a model's errors, each with its case.
fn sizes<'a>(rows: &[&'a ValidationRow], model: &str) -> Vec<(&'a ValidationRow, f64)> {
    rows.iter().filter(|row| row.model == model).map(|&row| (row, row.error.abs())).collect()
}

fn best(place: Place, collective: Option<Collective>, rows: &[&ValidationRow], models: &[String]) -> Option<Best> {
    let middle = |model: &String| {
        let sizes: Vec<f64> = sizes(rows, model).into_iter().map(|(_, size)| size).collect();
        Some((model.clone(), median(&sizes)?))
    };
    let mut medians: Vec<(String, f64)> = models.iter().filter_map(middle).collect();
    medians.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (model, least) = medians.first().cloned()?;
    let others = &medians[1..];
    let confidence = 1.0 - (1.0 - CONFIDENCE) / others.len().max(1) as f64;
    let ours = sizes(rows, &model);
    let rival = |(name, median): &(String, f64)| {
        let theirs = sizes(rows, name);
        let differences: Vec<f64> = theirs
            .iter()
            .filter_map(|(row, size)| {
                let (_, same) = ours.iter().find(|(of, _)| of.case == row.case)?;
                Some(size - same)
            })
            .collect();
        let excess = median_with_interval(&differences, confidence)?;
        Some(Rival {
            model: name.clone(),
            median: *median,
            excess: excess.estimate,
            cases: differences.len(),
            enough: excess.reached >= confidence,
        })
    };
    let rivals = others.iter().filter_map(rival).collect();
    Some(Best { place, collective, model, median: least, rivals })
}
