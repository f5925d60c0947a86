//! Recording detours: what disturbs simulated ranks comes back from a collection, by each method.

use models::clock::{ClockModel, ClockSpread};
use models::network;
use models::noise::Noise;
use models::time::Span;
use programs::detours::{Baseline, Collected, Collection, Method};
use programs::sync::Sync;
use sim::SimWorld;

fn collection(method: Method, time: Span) -> Collection {
    Collection {
        method,
        time,
        work: Span::from_ns(50),
        quantum: Span::from_us(3),
        baseline: Baseline::Mode,
        interval: Span::from_ms(1),
        threshold: None,
        most: 100_000,
        sync: Sync::Linear,
    }
}

fn collect(noise: &[&str], clocks: Vec<ClockModel>, collection: &Collection) -> Vec<Collected> {
    let noise: Vec<String> = noise.iter().map(|&source| source.to_owned()).collect();
    let network = network::parse("loggp", Some("L=900ns,o=100ns,g=400ns,G=0.1ns/B"), None).expect("a network");
    let world = SimWorld {
        noise: Noise::parse(&noise, 3).expect("noise"),
        ..SimWorld { clocks: clocks.clone(), ..SimWorld::ideal(network, clocks.len() as u32) }
    };
    world.run(async |rank| collection.run_watched(&rank, || {}).await).expect("no deadlock").results
}

fn clock(read_ns: u64, step: Span) -> ClockModel {
    ClockModel { read_cost: Span::from_ns(read_ns), granularity: step, ..ClockModel::PERFECT }
}

fn close(one: Span, other: Span, within: Span, what: &str) {
    assert!(one.0.abs_diff(other.0) <= within.0, "{what}: {one} against {other}");
}

#[test]
fn periodic_detours_come_back_one_by_one_with_their_period_and_duration() {
    let step = Span(500);
    let clocks = vec![clock(20, step); 2];
    for (method, quantum) in [(Method::Selfish, Span::from_ns(70)), (Method::Fwq, Span::from_us(3))] {
        let all = collect(
            &["periodic:period=1ms,duration=25us,phase=0us"],
            clocks.clone(),
            &collection(method, Span::from_ms(50)),
        );
        for rank in &all {
            let Collected { watched, least, .. } = rank;
            // 50 ms hold 50 of them, or one less where the first has begun before.
            assert!((49..=51).contains(&watched.detours), "{method}: {}", watched.detours);
            assert_eq!(watched.kept.len() as u64, watched.detours);
            close(*least, quantum, step * 40, "a step");
            for detour in &watched.kept[1..] {
                close(detour.duration, Span::from_us(25), step * 2 + Span::from_ns(20), "duration");
            }
            for pair in watched.kept[1..].windows(2) {
                // FWQ knows the quantum in which a detour was, not where in it.
                let apart = if method == Method::Fwq { quantum } else { Span::from_ns(70) };
                close(pair[1].after() - pair[0].after(), Span::from_ms(1), apart + step, "period");
            }
        }
    }
}

#[test]
fn every_random_detour_is_counted() {
    // 200 ms hold 200 of 10 µs on average; which they are is known from the time that they take.
    let noise = ["fixed:duration=10us,rate=1kHz"];
    for method in [Method::Selfish, Method::Fwq] {
        let all = collect(&noise, vec![clock(20, Span(1)); 3], &collection(method, Span::from_ms(200)));
        for rank in &all {
            let watched = &rank.watched;
            let (count, ten) = (watched.detours, Span::from_us(10));
            assert!((140..=260).contains(&count), "{method}: {count}");
            // Two within one step look like one of twice the length: the time is that of all.
            let tens: u64 = watched.kept.iter().map(|detour| (detour.duration.0 + ten.0 / 2) / ten.0).sum();
            close(watched.taken, ten * tens, (Span(1) + Span::from_ns(20)) * count, "time taken");
        }
        let of = |rank: usize| all[rank].watched.kept.clone();
        assert!(of(0) != of(1) && of(1) != of(2), "each rank has its own");
    }
}

