//! The fast engine: rounds over arrays, without events. It equals the event engine bit for bit.

mod again;
pub(crate) mod all_ranks;
mod flat;
mod kernel;
mod lanes;
mod noisy;
mod rounds;

use crate::engine::SimError;
use crate::entry::Entry;
use crate::simulation::{Finish, Played, Simulation, SimulationOutcome};
use flat::Exchange;
use kernel::{Disturbed, Kernel, Modelled, Refined, Undisturbed};
use lanes::{LANES, LaneKernel};
use models::collective::{Algorithm, Pattern, Shape};
use models::network::{Network, NetworkModel};
use models::noise::Noise;
use models::platform::Platform;
use models::time::{Span, Time};
use noisy::{NoisyExchange, NoisyRanks};
use rayon::prelude::*;
use rounds::Rounds;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most messages of one burst: each needs room until its round is over.
const MOST_IN_A_BURST: u64 = 1 << 28;

/// Returns the reason for which the fast engine does not take a simulation, `None` if it does.
pub(crate) fn refusal(simulation: &Simulation) -> Option<String> {
    if simulation.platform.needs_order() {
        return Some(
            "connection set-up, duplex, cache lines and shared links depend on the order of messages of all ranks: use --engine event"
                .to_owned(),
        );
    }
    if simulation.buffer.is_some() && simulation.platform.minds_waits() {
        return Some("what takes longer after a wait (start, after-wait) needs --engine event".to_owned());
    }
    let messages =
        in_a_burst(simulation.algorithm, &simulation.shape).saturating_mul(u64::from(simulation.shape.ranks));
    (messages > MOST_IN_A_BURST).then(|| {
        format!("the fast engine keeps at most {MOST_IN_A_BURST} messages under way, and this burst has {messages}; use --engine event")
    })
}

/// Returns the number of messages that each rank has under way in the largest burst, 0 without bursts.
fn in_a_burst(algorithm: &Algorithm, shape: &Shape) -> u64 {
    let rounds = (algorithm.rounds)(shape);
    let count = |index| match (algorithm.round)(shape, index).pattern {
        Pattern::Burst { count, .. } => Some(u64::from(count)),
        _ => None,
    };
    // Bursts grow, shrink or stay from round to round: the first or the last is the largest.
    [0, rounds.saturating_sub(1)].into_iter().filter(|index| *index < rounds).filter_map(count).max().unwrap_or(0)
}

/// Returns about how much memory a simulation needs, in bytes.
pub(crate) fn memory_bytes(simulation: &Simulation) -> u64 {
    let per_rank = match (shifts(simulation), simulation.noise.is_none()) {
        (Some(_), true) if simulation.entry == Entry::Together => 0,
        (Some(_), true) => 17,
        (Some(_), false) => 48,
        (None, _) => 112,
    };
    // A burst keeps each of its messages until its round is over.
    u64::from(simulation.shape.ranks)
        .saturating_mul(per_rank + 40 * in_a_burst(simulation.algorithm, &simulation.shape))
}

/// Carries out a simulation.
pub(crate) fn run(simulation: &Simulation) -> Result<SimulationOutcome, SimError> {
    if let Some(reason) = refusal(simulation) {
        return Err(SimError::Order(reason));
    }
    let outcome = match (shifts(simulation), simulation.noise.is_none()) {
        (Some(shifts), true) => flat(simulation, &shifts),
        (Some(shifts), false) => noisy(simulation, &shifts, simulation.noise.index(), 1).swap_remove(0),
        (None, _) => by_model(simulation, simulation.noise.index(), 1).swap_remove(0),
    };
    checked(outcome)
}

/// Number of entries in one pass over several realisations: its arrays stay in the nearer caches.
const ENTRIES_IN_A_PASS: usize = 1 << 16;
/// Most realisations of one pass: this number of first detours comes out of one draw.
const MOST_LANES: usize = 32;

/// Carries out realisations `first` … `first + count − 1` of the simulation's noise, on all cores. Hands each outcome
/// to `keep`, whose results come back in order.
pub(crate) fn realise<T: Send>(
    simulation: &Simulation,
    realisations: Range<u32>,
    keep: &(impl Fn(SimulationOutcome) -> T + std::marker::Sync),
) -> Result<Vec<T>, SimError> {
    if let Some(reason) = refusal(simulation) {
        return Err(SimError::Order(reason));
    }
    if simulation.noise.is_none() {
        return realisations.into_par_iter().map(|_| run(simulation).map(keep)).collect();
    }
    let shifts = shifts(simulation);
    let lanes = (ENTRIES_IN_A_PASS / simulation.shape.ranks as usize).clamp(1, MOST_LANES);
    let passes: Vec<u32> = realisations.clone().step_by(lanes).collect();
    let pass = |first: u32| {
        let lanes = lanes.min((realisations.end - first) as usize);
        let outcomes = match &shifts {
            Some(shifts) => noisy(simulation, shifts, first, lanes),
            None => by_model(simulation, first, lanes),
        };
        outcomes.into_iter().map(|outcome| checked(outcome).map(keep)).collect::<Result<Vec<T>, _>>()
    };
    let kept = passes.into_par_iter().map(pass).collect::<Result<Vec<_>, _>>()?;
    Ok(kept.into_iter().flatten().collect())
}

