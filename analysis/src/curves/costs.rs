//! The cost of one call: simulated, and with the cheapest segments where that is asked for.

use crate::choice::ModelChoice;
use models::collective::{Algorithm, Pattern, Shape};
use models::engine::Engine;
use models::noise::Noise;
use models::platform::Buffer;
use models::time::Time;
use rayon::prelude::*;
use scenario::BadInput;
use sim::{Entry, Simulation};

/// How messages are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// All alike; 0: not at all.
    Fixed(u64),
    /// As is cheapest at each point without noise.
    Cheapest,
}

/// What all points share.
pub(super) struct Costs<'a> {
    /// The network.
    pub model: &'a ModelChoice,
    /// What disturbs ranks.
    pub noise: Noise,
    /// How often it is drawn; the mean counts.
    pub realisations: u32,
    /// How messages are cut.
    pub segments: Segments,
    /// The most messages of one point.
    pub limit: u64,
}

/// The shortest segment that is tried, in bytes.
const SHORTEST_SEGMENT: u64 = 256;

impl Costs<'_> {
    /// For each algorithm and each shape the completion time in µs; none where that takes too many messages.
    /// Points are worked out on all cores.
    ///
    /// # Errors
    /// What the simulator refuses.
    pub(super) fn all(
        &self,
        algorithms: &[&'static Algorithm],
        shapes: &[Shape],
    ) -> Result<Vec<Vec<Option<f64>>>, BadInput> {
        let points: Vec<(&'static Algorithm, &Shape)> =
            algorithms.iter().flat_map(|algorithm| shapes.iter().map(move |shape| (*algorithm, shape))).collect();
        let times: Vec<Option<f64>> =
            points.par_iter().map(|(algorithm, shape)| self.point(algorithm, shape)).collect::<Result<_, _>>()?;
        Ok(times.chunks(shapes.len().max(1)).map(<[_]>::to_vec).collect())
    }

    fn point(&self, algorithm: &'static Algorithm, shape: &Shape) -> Result<Option<f64>, BadInput> {
        let platform = self.model.messages_alone(shape.ranks)?;
        let simulation = Simulation {
            algorithm,
            shape: *shape,
            platform,
            noise: Noise::none(),
            entry: Entry::Together,
            repeat: 1,
            buffer: Some(Buffer::Touched),
        };
        let shape = match self.segments {
            Segments::Fixed(segment_bytes) => Shape { segment_bytes, ..*shape },
            Segments::Cheapest => self.cheapest(&simulation)?,
        };
        if most_messages(algorithm, &shape).saturating_mul(u64::from(self.realisations)) > self.limit {
            return Ok(None);
        }
        let simulation = Simulation { shape, noise: self.noise.clone(), ..simulation };
        let last = simulation
            .realise(Engine::Auto, 0..self.realisations, |outcome| outcome.finish.range().1)
            .map_err(|error| failed(&simulation, &error))?;
        let sum: u128 = last.iter().map(|time| u128::from(time.0)).sum();
        Ok(Some(sum as f64 / f64::from(self.realisations) / 1e6))
    }

    /// The shape with its cheapest segments. From long to short segments the time first falls, as more ranks are
    /// busy at once, then rises, as each message has its overhead: the search ends on the way up.
    fn cheapest(&self, simulation: &Simulation) -> Result<Shape, BadInput> {
        let (algorithm, uncut) = (simulation.algorithm, simulation.shape);
        let rounds = |segment_bytes| (algorithm.rounds)(&Shape { segment_bytes, ..uncut });
        if !cuts(algorithm, &uncut) {
            return Ok(uncut);
        }
        let mut best = (self.quiet(simulation)?, uncut);
        let (mut worse, mut before) = (0, rounds(0));
        let mut segment_bytes = uncut.bytes.next_power_of_two() / 2;
        while segment_bytes >= SHORTEST_SEGMENT && worse < 2 {
            let shape = Shape { segment_bytes, ..uncut };
            segment_bytes /= 2;
            // What is cut is at times a share of the buffer: longer segments do not cut it.
            let rounds = (algorithm.rounds)(&shape);
            if rounds == before {
                continue;
            }
            before = rounds;
            match self.quiet(&Simulation { shape, ..simulation.clone() })? {
                None => break,
                time if best.0.is_none() || time < best.0 => (best, worse) = ((time, shape), 0),
                Some(_) => worse += 1,
            }
        }
        Ok(best.1)
    }

    /// The time without noise; none where that takes too many messages.
    fn quiet(&self, simulation: &Simulation) -> Result<Option<Time>, BadInput> {
        if most_messages(simulation.algorithm, &simulation.shape) > self.limit {
            return Ok(None);
        }
        let outcome = simulation.run(Engine::Auto).map_err(|error| failed(simulation, &error))?;
        Ok(Some(outcome.finish.range().1))
    }
}

/// True if shorter segments make another schedule.
pub(super) fn cuts(algorithm: &Algorithm, shape: &Shape) -> bool {
    let rounds = |segment_bytes| (algorithm.rounds)(&Shape { segment_bytes, ..*shape });
    shape.bytes > SHORTEST_SEGMENT && rounds(SHORTEST_SEGMENT) != rounds(0)
}

/// No fewer than the messages of a call and no fewer than its steps of all ranks, without walking through its rounds: patterns keep their size from round to round.
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

fn failed(simulation: &Simulation, error: &sim::SimError) -> BadInput {
    let Shape { ranks, bytes, .. } = simulation.shape;
    BadInput(format!("{:?}, {ranks} ranks, {bytes} B: {error}", simulation.algorithm))
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::collective::{ALGORITHMS, Collective};

    #[test]
    fn no_call_has_more_messages_than_said() {
        let network = models::network::parse("loggops", None, None).unwrap();
        for algorithm in ALGORITHMS {
            for ranks in [1, 2, 7, 16, 33] {
                let shape = Shape { segment_bytes: 300, ..Shape::new(ranks, 0, 1_000) };
                let simulation = Simulation {
                    algorithm,
                    shape,
                    platform: network.into(),
                    noise: Noise::none(),
                    entry: Entry::Together,
                    repeat: 1,
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

    #[test]
    fn points_beyond_the_limit_are_left_out() {
        let model = ModelChoice::default();
        let costs =
            |limit| Costs { model: &model, noise: Noise::none(), realisations: 1, segments: Segments::Cheapest, limit };
        let algorithm = Algorithm::find(Collective::Bcast, "linear").unwrap();
        let shapes = [Shape::new(4, 0, 8), Shape::new(64, 0, 8)];
        let found = costs(20).all(&[algorithm], &shapes).unwrap();
        assert!(found[0][0].is_some() && found[0][1].is_none(), "{found:?}");
        assert!(costs(200).all(&[algorithm], &shapes).unwrap()[0].iter().all(Option::is_some));
    }
}
