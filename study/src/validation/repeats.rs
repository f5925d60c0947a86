//! Differences between measurements of the same case, which bound the accuracy that a prediction can show.

use super::measured::MeasuredCase;
use super::tables::share;
use super::{Place, Validation};
use statistics::{median, quantile};

/// Difference between launches that measured the same case.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeats {
    /// Place of the compared cases.
    pub place: Place,
    /// Cases that two launches measured at least.
    pub cases: usize,
    /// Median over cases of the slowest launch's median over the fastest one's, less 1.
    pub median: f64,
    /// 90 % quantile of the slowest launch's median over the fastest one's, less 1.
    pub ninety: f64,
}

/// Returns the differences in every place in which cases were measured twice.
pub(super) fn all(measured: &[MeasuredCase]) -> Vec<Repeats> {
    let mut places: Vec<Place> = measured.iter().map(|one| Place::from_case(&one.case)).collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().filter_map(|place| repeats_at(place, measured)).collect()
}

fn repeats_at(place: Place, measured: &[MeasuredCase]) -> Option<Repeats> {
    let apart: Vec<f64> =
        measured.iter().filter(|one| Place::from_case(&one.case) == place).filter_map(apart).collect();
    let (median, ninety) = (median(&apart)?, quantile(&apart, 0.9)?);
    Some(Repeats { place, cases: apart.len(), median, ninety })
}

fn apart(measured: &MeasuredCase) -> Option<f64> {
    let us = || measured.launches.iter().map(|&(_, us)| us).filter(|&us| us > 0.0);
    let apart = us().reduce(f64::max)? / us().reduce(f64::min)? - 1.0;
    (us().count() > 1).then_some(apart)
}

/// Returns one sentence for each place.
pub(super) fn sentences(validation: &Validation) -> impl Iterator<Item = String> {
    validation.repeats.iter().map(|one| {
        let Repeats { place, cases, median, ninety } = one;
        format!(
            "{}: measured again in another launch, the same case differs by {} (median of {cases} cases; 90 %: {}); errors up to that \
             need not be a model's.",
            place.title(),
            share(*median),
            share(*ninety)
        )
    })
}
