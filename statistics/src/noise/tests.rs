use super::{Class, Recording, Spectrum, Subset, elongation};
use models::noise::{Detour, DetourTrace};
use models::time::{Span, Time};
use proptest::prelude::*;
use rand::RngExt;

fn trace(detours: &[(u64, u64)], length_us: u64, header: &[(&str, &str)]) -> DetourTrace {
    let detour =
        |&(start, duration)| Detour { start: Time::ZERO + Span::from_us(start), duration: Span::from_us(duration) };
    DetourTrace {
        name: "trace".to_owned(),
        length: Span::from_us(length_us),
        detours: detours.iter().map(detour).collect(),
        header: header.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
    }
}

fn recording(ranks: &[&[(u64, u64)]]) -> Recording {
    let traces: Vec<DetourTrace> = ranks.iter().map(|detours| trace(detours, 1_000, &[])).collect();
    Recording::from_traces(&traces).expect("traces")
}

/// Three ranks, one millisecond.
fn example() -> Recording {
    recording(&[&[(100, 20), (400, 50)], &[(110, 20), (600, 10)], &[(415, 30)]])
}

fn close(one: f64, other: f64, within: f64) {
    assert!((one - other).abs() <= within, "{one} against {other}");
}

#[test]
fn classes_of_the_example_are_what_they_are_by_hand() {
    let example = example();
    let [short, long] = Class::between(&[Span::ZERO, Span::from_us(25)])[..] else { panic!("two classes") };
    let of = |class| example.figures(&class, 3);
    let ps = |us: f64| Span((us * 1e6) as u64);
    let expected =
        [(short, 3, ps(50.0), ps(40.0), 2), (long, 2, ps(80.0), ps(50.0), 2), (Class::ALL, 5, ps(130.0), ps(90.0), 3)];
    for (class, detours, taken, union, active) in expected {
        let figures = of(class);
        assert_eq!((figures.detours, figures.taken, figures.union, figures.active), (detours, taken, union, active));
    }
    let values = |class| {
        let figures = of(class);
        let simultaneity = [figures.simultaneity(), figures.simultaneity_of_active()].map(|s| s.expect("detours"));
        [figures.coverage(), simultaneity[0], simultaneity[1], figures.gap_us().expect("detours")]
    };
    let told = [values(short), values(long), values(Class::ALL)];
    let expected = [
        [0.04, 5.0 / 12.0, 5.0 / 8.0, 1_000.0],
        [0.05, 8.0 / 15.0, 4.0 / 5.0, 1_500.0],
        [0.09, 13.0 / 27.0, 13.0 / 27.0, 600.0],
    ];
    for (told, expected) in told.as_flattened().iter().zip(expected.as_flattened()) {
        close(*told, *expected, 1e-12);
    }
    assert_eq!(of(long).mean(), Some(Span::from_us(40)));
    assert_eq!(of(Class { from: Span::from_us(50), below: None }).detours, 1, "a bound belongs to the upper class");
}

#[test]
fn launches_of_the_example_are_what_they_are_by_hand() {
    let example = example();
    let grains = [80, 40, 60].map(Span::from_us);
    for (ranks, took) in [
        (&[0][..], [200, 180, 230, 180, 180]),
        (&[1], [200, 180, 180, 190, 180]),
        (&[2], [180, 180, 210, 180, 180]),
        (&[0, 1], [200, 180, 240, 180, 180]),
        (&[0, 1, 2], [200, 180, 240, 180, 180]),
        (&[1, 2], [200, 180, 210, 190, 180]),
    ] {
        let launches = example.launches(ranks, &grains);
        assert_eq!(launches.took, took.map(Span::from_us), "{ranks:?}");
    }
    let all = example.launches(&[0, 1, 2], &grains);
    assert_eq!(all.alone, Span::from_us(180));
    close(all.mean_us().unwrap(), 196.0, 1e-9);
    close(all.efficiency().unwrap(), 0.918_367, 5e-7);
    close(all.least_efficiency().unwrap(), 0.75, 1e-12);
    close(all.largest_efficiency().unwrap(), 1.0, 1e-12);
    close(example.launches(&[1, 2], &grains).efficiency().unwrap(), 0.9375, 1e-12);
    assert!(example.launches(&[0], &[]).took.is_empty());
}

