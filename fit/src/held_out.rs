//! Predictions of algorithms that were not fitted.

use crate::{Benchmark, Errors, Fit, FitError, Printed};
use models::collective::{Collective, Shape, Step};
use std::collections::BTreeMap;

/// Predictions of each number by a fit of other algorithms.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// Predictions of the printed numbers, in µs.
    pub predicted_us: Vec<f64>,
    /// True times with the same parameters, in µs.
    pub true_us: Vec<f64>,
    /// Errors of the predictions.
    pub errors: Errors,
}

/// Fits `folds` times, each time without every `folds`-th algorithm in the order of their names, whose numbers the fit
/// then predicts. Algorithms that send the same messages are held out together: a fit that has seen one has seen them
/// all.
///
/// # Errors
///
/// Fails where [`Fit::compute`] fails.
pub fn held_out(rows: &[Printed], benchmark: &Benchmark, folds: usize) -> Result<HeldOut, FitError> {
    let groups = groups(rows);
    let mut predicted_us = vec![0.0; rows.len()];
    let mut true_us = vec![0.0; rows.len()];
    for number in 0..folds {
        let (out, fitted): (Vec<_>, Vec<_>) = (0..rows.len()).partition(|&index| groups[index] % folds == number);
        let of = |places: &[usize]| places.iter().map(|&index| rows[index].clone()).collect::<Vec<_>>();
        let fit = Fit::best_of(&of(&fitted), benchmark)?;
        let out_rows = of(&out);
        let printed = benchmark.prints(&fit.parameters, &out_rows)?;
        let truths = benchmark.truths(&fit.parameters, &out_rows)?;
        for ((index, printed), truth) in out.into_iter().zip(printed).zip(truths) {
            (predicted_us[index], true_us[index]) = (printed, truth);
        }
    }
    let errors = Errors::compute(&predicted_us, rows).ok_or(FitError::TooFew { expected: 1, found: 0 })?;
    Ok(HeldOut { predicted_us, true_us, errors })
}

/// Message as (sender, receiver, length in bytes).
type MessageKey = (u32, u32, u64);

/// Returns the group of each number, counted in the order of the names of families: a family, with those that send the
/// same messages.
fn groups(rows: &[Printed]) -> Vec<usize> {
    // Families are compared at one call, the longest of the first one of their collective.
    let mut calls = BTreeMap::new();
    let mut families: BTreeMap<String, &Printed> = BTreeMap::new();
    for row in rows {
        let longest = families.entry(row.family()).or_insert(row);
        if row.shape.bytes > longest.shape.bytes {
            *longest = row;
        }
    }
    let mut known: BTreeMap<(Collective, Vec<MessageKey>), usize> = BTreeMap::new();
    let mut group_of = BTreeMap::new();
    for (family, row) in families {
        let call = *calls.entry(row.algorithm.collective).or_insert(row.shape);
        let shape = Shape { bytes: call.bytes, ..row.shape };
        let row = Printed { shape, ..row.clone() };
        let next = known.len();
        group_of.insert(family, *known.entry((row.algorithm.collective, messages(&row))).or_insert(next));
    }
    rows.iter().filter_map(|row| group_of.get(&row.family()).copied()).collect()
}

/// Returns all messages of a call, sorted.
fn messages(row: &Printed) -> Vec<MessageKey> {
    let of_rank = |rank| {
        let sent = row.algorithm.steps(&row.shape, rank).filter_map(|step: Step| step.sent());
        sent.map(move |(to, part)| (rank, to, part.bytes))
    };
    let mut messages: Vec<MessageKey> = (0..row.shape.ranks).flat_map(of_rank).collect();
    messages.sort_unstable();
    messages
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::collective::Algorithm;

    #[test]
    fn algorithms_of_equal_messages_are_one_group() {
        let row = |name: &str, bytes| Printed {
            name: name.to_owned(),
            algorithm: Algorithm::find(Collective::Bcast, name).expect("there"),
            shape: Shape::new(8, 0, bytes),
            us: 1.0,
        };
        let names = ["linear", "bine", "binomial", "bine-nonblocking", "bine"];
        let rows: Vec<Printed> =
            names.into_iter().zip([8, 8, 16, 32, 64]).map(|(name, bytes)| row(name, bytes)).collect();
        assert_eq!(groups(&rows), [2, 0, 1, 0, 0]);
    }
}
