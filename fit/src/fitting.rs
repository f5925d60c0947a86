//! Fitted parameters, under which simulated ranks print the printed numbers.

use crate::search::Search;
use crate::{Benchmark, Errors, FitError, Parameters, Printed};
use programs::machine::Estimate;

/// Largest ratio of the error of parameters to the least error at which they count as good.
pub const AS_GOOD: f64 = 1.3;

/// Number of the other parameters that are as good which a machine file keeps.
pub const MOST_JOINT: usize = 16;

/// Result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Parameters of least error.
    pub parameters: Parameters,
    /// Other parameters whose mean error is within [`AS_GOOD`] times theirs.
    pub as_good: Vec<Parameters>,
    /// Errors of the numbers that were fitted.
    pub errors: Errors,
    /// Predictions of the printed numbers, in µs.
    pub predicted_us: Vec<f64>,
    /// Number of times that the numbers were simulated for it.
    pub evaluations: usize,
}

impl Fit {
    /// Fits parameters to printed numbers, and looks for others that are as good.
    ///
    /// # Errors
    ///
    /// Fails if there are too few numbers, or if the benchmark cannot be simulated.
    pub fn compute(rows: &[Printed], benchmark: &Benchmark) -> Result<Fit, FitError> {
        let search = Search::new(rows, benchmark)?;
        search.best();
        search.wander();
        search.fit()
    }

    /// Fits parameters without looking for others that are as good.
    pub(crate) fn best_of(rows: &[Printed], benchmark: &Benchmark) -> Result<Fit, FitError> {
        let search = Search::new(rows, benchmark)?;
        search.best();
        search.fit()
    }

    /// Returns a number of the best parameters, with its range over all that are as good.
    pub fn range(&self, of: impl Fn(&Parameters) -> f64) -> Estimate {
        let value = of(&self.parameters);
        let all = self.as_good.iter().map(of);
        let (low, high) = all.fold((value, value), |(low, high), value| (low.min(value), high.max(value)));
        Estimate { value, low, high }
    }

    /// Returns the true time of each call, in µs: with the best parameters, and its range over [`Fit::joint`].
    ///
    /// # Errors
    ///
    /// Fails where [`Benchmark::truths`] fails.
    pub fn truths(&self, benchmark: &Benchmark, rows: &[Printed]) -> Result<Vec<Estimate>, FitError> {
        let all = std::iter::once(&self.parameters).chain(self.joint());
        benchmark.truths_over(&all.map(Parameters::platform).collect::<Vec<_>>(), rows)
    }

    /// Returns at most [`MOST_JOINT`] of the others, spread over all of them: those at which a parameter, or the time
    /// of a short message, is at an end of its range, then one by one whichever is furthest from all that are there.
    pub fn joint(&self) -> Vec<&Parameters> {
        let mut joint: Vec<&Parameters> = Vec::new();
        let mut add = |of: &dyn Fn(&Parameters) -> f64| {
            let by = |one: &&Parameters, other: &&Parameters| of(one).total_cmp(&of(other));
            let ends = [self.as_good.iter().min_by(by), self.as_good.iter().max_by(by)];
            for end in ends.into_iter().flatten() {
                if joint.len() < MOST_JOINT && !joint.contains(&end) {
                    joint.push(end);
                }
            }
        };
        self.parameters.free().for_each(|parameter| add(&|all| all.get(parameter)));
        add(&Parameters::hop_us);
        while joint.len() < MOST_JOINT {
            let nearest =
                |one: &Parameters| joint.iter().map(|other| one.distance(other)).fold(f64::INFINITY, f64::min);
            let furthest = self.as_good.iter().max_by(|one, other| nearest(one).total_cmp(&nearest(other)));
            let Some(next) = furthest.filter(|one| nearest(one) > 0.0) else { break };
            joint.push(next);
        }
        joint
    }
}
