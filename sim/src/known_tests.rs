use super::*;
use crate::predict::Predictor;
use models::clock::ClockSpread;
use models::collective::{Collective, Shape};
use models::network;
use models::noise::Noise;
use models::platform::Platform;
use programs::budget::Configuration;
use programs::method::{Method, MethodSettings, Order, Subject};
use programs::observation::Implementation;
use proptest::prelude::*;

fn order(method: Method, sync: Sync, ranks: u32) -> Order {
    Order {
        subject: Subject::Collective(Collective::Bcast, Implementation::Own("binomial".to_owned())),
        shape: Shape::new(ranks, 0, 5_000),
        call: Default::default(),
        copies_as: None,
        environment: Default::default(),
        settings: MethodSettings {
            method,
            calls: 3,
            samples: 2,
            warmup: 1,
            barrier: Implementation::Own("tree".to_owned()),
            sync,
            window: Default::default(),
            round_time: Default::default(),
            factors: Default::default(),
        },
    }
}

/// A machine on which everything that could meet a synchronisation is there: shared links of a node, idling that costs,
/// noise, wandering clocks.
fn machine(noise: &str, clocks: &str, read_cost: &str, seed: u64) -> Predictor {
    let network = network::parse("loggp", Some("L=2us,o=500ns,g=1us,G=0.3ns/B"), None).unwrap();
    let refinements = "connect=30us,idle-cost=10us:0/200us:2us,placement=block:2/8,links=injection";
    let platform = Platform::parse(network, refinements, |file| Err(file.to_owned())).unwrap();
    let clocks = ClockSpread::parse_over(ClockSpread::default(), &format!("{clocks},read-cost={read_cost}")).unwrap();
    let noise: Vec<String> = noise.split_whitespace().map(str::to_owned).collect();
    let noise = Noise::parse(&noise, seed).unwrap();
    Predictor { network: platform, clocks, noise, seed, ..Predictor::perfect(network) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    /// One synchronisation serves every method, bit for bit as if each had synchronised.
    #[test]
    fn what_goes_on_behind_a_synchronisation_is_what_follows_it(
        ranks in 2u32..9, seed in 1u64..1_000, read_cost in prop::sample::select(vec!["0ns", "20ns", "100ns"]),
        noise in prop::sample::select(vec!["", "periodic:period=100us,duration=3us", "exponential:mean=3us,rate=5kHz"]),
        clocks in prop::sample::select(vec!["largest-offset=0ns", "largest-offset=1ms", "largest-offset=1ms,largest-skew=50ppm"]),
    ) {
        let machine = machine(noise, clocks, read_cost, seed);
        for sync in Sync::ALL {
            let whole = order(Method::Window, sync, ranks);
            let left = ClockKnowledge::Synchronised(Arc::new(Left::by(sync, &machine.world(&whole)).unwrap()));
            for method in Method::reported() {
                let order = order(method, sync, ranks);
                let own = machine.record_knowing(ClockKnowledge::Nothing, &order).unwrap();
                let behind = machine.record_knowing(left.clone(), &order).unwrap();
                prop_assert_eq!(&own.ranks, &behind.ranks, "{} behind {}", method, sync);
                prop_assert_eq!(own.idled, behind.idled, "{} behind {}", method, sync);
            }
        }
    }
}

/// Configurations that are simulated together print what each prints alone.
#[test]
fn configurations_that_share_simulations_print_what_each_prints_alone() {
    let machine = machine("", "largest-offset=1ms,largest-skew=50ppm", "100ns", 7);
    for sync in [Sync::Linear, Sync::Jk] {
        let order = order(Method::Window, sync, 6);
        let (from, to) = (Configuration::perfect(), Configuration::worst());
        let all = programs::budget::Design::between(&from, &to).cells;
        let together = machine.printed_by(&all.iter().collect::<Vec<_>>(), &order);
        for (configuration, together) in all.iter().zip(together) {
            assert_eq!(machine.printed(configuration, &order).unwrap(), together.unwrap(), "{configuration:?}");
        }
    }
}
