//! γ, the time to combine a byte: closed forms, and conservation over all algorithms.

use models::collective::{ALGORITHMS, Algorithm, Collective, Shape, Step, Then};
use models::engine::Engine;
use models::network::{CostTable, Hockney, Network, SendRule};
use models::noise::Noise;
use models::platform::{Platform, Refinements};
use models::time::{PerByte, Span, Time};
use parallax_sim::{Entry, SimWorld, Simulation};
use programs::operation::{Operation, Own};
use programs::rank::Rank;
use programs::trace::{Activity, Trace};

/// Messages take no time, so that nothing but combining does.
const FREE: Network = Network::Hockney(Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Eager });
const GAMMA: PerByte = PerByte(68.0);

fn platform(network: Network, gamma: PerByte) -> Platform {
    Platform::new(network, Refinements { gamma: CostTable::rate(gamma).unwrap(), ..Refinements::default() })
}

/// When the last rank is done with a call.
fn last(algorithm: &'static Algorithm, shape: Shape, platform: Platform, engine: Engine) -> Time {
    let simulation = Simulation {
        algorithm,
        shape,
        platform,
        noise: Noise::none(),
        entry: Entry::Together,
        repeat: 1,
        compute: Span::ZERO,
        buffer: None,
    };
    simulation.run(engine).unwrap().finish.range().1
}

/// Bytes that are combined one after the other, of P and m.
type Form = fn(f64, f64) -> f64;

#[test]
fn combining_takes_what_closed_forms_say() {
    // Thakur, Rabenseifner, Gropp (2005), the terms of γ; P a power of two, m a multiple of P.
    let forms: [(Collective, &str, Form); 9] = [
        (Collective::Reduce, "binomial", |p, m| p.log2() * m),
        (Collective::Reduce, "linear", |p, m| (p - 1.0) * m),
        (Collective::Reduce, "rabenseifner", |p, m| (p - 1.0) / p * m),
        (Collective::Allreduce, "recursive-doubling", |p, m| p.log2() * m),
        (Collective::Allreduce, "rabenseifner", |p, m| (p - 1.0) / p * m),
        (Collective::Allreduce, "ring", |p, m| (p - 1.0) / p * m),
        (Collective::ReduceScatter, "recursive-halving", |p, m| (p - 1.0) * m),
        (Collective::ReduceScatter, "ring", |p, m| (p - 1.0) * m),
        (Collective::Bcast, "binomial", |_, _| 0.0),
    ];
    for (collective, name, form) in forms {
        let algorithm = Algorithm::find(collective, name).unwrap();
        for ranks in [2, 4, 8, 32] {
            let shape = Shape::new(ranks, 0, 96 * 32);
            let expected = (GAMMA.0 * form(f64::from(ranks), 96.0 * 32.0)) as u64;
            for engine in [Engine::Event, Engine::Fast] {
                let found = last(algorithm, shape, platform(FREE, GAMMA), engine);
                assert_eq!(found, Time(expected), "{collective} {name}, {ranks} ranks, {engine:?}");
            }
        }
    }
}

#[test]
fn all_ranks_together_compute_gamma_times_the_bytes_that_they_combine() {
    for algorithm in ALGORITHMS {
        for ranks in [1, 2, 3, 7, 8].map(|ranks| algorithm.ranks.at_most(ranks)) {
            let shape = &Shape::new(ranks, 0, 1_000);
            let combined = |step: &Step| match (step.received(), step) {
                (Some((_, part, Then::Combine)), _) => part.bytes,
                (_, Step::Local { from, then: Then::Combine, .. }) => from.bytes,
                _ => 0,
            };
            let bytes: u64 = (0..ranks).flat_map(|rank| algorithm.steps(shape, rank)).map(|step| combined(&step)).sum();
            let world = SimWorld { network: platform(FREE, GAMMA), record: true, ..SimWorld::ideal(FREE, ranks) };
            let run = world.run(async |rank| Own::new(algorithm, shape, rank.id()).call(&rank).await).unwrap();
            let found = computing(&run.trace.unwrap());
            assert_eq!(found, GAMMA.for_bytes(bytes), "{algorithm:?} on {ranks}");
        }
    }
}

/// Time in which ranks computed, all together.
fn computing(trace: &Trace) -> Span {
    let work = trace.intervals.iter().filter(|interval| interval.activity == Activity::Computing);
    work.fold(Span::ZERO, |sum, interval| sum + interval.end.since(interval.start))
}