#[test]
fn the_closed_form_of_the_example_is_what_it_is_by_hand() {
    let example = example();
    let grain = Span::from_us(60);
    let classes = Class::between(&[Span::ZERO, Span::from_us(25)]);
    for (of_active, probabilities, efficiency) in
        [(false, [0.138_001, 0.073_685], 0.919_576_52), (true, [0.094_258, 0.049_747], 0.943_977_11)]
    {
        let of = |class: &Class| {
            let figures = example.figures(class, 3);
            let simultaneity = if of_active { figures.simultaneity_of_active() } else { figures.simultaneity() };
            elongation(&figures, simultaneity, grain).expect("short enough")
        };
        let added: Vec<_> = classes.iter().map(of).collect();
        added.iter().zip(probabilities).for_each(|(one, expected)| close(one.probability, expected, 5e-7));
        let longer: f64 = added.iter().map(|one| one.mean_us()).sum();
        close(60.0 / (60.0 + longer), efficiency, 1e-7);
    }
    let figures = example.figures(&Class::ALL, 3);
    let refused = elongation(&figures, figures.simultaneity(), Span::from_us(900)).expect_err("too long");
    close(refused.detours_per_grain, 1.5, 1e-12);
    // Detours that are never simultaneous hit any of p ranks as independent ones do.
    let apart = recording(&[&[(10, 5)], &[(20, 5)], &[(30, 5)]]).figures(&Class::ALL, 3);
    let one = elongation(&apart, apart.simultaneity(), Span::from_us(60)).expect("short enough");
    close(one.probability, 1.0 - (1.0_f64 - 60.0 / 1_000.0).powi(3), 1e-12);
}

#[test]
fn traces_lie_where_their_headers_say_and_are_cut_to_what_all_recorded() {
    let early = trace(&[(0, 30), (50, 10)], 100, &[("start_global_ns", "1000000")]);
    let late = trace(&[(10, 5)], 100, &[("start_global_ns", "1020000.5"), ("host", "node7")]);
    let recording = Recording::from_traces(&[early, late]).expect("they overlap");
    assert_eq!(recording.length(), Span(79_999_500));
    // What is left of the first detour still counts as one of 30 µs.
    let [first, second] = recording.ranks() else { panic!("two ranks") };
    assert_eq!((first.taken(), second.taken()), (Span(9_999_500 + 10_000_000), Span::from_us(5)));
    assert_eq!(second.host(), Some("node7"));
    let long = recording.figures(&Class { from: Span::from_us(30), below: None }, 2);
    assert_eq!((long.detours, long.taken), (1, Span(9_999_500)));
    // A clock that gains 1000 ppm shows intervals that were shorter.
    let fast = trace(&[(500, 10)], 1_000, &[("drift_ppb", "-1000000")]);
    assert_eq!(Recording::from_traces(&[fast]).expect("one").length(), Span::from_us(999));

    let apart = [trace(&[], 100, &[]), trace(&[], 100, &[("start_global_ns", "100000")])];
    assert!(Recording::from_traces(&apart).expect_err("apart").contains("no time in common"));
    assert!(Recording::from_traces(&[]).is_err());
    let bad = trace(&[], 100, &[("drift_ppb", "much")]);
    assert!(
        Recording::from_traces(&[bad]).expect_err("no number").contains("drift_ppb: expected a number, found 'much'")
    );
}

#[test]
fn grains_of_independent_ranks_are_delayed_as_those_of_one_rank_are() {
    // 1 kHz of 30 µs on average on each of 16 ranks, for half a second: played, and the largest of p delays of a single rank.
    let mut random = models::stable::draws(5, "detours");
    let mut exponential = |mean: f64| -> f64 { mean * -f64::ln(1.0 - rand::RngExt::random::<f64>(&mut random)) };
    let mut rank = || -> Vec<(u64, u64)> {
        let (mut at, mut all) = (0.0, Vec::new());
        loop {
            at += exponential(1_000.0);
            let duration = exponential(30.0).max(1.0);
            if at > 500_000.0 {
                return all;
            }
            all.push((at as u64, duration as u64));
            at += duration;
        }
    };
    let traces: Vec<DetourTrace> = (0..16).map(|_| trace(&rank(), 500_000, &[])).collect();
    let recording = Recording::from_traces(&traces).expect("traces");
    let grain = Span::from_us(100);
    let delays = models::noise::RecordedDelays::from_delays(recording.delays(grain)).expect("some");
    for ranks in [1, 4, 16] {
        let all: Vec<usize> = (0..ranks).collect();
        let played = recording.launches(&all, &[grain; 20]).efficiency().expect("some");
        let slowest = models::closed_form::noise::slowest_recorded(ranks as u64, &delays).mean_ps / 1e6;
        let independent = 100.0 / (100.0 + slowest);
        assert!((independent - played).abs() < 0.025, "{ranks} ranks: {independent} against {played}");
    }
    // Of one rank exactly the share that is left, but for the ends.
    let one = Recording::from_traces(&traces[..1]).expect("a trace");
    let left = 1.0 - one.ranks()[0].taken().as_us() / 500_000.0;
    let mean = one.delays(grain).iter().map(|delay| delay.as_us()).sum::<f64>() / one.delays(grain).len() as f64;
    close(100.0 / (100.0 + mean), left, 0.002);
}