#[test]
fn less_work_is_done_in_an_interval_with_a_detour() {
    let all = collect(
        &["periodic:period=10ms,duration=250us,phase=1ms"],
        vec![clock(20, Span(1)); 2],
        &collection(Method::Ftq, Span::from_ms(60)),
    );
    for rank in &all {
        let counts = &rank.counts;
        assert_eq!(counts.len(), 60);
        let most = f64::from(*counts.iter().max().expect("intervals"));
        let lost = |count: u32| 1.0 - f64::from(count) / most;
        // What a count of whole units cannot tell is less than a thousandth.
        let lost: Vec<f64> = counts.iter().map(|&count| lost(count)).filter(|&lost| lost > 1e-3).collect();
        // A detour may lie across a boundary.
        assert!((6..=12).contains(&lost.len()), "{lost:?}");
        assert!((lost.iter().sum::<f64>() - 6.0 * 0.25).abs() < 0.01, "{lost:?}");
    }
}

#[test]
fn ranks_behind_bad_clocks_begin_together_and_their_drift_is_told() {
    let spread = ClockSpread {
        largest_offset: Span::from_ms(500),
        largest_skew_ppm: 40.0,
        read_cost: Span::from_ns(20),
        ..ClockSpread::default()
    };
    let clocks: Vec<ClockModel> = (0..4).map(|rank| spread.sample_clock(7, rank)).collect();
    let noise = "periodic:period=5ms,duration=30us,phase=0us";
    let all = collect(&[noise], clocks.clone(), &collection(Method::Selfish, Span::from_ms(100)));
    let ppm = |rank: usize| clocks[rank].skew_ppm;
    for (number, rank) in all.iter().enumerate() {
        assert!(rank.begun < Span::from_us(40), "rank {number} began {} late", rank.begun);
        assert!(rank.bounds[0] < Span::from_us(10), "{:?}", rank.bounds);
        // What the global clock gains on the rank's own is what that one is slower than rank 0's.
        let expected = (ppm(0) - ppm(number)) * 1e3;
        assert!((rank.drift_ppb as f64 - expected).abs() < 3e4, "rank {number}: {} against {expected}", rank.drift_ppb);
    }
    // All have the same detours at the same time: so say their traces on the global clock.
    let starts = |rank: &Collected| -> Vec<i64> {
        let global = |span: Span| {
            let local = span.0 as i128;
            (rank.begun.0 as i128 + local + local * i128::from(rank.drift_ppb) / 1_000_000_000) as i64
        };
        rank.watched.kept.iter().skip(1).map(|detour| global(detour.after())).collect()
    };
    let first = starts(&all[0]);
    for rank in &all[1..] {
        for start in starts(rank) {
            let nearest = first.iter().map(|&other| start.abs_diff(other)).min().expect("some");
            assert!(nearest < 10_000_000, "{nearest} ps from any of rank 0");
        }
    }
}

#[test]
fn where_the_minimum_is_no_baseline_the_mode_is() {
    // A rank's quanta are exact here: all baselines agree, and the histogram holds every quantum.
    let time = Span::from_ms(40);
    for baseline in Baseline::ALL {
        let settings = Collection { baseline, ..collection(Method::Fwq, time) };
        let all = collect(&["periodic:period=2ms,duration=50us"], vec![clock(20, Span(1))], &settings);
        let Collected { watched, quanta, .. } = &all[0];
        assert!((19..=21).contains(&watched.detours), "{baseline}: {}", watched.detours);
        let count: u64 = quanta.iter().map(|bin| bin.count).sum();
        let expected = 10_000 + (time.0 - watched.taken.0) / watched.usual.0;
        assert!(count.abs_diff(expected) < 50, "{count} quanta, expected about {expected}");
    }
}
