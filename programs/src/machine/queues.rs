//! Costs of copies and waits in broadcasts through memory that ranks share, by the length of messages.

use super::{Bound, CoreState, Estimate, Machine};
use crate::observation::World;
use models::shared_broadcast::{Costs, NodeCosts};
use models::time::{PerByte, Span};
use serde::{Deserialize, Serialize};

/// Parameters of two ranks that broadcast messages of one length through queues (Kurnosov and Tokmasheva 2020, section
/// 5.2), in one state of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueuePoint {
    /// Length of the messages, in bytes.
    pub bytes: u64,
    /// World in which the ranks run.
    pub world: World,
    /// Latency of a cache line from one rank to the other, in ns; `None` where it was not observed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line_ns: Option<f64>,
    /// Factor by which the slower core is slower than at full speed; `None` where it was not observed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slower: Option<f64>,
    /// Cost t_A of leaving a set, in ns.
    pub ta_ns: f64,
    /// Longest queue, in bytes, that has another t: its lines are still in both ranks' caches when they are used again.
    /// `None` if all queues have the same t.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub small_queue_bytes: Option<u64>,
    /// Cost t of a copy, in ns/B.
    pub t_ns_per_byte: Estimate,
    /// Cost t of a copy in small queues, in ns/B.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub small_queue_t_ns_per_byte: Option<Estimate>,
    /// Time M for which a copy occupies the memory, in ns/B: root and reader at once take 2 M per byte each. `None` if
    /// both at once are as fast as one alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub memory_ns_per_byte: Option<Estimate>,
    /// Cost t_W of a notification, in ns.
    pub tw_ns: Estimate,
    /// Cost t_WO + t_A of a use of a set, in ns. Measured times show only the sum.
    pub two_and_ta_ns: Estimate,
}

impl QueuePoint {
    /// Costs of a message of `bytes` through a queue of `queue_bytes`, at the best parameters.
    pub fn costs(&self, queue_bytes: u64, bytes: u64) -> NodeCosts {
        self.costs_at(Bound::Best, queue_bytes, bytes)
    }

    /// Costs of a message of `bytes` through a queue of `queue_bytes`, at the best parameters or at one end of their
    /// intervals.
    pub fn costs_at(&self, bound: Bound, queue_bytes: u64, bytes: u64) -> NodeCosts {
        let small = self.small_queue_bytes.is_some_and(|up_to| queue_bytes.min(bytes) <= up_to);
        let copy = self.small_queue_t_ns_per_byte.filter(|_| small).unwrap_or(self.t_ns_per_byte);
        let span = |ns: f64| Span::from_ns(ns.max(0.0).round() as u64);
        // Rounded to the precision of the measurement.
        let rate = |ns_per_byte: &Estimate| PerByte((ns_per_byte.at(bound) * 1e5).round() / 1e2);
        let one = Costs {
            copy: rate(&copy),
            notification: span(self.tw_ns.at(bound)),
            set: span(self.two_and_ta_ns.at(bound) - self.ta_ns),
            leave: span(self.ta_ns),
        };
        NodeCosts {
            memory: self.memory_ns_per_byte.as_ref().map_or(PerByte(0.0), rate),
            // A reader's control word comes back to it after one latency of a cache line.
            clear: span(self.line_ns.unwrap_or(0.0)),
            ..NodeCosts::from_costs(one)
        }
    }
}

impl Machine {
    /// The costs of a message through a queue on ranks of a world, from the point with the nearest length in the state
    /// with the nearest cache-line latency to `line_ns`. `None` where none were measured.
    pub fn queue_costs(&self, world: World, line_ns: Option<f64>, queue_bytes: u64, bytes: u64) -> Option<NodeCosts> {
        self.queue_point(world, line_ns, bytes).map(|point| point.costs(queue_bytes, bytes))
    }

    /// Points that were measured in the state nearest to `state`; all points where `state` is `None`.
    pub fn queues_in(&self, state: Option<CoreState>) -> Vec<QueuePoint> {
        let Some(CoreState { line_ns, .. }) = state else { return self.queues.clone() };
        let kept = |point: &&QueuePoint| {
            let nearest = self.queue_point(point.world, Some(line_ns), point.bytes);
            nearest.is_some_and(|nearest| nearest.line_ns == point.line_ns)
        };
        self.queues.iter().filter(kept).copied().collect()
    }

    /// Point with the nearest length in the state nearest to `line_ns`.
    pub fn queue_point(&self, world: World, line_ns: Option<f64>, bytes: u64) -> Option<&QueuePoint> {
        let apart = |one: f64, other: f64| (one.max(1.0) / other.max(1.0)).ln().abs();
        let far = |point: &QueuePoint| {
            let lines = point.line_ns.zip(line_ns).map_or(0.0, |(one, other)| apart(one, other));
            let slower = point.slower.unwrap_or(1.0);
            // The state counts first, then the length.
            (lines, apart(point.bytes as f64, bytes as f64), slower)
        };
        let points = self.queues.iter().filter(|point| point.world == world);
        points.min_by(|one, other| {
            let (one, other) = (far(one), far(other));
            one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.total_cmp(&other.2))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::KNOWN;

    fn point(bytes: u64, line_ns: f64, copy: f64) -> QueuePoint {
        let exactly = Estimate::exactly;
        QueuePoint {
            bytes,
            world: World::OPENMPI,
            line_ns: Some(line_ns),
            slower: Some(1.0),
            ta_ns: 30.0,
            small_queue_bytes: Some(64 << 10),
            t_ns_per_byte: exactly(copy),
            small_queue_t_ns_per_byte: Some(exactly(2.0 * copy)),
            memory_ns_per_byte: Some(exactly(0.75 * copy)),
            tw_ns: exactly(300.0),
            two_and_ta_ns: exactly(700.0),
        }
    }

    #[test]
    fn costs_are_those_of_the_nearest_state_and_length_and_survive_the_file() {
        let (name, text) = KNOWN[0];
        let mut machine = Machine::parse(name, text).expect("a machine");
        assert_eq!(machine.queue_costs(World::OPENMPI, None, 1, 1), None);
        machine.queues = vec![point(1 << 16, 33.0, 0.1), point(1 << 20, 33.0, 0.2), point(1 << 20, 160.0, 0.4)];
        let machine = Machine::parse(name, &machine.text()).expect("the same machine");
        let copy = |line_ns, queue_bytes, bytes| {
            let costs = machine.queue_costs(World::OPENMPI, Some(line_ns), queue_bytes, bytes).expect("known");
            assert_eq!([costs.one.set, costs.one.leave].map(|span| span.0), [670_000, 30_000]);
            if queue_bytes > 64 << 10 {
                assert!((costs.memory.0 / costs.one.copy.0 - 0.75).abs() < 1e-9, "{costs}");
            }
            costs.one.copy.as_ns()
        };
        assert_eq!(copy(40.0, 1 << 20, 1 << 17), 0.1);
        assert_eq!(copy(40.0, 1 << 20, 1 << 22), 0.2);
        assert_eq!(copy(150.0, 1 << 20, 1 << 17), 0.4, "the state goes before the length");
        assert_eq!(copy(40.0, 1 << 12, 1 << 20), 0.4, "a small queue");
        assert_eq!(machine.queue_costs(World::MPICH, Some(33.0), 1, 1), None, "another world");
    }
}