/// One to five ranks with detours anywhere within a millisecond.
fn ranks() -> impl Strategy<Value = Vec<Vec<(u64, u64)>>> {
    let detours = prop::collection::vec((0_u64..1_000, 1_u64..200), 0..12);
    let sorted = detours.prop_map(|mut all| {
        all.sort_unstable();
        all
    });
    prop::collection::vec(sorted, 1..6)
}

/// The same, microsecond by microsecond: which rank is inside a detour.
fn naive(ranks: &[Vec<(u64, u64)>]) -> Vec<Vec<bool>> {
    let inside = |detours: &Vec<(u64, u64)>| {
        let at = |us: u64| detours.iter().any(|&(start, duration)| start <= us && us < start + duration);
        (0..1_000).map(at).collect()
    };
    ranks.iter().map(inside).collect()
}

proptest! {
    #[test]
    fn laws_of_coverage_and_simultaneity_hold(ranks in ranks()) {
        let lists: Vec<&[(u64, u64)]> = ranks.iter().map(Vec::as_slice).collect();
        let (recording, p) = (recording(&lists), ranks.len());
        let all = recording.figures(&Class::ALL, p);
        let naive = naive(&ranks);
        let (union, taken) = ((0..1_000).filter(|&us| naive.iter().any(|rank| rank[us])).count() as u64,
            naive.iter().flatten().filter(|inside| **inside).count() as u64);
        prop_assert_eq!((all.union, all.taken), (Span::from_us(union), Span::from_us(taken)));
        let most = recording.ranks().iter().map(|rank| rank.taken()).max().expect("a rank");
        prop_assert!(most <= all.union && all.union <= all.taken);
        for simultaneity in [all.simultaneity(), all.simultaneity_of_active()].into_iter().flatten() {
            prop_assert!(simultaneity <= 1.0 + 1e-12 && simultaneity >= 1.0 / p as f64 - 1e-12);
        }
        let coverage = |ranks| recording.figures(&Class::ALL, ranks).coverage();
        prop_assert!((1..p).all(|fewer| coverage(fewer) <= coverage(fewer + 1)));
        let classes = Class::between(&[Span::ZERO, Span::from_us(40), Span::from_us(100)]);
        let sum: f64 = classes.iter().map(|class| recording.figures(class, p).coverage()).sum();
        prop_assert!(sum >= all.coverage() - 1e-12);
        // Ranks with the same detours have them at once.
        let same = self::recording(&[lists[0]; 3]).figures(&Class::ALL, 3);
        prop_assert!(same.simultaneity().is_none_or(|simultaneity| (simultaneity - 1.0).abs() < 1e-12));
    }

    #[test]
    fn grains_take_what_they_take_microsecond_by_microsecond(ranks in ranks(), grains in prop::collection::vec(1_u64..120, 1..5)) {
        let lists: Vec<&[(u64, u64)]> = ranks.iter().map(Vec::as_slice).collect();
        let recording = recording(&lists);
        let naive = naive(&ranks);
        let done = |rank: &Vec<bool>, at: u64, work: u64| {
            let (mut now, mut left) = (at, work);
            while left > 0 {
                left -= u64::from(!rank.get(now as usize).copied().unwrap_or(false));
                now += 1;
            }
            now
        };
        let (mut expected, mut begin) = (Vec::new(), 0);
        loop {
            let end = grains.iter().fold(begin, |now, &grain| naive.iter().map(|rank| done(rank, now, grain)).max().expect("a rank"));
            if end > 1_000 {
                break;
            }
            expected.push(Span::from_us(end - begin));
            begin = end;
        }
        let spans: Vec<Span> = grains.iter().map(|&us| Span::from_us(us)).collect();
        let everybody: Vec<usize> = (0..ranks.len()).collect();
        let launches = recording.launches(&everybody, &spans);
        prop_assert_eq!(&launches.took, &expected);
        // Waiting for fewer ranks takes no longer, and noise of all takes no more than the time that any is inside it.
        let first = recording.launches(&[0], &spans).took;
        prop_assert!(first.len() >= expected.len());
    }
}

