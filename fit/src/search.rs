//! The search for the parameters of least error: the parameters tried so far, and its next steps.

use crate::fitting::AS_GOOD;
use crate::start::starts;
use crate::wander::wander;
use crate::{Benchmark, Errors, Fit, FitError, Parameter, Parameters, Printed, simplex};
use std::cell::RefCell;

/// Steps, for each free parameter, of a search from where another one ended: the simplex, which has shrunk by then, is
/// as large as in the beginning again.
const MORE_STEPS: u64 = 15;
/// Share by which a search must lower the error for further ones to be worth while, up to [`MOST_SEARCHES`].
const WORTH_WHILE: f64 = 0.02;
/// Most searches from where the one before ended.
const MOST_SEARCHES: usize = 8;
/// First steps of a search from a start, for each free parameter: by then wrong barriers are left behind by right ones.
const SCREEN_STEPS: u64 = 7;

/// Search that has begun.
pub(crate) struct Search<'a> {
    rows: &'a [Printed],
    benchmark: &'a Benchmark,
    starts: Vec<Parameters>,
    /// Parameters, as logarithms, and their mean error, for each time that the numbers were simulated.
    seen: RefCell<Vec<(Vec<f64>, f64)>>,
}

impl<'a> Search<'a> {
    /// Makes a search from starts that can be simulated.
    ///
    /// # Errors
    ///
    /// Fails if there are too few numbers, or if the benchmark cannot be simulated.
    pub(crate) fn new(rows: &'a [Printed], benchmark: &'a Benchmark) -> Result<Search<'a>, FitError> {
        let expected = Parameter::free(benchmark.near);
        if rows.len() < expected {
            return Err(FitError::TooFew { expected, found: rows.len() });
        }
        let starts = starts(rows, benchmark.near);
        for start in &starts {
            benchmark.prints(start, rows)?;
        }
        Ok(Search { rows, benchmark, starts, seen: RefCell::default() })
    }

    /// Returns the mean error of parameters, which is remembered.
    fn cost(&self, logarithms: &[f64]) -> f64 {
        let printed = self.benchmark.prints(&Parameters::from_logarithms(logarithms), self.rows);
        let error =
            printed.ok().and_then(|us| Errors::compute(&us, self.rows)).map_or(f64::INFINITY, |errors| errors.mean);
        self.seen.borrow_mut().push((logarithms.to_vec(), error));
        error
    }

    /// Returns the best point that a search of `steps` steps for each free parameter finds from a point, and its error.
    fn go_on(&self, from: &[f64], steps: u64, side: f64) -> (Vec<f64>, f64) {
        simplex::least(|point| self.cost(point), from, steps * from.len() as u64, side)
    }

    /// Searches shortly from the start in the middle.
    pub(crate) fn screen(&self) {
        if let Some(start) = self.starts.get(self.starts.len() / 2) {
            self.go_on(&start.logarithms(), SCREEN_STEPS, 1.0);
        }
    }

    /// Searches from all starts, then from where the best one ended.
    pub(crate) fn best(&self) {
        let first = self.starts.iter().map(|start| self.go_on(&start.logarithms(), SCREEN_STEPS, 1.0));
        let Some(mut best) = first.min_by(|one, other| one.1.total_cmp(&other.1)) else { return };
        let mut without_gain = 0;
        for turn in 0..MOST_SEARCHES {
            let side = if turn % 2 == 0 { -1.0 } else { 1.0 };
            let next = self.go_on(&best.0, MORE_STEPS, side);
            without_gain = if next.1 < best.1 * (1.0 - WORTH_WHILE) { 0 } else { without_gain + 1 };
            if next.1 < best.1 {
                best = next;
            }
            // One to each side.
            if without_gain == 2 {
                break;
            }
        }
    }

    /// Returns the errors of the best parameters so far.
    ///
    /// # Errors
    ///
    /// Fails where [`Benchmark::prints`] fails.
    pub(crate) fn errors(&self) -> Result<Errors, FitError> {
        let (best, _) = self.least().ok_or_else(nothing_seen)?;
        Ok(self.predicted(&Parameters::from_logarithms(&best))?.1)
    }

    /// Returns the predictions of the printed numbers, in µs, and their errors.
    fn predicted(&self, parameters: &Parameters) -> Result<(Vec<f64>, Errors), FitError> {
        let predicted_us = self.benchmark.prints(parameters, self.rows)?;
        let expected = Parameter::free(self.benchmark.near);
        let errors = Errors::compute(&predicted_us, self.rows).ok_or(FitError::TooFew { expected, found: 0 })?;
        Ok((predicted_us, errors))
    }

    /// Looks for other parameters that are as good as the best ones.
    pub(crate) fn wander(&self) {
        if let Some((best, least)) = self.least() {
            wander(&best, AS_GOOD * least, |point| self.cost(point));
        }
    }

    /// Returns the best parameters so far, as logarithms, and their error.
    fn least(&self) -> Option<(Vec<f64>, f64)> {
        let seen = self.seen.borrow();
        seen.iter().min_by(|one, other| one.1.total_cmp(&other.1)).cloned()
    }

    /// Returns the best fit that has been found so far.
    ///
    /// # Errors
    ///
    /// Fails where [`Benchmark::prints`] fails.
    pub(crate) fn fit(&self) -> Result<Fit, FitError> {
        let (best, least) = self.least().ok_or_else(nothing_seen)?;
        let parameters = Parameters::from_logarithms(&best);
        let (predicted_us, errors) = self.predicted(&parameters)?;
        let seen = self.seen.borrow();
        let as_good = seen.iter().filter(|(_, error)| *error <= AS_GOOD * least);
        let as_good = as_good.map(|(logarithms, _)| Parameters::from_logarithms(logarithms)).collect();
        Ok(Fit { parameters, as_good, errors, predicted_us, evaluations: seen.len() })
    }
}

fn nothing_seen() -> FitError {
    FitError::Other("no search has begun".to_owned())
}
