//! The fast engine: rounds over arrays, without events. It equals the event engine bit for bit.

mod flat;
mod kernel;
mod noisy;
mod rounds;

use crate::engine::SimError;
use crate::simulation::{Entry, Finish, Outcome, Played, Simulation};
use flat::Exchange;
use kernel::{Disturbed, Kernel, Refined, Undisturbed};
use models::collective::{Pattern, Round};
use models::network::{Network, NetworkModel};
use models::noise::Noise;
use models::time::Time;
use noisy::{NoisyExchange, NoisyRanks};
use rayon::prelude::*;
use rounds::Rounds;
use std::ops::Range;

/// The most messages of one burst: each needs room until its round is over.
const MOST_IN_A_BURST: u64 = 1 << 28;

/// Why the fast engine does not take a simulation; none if it does.
pub(crate) fn refusal(simulation: &Simulation) -> Option<String> {
    if simulation.platform.needs_order() {
        return Some(
            "connection set-up and shared links depend on the order of messages of all ranks: use --engine event"
                .to_owned(),
        );
    }
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
    let outcome = match (shifts(simulation), simulation.noise.is_none()) {
        (Some(shifts), true) => flat(simulation, &shifts),
        (Some(shifts), false) => noisy(simulation, &shifts, simulation.noise.index(), 1).swap_remove(0),
        (None, _) => by_model(simulation),
    };
    checked(outcome)
}

/// Entries of one pass over several realisations: so many that its arrays stay in the nearer caches.
const ENTRIES_IN_A_PASS: usize = 1 << 16;
/// The most realisations of one pass: so many first detours come out of one draw.
const MOST_LANES: usize = 32;

/// Carries out realisations `first` … `first + count − 1` of the simulation's noise, on all cores; hands each
/// outcome to `keep`, whose results come back in order.
pub(crate) fn realise<T: Send>(
    simulation: &Simulation,
    realisations: Range<u32>,
    keep: &(impl Fn(Outcome) -> T + std::marker::Sync),
) -> Result<Vec<T>, SimError> {
    if let Some(reason) = refusal(simulation) {
        return Err(SimError::Order(reason));
    }
    let Some(shifts) = shifts(simulation).filter(|_| !simulation.noise.is_none()) else {
        let one = |index| {
            let noise = simulation.noise.realisation(index);
            run(&Simulation { noise, ..simulation.clone() }).map(keep)
        };
        return realisations.into_par_iter().map(one).collect();
    };
    let lanes = (ENTRIES_IN_A_PASS / simulation.shape.ranks as usize).clamp(1, MOST_LANES);
    let passes: Vec<u32> = realisations.clone().step_by(lanes).collect();
    let pass = |first: u32| {
        let lanes = lanes.min((realisations.end - first) as usize);
        let outcomes = noisy(simulation, &shifts, first, lanes);
        outcomes.into_iter().map(|outcome| checked(outcome).map(keep)).collect::<Result<Vec<T>, _>>()
    };
    let kept = passes.into_par_iter().map(pass).collect::<Result<Vec<_>, _>>()?;
    Ok(kept.into_iter().flatten().collect())
}

/// An outcome whose times stayed in range.
fn checked(outcome: Outcome) -> Result<Outcome, SimError> {
    match outcome.finish.range() {
        (_, Time::END) => Err(SimError::Overflow { rank: outcome.finish.latest_rank() }),
        _ => Ok(outcome),
    }
}

/// All rounds as shifts of one length under a model whose gaps do not bind.
struct Shifts {
    distances: Vec<u32>,
    bytes: u64,
    exchange: Exchange,
}

/// Set if all rounds are such shifts, and this simulation can be played on flat arrays.
fn shifts(simulation: &Simulation) -> Option<Shifts> {
    let shape = &simulation.shape;
    let network = &simulation.platform.network;
    if !simulation.platform.is_plain() || !simulation.noise.is_none() && network.loggops().is_none() {
        return None;
    }
    let rounds = (simulation.algorithm.rounds)(shape);
    let shift = |index| match (simulation.algorithm.round)(shape, index).pattern {
        Pattern::Shift { distance, sent, .. } => Some((distance, sent.bytes)),
        _ => None,
    };
    let (distances, lengths): (Vec<u32>, Vec<u64>) = (0..rounds).map(shift).collect::<Option<_>>()?;
    let bytes = lengths.first().copied().unwrap_or(0);
    if lengths.iter().any(|&length| length != bytes) {
        return None;
    }
    let exchange = Exchange::of(network, bytes)?;
    let all = rounds.checked_mul(u64::from(simulation.repeat))?;
    flat::fits(simulation.entry.latest(), all, exchange).then_some(Shifts { distances, bytes, exchange })
}