#[test]
fn a_timer_is_found_in_the_spectrum_and_random_starts_have_no_peak() {
    let random = |seed: u64| -> Vec<(u64, u64)> {
        let mut draws = models::stable::draws(seed, "starts");
        let mut starts: Vec<u64> = (0..3_000).map(|_| rand::RngExt::random_range(&mut draws, 0..9_999_000)).collect();
        starts.sort_unstable();
        starts.into_iter().map(|start| (start, 3)).collect()
    };
    // Every 4 ms, among as many at random.
    let mut both = random(1);
    both.extend((0..2_500).map(|k| (4_000 * k + 7, 10)));
    both.sort_unstable();
    let of = |detours: &[(u64, u64)]| {
        let recording = Recording::from_traces(&[trace(detours, 10_000_000, &[])]).expect("a trace");
        recording.spectrum(0, 0).expect("enough")
    };
    let peaks = of(&both).peaks(5);
    // The timer has the same power at all multiples of 250 Hz: they are one.
    assert_eq!(peaks.len(), 1, "{peaks:?}");
    assert!((peaks[0].hz - 250.0).abs() < 0.2, "{peaks:?}");
    // Of a hundred random recordings one may have a peak.
    let with_peak = (10..50).filter(|&seed| !of(&random(seed)).peaks(1).is_empty()).count();
    assert!(with_peak <= 3, "{with_peak} of 40");
    assert!(Recording::from_traces(&[trace(&[(1, 1)], 100, &[])]).expect("a trace").spectrum(0, 0).is_none());
}

#[test]
fn coincidence_is_the_share_of_ones_detours_within_anothers() {
    let found = super::coincidence(&example());
    // Rank 0: 70 µs, of which 10 µs lie within rank 1's and 30 µs within rank 2's.
    let expected = [
        [Some(1.0), Some(10.0 / 70.0), Some(30.0 / 70.0)],
        [Some(10.0 / 30.0), Some(1.0), Some(0.0)],
        [Some(1.0), Some(0.0), Some(1.0)],
    ];
    for (row, expected) in found.iter().zip(expected) {
        row.iter()
            .zip(expected)
            .for_each(|(one, expected)| close(one.expect("detours"), expected.expect("detours"), 1e-12));
    }
    let quiet = super::coincidence(&recording(&[&[], &[(1, 1)]]));
    assert_eq!(quiet[0], [None, None]);
}

#[test]
fn a_part_of_a_recording_is_cut_and_its_ranks_are_ordered() {
    let part = example().between(Span::from_us(410), Some(Span::from_us(605))).expect("within");
    let stretches = |rank: usize| part.ranks()[rank].stretches().collect::<Vec<_>>();
    assert_eq!(part.length(), Span::from_us(195));
    // Of a cut detour, the class is that of the whole.
    assert_eq!(stretches(0), [(Span::ZERO, Span::from_us(50))]);
    assert_eq!(part.ranks()[0].taken(), Span::from_us(40));
    assert_eq!(stretches(2), [(Span::from_us(5), Span::from_us(30))]);
    assert_eq!((part.ranks()[1].taken(), example().ranks()[1].taken()), (Span::from_us(5), Span::from_us(30)));
    assert!(example().between(Span::from_us(1_000), None).is_err());
    assert!(example().between(Span::from_us(5), Some(Span::from_us(5))).is_err());
    assert_eq!(example().between(Span::ZERO, None), Ok(example()));
    let numbers = |subset| example().ordered(subset).ranks().iter().map(|rank| rank.number).collect::<Vec<_>>();
    assert_eq!(numbers(Subset::First), [0, 1, 2]);
    assert_eq!(numbers(Subset::Noisiest), [0, 1, 2], "70, 30 and 30 us: equal ones by their numbers");
    let orders: std::collections::BTreeSet<Vec<u32>> = (0..40).map(|seed| numbers(Subset::Random(seed))).collect();
    assert_eq!(orders.len(), 6, "every order is drawn");
}

#[test]
fn the_spectrum_of_counts_finds_their_period() {
    // Every tenth interval of 1 ms does less, among numbers that scatter.
    let mut draw = models::stable::draws(1, "scatter");
    let alone: Vec<f64> = (0..5_000).map(|_| draw.random_range(0.0..16.0)).collect();
    let late = |(place, number): (usize, &f64)| number - if place % 10 == 3 { 40.0 } else { 0.0 };
    let counts: Vec<f64> = alone.iter().enumerate().map(late).collect();
    let spectrum = Spectrum::compute(&counts, Span::from_ms(1)).expect("numbers that differ");
    let peaks = spectrum.peaks(3);
    close(peaks[0].hz, 100.0, 0.2);
    let spectrum = Spectrum::compute(&alone, Span::from_ms(1)).expect("numbers that differ");
    assert!(spectrum.peaks(3).is_empty(), "{:?}", spectrum.peaks(3));
    close(spectrum.power.iter().sum::<f64>() / spectrum.power.len() as f64, 1.0, 0.4);
    assert_eq!(Spectrum::compute(&[1.0; 100], Span::from_ms(1)), None);
    assert_eq!(Spectrum::compute(&[1.0; 5], Span::from_ms(1)), None);
}
