//! The noise of simulated ranks against a naive oracle: explicit lists of detours.

use models::noise::{Advance, Noise, RankNoise};
use models::time::{Span, Time};
use proptest::prelude::*;

/// Semantics A, stated over a list of disjoint detours in the order of time.
fn naive(detours: &[(u64, u64)], at: u64, work: u64) -> u64 {
    let mut finish = at + work;
    for &(start, end) in detours {
        if end > at && start < finish {
            finish += end - start.max(at);
        }
    }
    finish
}

fn noise(specs: &[&str], seed: u64) -> Noise {
    let specs: Vec<String> = specs.iter().map(|spec| (*spec).to_owned()).collect();
    let open = |path: &str| {
        assert_eq!(path, "traces");
        Ok(vec![
            ("traces/0".to_owned(), b"# length_ns=100000\n10\t500\n700.5\t0\n20000\t3000\n99000\t1500\n".to_vec()),
            ("traces/1".to_owned(), b"# length_ns=80000\n0\t100\n50000\t20000.25\n".to_vec()),
            ("traces/2".to_owned(), b"# length_ns=1000000\n".to_vec()),
        ])
    };
    Noise::parse_with(&specs, seed, &open).expect("the spec is right")
}

/// All detours of a rank that start before `until`: what delays a rank that never stops working.
fn detours(noise: &Noise, rank: u32, until: u64) -> Vec<(u64, u64)> {
    let (mut cursor, mut all, mut at) = (noise.cursor(rank), Vec::new(), Time::ZERO);
    while at.0 < until {
        at = noise.advance_traced(rank, &mut cursor, at, Span::from_us(50), &mut |start, end| {
            all.push((start.0, end.0));
        });
    }
    all
}

/// One of each kind, and several at once.
const SPECS: [&[&str]; 16] = [
    &["exponential:mean=10us,rate=20kHz"],
    &["pareto:scale=1us,shape=1.5,rate=50kHz"],
    &["lognormal:mean=10us,sigma=1,rate=20kHz"],
    &["weibull:scale=10us,shape=0.7,rate=10kHz"],
    &["half-normal:sigma=5us,rate=40kHz", "fixed:duration=1us,rate=100kHz"],
    &["uniform:from=0us,to=10us,rate=50kHz,cosched"],
    &["bernoulli:probability=0.3,duration=7us,rate=100kHz"],
    &["periodic:period=50us,duration=10us"],
    &["periodic:period=50us,duration=10us,phase=45us"],
    &["periodic:period=50us,duration=10us,cosched"],
    &["trace:traces"],
    &["trace:traces,cosched"],
    &["trace:traces,phase=0", "periodic:period=70us,duration=3us,phase=0us"],
    &["exponential:mean=5us,rate=20kHz", "periodic:period=40us,duration=8us", "trace:traces"],
    &[
        "exponential:mean=5us,rate=20kHz,cosched",
        "fixed:duration=4us,rate=30kHz",
        "fixed:duration=4us,rate=9kHz,ranks=0-2",
    ],
    &["fixed:duration=4us,rate=30kHz,cosched,ranks=0+2", "fixed:duration=4us,rate=30kHz,cosched,ranks=1-5"],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn work_passes_through_noise_as_through_its_list_of_detours(
        specs in prop::sample::select(&SPECS[..]),
        seed in 0u64..1000,
        rank in 0u32..5,
        realisation in 0u32..40,
        steps in prop::collection::vec((0u64..60_000_000, prop_oneof![Just(0u64), 0u64..30_000_000]), 1..40),
    ) {
        let noise = noise(specs, seed).realisation(realisation);
        let list = detours(&noise, rank, 4_000_000_000);
        prop_assert!(list.iter().all(|(start, end)| start < end));
        prop_assert!(list.windows(2).all(|pair| pair[0].1 < pair[1].0), "detours are apart and in order");
        let mut cpu = noise.on(rank);
        let mut at = 0;
        for (idle, work) in steps {
            at += idle;
            let expected = naive(&list, at, work);
            prop_assert_eq!(cpu.advance(Time(at), Span(work)), Time(expected), "{} at {} for {}", &noise, at, work);
            at = expected;
        }
    }

    #[test]
    fn pieces_compose_and_nothing_that_starts_later_or_works_longer_ends_earlier(
        specs in prop::sample::select(&SPECS[..]),
        seed in 0u64..1000,
        rank in 0u32..5,
        at in 0u64..300_000_000,
        (first, second) in (0u64..50_000_000, 0u64..50_000_000),
        later in 0u64..20_000_000,
    ) {
        let noise = noise(specs, seed);
        let run = |at: u64, works: &[u64]| {
            let mut cpu: RankNoise<'_> = noise.on(rank);
            works.iter().fold(Time(at), |at, &work| cpu.advance(at, Span(work)))
        };
        if first + second > 0 {
            prop_assert_eq!(run(at, &[first, second]), run(at, &[first + second]));
        }
        prop_assert!(run(at, &[first]) <= run(at, &[first + second]));
        prop_assert!(run(at, &[first]) <= run(at + later, &[first]));
        prop_assert!(run(at, &[first]) >= Time(at + first));
    }

    #[test]
    fn first_starts_are_those_of_the_cursors(
        specs in prop::sample::select(&SPECS[..]), seed in 0u64..1000, rank in 0u32..5, first in 0u32..100, lanes in 1usize..70,
    ) {
        let noise = noise(specs, seed);
        let mut starts = vec![Time::ZERO; lanes];
        noise.first_starts(rank, first, &mut starts);
        for (start, realisation) in starts.into_iter().zip(first..) {
            prop_assert_eq!(start, noise.realisation(realisation).cursor(rank).start());
        }
    }

    #[test]
    fn a_spec_is_read_as_it_is_written(specs in prop::sample::select(&SPECS[..])) {
        let noise = noise(specs, 3);
        let written = noise.to_string();
        let again = self::noise(&written.split(' ').collect::<Vec<_>>(), 3);
        prop_assert_eq!(again.to_string(), written);
        prop_assert_eq!(detours(&again, 1, 1_000_000_000), detours(&noise, 1, 1_000_000_000));
    }

    #[test]
    fn any_text_is_read_or_refused(spec in "[a-z-]{0,8}:?([a-z]{1,8}=[0-9.a-zA-Z+-]{0,6},?){0,4}") {
        if let Ok(noise) = Noise::parse(&[spec], 1) {
            prop_assert!(noise.share() < 1.0);
        }
    }
}
