//! The fast engine equals the event engine, bit for bit, on random cases: algorithms × models × ranks ×
//! noise × skewed entry × calls.

use models::call::Call;
use models::collective::{ALGORITHMS, Algorithm, Collective, Shape};
use models::engine::Engine;
use models::network::{CostTable, Hockney, LogGops, Network, Plogp, Rendezvous, SendRule};
use models::noise::Noise;
use models::platform::{Buffer, Inline, Platform, Refinements};
use models::time::{PerByte, Span, Time};
use parallax_sim::{Entry, Played, Predictor, Simulation};
use programs::method::{Factors, FirstCall, Method, MethodSettings, OneDelay, Order, RootChoice, Rotation, Subject};
use programs::observation::Implementation;
use proptest::prelude::*;
use std::sync::Arc;

fn span(most_ns: u64) -> impl Strategy<Value = Span> {
    prop_oneof![1 => Just(Span::ZERO), 4 => (0..most_ns * 1_000).prop_map(Span)]
}

fn rate() -> impl Strategy<Value = PerByte> {
    prop_oneof![Just(PerByte(0.0)), (0.0..20_000.0f64).prop_map(PerByte)]
}

fn loggops() -> impl Strategy<Value = LogGops> {
    let rendezvous = prop_oneof![Just(Rendezvous::Match), Just(Rendezvous::RoundTrip)];
    let limit = prop_oneof![2 => Just(u64::MAX), 1 => 0u64..600];
    (span(3_000), span(2_000), span(2_000), span(4_000), rate(), rate(), limit, rendezvous).prop_map(
        |(latency, overhead_send, overhead_receive, gap, gap_per_byte, overhead_per_byte, eager_limit, rendezvous)| {
            LogGops {
                latency,
                overhead_send,
                overhead_receive,
                gap,
                gap_per_byte,
                overhead_per_byte,
                eager_limit,
                rendezvous,
            }
        },
    )
}

fn network() -> impl Strategy<Value = Network> {
    let hockney = (span(5_000), rate(), 0..4usize)
        .prop_map(|(alpha, beta, rule)| Network::Hockney(Hockney { alpha, beta, send_rule: SendRule::ALL[rule] }));
    let plogp = loggops().prop_filter_map("g(m) fits", |model| {
        let plogp = Plogp { eager_limit: model.eager_limit, ..Plogp::from_loggp(model).ok()? };
        Some(Network::Plogp(plogp))
    });
    prop_oneof![3 => hockney, 5 => loggops().prop_map(Network::Loggops), 1 => plogp]
}

/// What needs no order of all ranks' messages, or nothing.
fn platform() -> impl Strategy<Value = Platform> {
    let inline =
        (0u64..900, 1u64..2_000_000).prop_map(|(limit_bytes, fetch)| Inline { limit_bytes, fetch: Span(fetch) });
    let inline = prop_oneof![Just(None), inline.prop_map(Some)];
    let refined = (rate(), rate(), inline).prop_map(|(gamma, memcpy, inline)| {
        let table = |rate| CostTable::rate(rate).unwrap();
        let (gamma, memcpy, to_self) = (table(gamma), table(memcpy), table(memcpy));
        Refinements { gamma, memcpy, to_self, inline, ..Refinements::default() }
    });
    let refined = prop_oneof![2 => Just(Refinements::default()), 1 => refined];
    (network(), refined).prop_map(|(network, refined)| Platform::new(network, refined))
}

fn noise() -> impl Strategy<Value = Noise> {
    let specs = prop_oneof![
        4 => Just(vec![]),
        2 => Just(vec!["exponential:mean=3us,rate=20000Hz"]),
        1 => Just(vec!["periodic:period=20us,duration=2us"]),
        1 => Just(vec!["uniform:from=0us,to=9us,rate=9000Hz,cosched", "fixed:duration=700ns,rate=90000Hz"]),
    ];
    (specs, 0u64..1_000).prop_map(|(specs, seed)| {
        let specs: Vec<String> = specs.into_iter().map(str::to_owned).collect();
        Noise::parse(&specs, seed).unwrap()
    })
}

