//! Parameters under which simulated ranks print what was printed.

use crate::start::starts;
use crate::wander::wander;
use crate::{Benchmark, Errors, FitError, Parameter, Parameters, Printed, simplex};
use models::machine::Estimate;
use std::cell::RefCell;

/// How much larger than the least error another one's may be for its parameters to count as good.
pub const AS_GOOD: f64 = 1.3;

/// Steps of a search from each start.
const FIRST_STEPS: u64 = 90;
/// Steps of a search from where the best one ended: the simplex, which has shrunk by then, is as large as in the beginning again.
const MORE_STEPS: u64 = 80;
/// Such searches go on as long as one makes the error this much less, as a share, but no longer than [`MOST_SEARCHES`].
const WORTH_WHILE: f64 = 0.02;
/// The most searches from where the one before ended.
const MOST_SEARCHES: usize = 6;

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

/// Parameters and their mean error, for each time that the numbers were simulated.
type Seen = RefCell<Vec<(Vec<f64>, f64)>>;

impl Fit {
    /// Fits parameters to printed numbers, and looks for others that are as good.
    ///
    /// # Errors
    /// There are too few numbers; the benchmark cannot be simulated.
    pub fn of(rows: &[Printed], benchmark: &Benchmark) -> Result<Fit, FitError> {
        Fit::found(rows, benchmark, true)
    }

    /// The same without others that are as good.
    pub(crate) fn best_of(rows: &[Printed], benchmark: &Benchmark) -> Result<Fit, FitError> {
        Fit::found(rows, benchmark, false)
    }

    fn found(rows: &[Printed], benchmark: &Benchmark, others: bool) -> Result<Fit, FitError> {
        let expected = Parameter::ALL.len();
        if rows.len() < expected {
            return Err(FitError::TooFew { expected, found: rows.len() });
        }
        let starts = starts(rows);
        for start in &starts {
            benchmark.prints(start, rows)?;
        }
        let seen = Seen::default();
        let cost = |logarithms: &[f64]| {
            let printed = benchmark.prints(&Parameters::from_logarithms(logarithms), rows);
            let error = printed.ok().and_then(|us| Errors::of(&us, rows)).map_or(f64::INFINITY, |errors| errors.mean);
            seen.borrow_mut().push((logarithms.to_vec(), error));
            error
        };
        let (best, least) = searched(&starts, cost).ok_or_else(|| FitError::Other("no start".to_owned()))?;
        if others {
            wander(&best, AS_GOOD * least, cost);
        }
        let parameters = Parameters::from_logarithms(&best);
        let predicted_us = benchmark.prints(&parameters, rows)?;
        let errors = Errors::of(&predicted_us, rows).ok_or(FitError::TooFew { expected, found: 0 })?;
        let seen = seen.into_inner();
        let as_good = seen.iter().filter(|(_, error)| *error <= AS_GOOD * least);
        let as_good = as_good.map(|(logarithms, _)| Parameters::from_logarithms(logarithms)).collect();
        Ok(Fit { parameters, as_good, errors, predicted_us, evaluations: seen.len() })
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

/// The best parameters that searches from all starts find, and their error.
fn searched(starts: &[Parameters], cost: impl Fn(&[f64]) -> f64) -> Option<(Vec<f64>, f64)> {
    let first = starts.iter().map(|start| simplex::least(&cost, &start.logarithms(), FIRST_STEPS, 1.0));
    let mut best = first.min_by(|one, other| one.1.total_cmp(&other.1))?;
    let mut without_gain = 0;
    for turn in 0..MOST_SEARCHES {
        let side = if turn % 2 == 0 { -1.0 } else { 1.0 };
        let next = simplex::least(&cost, &best.0, MORE_STEPS, side);
        without_gain = if next.1 < best.1 * (1.0 - WORTH_WHILE) { 0 } else { without_gain + 1 };
        if next.1 < best.1 {
            best = next;
        }
        // One to each side.
        if without_gain == 2 {
            break;
        }
    }
    Some(best)
}
