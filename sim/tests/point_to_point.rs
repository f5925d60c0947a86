//! Tests of messages between two ranks, on simulated ranks: they return the parameters of their network.

use models::network::{Hockney, LogGp, Network, SendRule};
use models::platform::{LatencyMatrix as Latencies, Platform, Refinements};
use models::time::{PerByte, Span};
use parallax_sim::SimWorld;
use programs::memory::{MemoryTest, Moment, Used};
use programs::point_to_point::{
    Buffers, Exchanges, Latency, LatencyMatrix, Order, Record, Repeats, Test, Transfer, Way, doubling,
};

const REPEATS: Repeats = Repeats { large_above: 8192, small: (3, 5), large: (1, 2) };

fn hockney(send_rule: SendRule) -> Network {
    Network::Hockney(Hockney { alpha: Span::from_ns(1_700), beta: PerByte::from_ns(0.04), send_rule })
}

fn run(test: &Test, platform: Platform, ranks: u32) -> Record {
    let control = platform.network;
    let world = SimWorld { network: platform, ..SimWorld::ideal(control, ranks) };
    let record = test.gathered(
        world.run(async |rank| test.run(&rank).await).unwrap().results.into_iter().collect::<Result<_, _>>().unwrap(),
    );
    let kept: usize = record.exchanges.iter().map(|exchanges| exchanges.round_trips.len()).sum();
    assert_eq!(kept as u64, test.exchanges(ranks), "{test}, {ranks} ranks");
    record
}

fn all_are(exchanges: &Exchanges, span: Span) {
    assert!(!exchanges.round_trips.is_empty());
    assert!(exchanges.round_trips.iter().all(|&found| found == span), "{exchanges:?}: expected {span:?}");
}

#[test]
fn half_a_round_trip_is_alpha_plus_m_beta_under_every_send_rule_and_any_number_of_ranks() {
    let test = Test::Latency(Latency { bytes: doubling(1, 1 << 22), repeats: REPEATS, buffers: Buffers::Same });
    for rule in SendRule::ALL {
        for ranks in [2, 3, 5] {
            let record = run(&test, hockney(rule).into(), ranks);
            assert_eq!(record.clock_read, Span::ZERO);
            assert_eq!(record.exchanges.len(), 23);
            for (exchanges, bytes) in record.exchanges.iter().zip(doubling(1, 1 << 22)) {
                assert_eq!((exchanges.from, exchanges.to, exchanges.bytes), (0, 1, bytes));
                assert_eq!(exchanges.round_trips.len(), if bytes > 8192 { 2 } else { 5 });
                all_are(exchanges, (Span::from_ns(1_700) + PerByte::from_ns(0.04).for_bytes(bytes)) * 2);
            }
        }
    }
}

#[test]
fn under_loggp_half_a_round_trip_has_both_overheads() {
    let (latency, o_send, o_receive) = (Span::from_ns(2_500), Span::from_ns(1_500), Span::from_ns(1_700));
    let network = Network::Loggp(LogGp {
        latency,
        overhead_send: o_send,
        overhead_receive: o_receive,
        gap: Span::from_ns(100),
        gap_per_byte: PerByte::from_ns(2.0),
    });
    let test = Test::Latency(Latency { bytes: vec![1, 1_001], repeats: REPEATS, buffers: Buffers::Same });
    let record = run(&test, network.into(), 2);
    all_are(&record.exchanges[0], (latency + o_send + o_receive) * 2);
    all_are(&record.exchanges[1], (latency + o_send + o_receive + Span::from_us(2)) * 2);
}

#[test]
fn the_head_meets_every_rank_in_turn_and_both_ways_at_once_take_one_transfer() {
    let test = Test::Transfer(Transfer {
        bytes: vec![0, 1_000, 100_000],
        repeats: REPEATS,
        both_ways: true,
        buffers: Buffers::Same,
    });
    for rule in SendRule::ALL {
        let record = run(&test, hockney(rule).into(), 4);
        let met: Vec<u32> = record.exchanges.iter().map(|exchanges| exchanges.to).collect();
        assert_eq!(met, [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3]);
        for exchanges in &record.exchanges {
            let transfer = Span::from_ns(1_700) + PerByte::from_ns(0.04).for_bytes(exchanges.bytes);
            all_are(exchanges, transfer * if exchanges.way == Way::PingPong { 2 } else { 1 });
        }
    }
}

