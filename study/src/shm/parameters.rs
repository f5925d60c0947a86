//! Costs of copies and waits in broadcasts through shared memory, fitted to measured times of one reader.

use crate::measured::Subject;
use models::shared_broadcast::{Costs, NodeCosts, Queue, exact, one_reader_on_a_node};
use models::time::{PerByte, Span};
use programs::machine::{Estimate, QueuePoint};
use render::groups::distinct;
use statistics::{launch_estimate, nonnegative_least_squares};

/// Queue, bytes of the message, and time in ns.
pub(super) type Measured = (Queue, u64, f64);

/// Rates of copying that a fit distinguishes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rates {
    /// One rate for all copies.
    One,
    /// Another rate in queues of up to this number of bytes.
    Small(u64),
    /// Another rate while root and reader copy at once.
    AtOnce,
}

/// Fitted parameters: ns per byte of large and of small queues, additional ns of each of the bytes that both copy at
/// once, ns of a notification and of a use of a set.
type Fitted = [f64; 5];

/// Composition of a message's time through a queue.
struct Form {
    rates: Rates,
    /// c in ns: the time that clearing a control word takes.
    clear_ns: f64,
    /// For each queue the bytes that both copy at once, and the ns that clearing control words takes.
    queues: Vec<(Queue, [f64; 2])>,
}

/// Fits the costs of copies and waits between two ranks, for messages of `bytes` bytes, to the times of each launch,
/// with intervals of a confidence.
/// The rates that are distinguished follow from all launches together.
pub(super) fn parameters(
    (subject, bytes): (&Subject, u64),
    all: &[Measured],
    launches: &[Vec<Measured>],
    confidence: f64,
) -> Option<QueuePoint> {
    let line_ns = subject.state.map(|state| state.line_ns);
    let form = best_form(all, line_ns.unwrap_or(0.0))?;
    let enough = |measured: &&Vec<Measured>| measured.len() >= form.least();
    let found: Vec<Fitted> = launches.iter().filter(enough).filter_map(|launch| form.fitted(launch)).collect();
    let parameter = |of: fn(&Fitted) -> f64| {
        let values: Vec<f64> = found.iter().map(of).collect();
        let estimate = launch_estimate(&values, confidence)?;
        let (low, high) = estimate.interval.unwrap_or((estimate.value, estimate.value));
        Some(Estimate { value: estimate.value, low: low.max(0.0), high })
    };
    let two_and_ta_ns = parameter(|one| one[4])?;
    let small_queue_bytes = if let Rates::Small(up_to) = form.rates { Some(up_to) } else { None };
    Some(QueuePoint {
        bytes,
        world: subject.case.place.world,
        line_ns,
        slower: subject.state.map(|state| state.slower),
        // tA is the way of a cache line, but no more than both together.
        ta_ns: line_ns.unwrap_or(0.0).min(two_and_ta_ns.value),
        small_queue_bytes,
        t_ns_per_byte: parameter(|one| one[0])?,
        small_queue_t_ns_per_byte: small_queue_bytes.and_then(|_| parameter(|one| one[1])),
        memory_ns_per_byte: (form.rates == Rates::AtOnce).then(|| parameter(|one| (one[0] + one[2]) / 2.0)).flatten(),
        tw_ns: parameter(|one| one[3])?,
        two_and_ta_ns,
    })
}

/// Number of times that the terms that are not proportional to a parameter are computed again from the last fit.
const ROUNDS: usize = 4;

impl Form {
    /// Fits a form with one of the choices of rates. While the root copies ahead, more or less of the bytes is copied
    /// at once, and a short copy does not hide the clearing of a control word. The recurrence computes their extent
    /// from the last fit.
    fn fit(measured: &[Measured], rates: Rates, clear_ns: f64) -> Option<Form> {
        let at_first = |queue: &Queue, bytes| {
            let parts = exact(&costs([1.0, 1.0, 0.0, 0.0, 0.0], false).one, queue, bytes);
            if rates == Rates::AtOnce { parts.copying.as_ns() - parts.first.as_ns() } else { 0.0 }
        };
        let queues = measured.iter().map(|(queue, bytes, _)| (*queue, [at_first(queue, *bytes), 0.0]));
        let mut form = Form { rates, clear_ns, queues: queues.collect() };
        for _ in 0..ROUNDS {
            let found = form.fitted(measured)?;
            // Two copies at once are as fast as one.
            if rates == Rates::AtOnce && found[2] < 1e-6 {
                return None;
            }
            form.queues =
                measured.iter().map(|(queue, bytes, _)| (*queue, form.beyond(found, queue, *bytes))).collect();
        }
        Some(form)
    }