fn shape(algorithm: &'static Algorithm) -> impl Strategy<Value = Shape> {
    let segment = prop_oneof![Just(0u64), 50u64..400];
    (1u32..40, any::<u32>(), 0u64..1_000, segment, prop_oneof![Just(0u32), 2u32..7]).prop_map(
        move |(ranks, root, bytes, segment_bytes, fanout)| {
            let ranks = algorithm.ranks.at_most(ranks);
            let root = if algorithm.collective.is_rooted() { root % ranks } else { 0 };
            Shape { segment_bytes, fanout, ..Shape::new(ranks, root, bytes) }
        },
    )
}

/// A grain before each call.
fn compute() -> impl Strategy<Value = Span> {
    prop_oneof![2 => Just(Span::ZERO), 1 => (1u64..6_000_000).prop_map(Span)]
}

fn simulation() -> impl Strategy<Value = Simulation> {
    (0..ALGORITHMS.len()).prop_flat_map(|index| {
        let algorithm = &ALGORITHMS[index];
        let entry = prop_oneof![1 => Just(None), 2 => proptest::collection::vec(0u64..30_000_000, 40).prop_map(Some)];
        (shape(algorithm), platform(), noise(), entry, 1u32..4, compute()).prop_map(
            move |(shape, platform, noise, entry, repeat, compute)| {
                let each =
                    |times: Vec<u64>| times.into_iter().take(shape.ranks as usize).map(Time).collect::<Arc<[Time]>>();
                let entry = entry.map_or(Entry::Together, |times| Entry::Each(each(times)));
                Simulation { algorithm, shape, platform, noise, entry, repeat, compute, buffer: None }
            },
        )
    })
}

/// All that must not depend on the engine.
fn each(simulation: &Simulation, engine: Engine) -> (Vec<Time>, Vec<(Time, Time)>, u64) {
    let outcome = simulation.run(engine).unwrap_or_else(|error| panic!("{simulation:?}: {error}"));
    (outcome.finish.to_vec(), outcome.calls, outcome.messages)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 4))]

    #[test]
    fn fast_equals_event(simulation in simulation()) {
        prop_assert_eq!(each(&simulation, Engine::Fast), each(&simulation, Engine::Event));
    }
}

proptest! {
    #[test]
    fn realisations_at_once_equal_realisations_one_by_one(simulation in simulation(), first in 0u32..100, count in 1u32..80) {
        let ends = |outcome: parallax_sim::SimulationOutcome| (outcome.finish.to_vec(), outcome.calls, outcome.messages);
        let together = simulation.realise(Engine::Fast, first..first + count, ends).unwrap();
        for (index, found) in (first..).zip(together) {
            let noise = simulation.noise.realisation(index);
            prop_assert_eq!(found, each(&Simulation { noise, ..simulation.clone() }, Engine::Event));
        }
    }
}

/// Methods without messages of their own, whatever is timed.
fn order() -> impl Strategy<Value = Order> {
    let barriers: Vec<&str> = Algorithm::for_collective(Collective::Barrier).map(|barrier| barrier.name).collect();
    let methods = [
        Method::Loop,
        Method::BarrierLoop,
        Method::BarrierSubtract,
        Method::RootRotation,
        Method::BarrierOwn,
        Method::BarrierInside,
    ];
    let chosen = (prop::sample::select(barriers), prop::sample::select(methods.to_vec()), any::<[bool; 5]>());
    let counts = (1u32..4, 1u32..6, 0u32..3);
    let delay = prop_oneof![
        Just(None),
        Just(Some(OneDelay::default())),
        (0u64..30_000_000).prop_map(|ps| Some(OneDelay { duration: Some(Span(ps)), rank: Some(0) })),
    ];
    (
        (0..ALGORITHMS.len()).prop_flat_map(|index| shape(&ALGORITHMS[index]).prop_map(move |shape| (index, shape))),
        chosen,
        counts,
        delay,
    )
        .prop_map(|((index, shape), (barrier, method, switches), (calls, samples, warmup), delay)| {
            let [included, rotating, inside, rotation, library] = switches;
            let algorithm = &ALGORITHMS[index];
            let factors = Factors {
                first_call: if included { FirstCall::Included } else { FirstCall::Apart },
                root: if rotating { RootChoice::Rotating } else { RootChoice::Fixed },
                rotation: if rotation { Rotation::BarrierLoop } else { Rotation::Loop },
                barrier_inside: inside,
                delay,
                ..Factors::default()
            };
            let by = if library { Implementation::Library } else { Implementation::Own(algorithm.name.to_owned()) };
            Order {
                subject: Subject::Collective(algorithm.collective, by),
                shape,
                call: Call::default(),
                copies_as: None,
                environment: Default::default(),
                settings: MethodSettings {
                    method,
                    calls,
                    samples,
                    warmup,
                    barrier: Implementation::Own(barrier.to_owned()),
                    sync: Default::default(),
                    window: Default::default(),
                    round_time: Default::default(),
                    factors,
                },
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 2))]

    #[test]
    fn all_ranks_at_once_record_what_they_record_one_by_one(order in order(), platform in platform(), noise in noise()) {
        let on = |engine| {
            let machine = Predictor { network: platform.clone(), noise: noise.clone(), engine, ..Predictor::perfect(platform.network) };
            machine.numbers_against(Buffer::Same, &order).unwrap()
        };
        prop_assert_eq!(on(Engine::Fast), on(Engine::Event));
    }
}