fn flat(simulation: &Simulation, shifts: &Shifts) -> Outcome {
    let (ranks, exchange) = (simulation.shape.ranks, shifts.exchange);
    let messages = messages(simulation, shifts);
    let mut repetitions = Vec::with_capacity(simulation.repeat as usize);
    let Entry::Each(entries) = &simulation.entry else {
        let mut now = Time::ZERO;
        for _ in 0..simulation.repeat {
            now = shifts.distances.iter().fold(now, |now, _| flat::together(now, exchange));
            repetitions.push((now, now));
        }
        return Outcome { finish: Finish::Same(now, ranks), repetitions, messages, engine: Played::Together };
    };
    let mut old: Vec<u64> = entries.iter().map(|time| time.0).collect();
    let mut new = vec![0; old.len()];
    for _ in 0..simulation.repeat {
        for &distance in &shifts.distances {
            exchange.round(&old, &mut new, distance);
            std::mem::swap(&mut old, &mut new);
        }
        repetitions.push(range(old.iter().copied()));
    }
    drop(new);
    let finish = Finish::Each(old.into_iter().map(Time).collect());
    Outcome { finish, repetitions, messages, engine: Played::Flat }
}

/// `lanes` realisations from number `first` on, in one pass.
fn noisy(simulation: &Simulation, shifts: &Shifts, first: u32, lanes: usize) -> Vec<Outcome> {
    let Some(model) = simulation.platform.network.loggops() else {
        unreachable!("`shifts` lets only the LogP family through under noise");
    };
    let exchange = NoisyExchange::of(&model, shifts.bytes);
    let mut ranks =
        NoisyRanks::new(&simulation.noise, first, lanes, simulation.shape.ranks, |rank| simulation.entry.of(rank));
    let mut repetitions = vec![Vec::with_capacity(simulation.repeat as usize); lanes];
    for _ in 0..simulation.repeat {
        shifts.distances.iter().for_each(|&distance| ranks.round(exchange, distance));
        for (lane, ends) in repetitions.iter_mut().enumerate() {
            ends.push(range(ranks.cpu.iter().skip(lane).step_by(lanes).copied()));
        }
    }
    let outcome = |(lane, repetitions)| Outcome {
        finish: Finish::Each(ranks.cpu.iter().skip(lane).step_by(lanes).map(|&time| Time(time)).collect()),
        repetitions,
        messages: messages(simulation, shifts),
        engine: Played::Flat,
    };
    repetitions.into_iter().enumerate().map(outcome).collect()
}

fn messages(simulation: &Simulation, shifts: &Shifts) -> u64 {
    shifts.distances.len() as u64 * u64::from(simulation.repeat) * u64::from(simulation.shape.ranks)
}

fn range(times: impl Iterator<Item = u64>) -> (Time, Time) {
    let (first, last) = times.fold((u64::MAX, 0), |(first, last), time| (first.min(time), last.max(time)));
    (Time(first), Time(last))
}

/// Each model has its own copy of the loops.
fn by_model(simulation: &Simulation) -> Outcome {
    let (platform, noise) = (&simulation.platform, &simulation.noise);
    match (&platform.network, platform.network.loggops()) {
        _ if !platform.is_plain() => by_noise(simulation, noise, Refined(platform)),
        (_, Some(model)) => by_noise(simulation, noise, model),
        (Network::Hockney(model), _) => by_noise(simulation, noise, *model),
        (model, _) => by_noise(simulation, noise, *model),
    }
}

fn by_noise<M: NetworkModel + std::marker::Sync>(simulation: &Simulation, noise: &Noise, model: M) -> Outcome {
    if noise.is_none() {
        in_rounds(simulation, &Undisturbed(model))
    } else {
        in_rounds(simulation, &Disturbed { model, noise })
    }
}

fn in_rounds<K: Kernel>(simulation: &Simulation, kernel: &K) -> Outcome {
    let (shape, algorithm) = (&simulation.shape, simulation.algorithm);
    let mut play = Rounds::new(kernel, simulation);
    let rounds = (algorithm.rounds)(shape);
    let mut repetitions = Vec::with_capacity(simulation.repeat as usize);
    for _ in 0..simulation.repeat {
        for index in 0..rounds {
            let round: Round = (algorithm.round)(shape, index);
            play.play(round);
        }
        repetitions.push(range(play.states.iter().map(|state| K::cpu(state).0)));
    }
    let by_rank = |rank| K::cpu(&play.states[algorithm.places.position(shape, rank) as usize]);
    let finish = Finish::Each((0..shape.ranks).map(by_rank).collect());
    Outcome { finish, repetitions, messages: play.messages, engine: Played::Rounds }
}
