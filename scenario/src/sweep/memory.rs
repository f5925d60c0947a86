//! Restrictions on sweeps of queues in shared memory: no other model, and no properties of messages.

use super::calls::Listed;
use super::values::Values;
use super::{Sweep, TOGETHER};
use crate::ScenarioError;
use crate::axis::Axis;
use models::medium::Medium;
use models::time::Span;
use std::ops::Range;

/// Refuses algorithms that a model does not carry. The error is reported at `place`, or at the algorithms where it is
/// `None`.
pub(super) fn carries(
    values: &Values<'_>,
    model: &str,
    calls: &[Listed],
    place: Option<Range<usize>>,
) -> Result<(), ScenarioError> {
    let wrong = |key: &str, place, message: String| values.source.error_at(place, key, message);
    let of_kind = |is_queue| calls.iter().find(|listed| listed.is_queue() == is_queue);
    if let (Some(queue), Some(other)) = (of_kind(true), of_kind(false)) {
        let (queue, other) = (queue.called.name(), other.called.name());
        let message = format!(
            "no model carries both messages and queues in shared memory; expected one kind in a sweep, found {other} and {queue}"
        );
        return Err(wrong("algorithm", values.place("algorithm"), message));
    }
    // Wrong parameters are reported elsewhere.
    let Ok(medium) = Medium::parse(model, None, None) else { return Ok(()) };
    let refused = calls.iter().find_map(|listed| medium.carries(&listed.called).err());
    let key = if place.is_some() { "model" } else { "algorithm" };
    let place = place.unwrap_or_else(|| values.place(key));
    refused.map_or(Ok(()), |message| Err(wrong(key, place, message)))
}

/// Refuses keys that have no effect on queues, because noise, segments, platforms and the like belong to messages.
pub(super) fn check(values: &Values<'_>, sweep: &Sweep) -> Result<(), ScenarioError> {
    if !sweep.calls.iter().any(Listed::is_queue) {
        return Ok(());
    }
    let said = [
        (Axis::Segment, sweep.segments.range().1 > 0),
        (Axis::Fanout, sweep.fanouts.range().1 > 0),
        (Axis::Platform, sweep.platforms.iter().any(|platform| !platform.is_empty())),
        (Axis::Noise, sweep.noises.iter().any(|noise| !noise.is_empty())),
        (Axis::Entry, sweep.entries.iter().any(|entry| entry != TOGETHER)),
        (Axis::Compute, sweep.computes.iter().any(|(_, work)| *work > Span::ZERO)),
        (Axis::Realisations, sweep.realisations.range().1 > 1),
        (Axis::Benchmark, sweep.benchmarks.iter().any(Option::is_some)),
    ];
    match said.into_iter().find(|(_, said)| *said) {
        None => Ok(()),
        Some((axis @ (Axis::Segment | Axis::Fanout), _)) => {
            let message = "a queue's name says how messages are cut and who notifies whom, like shared:8KiB:32:1:kary:4; leave \
                           this out";
            Err(values.source.error_at(values.place(axis.name()), axis.name(), message))
        }
        Some((axis, _)) => {
            let message = "broadcasts through shared memory are simulated alone, all ranks at once; leave this out";
            Err(values.source.error_at(values.place(axis.name()), axis.name(), message))
        }
    }
}
