//! Tests of messages between two ranks, and looks at memory, on threads.

use models::collective::Collective;
use models::network::{Hockney, SendRule};
use models::time::{PerByte, Span};
use parallax_measure::board::Board;
use parallax_measure::job::{Job, Outcome, Task};
use parallax_measure::threads;
use programs::memory::{MemoryTest, Moment, Used};
use programs::observation::{Carrier, World};
use programs::point_to_point::{Buffers, Latency, LatencyMatrix, Order, Record, Repeats, Test, Transfer, Way};

const ALPHA: Span = Span::from_us(300);
const REPEATS: Repeats = Repeats { large_above: 100, small: (1, 3), large: (0, 2) };

fn outcomes(ranks: u32, send_rule: SendRule, tasks: Vec<Task>) -> Vec<Outcome> {
    let emulated = Hockney { alpha: ALPHA, beta: PerByte::from_ns(100.0), send_rule };
    let (world, carrier) = (World::Threads, Carrier::EMULATED);
    let clock = models::clock::ClockKind::Automatic;
    let job = Job { ranks, cores: 2, hosts: 1, world, carrier, emulated, clock, clocks: None, tasks };
    let board = Board::in_memory(ranks).unwrap();
    let mut outcomes = Vec::new();
    threads::run(&job, &board, &mut |outcome| outcomes.push(outcome)).unwrap();
    outcomes
}

fn record(ranks: u32, send_rule: SendRule, test: Test) -> Record {
    match outcomes(ranks, send_rule, vec![Task::PointToPoint(test)]).pop() {
        Some(Outcome::PointToPoint { record, .. }) => record,
        other => panic!("expected exchanges, got {other:?}"),
    }
}

#[test]
fn no_exchange_undercuts_the_emulated_network() {
    let transfer =
        Test::Transfer(Transfer { bytes: vec![0, 1_000], repeats: REPEATS, both_ways: true, buffers: Buffers::Same });
    for rule in SendRule::ALL {
        let record = record(3, rule, transfer.clone());
        let kinds: Vec<_> = record.exchanges.iter().map(|e| (e.to, e.way, e.bytes, e.round_trips.len())).collect();
        let of = |to| {
            [
                (to, Way::PingPong, 0, 3),
                (to, Way::PingPong, 1_000, 2),
                (to, Way::BothWays, 0, 3),
                (to, Way::BothWays, 1_000, 2),
            ]
        };
        assert_eq!(kinds, [of(1), of(2)].concat(), "{rule:?}");
        for exchanges in record.exchanges.iter().filter(|exchanges| exchanges.way == Way::PingPong) {
            let least = (ALPHA + Span::from_ns(100) * exchanges.bytes) * 2;
            // Of consecutive ping-pongs the later begins when the earlier has ended: only a reading may be early.
            let in_time = |span: &Span| *span + Span::from_us(1) >= least;
            assert!(exchanges.round_trips.iter().all(in_time), "{rule:?}: {exchanges:?} below {least}");
        }
    }
}

#[test]
fn latencies_and_matrices_come_back_from_threads() {
    let latency = Test::Latency(Latency { bytes: vec![1, 4_096], repeats: REPEATS, buffers: Buffers::Same });
    let found = record(4, SendRule::Busy, latency);
    assert_eq!(found.exchanges.iter().map(|e| (e.from, e.to, e.bytes)).collect::<Vec<_>>(), [(0, 1, 1), (0, 1, 4_096)]);
    for order in [Order::OneByOne, Order::AtOnce] {
        let test = Test::LatencyMatrix(LatencyMatrix { bytes: 4, repeats: (1, 2), order, buffers: Buffers::Same });
        let pairs: Vec<_> = record(4, SendRule::Eager, test).exchanges.iter().map(|e| (e.from, e.to)).collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], "{order:?}");
    }
}

#[test]
fn memory_is_looked_at_before_and_after_each_use() {
    let bcast = Used::Collective(Collective::Bcast);
    let test = MemoryTest { used: vec![Used::Pairs, bcast], bytes: 64, again: 2 };
    assert!(test.buffer_bytes(3) >= 128);
    let outcomes = outcomes(3, SendRule::Eager, vec![Task::Memory(MemoryTest::look()), Task::Memory(test)]);
    let moments = |outcome: &Outcome| match outcome {
        Outcome::Memory { ranks, .. } => {
            let of =
                |rank: &Vec<_>| rank.iter().map(|probe: &programs::memory::Probe| probe.moment).collect::<Vec<_>>();
            assert!(ranks.iter().all(|rank| of(rank) == of(&ranks[0])), "{ranks:?}");
            assert_eq!(ranks.len(), 3);
            assert!(ranks.concat().iter().all(|probe| probe.resident.is_some() || !cfg!(target_os = "linux")));
            of(&ranks[0])
        }
        other => panic!("expected memory, got {other:?}"),
    };
    assert_eq!(moments(&outcomes[0]), [Moment::Ready], "threads initialise no library");
    let expected = [
        Moment::Ready,
        Moment::First(Used::Pairs),
        Moment::Again(Used::Pairs),
        Moment::First(bcast),
        Moment::Again(bcast),
    ];
    assert_eq!(moments(&outcomes[1]), expected);
}
