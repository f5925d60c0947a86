//! Predictions of algorithms that were not fitted.

use crate::{Benchmark, Errors, Fit, FitError, Printed};
use std::collections::BTreeSet;

/// What is predicted of each number by a fit of other algorithms.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// What is predicted to be printed, in µs.
    pub predicted_us: Vec<f64>,
    /// The true time with the same parameters, in µs.
    pub true_us: Vec<f64>,
    /// Of what is predicted.
    pub errors: Errors,
}

/// Fits `folds` times, each time without every `folds`-th algorithm in the order of their names, of which the fit then predicts
/// the numbers.
///
/// # Errors
/// As [`Fit::of`].
pub fn held_out(rows: &[Printed], benchmark: &Benchmark, folds: usize) -> Result<HeldOut, FitError> {
    let families: BTreeSet<String> = rows.iter().map(Printed::family).collect();
    let families: Vec<String> = families.into_iter().collect();
    let fold = |row: &Printed| families.iter().position(|family| *family == row.family()).unwrap_or(0) % folds;
    let mut predicted_us = vec![0.0; rows.len()];
    let mut true_us = vec![0.0; rows.len()];
    for number in 0..folds {
        let (out, fitted): (Vec<_>, Vec<_>) = (0..rows.len()).partition(|&index| fold(&rows[index]) == number);
        let of = |places: &[usize]| places.iter().map(|&index| rows[index].clone()).collect::<Vec<_>>();
        let fit = Fit::best_of(&of(&fitted), benchmark)?;
        let out_rows = of(&out);
        let printed = benchmark.prints(&fit.parameters, &out_rows)?;
        let truths = benchmark.truths(&fit.parameters, &out_rows)?;
        for ((index, printed), truth) in out.into_iter().zip(printed).zip(truths) {
            (predicted_us[index], true_us[index]) = (printed, truth);
        }
    }
    let errors = Errors::of(&predicted_us, rows).ok_or(FitError::TooFew { expected: 1, found: 0 })?;
    Ok(HeldOut { predicted_us, true_us, errors })
}
