//! Least errors by the simplex method (Nelder, Mead 1965), which takes no derivatives: errors are absolute values, and
//! the numbers that simulated ranks print have kinks.

use argmin::core::{CostFunction, Error, Executor, State};
use argmin::solver::neldermead::NelderMead;

/// Length of the edges of the first simplex, as logarithms.
const EDGE: f64 = 0.4;

struct Problem<F>(F);

impl<F: Fn(&[f64]) -> f64> CostFunction for Problem<F> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        Ok((self.0)(point))
    }
}

/// Returns the point of least cost that `steps` steps from `start` find, and its cost. `side` is the sign of the first
/// simplex's edges.
pub(crate) fn least(cost: impl Fn(&[f64]) -> f64, start: &[f64], steps: u64, side: f64) -> (Vec<f64>, f64) {
    let corner = |place: usize| {
        let mut corner = start.to_vec();
        corner[place] += side * EDGE;
        corner
    };
    let corners = std::iter::once(start.to_vec()).chain((0..start.len()).map(corner)).collect();
    let found = Executor::new(Problem(&cost), NelderMead::new(corners)).configure(|state| state.max_iters(steps)).run();
    let best =
        found.ok().and_then(|found| Some((found.state().get_best_param()?.clone(), found.state().get_best_cost())));
    best.unwrap_or_else(|| (start.to_vec(), cost(start)))
}
