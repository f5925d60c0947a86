//! Parameters under which simulated ranks print what was printed.

use crate::search::Search;
use crate::{Benchmark, Errors, FitError, Parameter, Parameters, Printed};
use models::machine::Estimate;

/// How much larger than the least error another one's may be for its parameters to count as good.
pub const AS_GOOD: f64 = 1.3;

/// Fitted parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The best ones.
    pub parameters: Parameters,
    /// Others whose mean error is within [`AS_GOOD`] times theirs.
    pub as_good: Vec<Parameters>,
    /// Of the numbers that were fitted.
    pub errors: Errors,
    /// What is predicted to be printed of each, in µs.
    pub predicted_us: Vec<f64>,
    /// How often the numbers were simulated for it.
    pub evaluations: usize,
}

impl Fit {
    /// Fits parameters to printed numbers, and looks for others that are as good.
    ///
    /// # Errors
    /// There are too few numbers; the benchmark cannot be simulated.
    pub fn of(rows: &[Printed], benchmark: &Benchmark) -> Result<Fit, FitError> {
        let search = Search::new(rows, benchmark)?;
        search.best()?;
        search.wander();
        search.fit()
    }

    /// The same without others that are as good.
    pub(crate) fn best_of(rows: &[Printed], benchmark: &Benchmark) -> Result<Fit, FitError> {
        let search = Search::new(rows, benchmark)?;
        search.best()?;
        search.fit()
    }

    /// A number of the best parameters, with its range over all that are as good.
    pub fn range(&self, of: impl Fn(&Parameters) -> f64) -> Estimate {
        let value = of(&self.parameters);
        let all = self.as_good.iter().map(of);
        let (low, high) = all.fold((value, value), |(low, high), value| (low.min(value), high.max(value)));
        Estimate { value, low, high }
    }

    /// How long each call truly took, in µs: with the best parameters, and over those among the others at which a parameter, or
    /// what a short message takes, is at an end of its range.
    ///
    /// # Errors
    /// As [`Benchmark::truths`].
    pub fn truths(&self, benchmark: &Benchmark, rows: &[Printed]) -> Result<Vec<Estimate>, FitError> {
        let best = benchmark.truths(&self.parameters, rows)?;
        let mut ranges: Vec<Estimate> = best.into_iter().map(Estimate::exactly).collect();
        for parameters in self.ends() {
            for (range, us) in ranges.iter_mut().zip(benchmark.truths(parameters, rows)?) {
                (range.low, range.high) = (range.low.min(us), range.high.max(us));
            }
        }
        Ok(ranges)
    }

    fn ends(&self) -> Vec<&Parameters> {
        let mut ends = Vec::new();
        let mut add = |of: &dyn Fn(&Parameters) -> f64| {
            let by = |one: &&Parameters, other: &&Parameters| of(one).total_cmp(&of(other));
            ends.extend(self.as_good.iter().min_by(by));
            ends.extend(self.as_good.iter().max_by(by));
        };
        Parameter::ALL.into_iter().for_each(|parameter| add(&|all| all.get(parameter)));
        add(&Parameters::hop_us);
        ends
    }
}