    /// Returns the bytes that both copy at once, and the ns that clearing takes, with these parameters.
    fn beyond(&self, found: Fitted, queue: &Queue, bytes: u64) -> [f64; 2] {
        let ns = |costs: &NodeCosts| one_reader_on_a_node(costs, queue, bytes).as_ns();
        let alone = costs(found, self.is_small(queue, bytes));
        let memory = if self.rates == Rates::AtOnce { (found[0] + found[2]) / 2.0 } else { 0.0 };
        let at_once = NodeCosts { memory: PerByte(memory * 1e3), ..alone };
        let cleared = NodeCosts { clear: span(self.clear_ns), ..at_once };
        let more = ns(&at_once) - ns(&alone);
        [if more > 0.0 { more / found[2] } else { 0.0 }, ns(&cleared) - ns(&at_once)]
    }

    fn is_small(&self, queue: &Queue, bytes: u64) -> bool {
        matches!(self.rates, Rates::Small(up_to) if queue.bytes().min(bytes) <= up_to)
    }

    /// Returns the least number of queues for a fit: one more than there are parameters, and two more for two rates.
    fn least(&self) -> usize {
        if self.rates == Rates::One { 4 } else { 6 }
    }

    /// Returns the factors of the parameters, and the time in ns without the clearing of control words.
    fn point(&self, &(queue, bytes, ns): &Measured) -> (Fitted, f64) {
        let copied = exact(&costs([1.0, 1.0, 0.0, 0.0, 0.0], false).one, &queue, bytes).total().as_ns();
        let (large, small) = if self.is_small(&queue, bytes) { (0.0, copied) } else { (copied, 0.0) };
        let known = self.queues.iter().find(|(known, _)| *known == queue);
        let [at_once, cleared] = known.map_or([0.0; 2], |(_, beyond)| *beyond);
        let all = [large, small, at_once, queue.fragments(bytes) as f64, queue.uses(bytes) as f64];
        (all, (ns - cleared).max(ns / 10.0))
    }

    /// Returns the parameters that fit best, none of them negative. Two copies at once take no longer than one after
    /// the other would: any excess has another cause.
    fn fitted(&self, measured: &[Measured]) -> Option<Fitted> {
        let points: Vec<(Fitted, f64)> = measured.iter().map(|one| self.point(one)).collect();
        let found = nonnegative_least_squares(&points)?;
        if found[2] <= found[0] {
            return Some(found);
        }
        let in_turn = |([copied, small, at_once, f, u], ns): (Fitted, f64)| ([copied + at_once, small, 0.0, f, u], ns);
        let points: Vec<(Fitted, f64)> = points.into_iter().map(in_turn).collect();
        nonnegative_least_squares(&points).map(|found| [found[0], found[1], found[0], found[3], found[4]])
    }

    /// Returns the sum of squares of relative deviations from the fit.
    fn left(&self, measured: &[Measured]) -> Option<f64> {
        let parameters = self.fitted(measured)?;
        let deviation = |one: &Measured| {
            let (x, ns) = self.point(one);
            ((ns - x.iter().zip(parameters).map(|(x, a)| x * a).sum::<f64>()) / one.2).powi(2)
        };
        Some(measured.iter().map(deviation).sum())
    }
}

fn span(ns: f64) -> Span {
    Span((ns * 1e3).round() as u64)
}

/// Returns the costs of copies that do not disturb each other.
fn costs([large, small, _, notification, set]: Fitted, is_small: bool) -> NodeCosts {
    let copy = PerByte(if is_small { small } else { large } * 1e3);
    NodeCosts::from_costs(Costs { copy, notification: span(notification), set: span(set), leave: Span::ZERO })
}

/// Least number of queues among which two rates are looked for.
const ENOUGH: usize = 8;
/// Share of the squares left by one rate that a rate for copies at once may leave at most to be accepted: with the
/// twelve queues that are fitted by default, the share that a fourth parameter must explain (Schwarz 1978: less than
/// 12^(-1/12) = 0.81).
const AT_ONCE: f64 = 0.8;
/// Share of the squares left by one rate that a rate for small queues may leave at most to be accepted. It is smaller
/// because their bound is looked for, which explains some of any noise.
const SMALL: f64 = 0.5;

/// Relative deviation below which one rate explains the times so exactly that nothing is left to explain.
const EXACT: f64 = 1e-3;

/// Returns the form of the times, with as many rates as the times distinguish.
fn best_form(measured: &[Measured], clear_ns: f64) -> Option<Form> {
    let form = |rates: Rates| {
        let form = Form::fit(measured, rates, clear_ns)?;
        Some((form.left(measured)?, form))
    };
    let mut chosen = form(Rates::One)?;
    if measured.len() < ENOUGH || chosen.0 < EXACT.powi(2) * measured.len() as f64 {
        return Some(chosen.1);
    }
    let mut sizes = distinct(measured.iter().map(|(queue, bytes, _)| queue.bytes().min(*bytes)));
    sizes.sort_unstable();
    sizes.pop();
    let small = sizes.into_iter().map(Rates::Small).filter_map(form).min_by(|one, other| one.0.total_cmp(&other.0));
    for (more, share) in [(form(Rates::AtOnce), AT_ONCE), (small, SMALL)] {
        if let Some((squares, form)) = more
            && squares < chosen.0 * share
        {
            chosen = (squares, form);
        }
    }
    Some(chosen.1)
}
