//! What copies and waits cost in broadcasts through shared memory, fitted to measured times of one reader.

use crate::groups::distinct;
use crate::measured::{CONFIDENCE, Subject};
use models::machine::{Estimate, QueuePoint};
use models::shared_broadcast::{Costs, Queue, exact};
use models::time::{PerByte, Span};
use statistics::{launch_estimate, nonnegative_least_squares};

/// What copies and waits cost two ranks for messages of so many bytes, fitted to what each launch took.
pub(super) fn parameters(
    (subject, bytes): (&Subject, u64),
    launches: &[Vec<Measured>],
    small: Option<u64>,
) -> Option<QueuePoint> {
    let of_launch =
        |measured: &Vec<Measured>| if measured.len() < least(small) { None } else { fitted(measured, small) };
    let found: Vec<[f64; 4]> = launches.iter().filter_map(of_launch).collect();
    let parameter = |place: usize| {
        let values: Vec<f64> = found.iter().map(|one| one[place]).collect();
        let estimate = launch_estimate(&values, CONFIDENCE)?;
        let (low, high) = estimate.interval.unwrap_or((estimate.value, estimate.value));
        Some(Estimate { value: estimate.value, low: low.max(0.0), high })
    };
    let (two_and_ta_ns, line_ns) = (parameter(3)?, subject.state.map(|state| state.line_ns));
    Some(QueuePoint {
        bytes,
        world: subject.case.world,
        line_ns,
        slower: subject.state.map(|state| state.slower),
        // A cache line's way, but no more than both together.
        ta_ns: line_ns.unwrap_or(0.0).min(two_and_ta_ns.value),
        small_queue_bytes: small,
        t_ns_per_byte: parameter(0)?,
        small_queue_t_ns_per_byte: small.and_then(|_| parameter(1)),
        tw_ns: parameter(2)?,
        two_and_ta_ns,
    })
}

/// A queue, the message and the time in ns.
pub(super) type Measured = (Queue, u64, f64);

/// Fewer queues say too little: one more than there are parameters, and two more of two rates.
fn least(small: Option<u64>) -> usize {
    if small.is_some() { 6 } else { 4 }
}

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

/// Two rates are not looked for among fewer queues.
const ENOUGH: usize = 8;

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
    if measured.len() < ENOUGH {
        return None;
    }
    let mut sizes = distinct(measured.iter().map(|(queue, bytes, _)| queue.bytes().min(*bytes)));
    sizes.sort_unstable();
    sizes.pop();
    let best = sizes.into_iter().filter_map(|up_to| Some((left(Some(up_to))?, up_to)));
    let (squares, up_to) = best.min_by(|one, other| one.0.total_cmp(&other.0))?;
    (squares < left(None)? / 2.0).then_some(up_to)
}