#[test]
fn a_method_with_messages_of_its_own_is_refused_by_the_fast_engine() {
    let network = models::network::parse("loggops", None, None).unwrap();
    let machine = |engine| Predictor { engine, ..Predictor::perfect(network) };
    let binomial = Algorithm::find(Collective::Bcast, "binomial").unwrap();
    let order = Order {
        subject: Subject::Collective(Collective::Bcast, Implementation::Own(binomial.name.to_owned())),
        shape: Shape::new(4, 0, 8),
        call: Call::default(),
        copies_as: None,
        environment: Default::default(),
        settings: MethodSettings {
            method: Method::Window,
            calls: 1,
            samples: 2,
            warmup: 0,
            barrier: Implementation::Own("tree".to_owned()),
            sync: Default::default(),
            window: Default::default(),
            round_time: Default::default(),
            factors: Factors::default(),
        },
    };
    let refused = machine(Engine::Fast).numbers_against(Buffer::Same, &order).unwrap_err();
    assert!(refused.to_string().contains("the fast engine carries out loops"), "{refused}");
    assert!(machine(Engine::Auto).numbers_against(Buffer::Same, &order).is_ok());
}

#[test]
fn bursts_that_grow_or_shrink_count_with_the_largest() {
    use models::collective::Collective::{Allgather, ReduceScatter};
    let ranks = 1_024;
    for (collective, name) in [(Allgather, "sparbit"), (Allgather, "bine-blocks"), (ReduceScatter, "bine-blocks")] {
        let simulation = Simulation {
            algorithm: Algorithm::find(collective, name).unwrap(),
            shape: Shape::new(ranks, 0, 8),
            platform: models::network::parse("loggops", None, None).unwrap().into(),
            noise: Noise::none(),
            entry: Entry::Together,
            repeat: 1,
            compute: Span::ZERO,
            buffer: None,
        };
        let kept = u64::from(ranks) * u64::from(ranks / 2);
        assert!(simulation.memory_bytes(Engine::Fast) > 8 * kept, "{collective} {name}");
    }
}

#[test]
fn every_way_to_play_is_taken_and_agrees() {
    let dissemination = ALGORITHMS.iter().find(|a| a.name == "dissemination").unwrap();
    let network = models::network::parse("loggops", None, None).unwrap();
    let binding = models::network::parse("loggp", Some("g=9us"), None).unwrap();
    let base = Simulation {
        algorithm: dissemination,
        shape: Shape::new(13, 0, 1),
        platform: network.into(),
        noise: Noise::none(),
        entry: Entry::Together,
        repeat: 3,
        compute: Span::ZERO,
        buffer: None,
    };
    let skewed = Entry::Each((0..13).map(|rank| Time(rank * rank * 777_777)).collect());
    let noise = Noise::parse(&["exponential:mean=10us,rate=1000Hz".to_owned()], 7).unwrap();
    let cases = [
        (Played::Together, base.clone()),
        (Played::Flat, Simulation { entry: skewed.clone(), ..base.clone() }),
        (Played::Flat, Simulation { entry: skewed.clone(), noise: noise.clone(), ..base.clone() }),
        (Played::Rounds, Simulation { entry: skewed, noise, platform: binding.into(), ..base.clone() }),
    ];
    for (played, simulation) in cases {
        assert_eq!(simulation.run(Engine::Auto).unwrap().engine, played);
        assert_eq!(each(&simulation, Engine::Fast), each(&simulation, Engine::Event));
    }
    assert_eq!(base.run(Engine::Event).unwrap().engine, Played::Event);
}
