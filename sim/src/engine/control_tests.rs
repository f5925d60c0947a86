use crate::world::SimWorld;
use models::clock::ClockSpread;
use models::collective::{Part, Step, Then};
use models::network;
use models::noise::Noise;
use models::time::Time;
use programs::rank::Rank;
use programs::sync::Sync;
use proptest::prelude::*;

const NETWORKS: [(&str, &str); 6] = [
    ("hockney", "alpha=2us,beta=1ns/B,send-rule=eager"),
    ("hockney", "alpha=2us,beta=1ns/B,send-rule=synchronous"),
    ("hockney", "alpha=2us,beta=1ns/B,send-rule=busy"),
    ("loggp", "L=2us,o=500ns,g=3us,G=0.3ns/B"),
    ("loggops", "L=2us,o=500ns,g=1us,G=0.3ns/B,O=0.1ns/B,S=4B"),
    ("logp", "L=2us,o=500ns,g=4us"),
];

/// Messages of eight bytes between ranks, each of which sends and receives in the order of the list, as control messages or as
/// steps: when ranks finish, what they have received, how many messages there were.
fn carried(world: &SimWorld, pairs: &[(u32, u32)], as_steps: bool) -> (Vec<Time>, Vec<Vec<u64>>, u64) {
    let part = Part::range(0, 8);
    let run = world.run(async |rank| {
        let mut received = Vec::new();
        for (number, &(from, to)) in (0_u64..).zip(pairs) {
            match (rank.id(), as_steps) {
                (id, true) if id == from => rank.step(&Step::Send { to, part }).await,
                (id, true) if id == to => rank.step(&Step::Receive { from, part, then: Then::Store }).await,
                (id, false) if id == from => rank.send(to, &number.to_le_bytes()).await,
                (id, false) if id == to => {
                    let mut word = [0; 8];
                    rank.receive(from, &mut word).await;
                    received.push(u64::from_le_bytes(word));
                }
                _ => {}
            }
        }
        received
    });
    let run = run.unwrap();
    (run.finish, run.results, run.messages)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    /// Control messages take what steps of the same length take on the same network, and say what was sent, in its order.
    #[test]
    fn control_messages_are_steps_that_say_something(
        pairs in prop::collection::vec((0u32..6, 0u32..6), 0..60), seed in 1u64..1_000, network in 0..NETWORKS.len(),
        late in 0u64..9_000_000, record in any::<bool>(),
        noise in prop::sample::select(vec!["", "periodic:period=100us,duration=3us", "exponential:mean=3us,rate=50kHz"]),
    ) {
        let pairs: Vec<(u32, u32)> = pairs.into_iter().filter(|(from, to)| from != to).collect();
        let (model, set) = NETWORKS[network];
        let noise: Vec<String> = noise.split_whitespace().map(str::to_owned).collect();
        let world = SimWorld {
            entries: (0..6).map(|rank| Time(rank * 7 % 5 * late)).collect(),
            noise: Noise::parse(&noise, seed).unwrap(),
            record,
            ..SimWorld::ideal(network::parse(model, Some(set), None).unwrap(), 6)
        };
        let (finish, received, messages) = carried(&world, &pairs, false);
        let (finish_of_steps, _, steps) = carried(&world, &pairs, true);
        prop_assert_eq!((finish, messages), (finish_of_steps, steps));
        let to_rank = |rank| (0_u64..).zip(&pairs).filter(move |(_, (_, to))| *to == rank).map(|(number, _)| number).collect();
        let sent: Vec<Vec<u64>> = (0..6).map(to_rank).collect();
        prop_assert_eq!(received, sent);
    }
}

#[test]
fn ranks_that_wait_for_control_messages_are_named() {
    let network = network::parse("hockney", Some("alpha=2us,beta=1ns/B,send-rule=synchronous"), None).unwrap();
    let run = SimWorld::ideal(network, 3).run(async |rank| match rank.id() {
        0 => rank.receive(1, &mut [0; 8]).await,
        1 => rank.send(2, &[0; 8]).await,
        _ => {}
    });
    let error = run.unwrap_err().to_string();
    assert_eq!(error, "deadlock at 0 ps: rank 0 waits for a message from rank 1; rank 1 waits for rank 2 to receive");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]
    /// Questions that are carried out at once are what messages one by one are. What is written down goes message by message.
    #[test]
    fn questions_at_once_are_messages_one_by_one(
        ranks in 2u32..12, seed in 1u64..1_000, network in 0..NETWORKS.len(), late in 0u64..3_000_000,
        read_cost in prop::sample::select(vec!["0ns", "20ns", "3us"]),
        noise in prop::sample::select(vec!["", "periodic:period=100us,duration=3us", "exponential:mean=3us,rate=50kHz"]),
        clocks in prop::sample::select(vec!["largest-offset=0ns", "largest-offset=1ms,largest-skew=50ppm,granularity=1us"]),
    ) {
        let (model, set) = NETWORKS[network];
        let network = network::parse(model, Some(set), None).unwrap();
        let clocks = ClockSpread::parse_over(ClockSpread::default(), &format!("{clocks},read-cost={read_cost}")).unwrap();
        let noise: Vec<String> = noise.split_whitespace().map(str::to_owned).collect();
        let world = |record| SimWorld {
            clocks: (0..ranks).map(|rank| clocks.sample_clock(seed, rank)).collect(),
            entries: (0..u64::from(ranks)).map(|rank| Time(rank * 7 % 5 * late)).collect(),
            noise: Noise::parse(&noise, seed).unwrap(),
            record,
            ..SimWorld::ideal(network, ranks)
        };
        for sync in Sync::ALL {
            let run = |record| world(record).run(async |rank| {
                let clock = sync.synchronise(&rank).await;
                // Goes on from wherever the synchronisation left it.
                for other in 1..rank.size() {
                    match rank.id() {
                        0 => rank.receive(other, &mut [0; 8]).await,
                        own if own == other => rank.send(0, &[7; 8]).await,
                        _ => {}
                    }
                }
                (clock, rank.read_clock())
            }).unwrap();
            let (at_once, one_by_one) = (run(false), run(true));
            prop_assert_eq!(&at_once.results, &one_by_one.results, "{}", sync);
            prop_assert_eq!((&at_once.finish, at_once.messages), (&one_by_one.finish, one_by_one.messages), "{}", sync);
        }
    }
}
