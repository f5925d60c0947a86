//! How well a case repeats: no prediction can be nearer to what is measured than measurements are to each other.

use super::measured::Measured;
use super::tables::share;
use super::{Place, Validation};
use statistics::{median, quantile};

/// By how much launches that measured the same case differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeats {
    /// Where.
    pub place: Place,
    /// Cases that two launches measured at least.
    pub cases: usize,
    /// The slowest launch's median over the fastest one's, less 1: the median over cases.
    pub median: f64,
    /// What 90 % of them do not exceed.
    pub ninety: f64,
}

/// Every place in which cases were measured twice.
pub(super) fn all(measured: &[Measured]) -> Vec<Repeats> {
    let mut places: Vec<Place> = measured.iter().map(|one| Place::from_case(&one.case)).collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().filter_map(|place| repeats_at(place, measured)).collect()
}

fn repeats_at(place: Place, measured: &[Measured]) -> Option<Repeats> {
    let apart: Vec<f64> =
        measured.iter().filter(|one| Place::from_case(&one.case) == place).filter_map(apart).collect();
    let (median, ninety) = (median(&apart)?, quantile(&apart, 0.9)?);
    Some(Repeats { place, cases: apart.len(), median, ninety })
}

fn apart(measured: &Measured) -> Option<f64> {
    let us = || measured.launches.iter().map(|&(_, us)| us).filter(|&us| us > 0.0);
    let apart = us().reduce(f64::max)? / us().reduce(f64::min)? - 1.0;
    (us().count() > 1).then_some(apart)
}

/// In one sentence for each place.
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
