//! What network models leave out: exploring simulated ranks returns what their machine was given.

mod common;

use calibration::refine::{Findings, refine};
use models::clock::ClockModel;
use models::collective::{Collective, Shape};
use models::network::{self, Network, SendRule};
use models::noise::Noise;
use models::platform::Platform;
use models::time::Span;
use programs::calibration::{Connecting, Exploration, Finding, Idling, Leaving};
use programs::detours::Watching;
use programs::machine::{Bound, HockneyEstimate, Machine, Provenance};
use programs::method::{barrier_exits, exit_skews};
use programs::observation::Implementation;
use programs::operation::Library;
use programs::rank::Rank;
use programs::sync::Sync;
use sim::SimWorld;

const NETWORKS: [(&str, &str); 4] = [
    ("loggops", "L=2500ns,o=1500ns,g=1000ns,G=6ns/B,O=0ns/B,S=1MB"),
    ("loggops", "L=900ns,os=100ns,or=300ns,g=400ns,G=0.1ns/B,O=0.3ns/B,S=8kB"),
    ("hockney", "alpha=20us,beta=1ns/B"),
    ("loggp", "L=5us,o=200ns,g=300ns,G=0.04ns/B"),
];

fn network((model, set): (&str, &str)) -> Network {
    network::parse(model, Some(set), None).unwrap()
}

/// What the ranks of a platform answer.
fn explore(platform: &Platform, noise: &[&str], ranks: u32, question: &Exploration) -> Finding {
    let specs: Vec<String> = noise.iter().map(|&spec| spec.to_owned()).collect();
    let world = SimWorld {
        network: platform.clone(),
        noise: Noise::parse(&specs, 5).unwrap(),
        ..SimWorld::ideal(platform.network, ranks)
    };
    let parts = world.run(async |rank| question.run(&rank).await).unwrap().results;
    Exploration::gathered(parts.into_iter().collect::<Result<_, _>>().unwrap()).unwrap()
}

fn questions(watch: Span) -> Vec<Exploration> {
    vec![
        Exploration::Connect(Connecting { later: 20, head_start: Span::from_ms(1) }),
        Exploration::Idle(Idling { idle: Idling::ladder(), samples: 15, busy: 2 }),
        Exploration::Noise(Watching { time: watch, work: Span::from_us(10), most: 100_000 }),
    ]
}

/// The machine that all questions together find.
fn found(platform: &Platform, noise: &[&str], ranks: u32, watch: Span) -> Machine {
    let provenance = Provenance {
        date: String::new(),
        host: String::new(),
        ran_by: String::new(),
        how: String::new(),
        confidence: 0.95,
    };
    let one = programs::machine::Estimate::exactly_one();
    let hockney = HockneyEstimate { alpha_us: one, beta_ns_per_byte: one, send_rule: SendRule::Busy };
    let mut machine = Machine::new("simulated", provenance, hockney);
    let mut findings = Findings::default();
    questions(watch).iter().for_each(|question| findings.add(explore(platform, noise, ranks, question)));
    refine(&mut machine, &findings);
    machine
}

#[test]
fn refinements_come_back_exactly_where_nothing_disturbs() {
    let given =
        [("connect=30us,idle-cost=10us:0/2ms:2us", 30.0), ("connect=1ms,idle-cost=0us:0/100us:3us/1ms:500ns", 1_000.0)];
    for (network, ranks) in NETWORKS.into_iter().zip([2, 5, 3, 4]) {
        for (text, connect) in given {
            let platform = Platform::parse(self::network(network), text, |_| unreachable!()).unwrap();
            let machine = found(&platform, &[], ranks, Span::from_ms(1));
            assert!((machine.connect_us.unwrap().value - connect).abs() < 2e-4, "{network:?} {:?}", machine.connect_us);
            let again = machine.refinements(Bound::Best).unwrap().idle.unwrap();
            for idle in Idling::ladder() {
                let (given, found) = (platform.idle_cost(idle), again.after(idle));
                assert!(given.0.abs_diff(found.0) <= 2, "{network:?} {text} after {idle}: {found} instead of {given}");
            }
            assert!(machine.noise.unwrap().sources.is_empty(), "nothing disturbs");
        }
    }
}

#[test]
fn what_is_not_there_costs_nothing() {
    for network in NETWORKS {
        let machine = found(&Platform::plain(self::network(network)), &[], 3, Span::from_ms(1));
        assert_eq!(machine.connect_us.unwrap().value, 0.0);
        assert!(machine.idle.iter().all(|point| point.cost_us.value.abs() < 1e-5), "{:?}", machine.idle);
        assert!(machine.notes.iter().any(|note| note.starts_with("connect: ")), "{:?}", machine.notes);
    }
}

#[test]
fn refinements_come_back_within_their_intervals_under_noise() {
    let text = "connect=300us,idle-cost=10us:0/2ms:20us";
    for network in NETWORKS {
        let platform = Platform::parse(self::network(network), text, |_| unreachable!()).unwrap();
        let machine = found(&platform, &["exponential:mean=5us,rate=1kHz"], 4, Span::from_ms(1));
        // Few exchanges are hit, and medians do not see those.
        let connect = machine.connect_us.unwrap();
        assert!((connect.value / 300.0 - 1.0).abs() < 0.1, "{network:?} {connect:?}");
        let last = machine.idle.last().unwrap();
        assert!((last.cost_us.value / 20.0 - 1.0).abs() < 0.1, "{network:?} {last:?}");
    }
}

