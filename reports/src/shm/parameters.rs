//! What copies and waits cost in broadcasts through shared memory, fitted to measured times of one reader.

use crate::groups::distinct;
use crate::measured::CONFIDENCE;
use models::machine::Estimate;
use models::shared_broadcast::{Costs, Queue, exact};
use models::time::{PerByte, Span};
use statistics::{launch_estimate, nonnegative_least_squares};

/// What copies and waits cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameters {
    /// t in ns/B.
    pub copy: Estimate,
    /// In queues of so little memory that their lines are still in both ranks' caches when they are used again t is another one:
    /// of up to so many bytes, in ns/B.
    pub small: Option<(u64, Estimate)>,
    /// t_W in ns.
    pub notification: Estimate,
    /// t_WO + t_A in ns.
    pub set: Estimate,
    /// t_A in ns.
    pub leave_ns: f64,
}

impl Parameters {
    /// Those of a queue through which so many bytes pass.
    pub(super) fn costs(&self, queue_bytes: u64, bytes: u64) -> Costs {
        let small = self.small.filter(|(up_to, _)| queue_bytes.min(bytes) <= *up_to);
        let copy = small.map_or(self.copy, |(_, copy)| copy).value;
        let span = |ns: f64| Span::from_ns(ns.round() as u64);
        // No more digits than there is knowledge.
        Costs {
            copy: PerByte((copy * 1e5).round() / 1e2),
            notification: span(self.notification.value),
            set: span(self.set.value - self.leave_ns),
            leave: span(self.leave_ns),
        }
    }

    /// Fitted to what each launch took; `line_ns`: a cache line's way.
    pub(super) fn of(launches: &[Vec<Measured>], small: Option<u64>, line_ns: Option<f64>) -> Option<Parameters> {
        let of_launch = |measured: &Vec<Measured>| if measured.len() < LEAST { None } else { fitted(measured, small) };
        let found: Vec<[f64; 4]> = launches.iter().filter_map(of_launch).collect();
        let parameter = |place: usize| {
            let values: Vec<f64> = found.iter().map(|one| one[place]).collect();
            let estimate = launch_estimate(&values, CONFIDENCE)?;
            let (low, high) = estimate.interval.unwrap_or((estimate.value, estimate.value));
            Some(Estimate { value: estimate.value, low: low.max(0.0), high })
        };
        let (copy, set) = (parameter(0)?, parameter(3)?);
        Some(Parameters {
            copy,
            small: match small {
                Some(up_to) => Some((up_to, parameter(1)?)),
                None => None,
            },
            notification: parameter(2)?,
            set,
            leave_ns: line_ns.unwrap_or(0.0).min(set.value),
        })
    }
}

/// A queue, the message and the time in ns.
pub(super) type Measured = (Queue, u64, f64);

/// Fewer queues say too little.
const LEAST: usize = 5;

/// What parameters are multiplied by, and the time: bytes copied in large and in small queues, notifications, uses of a set.
fn point(&(queue, bytes, ns): &Measured, small: Option<u64>) -> ([f64; 4], f64) {
    let unit = Costs { copy: PerByte(1e3), notification: Span::ZERO, set: Span::ZERO, leave: Span::ZERO };
    let copied = exact(&unit, &queue, bytes).total().as_ns();
    let is_small = small.is_some_and(|up_to| queue.bytes().min(bytes) <= up_to);
    let (large, small) = if is_small { (0.0, copied) } else { (copied, 0.0) };
    ([large, small, queue.fragments(bytes) as f64, queue.uses(bytes) as f64], ns)
}

/// t of large and of small queues, t_W and t_WO + t_A, none of them negative.
fn fitted(measured: &[Measured], small: Option<u64>) -> Option<[f64; 4]> {
    let points: Vec<_> = measured.iter().map(|one| point(one, small)).collect();
    match small {
        Some(_) => nonnegative_least_squares(&points),
        None => {
            let points: Vec<_> = points.iter().map(|([large, _, f, u], ns)| ([*large, *f, *u], *ns)).collect();
            nonnegative_least_squares(&points).map(|[copy, notification, set]| [copy, copy, notification, set])
        }
    }
}

/// Up to which memory queues are small: where the fit is best, if two rates t halve the squares of what one rate leaves.
pub(super) fn smallest(measured: &[Measured]) -> Option<u64> {
    let left = |small: Option<u64>| {
        let parameters = fitted(measured, small)?;
        let deviation = |one: &Measured| {
            let (x, ns) = point(one, small);
            (1.0 - x.iter().zip(parameters).map(|(x, a)| x * a).sum::<f64>() / ns).powi(2)
        };
        Some(measured.iter().map(deviation).sum::<f64>())
    };
    let mut sizes = distinct(measured.iter().map(|(queue, bytes, _)| queue.bytes().min(*bytes)));
    sizes.sort_unstable();
    sizes.pop();
    let best = sizes.into_iter().filter_map(|up_to| Some((left(Some(up_to))?, up_to)));
    let (squares, up_to) = best.min_by(|one, other| one.0.total_cmp(&other.0))?;
    (squares < left(None)? / 2.0).then_some(up_to)
}