/// Checks that an outcome's times stayed in range.
fn checked(outcome: SimulationOutcome) -> Result<SimulationOutcome, SimError> {
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

/// Returns the shifts if all rounds are such, and this simulation can be played on flat arrays.
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
    let exchange = Exchange::for_bytes(network, bytes)?;
    let calls = u64::from(simulation.repeat);
    let (all, computed) = (rounds.checked_mul(calls)?, simulation.compute.0.checked_mul(calls)?);
    let latest = Time(simulation.entry.latest().0.checked_add(computed)?);
    flat::fits(latest, all, exchange).then_some(Shifts { distances, bytes, exchange })
}

fn flat(simulation: &Simulation, shifts: &Shifts) -> SimulationOutcome {
    let (ranks, exchange) = (simulation.shape.ranks, shifts.exchange);
    let messages = messages(simulation, shifts);
    let mut calls = Vec::with_capacity(simulation.repeat as usize);
    if simulation.entry == Entry::Together {
        let mut now = Time::ZERO;
        for _ in 0..simulation.repeat {
            now = shifts.distances.iter().fold(now + simulation.compute, |now, _| flat::together(now, exchange));
            calls.push((now, now));
        }
        return SimulationOutcome { finish: Finish::Same(now, ranks), calls, messages, engine: Played::Together };
    }
    let mut old = simulation.entry.all(ranks);
    let in_place = ranks >= flat::IN_PLACE;
    let mut new = if in_place { Vec::new() } else { vec![0; old.len()] };
    for _ in 0..simulation.repeat {
        if simulation.compute > Span::ZERO {
            old.iter_mut().for_each(|time| *time += simulation.compute.0);
        }
        for &distance in &shifts.distances {
            if in_place {
                exchange.round_in_place(&mut old, distance, &mut new);
            } else {
                exchange.round(&old, &mut new, distance);
                std::mem::swap(&mut old, &mut new);
            }
        }
        calls.push(range(old.iter().copied()));
    }
    drop(new);
    let finish = Finish::Each(old.into_iter().map(Time).collect());
    SimulationOutcome { finish, calls, messages, engine: Played::Flat }
}

/// Plays `lanes` realisations from number `first` on, in one pass.
fn noisy(simulation: &Simulation, shifts: &Shifts, first: u32, lanes: usize) -> Vec<SimulationOutcome> {
    let Some(model) = simulation.platform.network.loggops() else {
        unreachable!("`shifts` lets only the LogP family through under noise");
    };
    let exchange = NoisyExchange::for_bytes(&model, shifts.bytes);
    let mut ranks = NoisyRanks::new(&simulation.noise, first, lanes, &simulation.entry.all(simulation.shape.ranks));
    let mut calls = vec![Vec::with_capacity(simulation.repeat as usize); lanes];
    for _ in 0..simulation.repeat {
        ranks.compute(simulation.compute);
        shifts.distances.iter().for_each(|&distance| ranks.round(exchange, distance));
        for (lane, ends) in calls.iter_mut().enumerate() {
            ends.push(range(ranks.cpu.iter().skip(lane).step_by(lanes).map(|&time| time as u64)));
        }
    }
    if ranks.is_out_of_range {
        return by_model(simulation, first, lanes);
    }
    let outcome = |(lane, calls)| SimulationOutcome {
        finish: Finish::Each(ranks.cpu.iter().skip(lane).step_by(lanes).map(|&time| Time(time as u64)).collect()),
        calls,
        messages: messages(simulation, shifts),
        engine: Played::Flat,
    };
    calls.into_iter().enumerate().map(outcome).collect()
}

fn messages(simulation: &Simulation, shifts: &Shifts) -> u64 {
    shifts.distances.len() as u64 * u64::from(simulation.repeat) * u64::from(simulation.shape.ranks)
}

fn range(times: impl Iterator<Item = u64>) -> (Time, Time) {
    let (first, last) = times.fold((u64::MAX, 0), |(first, last), time| (first.min(time), last.max(time)));
    (Time(first), Time(last))
}

/// Task for a network model of a type of its own, so that each model has its own copy of the loops.
trait ForModel {
    type Output;
    fn run<M: NetworkModel + Copy + std::marker::Sync>(self, model: M) -> Self::Output;
}

fn for_model<F: ForModel>(platform: &Platform, what: F) -> F::Output {
    match (&platform.network, platform.network.loggops()) {
        _ if !platform.is_plain() => what.run(Refined(platform)),
        (_, Some(model)) => what.run(model),
        (Network::Hockney(model), _) => what.run(*model),
        (model, _) => what.run(*model),
    }
}

