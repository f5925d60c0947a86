use crate::world::SimWorld;
use models::clock::ClockSpread;
use models::network;
use models::noise::Noise;
use models::rank::Rank;
use models::sync::Sync;
use proptest::prelude::*;

const NETWORKS: [(&str, &str); 6] = [
    ("hockney", "alpha=2us,beta=1ns/B,send-rule=eager"),
    ("hockney", "alpha=2us,beta=1ns/B,send-rule=synchronous"),
    ("hockney", "alpha=2us,beta=1ns/B,send-rule=busy"),
    ("loggp", "L=2us,o=500ns,g=3us,G=0.3ns/B"),
    ("loggops", "L=2us,o=500ns,g=1us,G=0.3ns/B,O=0.1ns/B,S=4B"),
    ("logp", "L=2us,o=500ns,g=4us"),
];

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
            clocks: (0..ranks).map(|rank| clocks.draw(seed, rank)).collect(),
            entries: (0..u64::from(ranks)).map(|rank| models::time::Time(rank * 7 % 5 * late)).collect(),
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
