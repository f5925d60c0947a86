//! Cache lines: what calls find follows from the calls before, to the picosecond.

use models::collective::{ALGORITHMS, Algorithm, Collective, Shape};
use models::engine::Engine;
use models::network::{Hockney, Network, SendRule};
use models::platform::{Between, Pairs, Platform, Refinements};
use models::time::{PerByte, Span};
use parallax_sim::{Entry, Predictor, SimError, Simulation};
use programs::method::{Buffer, Factors, Method, MethodSettings, Order, RoundTimeSettings, Subject, WindowSettings};
use programs::observation::{Implementation, World};
use programs::sync::Sync;

/// A message takes 1 µs, whatever its length.
const MESSAGE: Span = Span::from_us(1);
const BYTES: u64 = 1_000;
/// Touches of 1000 B: 100, 200, 400 and 800 ns, so that sums say what they are made of.
const TOUCHES: &str = "fetch=0.1ns/B,claim=0.2ns/B,load=0.4ns/B,fill=0.8ns/B,gamma=3.2ns/B,memcpy=6.4ns/B";

fn on(network: Network, refinements: &str) -> Platform {
    Platform::parse(network, refinements, |file| Err(file.to_owned())).unwrap()
}

fn platform(more: &str) -> Platform {
    let rule = SendRule::Synchronous;
    let network = Network::Hockney(Hockney { alpha: MESSAGE, beta: PerByte(0.0), send_rule: rule });
    on(network, &format!("{TOUCHES}{more}"))
}

/// What a call takes the slowest rank beyond one message, in ns.
fn beyond(collective: Collective, algorithm: &str, copies_as: Option<World>, buffer: Buffer, more: &str) -> u64 {
    (slowest(collective, algorithm, copies_as, buffer, platform(more)).0 - MESSAGE.0) / 1_000
}

/// What a call takes the slowest rank.
fn slowest(
    collective: Collective,
    algorithm: &str,
    copies_as: Option<World>,
    buffer: Buffer,
    network: Platform,
) -> Span {
    let order = Order { copies_as, ..order(collective, algorithm, buffer, Shape::new(2, 0, BYTES)) };
    truth(&order, network).into_iter().max().unwrap()
}

fn truth(order: &Order, network: Platform) -> Vec<Span> {
    Predictor { network: network.clone(), ..Predictor::perfect(network.network) }.truth(order).unwrap()
}

/// Calls whose buffers are in a state.
fn order(collective: Collective, algorithm: &str, buffer: Buffer, shape: Shape) -> Order {
    let settings = MethodSettings {
        method: Method::Window,
        calls: 1,
        samples: 1,
        warmup: 0,
        barrier: Implementation::Own("dissemination".to_owned()),
        sync: Sync::Linear,
        window: WindowSettings::default(),
        round_time: RoundTimeSettings::default(),
        factors: Factors { buffer, ..Factors::default() },
    };
    let subject = Subject::Collective(collective, Implementation::Own(algorithm.to_owned()));
    Order { subject, shape, call: Default::default(), copies_as: None, environment: Default::default(), settings }
}

const SINGLE: &str = ",single-copy-above=0,claim-received=0.2ns/B";

#[test]
fn a_broadcast_costs_what_its_buffers_states_cost() {
    let bcast = |buffer, more| beyond(Collective::Bcast, "linear", None, buffer, more);
    // Copied twice, each rank works in its own memory, which it holds unless it was flushed.
    assert_eq!([Buffer::Same, Buffer::Touched, Buffer::Cold].map(|buffer| bcast(buffer, "")), [0, 0, 400 + 800]);
    // Copied once, the receiver reads the sender's memory: it holds that from the last call, unless it was rewritten.
    assert_eq!(bcast(Buffer::Same, SINGLE), 0);
    assert_eq!(bcast(Buffer::Touched, SINGLE), 100);
    assert_eq!(bcast(Buffer::Cold, SINGLE), 400 + 800);
    assert_eq!(bcast(Buffer::Pool, SINGLE), 400 + 800);
}

