use super::*;
use models::collective::{Algorithm, Collective, Shape};
use models::network;
use models::time::Span;
use programs::budget::Configuration;
use programs::method::{MethodSettings, Subject};
use programs::observation::Implementation;

fn order(method: Method, calls: u32) -> Order {
    let base = MethodSettings {
        method,
        calls,
        samples: 2,
        warmup: 1,
        barrier: Implementation::Own("dissemination".to_owned()),
        sync: Default::default(),
        window: Default::default(),
        round_time: Default::default(),
        factors: Default::default(),
    };
    let settings = MethodSettings { method, ..Configuration::perfect().settings(&base) };
    Order {
        subject: Subject::Collective(Collective::Bcast, Implementation::Own("linear".to_owned())),
        shape: Shape::new(4, 0, 8),
        call: Default::default(),
        copies_as: None,
        environment: Default::default(),
        settings: MethodSettings { calls, barrier: base.barrier, ..settings },
    }
}

fn predictor() -> Predictor {
    Predictor::perfect(network::parse("hockney", Some("alpha=5us,beta=0ns/B"), Some("busy")).unwrap())
}

/// Every method's readings are found, with the calls between them, and say what the method says.
#[test]
fn what_a_method_times_is_what_its_pictures_show() {
    for method in Method::reported() {
        let (ranks, timed) =
            predictor().traced(&order(method, 3), 3).unwrap_or_else(|error| panic!("{method}: {error}"));
        for record in &ranks {
            let own: Vec<&TracedSample> = timed.samples.iter().filter(|sample| sample.rank == record.rank).collect();
            let stamps: Vec<&Stamp> = record.valid().take(own.len()).collect();
            assert!(!own.is_empty(), "{method}: nothing of rank {}", record.rank);
            for (sample, stamp) in own.iter().zip(&stamps) {
                let (from, to) = record.global(stamp.start, stamp.end);
                assert_eq!((sample.from, sample.to, sample.calls), (from, to, stamp.calls), "{method}: perfect clocks");
            }
            let shown: u32 = own.iter().map(|sample| sample.calls).sum();
            let numbers: Vec<u32> =
                timed.calls.iter().filter(|call| call.rank == record.rank).filter_map(|call| call.number).collect();
            assert_eq!(numbers, (0..shown).collect::<Vec<_>>(), "{method}, rank {}", record.rank);
            for call in timed.calls.iter().filter(|call| call.rank == record.rank && call.number.is_some()) {
                assert!(
                    own.iter().any(|sample| sample.from <= call.from && call.to <= sample.to),
                    "{method}: {call:?}"
                );
            }
        }
        let sends = |call: &TracedCall| call.number.is_some() && call.rank == 0;
        let whole = timed.calls.iter().filter(|call| sends(call)).map(|call| call.to.since(call.from));
        let rotates = method == Method::RootRotation;
        assert!(
            rotates || whole.clone().all(|time| time == Span(15_000_000)),
            "{method}: {:?}",
            whole.collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_loop_of_linear_broadcasts_says_two_and_a_half_times_the_time_of_rank_1() {
    let (_, timed) = predictor().traced(&order(Method::Loop, 4), 4).unwrap();
    let says: Vec<i64> = timed.samples.iter().map(|sample| sample.says_ps).collect();
    // After a dissemination barrier all ranks start together: rank i ends at (3 (n - 1) + i) alpha, n = 4 calls.
    assert_eq!(says, [15_000_000, 12_500_000, 13_750_000, 15_000_000]);
    let begin = timed.calls.iter().map(|call| call.from).min();
    let barriers = timed.calls.iter().filter(|call| call.number.is_none()).count();
    assert_eq!((begin, barriers), (timed.intervals.iter().map(|one| one.start).min(), 4));
    let (_, plain) = timed_plain(4);
    let in_call = |call: &&TracedCall| call.rank == 1 && call.number == Some(1);
    let second = plain.calls.iter().find(in_call).unwrap();
    assert_eq!((second.from, second.to), (Time(5_000_000), Time(20_000_000)), "it waits for the root's next round");
}

fn timed_plain(calls: u32) -> (SimulationOutcome, Trace) {
    let simulation = Simulation {
        algorithm: Algorithm::find(Collective::Bcast, "linear").unwrap(),
        shape: Shape::new(4, 0, 8),
        platform: predictor().network,
        noise: models::noise::Noise::none(),
        entry: crate::Entry::Together,
        repeat: calls,
        compute: Span::ZERO,
        buffer: None,
    };
    simulation.traced_calls().unwrap()
}

/// Whoever wants numbers alone gets those that ranks record who tell how their clocks drifted, too.
#[test]
fn without_a_word_on_drift_ranks_record_the_same() {
    let clocks = "largest-offset=1ms,largest-skew=50ppm,granularity=40ns,read-cost=20ns,jumps=100,largest-jump=2us,jumps-within=20ms";
    let clocks = models::clock::ClockSpread::parse_over(Default::default(), clocks).unwrap();
    let noise = ["exponential:mean=10us,rate=2kHz".to_owned()];
    let noise = models::noise::Noise::parse_with(&noise, 1, &|_| Err("no traces here".to_owned())).unwrap();
    let machine = Predictor { clocks, noise, ..predictor() };
    for method in Method::reported() {
        let order = order(method, 3);
        let (told, alone) = (machine.predict(&order), machine.numbers_against(Default::default(), &order));
        let (mut told, alone) = (told.unwrap().ranks, alone.unwrap().ranks);
        assert!(told.iter().any(|record| record.clock_after != record.clock), "{method}: synchronised once more");
        told.iter_mut().for_each(|record| record.clock_after = record.clock);
        assert_eq!(told, alone, "{method}");
    }
}
