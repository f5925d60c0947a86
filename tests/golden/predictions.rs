//! What is predicted today is predicted tomorrow: every network model, send rule, refinement, source of noise, clock and
//! method. Predictions are compared as a set keyed by what was predicted, so that neither their order nor the words of
//! anything else is part of it. `UPDATE_GOLDEN=1 cargo test --test golden` rewrites the file; CHANGELOG.md then says what
//! changed, from what to what, and why.

use crate::common::{order, perfect};
use models::clock::ClockSpread;
use models::collective::Collective;
use models::network::Network;
use models::noise::Noise;
use models::platform::Platform;
use models::time::Span;
use programs::method::{Buffer, Method, Order};
use programs::observation::{Implementation, times_per_call};
use sim::Predictor;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Network models with all their parameters, and Hockney's send rules.
const NETWORKS: [(&str, &str, Option<&str>); 9] = [
    ("hockney", "alpha=5us,beta=0.04ns/B", Some("busy")),
    ("hockney", "alpha=5us,beta=0.04ns/B", Some("synchronous")),
    ("hockney", "alpha=5us,beta=0.04ns/B", Some("detached")),
    ("hockney", "alpha=5us,beta=0.04ns/B", Some("eager")),
    ("logp", "L=2500ns,os=1500ns,or=1700ns,g=2us", None),
    ("loggp", "L=2500ns,os=1500ns,or=1700ns,g=1us,G=6ns/B", None),
    ("loggops", "L=2500ns,os=1500ns,or=1700ns,g=1us,G=6ns/B,O=0.5ns/B,S=4KiB,rendezvous=match", None),
    ("loggops", "L=2500ns,os=1500ns,or=1700ns,g=1us,G=6ns/B,O=0.5ns/B,S=4KiB,rendezvous=round-trip", None),
    ("plogp", "L=500ns,os=8:300ns/8KiB:3us,or=8:200ns/8KiB:2us,g=8:400ns/8KiB:4us,S=2KiB", None),
];

/// One or more of every refinement.
const REFINEMENTS: [&str; 19] = [
    "gamma=0.02ns/B",
    "memcpy=8:2ns/8KiB:900ns",
    "to-self=8:80ns/8KiB:2500ns",
    "duplex=64:80ns/8KiB:600ns",
    "start=50ns",
    "after-wait=8:10ns/8KiB:30ns",
    "call=20ns",
    "page-fault=1400ns,page-faults=0/3/3/3",
    "barrier=10ns/70ns/80ns/90ns/50ns/60ns/65ns/85ns/90ns/60ns/10ns/95ns/80ns/75ns/90ns/20ns",
    "connect=30us",
    "idle-cost=10us:0/2ms:2400ns",
    "single-copy-above=1KiB,fetch=0.1ns/B,claim=0.3ns/B,claim-received=0.2ns/B",
    "single-copy-above=1KiB,refetch=0.1ns/B,reread=0.05ns/B,claim-shared=0.2ns/B,claim-received-shared=0.3ns/B,claim-combined=0.4ns/B",
    "load=0.3ns/B,fill=0.2ns/B,load-fill=0.4ns/B",
    "single-copy-above=1KiB,fetch=0.1ns/B,duplex-fetch=0.05ns/B,duplex-claim=0.06ns/B",
    "placement=block:2/4,class.node.L=100ns",
    "placement=cyclic:2,class.node.L=100ns",
    "links=injection,links-G=0.3ns/B",
    "links=torus:2x2,links-G=0.3ns/B",
];

/// Every distribution of detours, and periodic ones.
const NOISES: [&str; 11] = [
    "exponential:mean=10us,rate=1kHz",
    "pareto:scale=2us,shape=2.5,rate=1kHz",
    "lognormal:mean=10us,sigma=0.5,rate=1kHz",
    "weibull:scale=10us,shape=0.7,rate=1kHz",
    "half-normal:sigma=10us,rate=1kHz",
    "uniform:from=2us,to=20us,rate=1kHz",
    "bernoulli:probability=0.5,duration=20us,rate=1kHz",
    "fixed:duration=20us,rate=1kHz",
    "periodic:period=1ms,duration=20us",
    "exponential:mean=10us,rate=1kHz,cosched",
    "exponential:mean=10us,rate=1kHz,ranks=0+2",
];

const CLOCKS: ClockSpread = ClockSpread {
    largest_offset: Span::from_ms(3),
    largest_skew_ppm: 20.0,
    largest_walk_ppm: 0.1,
    jumps: 1,
    largest_jump: Span::from_us(5),
    jumps_within: Span::from_ms(10),
    granularity: Span::from_ns(100),
    read_cost: Span::from_ns(20),
};

const SUBJECTS: [(Collective, &str, u64); 5] = [
    (Collective::Bcast, "linear", 1_000),
    (Collective::Bcast, "binomial", 1_000),
    (Collective::Reduce, "binomial", 1_000),
    (Collective::Allreduce, "ring", 9_000),
    (Collective::Alltoall, "pairwise", 3_000),
];

