//! The noise of simulated ranks against a naive oracle: explicit lists of detours.

use parallax_models::noise::{Advance, Noise, RankNoise};
use parallax_models::time::{Span, Time};
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

/// Lets a rank idle and work in turn, and demands that each work ends when the list of its detours says.
fn check_against_list(noise: &Noise, rank: u32, steps: &[(u64, u64)]) {
    // Nobody gets further than a rank that works all along: it never sits out a detour while idle.
    let all_work = steps.iter().map(|(idle, work)| idle + work).sum();
    let list = detours(noise, rank, noise.on(rank).advance(Time::ZERO, Span(all_work)).0);
    assert!(list.iter().all(|(start, end)| start < end));
    assert!(list.windows(2).all(|pair| pair[0].1 < pair[1].0), "detours are apart and in order");
    let mut cpu = noise.on(rank);
    let mut at = 0;
    for (idle, work) in steps {
        at += idle;
        let expected = naive(&list, at, *work);
        assert_eq!(cpu.advance(Time(at), Span(*work)), Time(expected), "{noise} at {at} for {work}");
        at = expected;
    }
}

/// One of each kind, and several at once.
const SPECS: [&[&str]; 19] = [
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
    &["detour:at=45us,for=10us", "fixed:duration=5us,rate=20kHz"],
    &["detour:for=5us,cosched"],
    &["trace:traces"],
    &["trace:traces,cosched"],
    &["trace:traces,phase=common"],
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
    #[test]
    fn work_passes_through_noise_as_through_its_list_of_detours(
        specs in prop::sample::select(&SPECS[..]),
        seed in 0u64..1000,
        rank in 0u32..5,
        realisation in 0u32..40,
        steps in prop::collection::vec((0u64..60_000_000, prop_oneof![Just(0u64), 0u64..30_000_000]), 1..40),
    ) {
        check_against_list(&noise(specs, seed).realisation(realisation), rank, &steps);
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

#[test]
fn work_late_in_a_run_is_delayed_as_well() {
    // 22.5 µs of work begun at 3.25 ms meet 4.6 µs of detours; a list that ends at 3 ms does not hold it.
    let noise = noise(&["pareto:scale=1us,shape=1.5,rate=50kHz"], 874).realisation(11);
    let (at, work) = (3_251_727_841, 22_520_654);
    assert_eq!(noise.on(0).advance(Time(at), Span(work)), Time(3_278_852_868));
    check_against_list(&noise, 0, &[(at, work)]);
    // The longest runs of the property above.
    check_against_list(&noise, 0, &[(60_000_000, 30_000_000); 40]);
}

fn refusal(spec: &str) -> String {
    let open = |path: &str| match path {
        "full" => Ok(vec![("full/0".to_owned(), b"# length_ns=100\n10\t60\n70\t40\n".to_vec())]),
        "wrong" => Ok(vec![("wrong/0".to_owned(), b"# length_ns=100\nten\t60\n".to_vec())]),
        "empty" => Ok(Vec::new()),
        _ => Err(format!("'{path}' is not there")),
    };
    match Noise::parse_with(&[spec.to_owned()], 1, &open) {
        Ok(noise) => panic!("{spec} was read as {noise}"),
        Err(message) => message,
    }
}

#[test]
fn every_wrong_spec_is_refused_with_its_reason() {
    let specs = [
        ("gaussian:sigma=5us,rate=1Hz", ""),
        ("", ""),
        ("exponential", "key 'mean'"),
        ("exponential:mean=10us", "key 'rate'"),
        ("exponential:mean=10,rate=100Hz", "key 'mean'"),
        ("exponential:mean=0us,rate=100Hz", "key 'mean'"),
        ("exponential:mean=-1us,rate=100Hz", "key 'mean'"),
        ("exponential:mean=NaN us,rate=100Hz", "key 'mean'"),
        ("exponential:mean=10us,rate=0Hz", "key 'rate'"),
        ("exponential:mean=10us,rate=100", "key 'rate'"),
        ("exponential:mean=1ps,rate=1e9Hz", "key 'rate'"),
        ("exponential:mean=10us,rate=100Hz,colour=red", ""),
        ("exponential:mean=10us,mean=20us,rate=100Hz", "key 'mean'"),
        ("exponential:mean=10us,rate=100kHz", ""),
        ("pareto:scale=1us,shape=1,rate=100Hz", ""),
        ("pareto:scale=1us,shape=NaN,rate=100Hz", "key 'shape'"),
        ("lognormal:mean=10us,sigma=1e9,rate=100Hz", "key 'sigma'"),
        ("weibull:scale=1us,shape=0,rate=100Hz", "key 'shape'"),
        ("uniform:from=10us,to=5us,rate=100Hz", ""),
        ("bernoulli:probability=1.5,duration=1us,rate=100Hz", "key 'probability'"),
        ("fixed:duration=10us,rate=100Hz,cosched=yes", "'cosched'"),
        ("fixed:duration=10us,rate=100Hz,ranks=7-3", "key 'ranks'"),
        ("fixed:duration=10us,rate=100Hz,ranks=", "key 'ranks'"),
        ("periodic:period=1ms,duration=1ms", ""),
        ("periodic:period=10ns,duration=1ns", "key 'period'"),
        ("periodic:period=1ms,duration=1us,phase=soon", "key 'phase'"),
        ("detour:at=4us", "key 'for'"),
        ("detour:at=20000000s,for=1us", "key 'at'"),
        ("detour:at=4us,for=10us,rank=3", "unknown key 'rank'"),
        ("trace:", ""),
        ("trace:gone", "'gone'"),
        ("trace:empty", "'empty'"),
        ("trace:full", "full/0"),
        ("trace:wrong", "wrong/0 line 2"),
        ("trace:full,format=fwq", ""),
        ("trace:full,phase=5us", "key 'phase'"),
    ];
    let said = specs.map(|(spec, place)| {
        let message = refusal(spec);
        assert!(message.starts_with(&format!("noise '{spec}': {place}")), "{message}");
        message
    });
    let twice = ["fixed:duration=60us,rate=10kHz".to_owned(), "periodic:period=10us,duration=5us,ranks=3".to_owned()];
    let many = vec!["fixed:duration=1us,rate=1Hz".to_owned(); 17];
    let more = [&twice[..], &["trace:x".to_owned()], &many].map(|specs| Noise::parse(specs, 1).unwrap_err());
    insta::assert_snapshot!([&said[..], &more].concat().join("\n"));
}

#[test]
fn no_noise_disturbs_nothing() {
    let none = Noise::parse(&[], 1).unwrap();
    assert!(none.is_none());
    assert_eq!((none.to_string().as_str(), none.share()), ("none", 0.0));
    assert_eq!(none.on(3).advance(Time(5), Span(u64::MAX - 5)), Time::END);
}

#[test]
fn time_ends_where_it_ends() {
    for specs in SPECS {
        let noise = noise(specs, 1);
        assert_eq!(noise.on(0).advance(Time(u64::MAX - 10), Span(20)), Time::END, "{noise}");
    }
    let periodic = noise(&["periodic:period=50us,duration=10us"], 1);
    let end = periodic.on(0).advance(Time(u64::MAX - 1_000_000), Span(1));
    assert!(end > Time(u64::MAX - 1_000_000));
}

#[test]
fn cosched_sources_are_the_same_on_all_ranks_and_others_are_not() {
    // Ranks that play the same trace from its start are equal without being co-scheduled.
    for specs in SPECS.into_iter().filter(|specs| !specs[0].starts_with("trace:traces,phase=")) {
        let noise = noise(specs, 5);
        let all_cosched = specs.iter().all(|spec| spec.contains("cosched") && !spec.contains("ranks"));
        let fixed = specs.iter().all(|spec| spec.contains("phase="));
        let first = detours(&noise, 0, 1_000_000_000);
        for rank in 1..5 {
            assert_eq!(detours(&noise, rank, 1_000_000_000) == first, all_cosched || fixed, "{noise} rank {rank}");
        }
    }
}

#[test]
fn a_source_acts_on_its_ranks_alone_and_leaves_the_others_as_they_were() {
    let alone = noise(&["fixed:duration=4us,rate=30kHz,cosched"], 5);
    let both = noise(&["fixed:duration=4us,rate=30kHz,cosched", "periodic:period=90us,duration=1us,ranks=2-3"], 5);
    for rank in [0, 1, 4, 1_000_000, u32::MAX] {
        assert_eq!(detours(&both, rank, 100_000_000), detours(&alone, rank, 100_000_000), "rank {rank}");
    }
    for rank in [2, 3] {
        let (alone, both) = (detours(&alone, rank, 10_000_000_000), detours(&both, rank, 11_000_000_000));
        assert!(alone.iter().all(|(start, end)| both.iter().any(|(from, to)| from <= start && end <= to)));
        let taken = |list: &[(u64, u64)]| list.iter().map(|(start, end)| end - start).sum::<u64>();
        assert!(taken(&both) > taken(&alone));
    }
}

#[test]
fn traces_go_round_and_their_ends_join() {
    // Rank 0 plays trace 0: 100 µs long, the last detour goes on for 0.5 µs at the beginning of the next round.
    let list = detours(&noise(&["trace:traces,phase=0"], 1), 0, 300_000_000);
    let round = |start: u64| {
        [(10_000, 510_000), (20_000_000, 23_000_000), (99_000_000, 100_510_000)]
            .map(|(from, to)| (start + from, start + to))
    };
    let expected = [&[(0, 510_000)], &round(0)[1..], &round(100_000_000)[1..], &round(200_000_000)[1..]].concat();
    assert_eq!(list, expected);
}

#[test]
fn what_was_recorded_at_once_is_played_at_once() {
    // The same detours on three CPUs, the second 2 µs and the third 7 µs later; files in another order than their ranks.
    let file = |rank: u32, late_ns: u32, length_ns: u32| {
        let [first, second] = [10_000 + late_ns, 61_000 + late_ns];
        (
            format!("set/{}", 9 - rank),
            format!("# length_ns={length_ns}\n# rank={rank}\n{first}\t500\n{second}\t800\n").into_bytes(),
        )
    };
    let open = |_: &str| Ok(vec![file(2, 7_000, 100_000), file(0, 0, 123_000), file(1, 2_000, 100_000)]);
    for seed in 0..20 {
        let noise = Noise::parse_with(&["trace:set,phase=common".to_owned()], seed, &open).expect("the spec is right");
        let starts = |rank| -> Vec<u64> {
            let list = detours(&noise, rank, 5_000_000_000);
            list.into_iter().map(|(start, _)| start).filter(|&start| start > 200_000_000).take(80).collect()
        };
        let first = starts(0);
        for (rank, late_ps) in [(1, 2_000_000), (2, 7_000_000)] {
            let late: Vec<u64> = first.iter().map(|start| start + late_ps).collect();
            // The list of the other may begin with one that lies before the first of rank 0.
            let other = starts(rank);
            let from = other.iter().position(|start| *start == late[0]).expect("the same detour");
            assert!(from <= 1 && other[from..] == late[..other.len() - from], "seed {seed}, rank {rank}");
        }
    }
    let twice = |_: &str| Ok(vec![file(1, 0, 100_000), file(1, 5, 100_000)]);
    let refused = Noise::parse_with(&["trace:set".to_owned()], 1, &twice).expect_err("two of one rank");
    assert!(refused.contains("both say rank=1"), "{refused}");
    let refused = |files: Vec<(String, Vec<u8>)>| {
        let open = move |_: &str| Ok(files.clone());
        Noise::parse_with(&["trace:set".to_owned()], 1, &open).expect_err("not one collection")
    };
    let missing = refused(vec![file(0, 0, 100_000), file(2, 0, 100_000), file(3, 0, 100_000)]);
    assert!(missing.contains("no trace of rank 1"), "{missing}");
    let nameless = ("set/other".to_owned(), b"# length_ns=5\n".to_vec());
    assert!(refused(vec![file(0, 0, 100_000), nameless]).contains("set/other says no # rank="));
    let misspelt = ("set/0".to_owned(), b"# length_ns=5\n# rank=x\n".to_vec());
    assert!(refused(vec![misspelt]).contains("rank: expected a number from 0, found 'x'"));
}

#[test]
fn what_was_recorded_at_once_is_aligned_by_what_headers_say_of_clocks() {
    // Both had a detour at 50 µs of the global clock; rank 1 began 2 µs later, by a clock that is slow by a thousandth.
    let one = "# length_ns=100000\n# rank=0\n50000\t900\n";
    let other = "# length_ns=100000\n# rank=1\n# start_global_ns=2000\n# drift_ppb=1000000\n47952.048\t900\n";
    let open = |_: &str| Ok([one, other].map(|text| ("set".to_owned(), text.as_bytes().to_vec())).into());
    let noise = Noise::parse_with(&["trace:set,phase=common".to_owned()], 7, &open).expect("the spec is right");
    let starts =
        |rank| -> Vec<u64> { detours(&noise, rank, 1_000_000_000).into_iter().map(|(start, _)| start).collect() };
    let apart = starts(0).into_iter().zip(starts(1)).map(|(one, other)| one.abs_diff(other)).max();
    assert!(apart.is_some_and(|apart| apart < 2_000), "{apart:?} ps");
}

#[test]
fn several_sources_are_the_union_of_their_detours() {
    // What stands first has the same draws alone; random sources of a rank's own have the same draws among any others.
    for specs in [
        ["periodic:period=40us,duration=8us", "exponential:mean=5us,rate=20kHz"],
        ["trace:traces", "pareto:scale=1us,shape=1.5,rate=50kHz"],
        ["uniform:from=0us,to=10us,rate=50kHz,cosched", "fixed:duration=4us,rate=30kHz"],
        ["periodic:period=40us,duration=8us", "periodic:period=30us,duration=8us,phase=7us"],
        ["periodic:period=40us,duration=8us,phase=0us", "periodic:period=40us,duration=8us,phase=8us"],
        ["trace:traces,cosched", "periodic:period=37us,duration=8us,phase=7us"],
    ] {
        for rank in 0..4 {
            let until = 10_000_000_000;
            let mut parts: Vec<(u64, u64)> =
                specs.iter().flat_map(|spec| detours(&noise(&[spec], 8), rank, 2 * until)).collect();
            parts.sort_unstable();
            let mut union: Vec<(u64, u64)> = Vec::new();
            for (start, end) in parts {
                match union.last_mut() {
                    Some(last) if start <= last.1 => last.1 = last.1.max(end),
                    _ => union.push((start, end)),
                }
            }
            let both = detours(&noise(&specs, 8), rank, until);
            let common = both.len() - 1;
            assert!(common > 100, "{specs:?} rank {rank}: {common} detours");
            assert_eq!(both[..common], union[..common], "{specs:?} rank {rank}");
        }
    }
}