#[test]
fn reductions_write_what_others_have_read() {
    let allreduce = |copies_as, buffer| beyond(Collective::Allreduce, "recursive-doubling", copies_as, buffer, SINGLE);
    // In place: what was combined in the last call is the other rank's to fetch, and then this one's to claim.
    assert_eq!(allreduce(None, Buffer::Same), 100 + 3_200 + 200);
    // Open MPI works aside: the lower rank there writes what both hold, since it has combined out of what the other one took,
    // the higher one combines into what was taken from it and copies that to the result.
    let library = 6_400 + 200 + 100 + 3_200 + 200 + 6_400;
    assert_eq!(allreduce(Some(World::OPENMPI), Buffer::Same), library);
    assert_eq!(allreduce(Some(World::OPENMPI), Buffer::Touched), library, "as if never rewritten");
    // What is flushed is what the call is given: that is loaded, and the result is filled.
    assert_eq!(allreduce(Some(World::OPENMPI), Buffer::Cold), library + 400 + 800);
    let reduce = |copies_as| beyond(Collective::Reduce, "binomial", copies_as, Buffer::Same, SINGLE);
    assert_eq!(reduce(None), 3_200, "the root combines into what nobody else has read");
    assert_eq!(
        reduce(Some(World::MPICH)),
        6_400 + 200 + 100 + 3_200,
        "MPICH's leaf sends a copy that it has just made"
    );
}

#[test]
fn two_ranks_of_open_mpi_gather_from_what_they_were_given() {
    let allgather = |algorithm| beyond(Collective::Allgather, algorithm, Some(World::OPENMPI), Buffer::Same, SINGLE);
    assert_eq!(allgather("two-proc"), 6_400, "nobody else reads what is copied");
    assert_eq!(
        allgather("ring"),
        6_400 + 200 + 100,
        "each copies over what the other one has read, which then reads it anew"
    );
}

#[test]
fn the_first_message_after_a_wait_is_longer_under_way_than_those_behind_it() {
    let after_wait = |collective, algorithm, more| {
        let plain = beyond(collective, algorithm, None, Buffer::Same, "");
        beyond(collective, algorithm, None, Buffer::Same, more) - plain
    };
    let more = ",start=7ns,after-wait=500:20ns/1000:50ns";
    assert_eq!(after_wait(Collective::Bcast, "linear", more), 7 + 50);
    // One way, and then back: either rank sends its first message, and the root alone has to start before anything else.
    assert_eq!(after_wait(Collective::Allreduce, "reduce-bcast", more), 7 + 50 + 50);
    // Two exchanges of half the length: the second ones are no first messages.
    assert_eq!(after_wait(Collective::Allreduce, "ring", more), 7 + 20);
}

#[test]
fn both_ways_at_once_take_longer_than_the_longer_of_both() {
    // A message is there after 200 ns; its sender waits for an answer that may come later still.
    for (returns_ns, alone_ns) in [(100, 200), (300, 300)] {
        let settings = format!("L=50,or=20,g=1000:150,os=500:40/1000:{returns_ns},S=500");
        let network = Network::parse("plogp", Some(&settings), None).unwrap();
        let exchange = |more| slowest(Collective::Allgather, "ring", None, Buffer::Same, on(network, more)).0 / 1_000;
        assert_eq!(exchange("duplex=0ns/B"), alone_ns);
        assert_eq!(exchange("duplex=1000:30ns"), alone_ns + 30);
    }
}

#[test]
fn memory_answers_loads_and_fills_at_once() {
    let cold = |collective, algorithm, more: &str| beyond(collective, algorithm, None, Buffer::Cold, more);
    let more = |known| format!("{SINGLE},load-fill={known}ns/B");
    assert_eq!(cold(Collective::Bcast, "linear", &more("0.9")), 900, "instead of 400 + 800");
    // A local copy of flushed memory to flushed memory, and what is sent and received besides.
    let linear = |more: &str| cold(Collective::Alltoall, "linear", more);
    let (apart, at_once) = (linear(SINGLE), linear(&more("0.9")));
    assert_eq!(apart - at_once, 2 * (400 + 800 - 900));
}

#[test]
fn ranks_that_fetch_from_each_other_take_longer() {
    let more = format!("{SINGLE},duplex-fetch=0.7ns/B");
    let touched = |collective, algorithm, more: &str| beyond(collective, algorithm, None, Buffer::Touched, more);
    assert_eq!(touched(Collective::Allgather, "ring", &more) - touched(Collective::Allgather, "ring", SINGLE), 700);
    let one_way = |more: &str| touched(Collective::Bcast, "linear", more);
    assert_eq!(one_way(&more), one_way(SINGLE));
    let same = |more: &str| beyond(Collective::Allgather, "ring", None, Buffer::Same, more);
    assert_eq!(same(&more), same(SINGLE), "nothing is fetched");
}

