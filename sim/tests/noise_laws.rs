//! Noise, lateness and larger parameters never make any rank finish earlier: random algorithms × models × shapes.

use models::collective::{ALGORITHMS, Shape};
use models::engine::Engine;
use models::network::Network;
use models::noise::Noise;
use models::time::{Span, Time};
use parallax_sim::{Entry, Simulation};
use proptest::prelude::*;
use std::sync::Arc;

/// Own random sources; one more of their kind would draw anew, so what is added below is placed in time.
const OWN: [&str; 3] = ["", "exponential:mean=3us,rate=20000Hz", "pareto:scale=1us,shape=1.4,rate=9000Hz"];
const ADDED: [&str; 3] = [
    "periodic:period=20us,duration=2us",
    "uniform:from=0us,to=9us,rate=9000Hz,cosched",
    "periodic:period=300us,duration=90us,ranks=1-3",
];

fn noise(specs: &[&str], seed: u64) -> Noise {
    let specs: Vec<String> = specs.iter().filter(|spec| !spec.is_empty()).map(|spec| (*spec).to_owned()).collect();
    Noise::parse(&specs, seed).expect("the specs are right")
}

/// Parameters in ps, and in ps per 1000 B.
#[derive(Clone, Copy, Debug)]
struct Parameters {
    latency: u64,
    overhead: u64,
    gap: u64,
    per_byte: u64,
}

impl Parameters {
    fn network(self, kind: usize) -> Network {
        let ns = |ps: u64| ps as f64 / 1e3;
        let (l, o, g, rate) = (ns(self.latency), ns(self.overhead), ns(self.gap), ns(self.per_byte) / 1e3);
        let loggops =
            format!("L={l},o={o},g={g},G={rate},O={},S={}", rate / 2.0, if kind == 0 { 300 } else { 1 << 30 });
        let (model, settings) = match kind {
            0 | 1 => ("loggops", loggops),
            2 => ("loggp", format!("L={l},o={o},g={g},G={rate}")),
            3 => ("logp", format!("L={l},o={o},g={g}")),
            _ => ("hockney", format!("alpha={},beta={rate}", l + o)),
        };
        let rule = ["busy", "synchronous", "detached", "eager"].get(kind.wrapping_sub(4)).copied();
        Network::parse(model, Some(&settings), rule).expect("the settings are right")
    }
}

fn parameters() -> impl Strategy<Value = Parameters> {
    (0u64..3_000_000, 0u64..2_000_000, 0u64..4_000_000, 0u64..20_000_000)
        .prop_map(|(latency, overhead, gap, per_byte)| Parameters { latency, overhead, gap, per_byte })
}

/// A simulation, and the kind of its network.
fn simulation() -> impl Strategy<Value = (Simulation, usize, Parameters, usize, u64)> {
    let shape = (1u32..40, any::<u32>(), 0u64..1_000, prop_oneof![Just(0u64), 50u64..400]);
    let entry = proptest::collection::vec(0u64..30_000_000, 40);
    (
        0..ALGORITHMS.len(),
        shape,
        parameters(),
        0..8usize,
        (0..OWN.len(), 0u64..1_000),
        entry,
        (1u32..4, 0u64..40_000_000),
    )
        .prop_map(
            |(index, (ranks, root, bytes, segment_bytes), parameters, kind, (own, seed), entry, (repeat, compute))| {
                let algorithm = &ALGORITHMS[index];
                let ranks = algorithm.ranks.at_most(ranks);
                let root = if algorithm.collective.is_rooted() { root % ranks } else { 0 };
                let entry = entry.into_iter().take(ranks as usize).map(Time).collect::<Arc<[Time]>>();
                let simulation = Simulation {
                    algorithm,
                    shape: Shape { segment_bytes, ..Shape::new(ranks, root, bytes) },
                    platform: parameters.network(kind).into(),
                    noise: noise(&[OWN[own]], seed),
                    entry: Entry::Each(entry),
                    repeat,
                    compute: Span(compute),
                    buffer: None,
                };
                (simulation, kind, parameters, own, seed)
            },
        )
}

fn finish(simulation: &Simulation) -> Vec<Time> {
    simulation.run(Engine::Auto).unwrap_or_else(|error| panic!("{simulation:?}: {error}")).finish.to_vec()
}

/// Fails naming the first rank that finishes earlier in the second.
fn never_earlier(first: &Simulation, second: &Simulation) -> Result<(), TestCaseError> {
    for (rank, (before, after)) in finish(first).into_iter().zip(finish(second)).enumerate() {
        prop_assert!(after >= before, "rank {rank}: {before:?} became {after:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn more_noise_never_helps((simulation, _, _, own, seed) in simulation(), added in 0..ADDED.len()) {
        let quiet = Simulation { noise: Noise::none(), ..simulation.clone() };
        let more = Simulation { noise: noise(&[OWN[own], ADDED[added]], seed), ..simulation.clone() };
        never_earlier(&quiet, &simulation)?;
        never_earlier(&simulation, &more)?;
    }

    #[test]
    fn entering_later_never_helps((simulation, ..) in simulation(), late in proptest::collection::vec(0u64..50_000_000, 40)) {
        let later = (0..simulation.shape.ranks).map(|rank| Time(simulation.entry.time(rank).0 + late[rank as usize]));
        let later = Simulation { entry: Entry::Each(later.collect()), ..simulation.clone() };
        never_earlier(&simulation, &later)?;
    }

    #[test]
    fn larger_parameters_never_help((simulation, kind, parameters, ..) in simulation(), which in 0..4usize, more in 1u64..5_000_000) {
        let mut larger = parameters;
        *[&mut larger.latency, &mut larger.overhead, &mut larger.gap, &mut larger.per_byte][which] += more;
        let slower = Simulation { platform: larger.network(kind).into(), ..simulation.clone() };
        never_earlier(&simulation, &slower)?;
    }
}