fn platform(text: &str) -> Platform {
    let matrix = Some(Latencies::parse("test", text).unwrap());
    let network = Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Busy };
    Platform::new(Network::Hockney(network), Refinements { matrix, ..Refinements::default() })
}

fn matrix(order: Order) -> Test {
    Test::LatencyMatrix(LatencyMatrix { bytes: 4, repeats: (2, 3), order, buffers: Buffers::Same })
}

#[test]
fn every_pairs_latency_is_found_one_by_one_and_at_once() {
    let text = "0 1.5 2 3 4.25\n1.5 0 5 6 7\n2 5 0 8 9\n3 6 8 0 10\n4.25 7 9 10 0\n";
    let network = platform(text);
    for order in [Order::OneByOne, Order::AtOnce] {
        let record = run(&matrix(order), network.clone(), 5);
        let pairs: Vec<(u32, u32)> = record.exchanges.iter().map(|pair| (pair.from, pair.to)).collect();
        let every: Vec<_> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
        assert_eq!(pairs, every, "{order:?}");
        for pair in &record.exchanges {
            assert_eq!(pair.round_trips.len(), 3);
            all_are(pair, network.refinements().unwrap().matrix.as_ref().unwrap().between(pair.from, pair.to) * 2);
        }
    }
}

#[test]
fn unequal_directions_come_out_as_their_mean() {
    let record = run(&matrix(Order::OneByOne), platform("0 1\n4 0\n"), 2);
    all_are(&record.exchanges[0], Span::from_us(5));
}

#[test]
fn a_lone_rank_has_nobody_to_talk_to() {
    for order in [Order::OneByOne, Order::AtOnce] {
        assert_eq!(run(&matrix(order), platform("0\n"), 1).exchanges, []);
    }
}

#[test]
fn memory_is_looked_at_after_each_use_also_where_there_is_none() {
    let used = Used::all();
    let test = MemoryTest { used: used.clone(), bytes: 8, again: 1 };
    for ranks in [1, 2, 5, 8] {
        let world = SimWorld::ideal(hockney(SendRule::Busy), ranks);
        let looks = std::cell::Cell::new(0);
        let run = world.run(async |rank| {
            test.run(&rank, || {
                looks.set(looks.get() + 1);
                None
            })
            .await
        });
        let results = run.unwrap().results;
        assert_eq!(looks.get(), ranks as usize * (1 + 2 * used.len()));
        for probes in results {
            assert_eq!(probes[0].moment, Moment::Ready);
            for (pair, &used) in probes[1..].chunks(2).zip(&used) {
                assert_eq!([pair[0].moment, pair[1].moment], [Moment::First(used), Moment::Again(used)]);
            }
        }
    }
}

#[test]
fn messages_cost_what_the_state_of_their_buffers_costs() {
    // Copied once, out of the sender's memory; 1000 B are fetched, claimed, loaded and filled in 100, 200, 400 and 800 ns.
    let network = Network::parse("hockney", Some("alpha=1us,beta=0ns/B"), None).unwrap();
    let text = "fetch=0.1ns/B,claim-received=0.2ns/B,load=0.4ns/B,fill=0.8ns/B,single-copy-above=0";
    let platform = Platform::parse(network, text, |file| Err(file.to_owned())).unwrap();
    let half_ns = |buffers: Buffers| {
        let test = Test::Latency(Latency { bytes: vec![1_000], repeats: REPEATS, buffers });
        let mut round_trips = run(&test, platform.clone(), 2).exchanges.swap_remove(0).round_trips;
        round_trips.dedup();
        assert_eq!(round_trips.len(), 1, "{buffers:?} is steady: {round_trips:?}");
        round_trips[0].0 / 2_000
    };
    let found = Buffers::ALL.map(|buffers| (buffers.name(), half_ns(buffers)));
    let expected = [("same", 1_000), ("touched", 1_100), ("forwarded", 1_300), ("cold", 2_200), ("pool", 2_200)];
    assert_eq!(found, expected);
}