#[test]
fn ranks_that_take_memory_back_from_each_other_take_longer() {
    let more = format!("{SINGLE},duplex-claim=0.6ns/B");
    let same = |collective, algorithm, more: &str| beyond(collective, algorithm, None, Buffer::Same, more);
    // The second exchange of a ring on halves receives over what the other rank has read in the first.
    let ring = |more: &str| same(Collective::Allreduce, "ring", more);
    assert_eq!(ring(&more) - ring(SINGLE), 600 / 2);
    let forwarded = |more: &str| same(Collective::Allreduce, "reduce-bcast", more);
    assert_eq!(forwarded(&more), forwarded(SINGLE), "one way at a time");
}

#[test]
fn what_a_rank_forwards_it_has_just_written() {
    // 0 sends to 1, and 1 the same bytes back: each reads what the other has just written, and writes what it has read.
    let there_and_back = beyond(Collective::Allreduce, "reduce-bcast", None, Buffer::Same, SINGLE) - 1_000;
    assert_eq!(there_and_back, 100 + 3_200 + 200 + 100 + 200);
}

#[test]
fn the_fast_engine_says_why_it_does_not_know_of_lines() {
    let algorithm = Algorithm::find(Collective::Bcast, "binomial").unwrap();
    let noise = models::noise::Noise::none();
    let shape = Shape::new(4, 0, 8);
    let simulation = Simulation {
        algorithm,
        shape,
        platform: platform(""),
        noise,
        entry: Entry::Together,
        repeat: 1,
        compute: Span::ZERO,
        buffer: None,
    };
    let Err(SimError::Order(reason)) = simulation.run(Engine::Fast) else { panic!("it refuses") };
    insta::assert_snapshot!(reason);
    simulation.run(Engine::Auto).unwrap();
}

/// What is between ranks of a platform.
fn between(platform: &Platform, line_ns: f64) -> Between {
    let refined = platform.refinements().unwrap();
    let (lines, duplex, after_wait) = (refined.lines, refined.duplex, refined.after_wait);
    Between { line_ns, network: platform.network, lines, duplex, after_wait }
}

fn with_pairs(platform: &Platform, pairs: Pairs) -> Platform {
    let refined = platform.refinements().unwrap().clone();
    Platform::new(platform.network, Refinements { pairs: Some(pairs), ..refined })
}

/// One reference of one call: what a call alone takes is what a method's number is held against.
/// All algorithms for so many ranks.
fn taking(shape: &Shape) -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().filter(|algorithm| algorithm.accepts(shape).is_ok())
}

#[test]
fn a_call_alone_is_the_reference_of_methods() {
    let more =
        ",single-copy-above=500B,claim-received=0.3ns/B,claim-shared=0.7ns/B,start=50ns,after-wait=0.05ns/B,call=30ns";
    let (network, ranks) = (platform(more), 5);
    let mut states_differ = 0;
    let shape = Shape::new(ranks, 0, BYTES);
    for algorithm in taking(&shape) {
        let takes = |buffer| {
            let (platform, noise) = (network.clone(), models::noise::Noise::none());
            let (entry, buffer) = (Entry::Together, Some(buffer));
            let simulation =
                Simulation { algorithm, shape, platform, noise, entry, repeat: 1, compute: Span::ZERO, buffer };
            simulation.run(Engine::Auto).unwrap().finish.to_vec()
        };
        let all = Buffer::REFERENCES.map(takes);
        for (buffer, found) in Buffer::REFERENCES.into_iter().zip(&all) {
            let truth = truth(&order(algorithm.collective, algorithm.name, buffer, shape), network.clone());
            let found: Vec<u64> = found.iter().map(|time| time.0).collect();
            assert_eq!(found, truth.iter().map(|span| span.0).collect::<Vec<_>>(), "{algorithm:?}, {buffer:?}");
        }
        states_differ += usize::from(all[0] != all[1] && all[1] != all[2]);
    }
    assert!(states_differ > 20, "{states_differ}");
}

#[test]
fn what_only_the_event_engine_knows_of_waits_is_refused_by_the_fast_one() {
    let network = Network::Hockney(Hockney { alpha: MESSAGE, beta: PerByte(0.0), send_rule: SendRule::Eager });
    let algorithm = Algorithm::find(Collective::Bcast, "binomial").unwrap();
    let (shape, platform) = (Shape::new(2, 0, 8), on(network, "start=50ns,after-wait=10ns/B"));
    let (noise, entry) = (models::noise::Noise::none(), Entry::Together);
    let waited = Simulation {
        algorithm,
        shape,
        platform,
        noise,
        entry,
        repeat: 1,
        compute: Span::ZERO,
        buffer: Some(Buffer::Same),
    };
    let Err(SimError::Order(reason)) = waited.run(Engine::Fast) else { panic!("it refuses") };
    insta::assert_snapshot!(reason);
    let last = |simulation: &Simulation| simulation.run(Engine::Auto).unwrap().finish.range().1;
    // The root wakes up and its message takes longer; the receiver has to wake up, too, but has the time to.
    assert_eq!(last(&waited).0, (MESSAGE + Span::from_ns(50 + 80)).0);
    assert_eq!(last(&Simulation { buffer: None, ..waited }).0, MESSAGE.0);
}

