//! Which barrier was before the calls: what each of several would have printed.

use crate::{Benchmark, Fit, FitError, Printed};
use models::observation::Barrier;

/// One barrier and the best parameters with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The barrier.
    pub barrier: Barrier,
    /// The parameters that fit best behind it.
    pub fit: Fit,
}

/// The best fit behind each barrier, the one with the least median error first.
///
/// # Errors
/// As [`Fit::of`].
pub fn choose(rows: &[Printed], benchmark: &Benchmark, barriers: &[Barrier]) -> Result<Vec<Candidate>, FitError> {
    let fit = |&barrier: &Barrier| {
        let fit = Fit::best_of(rows, &Benchmark { barrier, ..benchmark.clone() })?;
        Ok(Candidate { barrier, fit })
    };
    let mut candidates = barriers.iter().map(fit).collect::<Result<Vec<_>, FitError>>()?;
    candidates.sort_by(|one, other| one.fit.errors.median.total_cmp(&other.fit.errors.median));
    Ok(candidates)
}
