//! The fast engine: rounds over arrays, without events. It equals the event engine bit for bit.

mod flat;
mod kernel;
mod rounds;

use crate::engine::SimError;
use crate::simulation::{Entry, Finish, Outcome, Played, Simulation};
use flat::Exchange;
use kernel::{Disturbed, Kernel, Undisturbed};
use models::collective::{Pattern, Round};
use models::network::Network;
use models::time::Time;
use rounds::Rounds;

/// The most messages of one burst: each needs room until its round is over.
const MOST_IN_A_BURST: u64 = 1 << 28;

/// Why the fast engine does not take a simulation; none if it does.
pub(crate) fn refusal(simulation: &Simulation) -> Option<String> {
    let shape = &simulation.shape;
    let rounds = (simulation.algorithm.rounds)(shape);
    // Patterns do not change size from round to round: the first and the last tell.
    let burst =
        [0, rounds.saturating_sub(1)].into_iter().filter(|index| *index < rounds).find_map(|index| match (simulation
            .algorithm
            .round)(
            shape, index
        )
        .pattern
        {
            Pattern::Burst { count, .. } => Some(u64::from(count) * u64::from(shape.ranks)),
            _ => None,
        });
    burst.filter(|&messages| messages > MOST_IN_A_BURST).map(|messages| {
        format!("the fast engine keeps at most {MOST_IN_A_BURST} messages under way, and this burst has {messages}; use --engine event")
    })
}

/// Carries out a simulation.
pub(crate) fn run(simulation: &Simulation) -> Result<Outcome, SimError> {
    if let Some(reason) = refusal(simulation) {
        return Err(SimError::Order(reason));
    }
    let outcome = match shifts(simulation) {
        Some(shifts) => flat(simulation, &shifts),
        None => by_model(simulation),
    };
    match outcome.finish.range() {
        (_, Time::END) => {
            let rank = (0..simulation.shape.ranks).find(|&rank| outcome.finish.of(rank) == Time::END);
            Err(SimError::Overflow { rank: rank.unwrap_or(0) })
        }
        _ => Ok(outcome),
    }
}

/// The distances and constants of all rounds, if all are shifts under a model whose gaps do not bind, without noise.
fn shifts(simulation: &Simulation) -> Option<Vec<(u32, Exchange)>> {
    let shape = &simulation.shape;
    if !simulation.noise.is_none() {
        return None;
    }
    let rounds = (simulation.algorithm.rounds)(shape);
    let shift = |index| match (simulation.algorithm.round)(shape, index).pattern {
        Pattern::Shift { distance, sent, .. } => Some((distance, sent.bytes)),
        _ => None,
    };
    let shifts: Vec<(u32, u64)> = (0..rounds).map(shift).collect::<Option<_>>()?;
    let bytes = shifts.first().map_or(0, |first| first.1);
    if shifts.iter().any(|shift| shift.1 != bytes) {
        return None;
    }
    let exchange = Exchange::of(&simulation.network, bytes)?;
    let all = rounds.checked_mul(u64::from(simulation.repeat))?;
    let fits = flat::fits(simulation.entry.latest(), all, &[exchange]);
    fits.then(|| shifts.into_iter().map(|(distance, _)| (distance, exchange)).collect())
}

fn flat(simulation: &Simulation, shifts: &[(u32, Exchange)]) -> Outcome {
    let ranks = simulation.shape.ranks;
    let messages = shifts.len() as u64 * u64::from(simulation.repeat) * u64::from(ranks);
    let mut repetitions = Vec::with_capacity(simulation.repeat as usize);
    let Entry::Each(entries) = &simulation.entry else {
        let mut now = Time::ZERO;
        for _ in 0..simulation.repeat {
            now = shifts.iter().fold(now, |now, &(_, exchange)| flat::together(now, exchange));
            repetitions.push((now, now));
        }
        return Outcome { finish: Finish::Same(now, ranks), repetitions, messages, engine: Played::Together };
    };
    let mut old: Vec<u64> = entries.iter().map(|time| time.0).collect();
    let mut new = vec![0; old.len()];
    for _ in 0..simulation.repeat {
        for &(distance, exchange) in shifts {
            exchange.round(&old, &mut new, distance);
            std::mem::swap(&mut old, &mut new);
        }
        let ends = old.iter().fold((u64::MAX, 0), |(first, last), &time| (first.min(time), last.max(time)));
        repetitions.push((Time(ends.0), Time(ends.1)));
    }
    drop(new);
    let finish = Finish::Each(old.into_iter().map(Time).collect());
    Outcome { finish, repetitions, messages, engine: Played::Flat }
}

/// Each model has its own copy of the loops.
fn by_model(simulation: &Simulation) -> Outcome {
    let noise = &simulation.noise;
    match (&simulation.network, simulation.network.loggops(), noise.is_none()) {
        (_, Some(model), true) => in_rounds(simulation, &Undisturbed(model)),
        (_, Some(model), false) => in_rounds(simulation, &Disturbed { model, noise }),
        (Network::Hockney(model), _, true) => in_rounds(simulation, &Undisturbed(*model)),
        (Network::Hockney(model), _, false) => in_rounds(simulation, &Disturbed { model: *model, noise }),
        (model, _, true) => in_rounds(simulation, &Undisturbed(*model)),
        (model, _, false) => in_rounds(simulation, &Disturbed { model: *model, noise }),
    }
}

fn in_rounds<K: Kernel>(simulation: &Simulation, kernel: &K) -> Outcome {
    let (shape, algorithm) = (&simulation.shape, simulation.algorithm);
    let mut play = Rounds::new(kernel, shape, algorithm.places, |rank| simulation.entry.of(rank));
    let rounds = (algorithm.rounds)(shape);
    let mut repetitions = Vec::with_capacity(simulation.repeat as usize);
    for _ in 0..simulation.repeat {
        for index in 0..rounds {
            let round: Round = (algorithm.round)(shape, index);
            play.play(round);
        }
        let ends = play.states.iter().map(K::cpu);
        repetitions.push(ends.fold((Time::END, Time::ZERO), |(first, last), time| (first.min(time), last.max(time))));
    }
    let by_rank = |rank| K::cpu(&play.states[algorithm.places.position(shape, rank) as usize]);
    let finish = Finish::Each((0..shape.ranks).map(by_rank).collect());
    Outcome { finish, repetitions, messages: play.messages, engine: Played::Rounds }
}