#[test]
fn pages_that_the_system_gives_anew_are_paid_for_before_a_rank_s_first_message() {
    let network = Network::Hockney(Hockney { alpha: MESSAGE, beta: PerByte(0.0), send_rule: SendRule::Eager });
    let algorithm = Algorithm::find(Collective::Reduce, "linear").unwrap();
    let (shape, noise, entry) = (Shape::new(2, 0, 8), models::noise::Noise::none(), Entry::Together);
    let platform = on(network, "page-fault=1400ns,page-faults=0/96");
    let given_back =
        Simulation { algorithm, shape, platform, noise, entry, repeat: 1, compute: Span::ZERO, buffer: None };
    let last = |simulation: &Simulation| simulation.run(Engine::Auto).unwrap().finish.range().1;
    // Rank 1 sends once it has its pages.
    assert_eq!(last(&given_back).0, (MESSAGE + Span::from_ns(96 * 1_400)).0);
    let Err(SimError::Order(reason)) = given_back.run(Engine::Fast) else { panic!("it refuses") };
    insta::assert_snapshot!(reason);
    for free in ["page-fault=1400ns", "page-faults=0/96"] {
        let kept = Simulation { platform: on(network, free), ..given_back.clone() };
        assert_eq!(last(&kept).0, MESSAGE.0, "{free}");
    }
}

#[test]
fn pairs_that_do_not_differ_change_nothing() {
    let platform = platform(",single-copy-above=100B,duplex=0.01ns/B,duplex-claim=0.3ns/B,duplex-fetch=0.7ns/B");
    let pairs = Pairs::new(5, vec![between(&platform, 30.0), between(&platform, 110.0)], |one, other| {
        usize::from((one < 2) != (other < 2))
    });
    let alike = with_pairs(&platform, pairs);
    let at = |platform: &Platform, algorithm, shape| {
        let (platform, noise) = (platform.clone(), models::noise::Noise::none());
        let simulation = Simulation {
            algorithm,
            shape,
            platform,
            noise,
            entry: Entry::Together,
            repeat: 3,
            compute: Span::ZERO,
            buffer: None,
        };
        simulation.run(Engine::Auto).unwrap().finish.to_vec()
    };
    let shape = Shape::new(5, 0, 1_000);
    for algorithm in taking(&shape) {
        assert_eq!(at(&alike, algorithm, shape), at(&platform, algorithm, shape), "{algorithm:?}");
    }
}

#[test]
fn messages_and_touches_cost_what_they_do_between_the_cores_of_their_ranks() {
    // Rank 2 is far: its messages take 3 µs, and fetching from it, or by it, 0.9 ns a byte.
    let near = platform(SINGLE);
    let rule = SendRule::Synchronous;
    let slow = Network::Hockney(Hockney { alpha: Span::from_us(3), beta: PerByte(0.0), send_rule: rule });
    let far = on(slow, &format!("{TOUCHES}{SINGLE}").replacen("0.1", "0.9", 1));
    let kinds = vec![between(&near, 30.0), between(&far, 110.0)];
    let network = with_pairs(&near, Pairs::new(3, kinds, |one, other| usize::from(one == 2 || other == 2)));
    let (noise, shape) = (models::noise::Noise::none(), Shape::new(3, 0, BYTES));
    let algorithm = Algorithm::find(Collective::Bcast, "linear").unwrap();
    let simulation = Simulation {
        algorithm,
        shape,
        platform: network,
        noise,
        entry: Entry::Together,
        repeat: 1,
        compute: Span::ZERO,
        buffer: None,
    };
    let finish = simulation.run(Engine::Auto).unwrap().finish.to_vec();
    // The root's copy is taken by rank 1 (100 ns), so that rank 2 fetches nothing that was written: it refetches, for nothing.
    let [first, second] = [1_000 + 100, 3_000].map(Span::from_ns);
    assert_eq!(finish[1].0, first.0);
    assert_eq!(finish[2].0, first.0 + second.0, "the root's second message begins when its first is over");
    let alone = Simulation { shape: Shape::new(3, 2, BYTES), ..simulation }.run(Engine::Auto).unwrap().finish.to_vec();
    assert_eq!(alone.iter().map(|time| time.0).min(), Some(Span::from_ns(3_000 + 900).0), "fetched from afar");
}