#[test]
fn noise_comes_back_as_its_source() {
    let platform = Platform::plain(network(NETWORKS[0]));
    let source = |text: &str| {
        let machine = found(&platform, &[text], 2, Span::from_ms(4_000));
        machine.noise.unwrap().sources
    };
    let number = |spec: &str, key: &str| -> f64 {
        let rest = spec.split(&format!("{key}=")).nth(1).unwrap_or_else(|| panic!("{spec} has no {key}"));
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest[..end].parse().unwrap()
    };
    let [exponential] = &source("exponential:mean=100us,rate=200Hz")[..] else { panic!("one source") };
    assert!(exponential.starts_with("exponential:"), "{exponential}");
    // 1600 detours: their mean has a standard error of 2.5 %, and so has their rate.
    assert!((number(exponential, "mean") / 100.0 - 1.0).abs() < 0.1, "{exponential}");
    assert!((number(exponential, "rate") / 200.0 - 1.0).abs() < 0.1, "{exponential}");
    let [periodic] = &source("periodic:period=10ms,duration=40us")[..] else { panic!("one source") };
    assert!(periodic.starts_with("periodic:"), "{periodic}");
    assert!((number(periodic, "period") / 1e4 - 1.0).abs() < 1e-3, "{periodic}");
    assert!((number(periodic, "duration") / 40.0 - 1.0).abs() < 0.01, "{periodic}");
    let [fixed] = &source("fixed:duration=50us,rate=300Hz")[..] else { panic!("one source") };
    assert!(fixed.starts_with("fixed:") && (number(fixed, "duration") / 50.0 - 1.0).abs() < 0.01, "{fixed}");
    let [lognormal] = &source("lognormal:mean=50us,sigma=0.5,rate=300Hz")[..] else { panic!("one source") };
    assert!(lognormal.starts_with("lognormal:"), "{lognormal}");
    assert!((number(lognormal, "sigma") / 0.5 - 1.0).abs() < 0.1, "{lognormal}");
}

#[test]
fn a_timer_among_random_detours_is_told_from_them_and_the_share_is_kept() {
    let platform = Platform::plain(network(NETWORKS[1]));
    let given = ["periodic:period=4ms,duration=30us", "exponential:mean=100us,rate=50Hz"];
    let machine = found(&platform, &given, 2, Span::from_ms(4_000));
    let noise = machine.noise.as_ref().unwrap();
    let periodic = noise.sources.iter().filter(|source| source.starts_with("periodic:period=4000")).count();
    assert_eq!(periodic, 1, "{:?}", noise.sources);
    assert!(noise.sources.len() >= 2, "{:?}", noise.sources);
    let like = machine.noise(1).unwrap().share();
    assert!((like / noise.share - 1.0).abs() < 0.2, "{like} for {noise:?}");
}

#[test]
fn exits_behind_drifting_clocks_are_the_true_ones_within_the_bound() {
    let (warmup, barriers) = (5, 50);
    for ranks in [2, 3, 4, 7] {
        let platform = Platform::plain(network(NETWORKS[0]));
        let clocks = |rank| ClockModel {
            offset: Span::from_us(1_000) * u64::from(ranks - rank),
            skew_ppm: f64::from(rank) * 3.0,
            ..ClockModel::PERFECT
        };
        let world = SimWorld { clocks: (0..ranks).map(clocks).collect(), ..SimWorld::ideal(platform.network, ranks) };
        let leaving = Leaving { barrier: Implementation::Library, barriers, warmup, sync: Sync::Linear };
        let found = world.run(async |rank| leaving.run(&rank).await.unwrap()).unwrap().results.swap_remove(0);
        let found = found.expect("rank 0 has them all").ranks;
        let truth = world.run(async |rank| {
            Sync::Linear.synchronise(&rank).await;
            let barrier = Library(Collective::Barrier, Shape::new(ranks, 0, 0));
            barrier_exits(&rank, &barrier, warmup + barriers, |rank| {
                rank.read_clock();
                rank.true_time()
            })
            .await
        });
        let truth = exit_skews(&truth.unwrap().results);
        let bound = found.iter().map(|exits| exits.bound).max().unwrap();
        let seen = exit_skews(&found.into_iter().map(|exits| exits.exits).collect::<Vec<_>>());
        assert_eq!(seen.len(), barriers as usize);
        for (seen, truth) in seen.iter().zip(&truth[warmup as usize..]) {
            assert!(seen.0.abs_diff(truth.0) <= 2 * bound.0, "{ranks} ranks: {seen} for {truth}, bound {bound}");
        }
        let skews: Vec<f64> = seen.iter().map(|span| span.as_us()).collect();
        assert!(skews.iter().any(|&us| us > 0.0), "{ranks} ranks do not leave together behind clocks that drift");
    }
}