/// Plays realisations `first` … `first + lanes − 1`, one after another.
fn by_model(simulation: &Simulation, first: u32, lanes: usize) -> Vec<SimulationOutcome> {
    for_model(&simulation.platform, Realisations { simulation, first, lanes })
}

struct Realisations<'a> {
    simulation: &'a Simulation,
    first: u32,
    lanes: usize,
}

impl ForModel for Realisations<'_> {
    type Output = Vec<SimulationOutcome>;

    fn run<M: NetworkModel + Copy + std::marker::Sync>(self, model: M) -> Vec<SimulationOutcome> {
        by_noise(self.simulation, self.first, self.lanes, model)
    }
}

/// Returns the start of each rank's first detour in realisations `first` … `first + lanes − 1`: those of rank r lie
/// from r·lanes on.
fn first_starts(noise: &Noise, ranks: u32, first: u32, lanes: usize) -> Vec<Time> {
    let mut starts = vec![Time::ZERO; ranks as usize * lanes];
    for (rank, starts) in (0..ranks).zip(starts.chunks_exact_mut(lanes)) {
        noise.first_starts(rank, first, starts);
    }
    starts
}

fn by_noise<M: NetworkModel + Copy + std::marker::Sync>(
    simulation: &Simulation,
    first: u32,
    lanes: usize,
    model: M,
) -> Vec<SimulationOutcome> {
    if simulation.noise.is_none() {
        return vec![in_rounds(simulation, &Modelled { model, cpus: Undisturbed }); lanes];
    }
    let starts = first_starts(&simulation.noise, simulation.shape.ranks, first, lanes);
    let one_by_one = |range: Range<usize>| {
        let one = |lane: usize| {
            let noise = &simulation.noise.realisation(first + lane as u32);
            let cpus = Disturbed { noise, starts: &starts[lane..], stride: lanes };
            in_rounds(simulation, &Modelled { model, cpus })
        };
        range.map(one).collect::<Vec<_>>()
    };
    let Some(model) = simulation.platform.network.loggops().filter(|_| simulation.platform.is_plain()) else {
        return one_by_one(0..lanes);
    };
    let mut outcomes = Vec::with_capacity(lanes);
    while outcomes.len() + LANES <= lanes {
        let lane = outcomes.len();
        let noises = std::array::from_fn(|index| simulation.noise.realisation(first + (lane + index) as u32));
        let gave_up = AtomicBool::new(false);
        let kernel = LaneKernel { model, noises, starts: &starts[lane..], stride: lanes, gave_up };
        match side_by_side(simulation, &kernel) {
            Some(some) => outcomes.extend(some),
            None => outcomes.extend(one_by_one(lane..lane + LANES)),
        }
    }
    outcomes.extend(one_by_one(outcomes.len()..lanes));
    outcomes
}

/// Plays eight realisations. `None` if their times or messages are not for this kernel.
fn side_by_side(simulation: &Simulation, kernel: &LaneKernel) -> Option<[SimulationOutcome; LANES]> {
    let (shape, algorithm) = (&simulation.shape, simulation.algorithm);
    let mut play = Rounds::new(kernel, &simulation.platform, &simulation.entry.all(shape.ranks));
    let mut calls: [Vec<(Time, Time)>; LANES] = Default::default();
    for _ in 0..simulation.repeat {
        play.compute(simulation.compute);
        play.call(algorithm, shape);
        for (lane, ends) in calls.iter_mut().enumerate() {
            ends.push(range(play.by_rank().map(|state| LaneKernel::cpu(state)[lane] as u64)));
        }
        if kernel.gave_up.load(Ordering::Relaxed) {
            return None;
        }
    }
    let finish =
        |lane: usize| Finish::Each(play.by_rank().map(|state| Time(LaneKernel::cpu(state)[lane] as u64)).collect());
    let mut lane = 0;
    Some(calls.map(|calls| {
        lane += 1;
        SimulationOutcome { finish: finish(lane - 1), calls, messages: play.messages, engine: Played::Rounds }
    }))
}

fn in_rounds<K: Kernel<Time = Time>>(simulation: &Simulation, kernel: &K) -> SimulationOutcome {
    let (shape, algorithm) = (&simulation.shape, simulation.algorithm);
    let mut play = Rounds::new(kernel, &simulation.platform, &simulation.entry.all(shape.ranks));
    let mut calls = Vec::with_capacity(simulation.repeat as usize);
    for _ in 0..simulation.repeat {
        play.compute(simulation.compute);
        play.call(algorithm, shape);
        calls.push(range(play.by_rank().map(|state| K::cpu(state).0)));
    }
    let finish = Finish::Each(play.by_rank().map(K::cpu).collect());
    SimulationOutcome { finish, calls, messages: play.messages, engine: Played::Rounds }
}