/// Trees of a number of ranks that is no power of two.
const ON_SIX: [(u32, (Collective, &str, u64)); 3] = [(6, SUBJECTS[0]), (6, SUBJECTS[1]), (6, SUBJECTS[2])];

/// What was predicted, and each rank's number in ps.
type Predictions = BTreeMap<String, Vec<u64>>;

fn network((model, set, send_rule): (&str, &str, Option<&str>)) -> Network {
    Network::parse(model, Some(set), send_rule).unwrap_or_else(|message| panic!("{model} {set}: {message}"))
}

/// Each rank's median of what a method reports, or the time of one call alone.
fn add(all: &mut Predictions, key: &str, machine: &Predictor, order: &Order) {
    let prediction = machine.predict(order).unwrap_or_else(|error| panic!("{key}: {error}"));
    let medians = (0..prediction.ranks.len()).map(|rank| {
        let mut times: Vec<u64> = times_per_call(&prediction.ranks, rank).into_iter().map(|(_, time)| time.0).collect();
        times.sort_unstable();
        times[times.len() / 2]
    });
    all.insert(format!("{key}, reference"), prediction.truth.iter().map(|span| span.0).collect());
    all.insert(format!("{key}, {}", order.settings.method), medians.collect());
}

fn predictions() -> Predictions {
    let mut all = Predictions::new();
    for named @ (model, set, send_rule) in NETWORKS {
        let machine = perfect(network(named));
        for (ranks, (collective, algorithm, bytes)) in SUBJECTS.map(|subject| (4, subject)).into_iter().chain(ON_SIX) {
            for method in Method::reported() {
                let rule = send_rule.map_or(String::new(), |rule| format!(" {rule}"));
                let key = format!("{model} {set}{rule}: {collective} {algorithm}, {ranks} ranks, {bytes} B");
                add(&mut all, &key, &machine, &order(collective, algorithm, ranks, bytes, method));
            }
        }
    }
    let plogp = network(NETWORKS[NETWORKS.len() - 1]);
    for text in REFINEMENTS {
        let platform = Platform::parse(plogp, text, |file| Err(file.to_owned()));
        let machine =
            Predictor { network: platform.unwrap_or_else(|message| panic!("{text}: {message}")), ..perfect(plogp) };
        for (collective, algorithm, bytes) in SUBJECTS {
            for (method, buffer) in [
                (Method::BarrierLoop, Buffer::Same),
                (Method::Window, Buffer::Touched),
                (Method::Window, Buffer::Cold),
                (Method::Loop, Buffer::Pool),
            ] {
                let mut order = order(collective, algorithm, 4, bytes, method);
                order.settings.factors.buffer = buffer;
                order.settings.barrier = Implementation::Library;
                let key = format!("plogp {text}: {collective} {algorithm}, 4 ranks, {bytes} B, {}", buffer.name());
                add(&mut all, &key, &machine, &order);
            }
        }
    }
    for text in NOISES {
        let noise = Noise::parse(&[text.to_owned()], 5).unwrap_or_else(|message| panic!("{text}: {message}"));
        let machine = Predictor { noise, ..perfect(network(NETWORKS[5])) };
        for method in [Method::Loop, Method::BarrierLoop, Method::Window] {
            let key = format!("loggp {text}: bcast binomial, 4 ranks, 1000 B");
            add(&mut all, &key, &machine, &order(Collective::Bcast, "binomial", 4, 1_000, method));
        }
    }
    let machine = Predictor { clocks: CLOCKS, ..perfect(network(NETWORKS[5])) };
    for method in Method::reported() {
        let order = order(Collective::Bcast, "binomial", 4, 1_000, method);
        add(&mut all, "loggp, clocks that are wrong: bcast binomial, 4 ranks, 1000 B", &machine, &order);
    }
    all
}

/// A line for each: the numbers behind the last colon.
fn read(text: &str) -> Predictions {
    let parsed = text.lines().map(|line| {
        let (key, numbers) = line.rsplit_once(": ").expect("a key and numbers");
        (key.to_owned(), numbers.split(' ').map(|number| number.parse().expect("a number")).collect())
    });
    parsed.collect()
}

#[test]
fn predictions_stay_what_they_are() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/predictions.txt");
    let now = predictions();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let mut text = String::new();
        for (key, numbers) in &now {
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            writeln!(text, "{key}: {}", numbers.join(" ")).unwrap();
        }
        std::fs::write(path, text).unwrap();
    }
    let then = read(&std::fs::read_to_string(path).unwrap_or_default());
    let keys = then.keys().chain(now.keys().filter(|key| !then.contains_key(*key)));
    let moved: Vec<String> = keys
        .filter(|key| then.get(*key) != now.get(*key))
        .map(|key| format!("{key}: {:?} became {:?}", then.get(key), now.get(key)))
        .collect();
    assert!(
        moved.is_empty(),
        "{} of {} predictions moved, the first ones:\n{}\nIf this is meant: UPDATE_GOLDEN=1, and CHANGELOG.md",
        moved.len(),
        now.len(),
        moved.iter().take(5).cloned().collect::<Vec<_>>().join("\n")
    );
}
