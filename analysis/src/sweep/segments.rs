//! Cuts of messages into segments: the cheapest segments of a call, and an upper bound of its messages.

use models::collective::{Algorithm, Pattern, Shape};
use models::engine::Engine;
use models::noise::Noise;
use models::time::Time;
use sim::{SimError, Simulation};

/// Length of the shortest segment that is tried, in bytes.
const SHORTEST_SEGMENT: u64 = 256;

/// Returns the shape with the segments that are the cheapest without noise, among those of at most `limit` messages.
/// From long to short segments the time first falls, as more ranks are busy at once, then rises, as each message has
/// its overhead: the search ends on the way up.
///
/// # Errors
/// Fails where the simulator does.
pub(super) fn cheapest(simulation: &Simulation, engine: Engine, limit: u64) -> Result<Shape, SimError> {
    let (algorithm, uncut) = (simulation.algorithm, simulation.shape);
    let rounds = |segment_bytes| (algorithm.rounds)(&Shape { segment_bytes, ..uncut });
    if !cuts(algorithm, &uncut) {
        return Ok(uncut);
    }
    // The time is `None` where it takes too many messages.
    let time = |shape: Shape| -> Result<Option<Time>, SimError> {
        if most_messages(algorithm, &shape) > limit {
            return Ok(None);
        }
        let quiet = Simulation { shape, noise: Noise::none(), ..simulation.clone() };
        Ok(Some(quiet.run(engine)?.finish.range().1))
    };
    let mut best = (time(uncut)?, uncut);
    let (mut worse, mut before) = (0, rounds(0));
    let mut segment_bytes = uncut.bytes.next_power_of_two() / 2;
    while segment_bytes >= SHORTEST_SEGMENT && worse < 2 {
        let shape = Shape { segment_bytes, ..uncut };
        segment_bytes /= 2;
        // Some algorithms cut a share of the buffer: longer segments do not cut it.
        let rounds = (algorithm.rounds)(&shape);
        if rounds == before {
            continue;
        }
        before = rounds;
        match time(shape)? {
            None => break,
            time if best.0.is_none() || time < best.0 => (best, worse) = ((time, shape), 0),
            Some(_) => worse += 1,
        }
    }
    Ok(best.1)
}

/// True if shorter segments change the schedule.
pub(super) fn cuts(algorithm: &Algorithm, shape: &Shape) -> bool {
    let rounds = |segment_bytes| (algorithm.rounds)(&Shape { segment_bytes, ..*shape });
    shape.bytes > SHORTEST_SEGMENT && rounds(SHORTEST_SEGMENT) != rounds(0)
}

/// Returns an upper bound of both the messages of a call and the steps of all its ranks, without walking through its
/// rounds: patterns keep their size from round to round.
pub fn most_messages(algorithm: &Algorithm, shape: &Shape) -> u64 {
    let rounds = (algorithm.rounds)(shape);
    let of_round = |index: u64| match (algorithm.round)(shape, index).pattern {
        Pattern::Burst { count, .. } => u64::from(count).max(1),
        Pattern::Tree { .. } => 2,
        Pattern::Shift { .. } | Pattern::Lap { .. } | Pattern::Meet { .. } | Pattern::Local { .. } => 1,
    };
    let most = [0, rounds.saturating_sub(1)].into_iter().filter(|&index| index < rounds).map(of_round).max();
    most.unwrap_or(0).saturating_mul(rounds).saturating_mul(u64::from(shape.ranks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::collective::{ALGORITHMS, Collective};
    use models::time::Span;
    use sim::Entry;

    #[test]
    fn no_call_has_more_messages_than_said() {
        let network = models::network::parse("loggops", None, None).unwrap();
        for algorithm in ALGORITHMS {
            for ranks in [1, 2, 7, 16, 33].map(|ranks| algorithm.ranks.at_most(ranks)) {
                let shape = Shape { segment_bytes: 300, ..Shape::new(ranks, 0, 1_000) };
                let simulation = Simulation {
                    algorithm,
                    shape,
                    platform: network.into(),
                    noise: Noise::none(),
                    entry: Entry::Together,
                    repeat: 1,
                    compute: Span::ZERO,
                    buffer: None,
                };
                let found = simulation.run(Engine::Auto).unwrap().messages;
                let most = most_messages(algorithm, &shape);
                assert!(found <= most, "{algorithm:?}, {ranks} ranks: {found} messages, at most {most}");
            }
        }
    }

    #[test]
    fn a_dissemination_is_not_overrated() {
        let algorithm = Algorithm::find(Collective::Barrier, "dissemination").unwrap();
        assert_eq!(most_messages(algorithm, &Shape::new(1 << 20, 0, 0)), 20 << 20);
    }
}
